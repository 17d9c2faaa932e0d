package keyring

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func openKeyring(t *testing.T, dir string) *Keyring {
	t.Helper()
	k, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestSecretsAreKeptSealedUnderTheirNames(t *testing.T) {
	dir := t.TempDir()
	k := openKeyring(t, dir)
	if _, err := k.Secret("audit-chain"); !errors.Is(err, graph.ErrNotFound) {
		t.Fatalf("a secret that was never put: %v", err)
	}
	for _, content := range []string{"the first winch", "the second winch"} {
		if err := k.PutSecret("audit-chain", []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	k = openKeyring(t, dir)
	secret, err := k.Secret("audit-chain")
	if err != nil || string(secret) != "the second winch" {
		t.Fatalf("after a restart: %q, %v", secret, err)
	}
	path := filepath.Join(dir, secretsName, "audit-chain")
	stored, err := os.ReadFile(path)
	if err != nil || bytes.Contains(stored, []byte("winch")) {
		t.Fatalf("the secret stands in its file: %q, %v", stored, err)
	}
	if err := os.WriteFile(filepath.Join(dir, secretsName, "audit-sign"), stored, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Secret("audit-sign"); !errors.Is(err, graph.ErrIntegrity) {
		t.Fatalf("a secret under another's name: %v", err)
	}
	if err := k.PutSecret("audit-chain", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Secret("audit-chain"); !errors.Is(err, graph.ErrNotFound) {
		t.Fatalf("a secret that was removed: %v", err)
	}
}

func TestSecretsThatOthersCanReadAreRefused(t *testing.T) {
	dir := t.TempDir()
	k := openKeyring(t, dir)
	if err := k.PutSecret("audit-chain", []byte("winch")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, secretsName, "audit-chain"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Secret("audit-chain"); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Fatal(err)
	}
}

func TestNamesOfSecretsAreNoPaths(t *testing.T) {
	k := openKeyring(t, t.TempDir())
	for _, name := range []string{"", "../master", "a/b", "A", "a.b", "a\x00", strings.Repeat("a", maxSecretName+1)} {
		if err := k.PutSecret(name, []byte("x")); err == nil {
			t.Errorf("%q was taken", name)
		}
		if _, err := k.Secret(name); err == nil || errors.Is(err, graph.ErrNotFound) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
