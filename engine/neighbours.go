package engine

import (
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	neighbourFloor = 0.35 // cosine under which texts have nothing to do with each other
	neighbourLimit = 12   // nearest that a draft is compared with
	subjectLimit   = 16   // newest beliefs on the same subject
)

// circle is who a draft may agree or clash with: a namespace, and in it the owner's
// memories with those that belong to nobody.
type circle struct{ namespace, user string }

// inCircle reports whether a draft of the owner is compared with what belongs to
// the other: its own and what belongs to nobody.
func inCircle(owner, other string) bool { return other == "" || other == owner }

// neighbours finds, for each draft, the ACTIVE memories that it must be compared
// with: the nearest by meaning and the newest on the same subject.
func (e *Engine) neighbours(ctx context.Context, t *tenant, drafts []*draft, now time.Time) ([][]neighbour, error) {
	found := make([][]neighbour, len(drafts))
	if !slices.ContainsFunc(drafts, func(d *draft) bool { return !d.enters() }) {
		return found, nil // a turn is compared when it leaves L0
	}
	if err := e.current(ctx, t); err != nil {
		return nil, err
	}
	groups := map[circle][]int{}
	for i, d := range drafts {
		if d.vector != nil {
			k := circle{d.memory.Namespace, d.memory.User}
			groups[k] = append(groups[k], i)
		}
	}
	cosines := make([]map[graph.ID]float64, len(drafts))
	for k, members := range groups {
		vectors := make([][]float32, len(members))
		for j, i := range members {
			vectors[j] = drafts[i].vector
		}
		near, err := e.index.Nearest(ctx, t.scope, vectors, k.filter(), now, neighbourLimit, neighbourFloor)
		if err != nil {
			return nil, err
		}
		for j, i := range members {
			cosines[i] = make(map[graph.ID]float64, len(near[j]))
			for _, n := range near[j] {
				cosines[i][n.Doc.ID] = n.Cosine
			}
		}
	}
	err := e.store.View(ctx, t.scope, func(r graph.Reader) error {
		for i, d := range drafts {
			if d.enters() {
				continue
			}
			if err := e.load(r, t, d, cosines[i], &found[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return found, err
}

func (k circle) filter() index.Filter {
	f := index.Filter{Namespaces: []string{k.namespace}, Users: []string{""}, Statuses: []graph.Status{graph.Active}}
	if k.user != "" {
		f.Users = append(f.Users, k.user)
	}
	return f
}

// load reads the neighbours of one draft.
func (e *Engine) load(r graph.Reader, t *tenant, d *draft, cosines map[graph.ID]float64, into *[]neighbour) error {
	ids := make([]graph.ID, 0, len(cosines))
	for id := range cosines {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	near, err := r.Memories(ids)
	if err != nil {
		return err
	}
	for _, m := range near {
		if m != nil && m.Status() == graph.Active {
			*into = append(*into, neighbour{m, cosines[m.ID]})
		}
	}
	if d.memory.Subject == "" {
		return nil
	}
	q := graph.MemoryQuery{
		Namespaces: []string{d.memory.Namespace}, Subject: d.memory.Subject, Statuses: []graph.Status{graph.Active},
		Descending: true, Limit: subjectLimit,
	}
	beliefs, err := r.ListMemories(q)
	if err != nil {
		return err
	}
	for _, m := range beliefs {
		if _, have := cosines[m.ID]; have || !inCircle(d.memory.User, m.User) {
			continue
		}
		cos := 0.0
		if doc, ok := e.index.Doc(t.scope, m.ID); ok {
			cos = dot(doc.Vector, d.vector)
		}
		*into = append(*into, neighbour{m, cos})
	}
	return nil
}

// dot is the cosine of two unit vectors, clamped at 0; 0 where either is missing.
func dot(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var s float32
	for i := range a {
		s += a[i] * b[i]
	}
	return max(0, float64(s))
}
