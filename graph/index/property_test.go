package index

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
)

// chronicle writes random histories into a feed.
type chronicle struct {
	*rand.Rand
	f        *feed
	now      time.Time
	ids      []graph.ID // memories that are not forgotten
	entities []graph.ID
	ties     []graph.ID
}

var vocabulary = strings.Fields("apple boat candle river garden meeting budget deploy server kitchen violin mountain " +
	"doctor ticket window paper orange planet copper signal harbour pencil 14:00 v2.3 main.go")

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func (c *chronicle) text() string {
	var words []string
	for range 1 + c.IntN(12) {
		words = append(words, pick(c.Rand, vocabulary...))
	}
	return strings.Join(words, " ")
}

func (c *chronicle) vector() []float32 {
	if c.IntN(8) == 0 {
		return nil
	}
	return testvectors.Around(c.Rand, nil, 40, 1)
}

// step does one random operation.
func (c *chronicle) step() {
	c.now = c.now.Add(time.Duration(c.IntN(5000)) * time.Millisecond)
	switch n := c.IntN(20); {
	case n < 9 || len(c.ids) == 0:
		c.remember()
	case n < 13:
		c.change(pick(c.Rand, c.ids...))
	case n < 14:
		at := c.IntN(len(c.ids))
		c.f.erase(c.ids[at], c.now)
		c.ids = slices.Delete(c.ids, at, at+1)
	case n < 15:
		c.f.use(pick(c.Rand, c.ids...), c.now)
	case n < 17 || len(c.entities) < 2:
		c.name()
	case n < 18:
		at := c.IntN(len(c.entities))
		c.f.dropEntity(c.entities[at])
		c.entities = slices.Delete(c.entities, at, at+1)
	case n < 19 || len(c.ties) == 0:
		id := c.f.id(c.now)
		c.ties = append(c.ties, id)
		r := &graph.Relation{
			ID: id, Source: pick(c.Rand, c.entities...), Target: pick(c.Rand, c.entities...), Strength: c.Float64() * 3,
			StrengthAt: c.now, RecordedAt: c.now, ValidFrom: c.now.Add(-time.Duration(c.IntN(60)) * time.Minute),
		}
		for range c.IntN(3) {
			r.Memories = append(r.Memories, pick(c.Rand, c.ids...))
		}
		if c.IntN(3) == 0 {
			r.ValidTo = c.now.Add(time.Duration(c.IntN(60)) * time.Second)
		}
		c.f.putRelation(r)
	default:
		at := c.IntN(len(c.ties))
		c.f.dropRelation(c.ties[at])
		c.ties = slices.Delete(c.ties, at, at+1)
	}
}

func (c *chronicle) name() {
	id := c.f.id(c.now)
	c.entities = append(c.entities, id)
	c.f.putEntity(&graph.Entity{
		ID: id, Namespace: pick(c.Rand, "main", "side"), User: pick(c.Rand, "", "ana", "bo"), Name: pick(c.Rand, vocabulary...),
		Canonical: pick(c.Rand, vocabulary...), Type: graph.Concept, FirstSeen: c.now,
	})
}

func (c *chronicle) remember() {
	m := c.f.memory(c.now, c.text(), func(m *graph.Memory) {
		m.Namespace = pick(c.Rand, "main", "main", "side", "rare")
		m.User = pick(c.Rand, "", "ana", "bo")
		m.Session = pick(c.Rand, "", "s1", "s2", "s3")
		m.Project = pick(c.Rand, "", "p1", "p2")
		m.Subject = pick(c.Rand, "", "river level", "budget")
		m.Type = pick(c.Rand, graph.Types...)
		m.Consent, m.Sensitivity = pick(c.Rand, graph.Consents...), pick(c.Rand, graph.Sensitivities...)
		m.Tags = pick(c.Rand, nil, []string{"red"}, []string{"red", "blue"})
		m.Summary = pick(c.Rand, "", "", c.text())
		m.Authority, m.Importance = float64(c.IntN(11))/10, float64(c.IntN(11))/10
		m.OccurredAt = c.now.Add(-time.Duration(c.IntN(7200)) * time.Second)
		m.ValidFrom = m.OccurredAt
		if c.IntN(6) == 0 {
			m.ExpiresAt = c.now.Add(time.Duration(c.IntN(600)) * time.Second)
		}
		for range min(c.IntN(4), len(c.entities)) {
			if e := pick(c.Rand, c.entities...); !slices.Contains(m.Entities, e) {
				m.Entities = append(m.Entities, e)
			}
		}
	})
	c.ids = append(c.ids, m.ID)
	c.f.put(m, c.vector())
}

