package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// elsewhere is a remote store of the vectors of a feed, with its own index.
type elsewhere struct {
	f              *feed
	unindexed      bool  // it has no index yet
	broken         error // of every call
	silent         bool  // it never answers
	searched, read atomic.Int64
}

func (e *elsewhere) enter(ctx context.Context) error {
	if e.silent {
		<-ctx.Done()
		return ctx.Err()
	}
	return e.broken
}

func (e *elsewhere) Near(ctx context.Context, _ graph.Scope, q []float32, k, _ int) ([]graph.Alike, error) {
	if err := e.enter(ctx); err != nil {
		return nil, err
	}
	if e.unindexed {
		return nil, graph.ErrNotIndexed
	}
	e.searched.Add(1)
	e.f.mu.Lock()
	defer e.f.mu.Unlock()
	var out []graph.Alike
	for id, v := range e.f.vectors {
		if len(v) == len(q) {
			out = append(out, graph.Alike{ID: id, Cosine: cosineOf(v, q)})
		}
	}
	slices.SortFunc(out, func(a, b graph.Alike) int { return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.ID, b.ID)) })
	return out[:min(k, len(out))], nil
}

func cosineOf(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func (e *elsewhere) Cosines(ctx context.Context, _ graph.Scope, q []float32, ids []graph.ID) (map[graph.ID]float64, error) {
	if err := e.enter(ctx); err != nil {
		return nil, err
	}
	e.read.Add(int64(len(ids)))
	e.f.mu.Lock()
	defer e.f.mu.Unlock()
	out := map[graph.ID]float64{}
	for _, id := range ids {
		if v := e.f.vectors[id]; len(v) == len(q) {
			out[id] = cosineOf(v, q)
		}
	}
	return out, nil
}

func (e *elsewhere) Embeddings(ctx context.Context, _ graph.Scope, ids []graph.ID) ([][]float32, error) {
	if err := e.enter(ctx); err != nil {
		return nil, err
	}
	e.f.mu.Lock()
	defer e.f.mu.Unlock()
	out := make([][]float32, len(ids))
	for i, id := range ids {
		out[i] = e.f.vectors[id]
	}
	return out, nil
}

// Every plan gives the results of comparing everything.
func TestRecallWithRemoteVectorsEqualsBruteForce(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	for name, l := range map[string]remoteLimits{
		"all ways":        {alwaysExactBelow: 20, maxExact: 1 << 20, maxFetch: 96, minFetch: 8},
		"searches only":   {alwaysExactBelow: 0, maxExact: 0, maxFetch: 1 << 20, minFetch: 1},
		"comparison only": defaultRemoteLimits,
	} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				f := newFeed()
				c := &chronicle{Rand: rand.New(rand.NewPCG(seed, 31)), f: f, now: epoch}
				e := &elsewhere{f: f}
				o := Options{Dir: t.TempDir(), Remote: e, limits: l}
				for range 3 {
					x, err := Open(context.Background(), f, o)
					if err != nil {
						t.Fatal(err)
					}
					for range 150 {
						c.step()
					}
					settle(t, x, f)
					x.Docs(world, func(d *Doc) bool {
						if d.vectorRef != (vectors.Ref{}) || d.Embedded != (f.memories[d.ID].EmbeddingModel != "") {
							t.Errorf("a vector is kept, or it is not known that there is one: %+v", d)
						}
						return true
					})
					for range 25 {
						agree(t, x, f, c.query())
					}
					nearestAgrees(t, x, f, c)
					if err := x.Close(context.Background()); err != nil {
						t.Fatal(err)
					}
				}
				if e.searched.Load() == 0 != (name == "comparison only") {
					t.Errorf("%d searches", e.searched.Load())
				}
			})
		}
	}
}

func nearestAgrees(t *testing.T, x *Index, f *feed, c *chronicle) {
	t.Helper()
	for range 10 {
		q := c.query()
		vectors := make([][]float32, 1+c.IntN(9))
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
				t.Fatalf("%d neighbours, want %d", len(got[i]), len(want))
			}
			for j, n := range got[i] {
				if math.Abs(n.Cosine-want[j]) > tolerance || math.Abs(b.cosine[n.Doc.ID]-want[j]) > tolerance {
					t.Fatalf("rank %d: got %v, want %v", j+1, n.Cosine, want[j])
				}
			}
		}
	}
}

