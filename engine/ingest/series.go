package ingest

import "github.com/somnograph/somnograph/engine/reader"

// standsInSeries reports whether a neighbour of a draft is one of several ACTIVE statements that differ
// from the draft, and from each other, in one place only. What stands side by side in one form is about
// several things ("flight 3 landed", "flight 6 landed"), and the next such statement revises none.
func standsInSeries(d *Draft, n *Neighbour, near []Neighbour) bool {
	if !reader.OneForm(d.said, n.said) {
		return false
	}
	for i := range near {
		if k := &near[i]; k.ID != n.ID && k.said != nil && reader.OneForm(d.said, k.said) && reader.OneForm(n.said, k.said) {
			return true
		}
	}
	return false
}
