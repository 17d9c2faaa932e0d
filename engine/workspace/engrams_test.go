package workspace

import (
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// What is damaged in one tenant is neither counted nor mended in another one that has the same id.
func TestDamagedEngramsBelongToTheirTenant(t *testing.T) {
	var d damagedEngrams
	id := ever(1, "", graph.L1).ID
	if !d.found("acme", id) || d.found("acme", id) || !d.found("rival", id) {
		t.Error("a damaged engram of one tenant is known for another one, or not known again")
	}
	d.mend("rival", id)
	if got := d.IDs("acme"); !slices.Equal(got, []graph.ID{id}) || len(d.IDs("rival")) != 0 || d.Count() != 1 {
		t.Errorf("%v of acme, %v of the other, %d of all", got, d.IDs("rival"), d.Count())
	}
}
