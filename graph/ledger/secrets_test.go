package ledger_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/somnograph/somnograph/graph/ledger"
)

func TestSecretsAreReplacedAsAWholeAndOverwritten(t *testing.T) {
	root, data := t.TempDir(), t.TempDir()
	l, err := ledger.Open(root, data, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	s := l.Secrets()
	if b, err := s.Read("audit-a"); b != nil || err != nil {
		t.Fatalf("%q, %v", b, err)
	}
	path := filepath.Join(root, l.Store(), "secrets", "audit-a")
	var former *os.File
	for _, content := range []string{"seed of Monday", "seed of Monday", "seed of Tuesday"} {
		if err := s.Write("audit-a", []byte(content)); err != nil {
			t.Fatal(err)
		}
		if b, err := s.Read("audit-a"); string(b) != content || err != nil {
			t.Fatalf("%q, %v, want %q", b, err, content)
		}
		if former == nil {
			if former, err = os.Open(path); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = former.Close() }()
		}
	}
	b := make([]byte, len("seed of Monday"))
	if _, err := former.ReadAt(b, 0); err != nil || string(b) == "seed of Monday" {
		t.Errorf("the former secret is still in its file: %q, %v", b, err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read("audit-a"); err == nil {
		t.Error("a secret that others can read was accepted")
	}
	for _, name := range []string{"", "../x", "A"} {
		if err := s.Write(name, nil); err == nil {
			t.Errorf("the name %q was accepted", name)
		}
	}
}
