package instance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
)

// renamed is a model under another name.
type renamed struct{ models.Embedder }

func (renamed) Name() string { return "another-512" }

func TestAnotherModelIsRefused(t *testing.T) {
	dir := t.TempDir()
	in := open(t, options(dir))
	remember(t, in, "The winch sticks again.")
	shut(t, in)
	o := options(dir)
	o.Engine.Embedder = renamed{hashed.New()}
	_, err := Open(t.Context(), o)
	if err == nil {
		t.Fatal("it was opened")
	}
	for _, part := range []string{dir, "another-512", hashed.New().Name(), "embedder"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	// Nothing was changed: the index is still that of the former model.
	if model, err := os.ReadFile(filepath.Join(dir, "index", "model")); err != nil || string(model) != hashed.New().Name() {
		t.Errorf("the index is of %q, %v", model, err)
	}
	if saved, err := filepath.Glob(filepath.Join(dir, "index", "*.index")); err != nil || len(saved) == 0 {
		t.Errorf("the index was removed: %v, %v", saved, err)
	}
	shut(t, open(t, options(dir)))
}