func TestRemoteComparesFewAndSearchesMany(t *testing.T) {
	f, r := peopled(1500)
	e := &elsewhere{f: f}
	x := opened(t, f, Options{Remote: e})
	now := epoch.Add(1500 * time.Minute)
	for _, c := range []struct {
		name           string
		filter         Filter
		searches, read int64
	}{
		{"everything", Filter{}, 1, 0},
		{"one user of a hundred", Filter{Users: []string{"u7"}}, 0, 15},
		{"an instant", Filter{AsOf: graph.AsOf{Recorded: epoch.Add(1400 * time.Minute)}}, 0, 1401},
	} {
		e.searched.Store(0)
		e.read.Store(0)
		q := Query{Vector: testvectors.Around(r, nil, 16, 1), Now: now, Filter: c.filter}
		if _, err := x.Recall(context.Background(), world, q); err != nil {
			t.Fatal(err)
		}
		if e.searched.Load() != c.searches || e.read.Load() != c.read {
			t.Errorf("%s: %d searches and %d comparisons, want %d and %d", c.name, e.searched.Load(), e.read.Load(), c.searches, c.read)
		}
	}
	e.unindexed = true
	e.read.Store(0)
	found := recalled(t, x, f, Query{Vector: testvectors.Around(r, nil, 16, 1), Now: now})
	if len(found) != defaultLimit || e.read.Load() != 1500 {
		t.Errorf("without an index %d were found by %d comparisons", len(found), e.read.Load())
	}
}

func TestWordsAreSearchedIfRemoteVectorsFail(t *testing.T) {
	f := furnished()
	q := Query{Texts: []string{"topic3 note"}, Vector: testvectors.Unit(5, 24), Now: epoch.Add(20 * time.Minute)}
	away := errors.New("away")
	for name, e := range map[string]*elsewhere{"broken": {f: f, broken: away}, "silent": {f: f, silent: true}} {
		x := opened(t, f, Options{Remote: e, RemoteTimeout: time.Millisecond})
		settle(t, x, f)
		r, err := x.Recall(context.Background(), world, q)
		if err != nil {
			t.Fatal(err)
		}
		if r.VectorsErr == nil || r.Semantic != 0 || r.Keyword == 0 || name == "broken" && !errors.Is(r.VectorsErr, away) {
			t.Errorf("%s: %d by meaning, %d by words, away: %v", name, r.Semantic, r.Keyword, r.VectorsErr)
		}
		if name == "broken" {
			if _, err := x.Nearest(context.Background(), world, [][]float32{q.Vector}, Filter{}, q.Now, 3, 0); !errors.Is(err, away) {
				t.Errorf("Nearest answers %v", err)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := x.Recall(ctx, world, q); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: a cancelled query returns %v", name, err)
		}
	}
}

func TestVectorsAreReadFromRemote(t *testing.T) {
	f := furnished()
	for name, x := range map[string]*Index{"here": opened(t, f, Options{}), "elsewhere": opened(t, f, Options{Remote: &elsewhere{f: f}})} {
		settle(t, x, f)
		var docs []*Doc
		x.Docs(world, func(d *Doc) bool { docs = append(docs, d); return true })
		got, err := x.Vectors(context.Background(), world, docs)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range docs {
			if !slices.Equal(got[i], f.vectors[d.ID]) || d.Embedded != (got[i] != nil) {
				t.Fatalf("%s: the vector of %s is %v", name, d.ID, got[i])
			}
		}
		if s := x.Stats(world); s.Pending != 54 {
			t.Errorf("%s: %d memories wait for their vectors", name, s.Pending)
		}
	}
}

func TestSnapshotOfOtherVectorSettingIsIgnored(t *testing.T) {
	f, dir := furnished(), t.TempDir()
	for i, o := range []Options{{}, {Remote: &elsewhere{f: f}}, {}} {
		o.Dir = dir
		x, err := Open(context.Background(), f, o)
		if err != nil {
			t.Fatal(err)
		}
		f.mu.Lock()
		if f.listed == 0 {
			t.Errorf("opening %d takes a snapshot of the other kind", i)
		}
		f.listed = 0
		f.mu.Unlock()
		if err := x.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}
