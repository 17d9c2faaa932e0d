package ingest

import (
	"github.com/somnograph/somnograph/engine/network"
)

// surprise is Δ of a memory among its neighbours, SPEC section 4. What its entities and
// its statement were known of, link found out.
func surprise(f network.Familiarity, near []Neighbour) float64 {
	for _, n := range near {
		f.Nearest = max(f.Nearest, n.cosine)
	}
	return network.Surprise(f)
}
