package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// sight draws a sight.
func (c *chronicle) sight() (s graph.Sight) {
	if c.IntN(2) == 0 {
		s.Namespaces = pick(c.Rand, []string{"main"}, []string{"main", "rare"}, []string{"nowhere"})
	}
	if c.IntN(3) > 0 {
		s.User = pick(c.Rand, "ana", "bo", "nobody")
	}
	if c.IntN(3) == 0 {
		s.Consents = graph.Consents[:1+c.IntN(2)]
	}
	if c.IntN(3) == 0 {
		s.Sensitivity = pick(c.Rand, graph.Sensitivities...)
	}
	return s
}

// without returns the feed of a world that never had what the sight does not show.
func (f *feed) without(s graph.Sight) *feed {
	rank := func(x graph.Sensitivity) int { return slices.Index(graph.Sensitivities, x) }
	owned := func(namespace, user string) bool {
		return (s.Namespaces == nil || slices.Contains(s.Namespaces, namespace)) && (s.User == "" || user == "" || user == s.User)
	}
	left, mentioned := newFeed(), map[graph.ID]bool{}
	for _, id := range sortedKeys(f.memories) {
		m := f.memories[id]
		if m.Status() == graph.Forgotten || !owned(m.Namespace, m.User) || s.Consents != nil && !slices.Contains(s.Consents, m.Consent) ||
			s.Sensitivity != "" && rank(m.Sensitivity) > rank(s.Sensitivity) {
			continue
		}
		left.put(m, f.vectors[id])
		for _, e := range m.Entities {
			mentioned[e] = true
		}
	}
	for _, id := range sortedKeys(f.entities) {
		if e := f.entities[id]; owned(e.Namespace, e.User) && (s.Consents == nil && s.Sensitivity == "" || mentioned[id]) {
			left.putEntity(e)
		}
	}
	for _, id := range sortedKeys(f.relations) {
		r := f.relations[id]
		stating := slices.DeleteFunc(slices.Clone(r.Memories), func(id graph.ID) bool { return left.memories[id] == nil })
		if left.entities[r.Source] != nil && left.entities[r.Target] != nil && (s.Whole() || len(r.Memories) == 0 || len(stating) > 0) {
			left.putRelation(r)
		}
	}
	return left
}

// sightAnswers prints what the queries of an index answer.
func sightAnswers(t *testing.T, x *Index, sc graph.Scope, q Query, c *chronicle) string {
	t.Helper()
	r, err := x.Recall(context.Background(), sc, q)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(r.Candidates, func(a, b Candidate) int { return slices.Compare([]byte(a.Doc.ID), []byte(b.Doc.ID)) })
	var docs []*Doc
	text := fmt.Sprintf("considered %d, channels %d %d %d, topics %v\n", r.Considered, r.Semantic, r.Keyword, r.Graph, r.HasTopics)
	for _, f := range r.Candidates {
		docs = append(docs, f.Doc)
		text += fmt.Sprint(f.Doc.ID, f.Semantic, f.Keyword, f.Graph, f.Topical, f.Ranks, f.Via, "\n")
	}
	near, err := x.Nearest(context.Background(), sc, [][]float32{q.Vector}, q.Filter, q.Now, 7, -1)
	if q.Vector != nil && err != nil {
		t.Fatal(err)
	}
	for _, n := range slices.Concat(near...) {
		text += fmt.Sprint(n.Doc.ID, n.Cosine, "\n")
	}
	words := fmt.Sprint(q.Texts)
	for _, namespaces := range [][]string{nil, {"main"}, {"side", "rare"}} {
		weight, known := x.Rarity(sc, namespaces)("garden")
		text += fmt.Sprint(weight, known, x.FindEntities(sc, namespaces, q.Filter.Users, words), x.Coverage(sc, namespaces, words, nil, docs))
		text += fmt.Sprintln(x.Words(sc, namespaces, docs))
	}
	n := 0
	x.Docs(sc, func(d *Doc) bool { n++; text += fmt.Sprint(d.ID, " "); return true })
	for _, id := range c.entities {
		count, first, last := x.Mentions(sc, id)
		text += fmt.Sprintln(id, count, first, last)
	}
	for _, id := range slices.Collect(firstOf(sortedKeys(c.f.memories), 30)) {
		_, known := x.Doc(sc, id)
		text += fmt.Sprint(id, known)
		for _, d := range x.Following(sc, id, 2) {
			text += " " + string(d.ID)
		}
	}
	newest, all := x.MemoriesMentioning(sc, "main", []string{"ana", ""}, pick(rand.New(rand.NewPCG(uint64(n), 1)), vocabulary...), 50)
	text += fmt.Sprint(n, len(newest), all)
	for _, d := range x.MemoriesBySubject(sc, "main", "river level", 5) {
		text += " " + string(d.ID)
	}
	text += fmt.Sprintln(x.RelationsAmong(sc, c.entities), x.Relations(sc, func(*graph.Entity) bool { return true }, "", 20))
	s := x.Stats(sc)
	return text + fmt.Sprint(s.Memories, s.ByStatus, s.ByType, s.ByTier, s.Entities, s.Pending)
}

func firstOf[T any](all []T, n int) func(func(T) bool) {
	return func(yield func(T) bool) {
		for _, x := range all[:min(n, len(all))] {
			if !yield(x) {
				return
			}
		}
	}
}

// A query through a sight answers the same as over an index of a world that has nothing else.
func TestSightEqualsSmallerWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			f := newFeed()
			f.topics = matters
			c := &chronicle{Rand: rand.New(rand.NewPCG(seed, 23)), f: f, now: epoch}
			x := opened(t, f, Options{Topics: f.topics})
			for range 3 {
				for range 150 {
					c.step()
				}
				settle(t, x, f)
				for range 4 {
					sc := world
					sc.Sight = c.sight()
					left := f.without(sc.Sight)
					y := opened(t, left, Options{Topics: f.topics})
					settle(t, y, left)
					for range 20 {
						q := c.query()
						q.Exhaustive = c.IntN(2) == 0
						mine, theirs := sightAnswers(t, x, sc, q, c), sightAnswers(t, y, sc, q, c)
						if mine != theirs {
							t.Fatalf("%+v: %s", sc.Sight, firstDifference(mine, theirs))
						}
					}
				}
			}
		})
	}
}

// firstDifference shows where two texts begin to differ.
func firstDifference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(0, i-120)
	return fmt.Sprintf("the whole world\n…%s\nthe smaller world\n…%s", a[from:min(len(a), i+120)], b[from:min(len(b), i+120)])
}
