package instance

import (
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
	shut(t, open(t, options(dir))) // and nothing was changed
}
