package engine

import (
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/graph"
)

// readingsKept is how many memories the engine keeps as the conflict scorer read them.
// A text never changes under an id, and the same neighbours are compared with write
// after write.
const readingsKept = 4096

// readings remembers how the conflict scorer read memories.
type readings struct {
	kept *lru.Cache[graph.ID, conflict.Analysis]
}

func newReadings() *readings {
	kept, err := lru.New[graph.ID, conflict.Analysis](readingsKept)
	if err != nil { // only a size below 1
		panic(err)
	}
	return &readings{kept}
}

// of reads a stored memory, once. What is in L0 is not kept: its subject is still to come.
func (r *readings) of(m *graph.Memory) conflict.Analysis {
	if m.State().Tier == graph.L0 {
		return conflict.Analyse(statementOf(m))
	}
	if a, ok := r.kept.Get(m.ID); ok {
		return a
	}
	a := conflict.Analyse(statementOf(m))
	r.kept.Add(m.ID, a)
	return a
}

// forget drops everything: an erasure leaves no word behind.
func (r *readings) forget() { r.kept.Purge() }

// statementOf is what the conflict scorer sees of a memory.
func statementOf(m *graph.Memory) conflict.Statement {
	return conflict.Statement{Text: m.Content, Subject: m.Subject, Predicate: m.Predicate, Object: m.Object, At: m.OccurredAt}
}
