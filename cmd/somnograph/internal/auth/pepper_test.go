package auth

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/access"
)

// A pepper that is renamed is the former one, and a new one is made in its place.
func TestARenamedPepperIsTheFormerOne(t *testing.T) {
	path := PepperFile(t.TempDir())
	first, err := Pepper(path)
	if err != nil {
		t.Fatal(err)
	}
	if former, err := FormerPepper(path); err != nil || former != nil {
		t.Fatalf("before there is a former one: %d bytes, %v", len(former), err)
	}
	if err := os.Rename(path, path+".former"); err != nil {
		t.Fatal(err)
	}
	second, err := Pepper(path)
	if err != nil || bytes.Equal(first, second) {
		t.Fatalf("the new one equals the former: %v", err)
	}
	if former, err := FormerPepper(path); err != nil || !bytes.Equal(former, first) {
		t.Errorf("the former one: %d bytes, %v", len(former), err)
	}
	if err := os.WriteFile(path+".former", first[:access.MinPepper-1], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := FormerPepper(path); err == nil || !strings.Contains(err.Error(), filepath.Base(path)+".former") {
		t.Errorf("a cut one: %v", err)
	}
}