func (c *chronicle) change(id graph.ID) {
	m := *c.f.memories[id]
	vector := c.f.vectors[id]
	switch c.IntN(6) {
	case 0:
		m.SetState(c.now, func(s *graph.State) { s.Status = graph.Superseded; s.ValidTo = c.now })
	case 1:
		m.SetState(c.now, func(s *graph.State) { s.Status = pick(c.Rand, graph.Statuses[:5]...) })
	case 2:
		m.Tags = pick(c.Rand, nil, []string{"blue"}, []string{"green", "red"})
	case 3:
		m.Importance = c.Float64()
	case 4:
		vector = c.vector()
		if vector == nil {
			vector = c.f.vectors[id]
		}
	case 5:
		m.Session, m.OccurredAt = pick(c.Rand, "", "s1", "s2"), c.now.Add(-time.Duration(c.IntN(7200))*time.Second)
		m.Entities = nil
	}
	c.f.put(&m, vector)
}

// query makes a query with a random filter.
func (c *chronicle) query() Query {
	maybe := func() bool { return c.IntN(4) == 0 }
	q := Query{Now: c.now.Add(time.Duration(c.IntN(300)) * time.Second), Limit: pick(c.Rand, 0, 1, 5, 30), Hops: c.IntN(4), Topics: c.IntN(2) == 0, Exhaustive: true}
	for range c.IntN(3) {
		q.Texts = append(q.Texts, c.text())
	}
	if c.IntN(3) > 0 {
		q.Vector = testvectors.Around(c.Rand, nil, 40, 1)
	}
	for range min(c.IntN(3), len(c.entities)) {
		q.Entities = append(q.Entities, pick(c.Rand, c.entities...))
	}
	past := func() time.Time { // any instant, or just one at which something turned
		if len(c.ids) > 0 && c.IntN(2) == 0 {
			m := c.f.memories[pick(c.Rand, c.ids...)]
			s := pick(c.Rand, m.History...)
			return pick(c.Rand, s.From, s.From, s.ValidTo, m.ExpiresAt, m.OccurredAt, m.ValidFrom)
		}
		return epoch.Add(time.Duration(c.Int64N(int64(c.now.Sub(epoch)) + 1)))
	}
	if maybe() { // a clock earlier than some recorded instants
		q.Now = c.now.Add(-time.Duration(c.IntN(20)) * time.Second)
	}
	f := &q.Filter
	if c.IntN(2) == 0 {
		f.AsOf.Recorded = graph.Millis(past())
	}
	if maybe() {
		f.AsOf.Valid = graph.Millis(past())
	}
	if maybe() {
		f.Namespaces = pick(c.Rand, []string{"main"}, []string{"rare"}, []string{"side", "main", "nowhere"})
	}
	if maybe() {
		f.Users = pick(c.Rand, []string{"ana"}, []string{"", "bo"}, []string{"ana", "bo", "nobody"}, []string{"nobody"})
	}
	if maybe() {
		f.Session = pick(c.Rand, "s1", "s3", "s9")
	}
	if maybe() {
		f.Project = pick(c.Rand, "p1", "p9")
	}
	if maybe() {
		f.Subject = "river level"
	}
	if maybe() {
		f.Types = graph.Types[c.IntN(4):]
	}
	if maybe() {
		f.Tags = pick(c.Rand, []string{"red"}, []string{"blue", "red"}, []string{"grey"})
	}
	if maybe() {
		f.Consents = graph.Consents[:1+c.IntN(2)]
	}
	if maybe() {
		f.Statuses = pick(c.Rand, graph.Statuses, []graph.Status{graph.Expired}, []graph.Status{graph.Superseded, graph.Archived})
	}
	if maybe() {
		f.Since = past().Add(-time.Hour)
	}
	if maybe() {
		f.Until = past()
	}
	if maybe() {
		f.MinAuthority = float64(c.IntN(11)) / 10
	}
	if maybe() {
		f.MinImportance = float64(c.IntN(11)) / 10
	}
	return q
}

const tolerance = 2e-5

