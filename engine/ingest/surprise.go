package ingest

import (
	"github.com/somnograph/somnograph/engine/network"
)

// surprise computes the surprise Δ of a memory from its neighbours and from the
// familiarity that Link returned.
func surprise(f network.Familiarity, near []Neighbour) float64 {
	for _, n := range near {
		f.Nearest = max(f.Nearest, n.cosine)
	}
	return network.Surprise(f)
}
