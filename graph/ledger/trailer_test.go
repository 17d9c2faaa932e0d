package ledger_test

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/ledger"
)

// A secret whose file was changed is never returned, whatever bit it is, and the error names the file. One under another's name
// is none either. A file of an earlier version, without a trailer, is read.
func TestChangedSecretsAreNamed(t *testing.T) {
	root := t.TempDir()
	l, err := ledger.Open(root, t.TempDir(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	s := l.Secrets()
	const content = `{"seed":"winch"}`
	if err := s.Write("audit-a", []byte(content)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, l.Store(), "secrets", "audit-a")
	stored, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what, name string) {
		t.Helper()
		b, err := s.Read(name)
		var named *graph.DamagedKeysError
		if b != nil || !errors.As(err, &named) || filepath.Base(named.Path) != name || strings.Contains(err.Error(), "winch") {
			t.Errorf("%s: %q, %v", what, b, err)
		}
	}
	for i := range 8 * len(stored) {
		changed := append([]byte(nil), stored...)
		changed[i/8] ^= 1 << (i % 8)
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		refused("a changed bit", "audit-a")
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "audit-b"), stored, 0o600); err != nil {
		t.Fatal(err)
	}
	refused("the secret of another name", "audit-b")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := s.Read("audit-a"); string(b) != content || err != nil {
		t.Errorf("without a trailer: %q, %v", b, err)
	}
	if err := s.Write("audit-a", []byte(content)); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); string(b) != string(stored) || err != nil {
		t.Errorf("written again: %q, %v, want a trailer", b, err)
	}
}