// agree compares the results of the index with brute force: the passing memories, the size of
// each channel, the value at every rank, and all evidence of every candidate.
func agree(t *testing.T, x *Index, f *feed, q Query) {
	t.Helper()
	r, err := x.Recall(context.Background(), world, q)
	if err != nil {
		t.Fatal(err)
	}
	b := bruteForce(f, q)
	if r.Considered != len(b.passed) {
		t.Fatalf("%d memories passed, want %d", r.Considered, len(b.passed))
	}
	top := 0.0
	for _, s := range b.bm25 {
		top = max(top, s)
	}
	for _, ch := range []struct {
		name  string
		count int
		value map[graph.ID]float64
		rank  func(Ranks) int
	}{
		{"semantic", r.Semantic, b.cosine, func(x Ranks) int { return x.Semantic }},
		{"keyword", r.Keyword, b.bm25, func(x Ranks) int { return x.Keyword }},
		{"graph", r.Graph, b.level, func(x Ranks) int { return x.Graph }},
	} {
		want := b.ranked(ch.value)
		if ch.count != len(want) {
			t.Fatalf("%s gave %d candidates, want %d", ch.name, ch.count, len(want))
		}
		ranked := 0
		for _, c := range r.Candidates {
			at := ch.rank(c.Ranks)
			if at == 0 {
				continue
			}
			ranked++
			if got := ch.value[c.Doc.ID]; math.Abs(got-want[at-1]) > tolerance*(1+math.Abs(got)) {
				t.Fatalf("%s rank %d: %s has %v, the value there is %v", ch.name, at, c.Doc.ID, got, want[at-1])
			}
		}
		if ranked != len(want) {
			t.Fatalf("%s ranked %d, want %d", ch.name, ranked, len(want))
		}
	}
	seen := map[graph.ID]bool{}
	for _, c := range r.Candidates {
		id := c.Doc.ID
		if b.passed[id] == nil || seen[id] {
			t.Fatalf("%s must not be among the candidates (again: %v)", id, seen[id])
		}
		seen[id] = true
		keyword := 0.0
		if top > 0 {
			keyword = b.bm25[id] / top
		}
		for _, e := range []struct {
			name      string
			got, want float64
		}{
			{"semantic", c.Semantic, max(0, min(1, b.cosine[id]))}, {"keyword", c.Keyword, keyword}, {"graph", c.Graph, b.level[id]},
			{"topical", c.Topical, b.topical(id)},
		} {
			if math.Abs(e.got-e.want) > tolerance {
				t.Fatalf("%s of %s: got %v, want %v", e.name, id, e.got, e.want)
			}
		}
		if c.Doc.Usage.Count != f.memories[id].Usage.Count || c.Doc.Importance != f.memories[id].Importance {
			t.Fatalf("the Doc of %s is not that of now", id)
		}
		if c.Graph > 0 && (len(c.Via) == 0 || !slices.Contains(c.Doc.Entities, c.Via[len(c.Via)-1]) || !slices.Contains(q.Entities, c.Via[0])) {
			t.Fatalf("via %v does not lead from a seed to %s", c.Via, id)
		}
	}
	if len(q.Texts)+len(q.Vector)+len(q.Entities) == 0 {
		limit := q.Limit
		if limit == 0 {
			limit = defaultLimit
		}
		if want := min(limit, len(b.passed)); len(seen) != want {
			t.Fatalf("%d recent memories, want %d", len(seen), want)
		}
	}
}

func TestRecallEqualsBruteForce(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	for seed := range uint64(10) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			f := newFeed()
			f.topics = matters
			c := &chronicle{Rand: rand.New(rand.NewPCG(seed, 17)), f: f, now: epoch}
			dir := t.TempDir()
			x, err := Open(context.Background(), f, Options{Dir: dir, Topics: f.topics})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := x.Close(context.Background()); err != nil {
					t.Error(err)
				}
			}()
			for range 4 {
				for range 120 {
					c.step()
				}
				settle(t, x, f)
				for range 25 {
					agree(t, x, f, c.query())
				}
				for _, id := range c.entities {
					n, first, last := x.Mentions(world, id)
					if wn, wf, wl := f.mentionsOf(id); n != wn || !first.Equal(wf) || !last.Equal(wl) {
						t.Fatalf("mentions of %s: %d %s %s, want %d %s %s", id, n, first, last, wn, wf, wl)
					}
				}
				// A restart must give the same results.
				if err := x.Close(context.Background()); err != nil {
					t.Fatal(err)
				}
				for range c.IntN(30) {
					c.step()
				}
				if x, err = Open(context.Background(), f, Options{Dir: dir, Topics: f.topics}); err != nil {
					t.Fatal(err)
				}
				for range 10 {
					agree(t, x, f, c.query())
				}
			}
		})
	}
}

func TestNearestEqualsBruteForce(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	for seed := range uint64(4) {
		f := newFeed()
		c := &chronicle{Rand: rand.New(rand.NewPCG(seed, 23)), f: f, now: epoch}
		x := opened(t, f, Options{})
		for range 900 {
			c.step()
		}
		settle(t, x, f)
		for range 10 {
			q := c.query()
			vectors := make([][]float32, 1+c.IntN(20))
			for i := range vectors {
				vectors[i] = testvectors.Around(c.Rand, nil, 40, 1)
			}
			k, floor := 1+c.IntN(20), c.Float64()/4
			got, err := x.Nearest(context.Background(), world, vectors, q.Filter, q.Now, k, floor)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range vectors {
				b := bruteForce(f, Query{Vector: v, Filter: q.Filter, Now: q.Now, Limit: k})
				want := slices.DeleteFunc(b.ranked(b.cosine), func(s float64) bool { return s < floor })
				if len(got[i]) != len(want) {
					t.Fatalf("seed %d: %d neighbours, want %d", seed, len(got[i]), len(want))
				}
				for j, n := range got[i] {
					if math.Abs(n.Cosine-want[j]) > tolerance || math.Abs(b.cosine[n.Doc.ID]-want[j]) > tolerance {
						t.Fatalf("seed %d: rank %d: got %v, want %v", seed, j+1, n.Cosine, want[j])
					}
				}
			}
		}
	}
}
