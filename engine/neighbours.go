package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	neighbourFloor = 0.35 // cosine under which texts have nothing to do with each other
	neighbourLimit = 12   // nearest that a draft is compared with
	subjectLimit   = 16   // newest beliefs on the same subject
	sharedNames    = 8    // names of a draft that are looked up
	sharedCommon   = 64   // mentions above which a name is too common to point at anything
	sharedEach     = 4    // newest that mention one name
	sharedLimit    = 12   // that share a name, rare names first
)

// circle is who a draft may agree or clash with: a namespace, and in it the owner's
// memories with those that belong to nobody.
type circle struct{ namespace, user string }

// inCircle reports whether a draft of the owner is compared with what belongs to
// the other: its own and what belongs to nobody.
func inCircle(owner, other string) bool { return other == "" || other == owner }

// neighbours finds, for each draft, the ACTIVE memories that it must be compared
// with: the nearest by meaning, the newest on the same subject, and the newest that share
// a name with it.
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
		known := mentions{}
		for i, d := range drafts {
			if d.enters() {
				continue
			}
			if err := e.load(r, t, d, cosines[i], known, &found[i]); err != nil {
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
func (e *Engine) load(r graph.Reader, t *tenant, d *draft, cosines map[graph.ID]float64, known mentions, into *[]neighbour) error {
	ids := make([]graph.ID, 0, len(cosines))
	for id := range cosines {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	near, err := r.Memories(ids)
	if err != nil {
		return err
	}
	have := map[graph.ID]bool{}
	for _, m := range near {
		if m != nil && m.Status() == graph.Active {
			have[m.ID] = true
			*into = append(*into, neighbour{m, cosines[m.ID]})
		}
	}
	var others []*graph.Memory
	if d.memory.Subject != "" {
		q := graph.MemoryQuery{
			Namespaces: []string{d.memory.Namespace}, Subject: d.memory.Subject, Statuses: []graph.Status{graph.Active},
			Descending: true, Limit: subjectLimit,
		}
		if others, err = r.ListMemories(q); err != nil {
			return err
		}
	}
	sharing, err := known.sharing(r, d)
	if err != nil {
		return err
	}
	for _, m := range append(others, sharing...) {
		if m == nil || have[m.ID] || m.Status() != graph.Active || !inCircle(d.memory.User, m.User) {
			continue
		}
		have[m.ID] = true
		cos := 0.0
		if doc, ok := e.index.Doc(t.scope, m.ID); ok {
			cos = dot(doc.Vector, d.vector)
		}
		*into = append(*into, neighbour{m, cos})
	}
	return nil
}

// named is an entity as a memory may be linked to it.
type named struct{ namespace, user, canonical string }

// mentions are the newest memories that mention a name with how many do, up to one more
// than sharedCommon; read once for the drafts of one transaction.
type mentions map[named]mentioned

type mentioned struct {
	newest []graph.ID // newest first
	all    int
}

// of reads the mentions of one name.
func (k mentions) of(r graph.Reader, n named) (mentioned, error) {
	if found, known := k[n]; known {
		return found, nil
	}
	var found mentioned
	for _, owner := range owners(n.user) {
		entity, err := r.EntityByName(n.namespace, owner, n.canonical)
		if errors.Is(err, graph.ErrNotFound) {
			continue
		}
		if err != nil {
			return found, err
		}
		ids, err := r.Mentions(entity.ID, "", sharedCommon+1)
		if err != nil {
			return found, err
		}
		slices.Reverse(ids)
		found = mentioned{ids[:min(sharedEach, len(ids))], len(ids)}
		break // a draft is linked to this one
	}
	k[n] = found
	return found, nil
}

// sharing are the newest memories that share a name with a draft. A rare name says more:
// it comes first, and one that everything mentions says nothing.
func (k mentions) sharing(r graph.Reader, d *draft) ([]*graph.Memory, error) {
	var found []mentioned
	for _, name := range d.names() {
		x, err := k.of(r, named{d.memory.Namespace, d.memory.User, name})
		if err != nil {
			return nil, err
		}
		if x.all > 0 && x.all <= sharedCommon {
			found = append(found, x)
		}
	}
	slices.SortStableFunc(found, func(a, b mentioned) int { return cmp.Compare(a.all, b.all) })
	var ids []graph.ID
	for _, x := range found {
		for _, id := range x.newest {
			if len(ids) < sharedLimit && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return r.Memories(ids)
}

// names are the canonical names of a draft, its statement's first.
func (d *draft) names() []string {
	var names []string
	add := func(canonical string) {
		if canonical != "" && len(canonical) <= graph.MaxName && len(names) < sharedNames && !slices.Contains(names, canonical) {
			names = append(names, canonical)
		}
	}
	add(extract.Canonical(d.statement.Subject))
	if len(d.statement.Object) <= maxObjectName {
		add(extract.Canonical(d.statement.Object))
	}
	for _, n := range d.named {
		add(n.Canonical)
	}
	return names
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
