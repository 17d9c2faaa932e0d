package recess_test

import (
	"testing"

	"github.com/somnograph/somnograph/graph/recess"
	"github.com/somnograph/somnograph/graph/recess/blobtest"
)

func TestLocal(t *testing.T) {
	b, err := recess.NewLocal(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	blobtest.Check(t, b)
}
