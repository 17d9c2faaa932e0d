package recall

import (
	"context"
	"math/bits"
	"strings"
	"sync"

	_ "embed"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph/index"
)

// A question without meaning also has a nearest memory, and its cosine grows with the number of
// memories and depends on the model. So the floor of the cosine is measured where it applies: it is
// above the best cosines of thirty-two texts without meaning, the probes. They are searched once for
// each power of two of memories that pass a filter.

//go:embed probes.txt
var probeTexts string

// Limits of the floor on the scale of the built-in embedder, see scale. A handful of memories may
// have no cosine to any probe; and above the upper limit are texts that say nearly the same.
const (
	lowestFloor  = 0.35
	highestFloor = 0.6
	aboveProbes  = 0.05 // added to the highest cosine of a probe
)

// floors keeps the measured floors of a tenant. It is safe for concurrent use.
type floors struct {
	mu    sync.Mutex
	known map[floorKey]float64 // at most maxFloors
}

// floorKey says where a floor applies.
type floorKey struct {
	sight string // of the caller, since the probes are searched among what it sees
	size  int    // length of the number of memories in bits
}

// maxFloors is more than the floors of a hundred callers with different sights.
const maxFloors = 2048

// floor returns the cosine, on the scale of the built-in embedder, from which a memory of the
// searched ones has to do with a question. If the model or the index fails, it is
// rank.FloorSemantic, and the answer names the part that failed.
func (svc *Service) floor(ctx context.Context, q *query, s scale) float64 {
	f, at := &q.t.floors, floorKey{q.t.Scope.Sight.Key(), bits.Len(uint(q.considered))}
	f.mu.Lock()
	defer f.mu.Unlock()
	if v, known := f.known[at]; known {
		return v
	}
	v, missing, err := svc.measureFloor(ctx, q, s)
	if err != nil {
		svc.Log.WarnContext(ctx, "[READ] the floor of relevance was not measured", "part", missing, "error", err)
		q.lack(missing)
		return rank.FloorSemantic
	}
	if f.known == nil || len(f.known) >= maxFloors {
		f.known = map[floorKey]float64{}
	}
	f.known[at] = v
	return v
}

// measureFloor searches for the probes among the memories that the query searches. An error comes with
// the part that failed.
func (svc *Service) measureFloor(ctx context.Context, q *query, s scale) (float64, workspace.Part, error) {
	probes, err := svc.embedProbes(ctx, q)
	if err != nil {
		return 0, workspace.PartEmbedder, err
	}
	highest := 0.0
	for _, v := range probes {
		found, err := svc.SearchIndex(ctx, q.principal, q.t.Scope, index.Query{
			Vector: v, Limit: 1, Approximate: true, BlendNeighbours: q.ask.BlendNeighbours, Filter: q.ask.Filter, Now: q.ask.Now,
		})
		switch {
		case err != nil:
			return 0, workspace.PartVectors, err
		case found.VectorsErr != nil:
			return 0, workspace.PartVectors, found.VectorsErr
		}
		for _, x := range found.Candidates {
			highest = max(highest, s.apply(x.Semantic))
		}
	}
	return min(highestFloor, max(lowestFloor, highest+aboveProbes)), "", nil
}

// embedProbes embeds the probes as questions, those of a models.Weigher with the weights of the
// searched memories.
func (svc *Service) embedProbes(ctx context.Context, q *query) (vectors [][]float32, err error) {
	probes := strings.Split(strings.TrimSpace(probeTexts), "\n")
	if _, weighed := svc.Embedder.(models.Weigher); !weighed {
		ctx, cancel := workspace.WithHalfDeadline(ctx, queryWait)
		defer cancel()
		return svc.Embedder.Embed(ctx, probes, models.Query)
	}
	vectors = make([][]float32, len(probes))
	for i, text := range probes {
		if vectors[i], err = svc.embedQuery(ctx, q.t.Scope, q.ask.Filter.Namespaces, text); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}
