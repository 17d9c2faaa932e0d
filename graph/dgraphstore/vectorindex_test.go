package dgraphstore

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/calls"
)

const vectorDimension = 48 // dimensions of the vectors

// directions makes unit vectors around a few centres.
func directions(seed uint64, n int) [][]float32 {
	rng := rand.New(rand.NewPCG(seed, 42))
	middles := rand.New(rand.NewPCG(7, 7)) // the same for all seeds
	var centres [8][vectorDimension]float64
	for i := range centres {
		for j := range centres[i] {
			centres[i][j] = middles.NormFloat64()
		}
	}
	out := make([][]float32, n)
	for i := range out {
		c, square := centres[rng.IntN(len(centres))], 0.0
		for j := range c {
			c[j] += rng.NormFloat64()
			square += c[j] * c[j]
		}
		for _, x := range c {
			out[i] = append(out[i], float32(x/math.Sqrt(square)))
		}
	}
	return out
}

// embed writes memories with their vectors, fifty per commit, and returns their ids.
func embed(t testing.TB, s *Store, sc graph.Scope, vectors [][]float32) []graph.ID {
	t.Helper()
	var ids []graph.ID
	for some := range slices.Chunk(vectors, 50) {
		var ms []*graph.Memory
		for range some {
			ms = append(ms, memory(t, time.Duration(len(ids)+len(ms))*time.Minute))
		}
		must[graph.Cursor](t)(s.Update(t.Context(), sc, func(tx graph.Tx) error {
			if err := put(ms...)(tx); err != nil {
				return err
			}
			for i, m := range ms {
				if err := tx.PutEmbedding(m.ID, some[i]); err != nil {
					return err
				}
			}
			return nil
		}))
		for _, m := range ms {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// exactNear is the exact result that Near approximates.
func exactNear(ids []graph.ID, vectors [][]float32, q []float32, k int) []graph.Alike {
	all := make([]graph.Alike, len(ids))
	for i, v := range vectors {
		all[i].ID = ids[i]
		for j := range v {
			all[i].Cosine += float64(v[j]) * float64(q[j])
		}
	}
	slices.SortFunc(all, func(a, b graph.Alike) int { return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.ID, b.ID)) })
	return all[:min(k, len(all))]
}

// agreement is the share of the exact results that were found. It checks that every cosine is
// exact and that the results are in order.
func agreement(t testing.TB, found, exact []graph.Alike) float64 {
	t.Helper()
	hits := 0
	for i, x := range found {
		if at := slices.IndexFunc(exact, func(y graph.Alike) bool { return y.ID == x.ID }); at >= 0 {
			hits++
			if math.Abs(exact[at].Cosine-x.Cosine) > 1e-6 {
				t.Errorf("the cosine of %s is %v, not %v", x.ID, exact[at].Cosine, x.Cosine)
			}
		}
		if i > 0 && x.Cosine > found[i-1].Cosine {
			t.Error("the results are not in order")
		}
	}
	return float64(hits) / float64(max(1, len(exact)))
}

func TestNearFindsWhatExactSearchFinds(t *testing.T) {
	s, sc, other := open(t, Options{IndexVectors: true}), scope(t), scope(t)
	vectors, questions := directions(1, 600), directions(2, 20)
	ids := embed(t, s, sc, vectors)
	embed(t, s, other, directions(1, 100)) // the same vectors, none of which may be found
	sum := 0.0
	for _, q := range questions {
		found := must[[]graph.Alike](t)(s.Near(t.Context(), sc, q, 10, 100))
		if len(found) != 10 {
			t.Fatalf("%d were found", len(found))
		}
		for _, x := range found {
			if !slices.Contains(ids, x.ID) {
				t.Fatal("a memory of another tenant was found")
			}
		}
		sum += agreement(t, found, exactNear(ids, vectors, q, 10))
	}
	if recall := sum / float64(len(questions)); recall < 0.95 {
		t.Errorf("recall@10 is %.3f", recall)
	}
}

func TestNearSeesCommitAtOnce(t *testing.T) {
	s, reader, sc := open(t, Options{IndexVectors: true}), open(t, Options{IndexVectors: true}), scope(t)
	if found, err := s.Near(t.Context(), sc, directions(1, 1)[0], 3, 30); err != nil || len(found) > 0 {
		t.Errorf("a tenant without memories answers %v, %v", found, err)
	}
	vectors := directions(3, 30)
	for i := range vectors {
		id := embed(t, s, sc, vectors[i:i+1])[0]
		found := must[[]graph.Alike](t)(reader.Near(t.Context(), sc, vectors[i], 1, 50))
		if len(found) != 1 || found[0].ID != id || found[0].Cosine < 0.9999 {
			t.Fatalf("the %d-th commit is not found by its own vector: %v", i, found)
		}
	}
}

// Dgraph takes a changed vector for a deleted one; the store must find it.
func TestChangedVectorIsFound(t *testing.T) {
	s, sc := open(t, Options{IndexVectors: true}), scope(t)
	vectors := directions(4, 200)
	ids := embed(t, s, sc, vectors)
	for at := range slices.Chunk(rand.New(rand.NewPCG(1, 1)).Perm(len(ids))[:100], 25) {
		fresh := directions(uint64(100+at[0]), len(at))
		must[graph.Cursor](t)(s.Update(t.Context(), sc, func(tx graph.Tx) error {
			for i, j := range at {
				vectors[j] = fresh[i]
				if err := tx.PutEmbedding(ids[j], fresh[i]); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	sum := 0.0
	for i, id := range ids {
		found := must[[]graph.Alike](t)(s.Near(t.Context(), sc, vectors[i], 10, 100))
		if len(found) == 0 || found[0].ID != id {
			t.Errorf("memory %d is not found by its vector", i)
		}
		sum += agreement(t, found, exactNear(ids, vectors, vectors[i], 10))
	}
	if recall := sum / float64(len(ids)); recall < 0.95 {
		t.Errorf("recall@10 is %.3f", recall)
	}
}

func TestErasedMemoryIsNotNear(t *testing.T) {
	s, sc := open(t, Options{IndexVectors: true}), scope(t)
	vectors := directions(5, 120)
	ids := embed(t, s, sc, vectors)
	gone := ids[:60] // including the first of all, where Dgraph's searches begin
	for _, id := range gone {
		must[graph.Cursor](t)(s.Update(t.Context(), sc, func(tx graph.Tx) error { return tx.Erase(id, start.Add(48*time.Hour)) }))
	}
	sum := 0.0
	for i := range ids {
		found := must[[]graph.Alike](t)(s.Near(t.Context(), sc, vectors[i], 10, 120))
		for _, x := range found {
			if slices.Contains(gone, x.ID) {
				t.Fatal("an erased memory is near")
			}
		}
		sum += agreement(t, found, exactNear(ids[60:], vectors[60:], vectors[i], 10))
	}
	if recall := sum / float64(len(ids)); recall < 0.95 {
		t.Errorf("recall@10 among the others is %.3f", recall)
	}
	left, err := s.newSnapshot().indexedVectors(t.Context(), []string{newKeyspace(sc.Tenant).nodeKey(gone[0])})
	if err != nil || len(left) > 0 {
		t.Errorf("the rest of an erased vector: %v, %v", left, err)
	}
	if found := must[map[graph.ID]float64](t)(s.Cosines(t.Context(), sc, vectors[0], ids)); len(found) != 60 {
		t.Errorf("%d memories have a cosine", len(found))
	}
}

// waitForIndex waits until the index of a tenant answers.
func waitForIndex(t *testing.T, s *Store, sc graph.Scope, q []float32) []graph.Alike {
	t.Helper()
	for {
		found, err := s.Near(t.Context(), sc, q, 10, 100)
		if err == nil {
			return found
		}
		if !errors.Is(err, graph.ErrNotIndexed) {
			t.Fatal(err)
		}
		if err := calls.Pause(t.Context(), 20*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
}

// A store that was written without an index gets one after a search, while it is in use.
func TestIndexIsAddedToExistingStore(t *testing.T) {
	plain, s, sc := open(t, Options{}), open(t, Options{IndexVectors: true}), scope(t)
	vectors := directions(6, 300)
	ids := embed(t, plain, sc, vectors[:250])
	if _, err := s.Near(t.Context(), sc, vectors[0], 10, 100); !errors.Is(err, graph.ErrNotIndexed) {
		t.Fatalf("a store without an index answers %v", err)
	}
	// Another process, which does not index, writes meanwhile.
	ids = append(ids, embed(t, plain, sc, vectors[250:])...)
	sum := 0.0
	waitForIndex(t, s, sc, vectors[0])
	for i := range 20 {
		sum += agreement(t, must[[]graph.Alike](t)(s.Near(t.Context(), sc, vectors[15*i], 10, 100)), exactNear(ids, vectors, vectors[15*i], 10))
	}
	if recall := sum / 20; recall < 0.95 {
		t.Errorf("recall@10 is %.3f", recall)
	}
	// Each vector is in the index once, however often it is filled.
	if n, err := s.fillVectorIndex(t.Context(), sc.Tenant, vectorPredicate(sc.Tenant, vectorDimension)); n != 0 || err != nil {
		t.Errorf("filled again it takes %d more, %v", n, err)
	}
	if all := must[[]graph.Alike](t)(s.Near(t.Context(), sc, vectors[0], 400, 400)); len(all) != len(ids) {
		t.Errorf("the index holds %d vectors of %d", len(all), len(ids))
	}
	// Vectors of another model: the index follows the searches.
	short := []float32{0.6, 0.8}
	if _, err := s.Near(t.Context(), sc, short, 1, 10); !errors.Is(err, graph.ErrNotIndexed) {
		t.Fatalf("an index of other vectors answers %v", err)
	}
	must[graph.Cursor](t)(s.Update(t.Context(), sc, func(tx graph.Tx) error { return tx.PutEmbedding(ids[0], short) }))
	if found := waitForIndex(t, s, sc, short); len(found) != 1 || found[0].ID != ids[0] {
		t.Errorf("of the other model %v is near", found)
	}
}

func TestCosinesAndEmbeddings(t *testing.T) {
	s, sc, other := open(t, Options{}), scope(t), scope(t)
	vectors := directions(8, 40)
	ids := embed(t, s, sc, vectors)
	bare := memory(t, time.Hour, func(m *graph.Memory) { m.EmbeddingModel = "" })
	must[graph.Cursor](t)(s.Update(t.Context(), sc, put(bare)))
	all := append(slices.Clone(ids), bare.ID, "no id")
	found := must[map[graph.ID]float64](t)(s.Cosines(t.Context(), sc, vectors[3], all))
	if len(found) != len(ids) {
		t.Fatalf("%d cosines", len(found))
	}
	for _, x := range exactNear(ids, vectors, vectors[3], len(ids)) {
		if math.Abs(found[x.ID]-x.Cosine) > 1e-6 {
			t.Errorf("the cosine of %s is %v, not %v", x.ID, found[x.ID], x.Cosine)
		}
	}
	read := must[[][]float32](t)(s.Embeddings(t.Context(), sc, all))
	for i := range all {
		if i < len(ids) && !slices.Equal(read[i], vectors[i]) || i >= len(ids) && read[i] != nil {
			t.Errorf("the %d-th vector is %v", i, read[i])
		}
	}
	if found := must[map[graph.ID]float64](t)(s.Cosines(t.Context(), other, vectors[3], ids)); len(found) != 0 {
		t.Error("vectors of another tenant were compared")
	}
	if short := must[map[graph.ID]float64](t)(s.Cosines(t.Context(), sc, []float32{1, 0}, ids)); len(short) != 0 {
		t.Error("vectors of another dimension were compared")
	}
}

// The removal of an index that docs/formats/dgraphstore.md describes, and its rebuild.
func TestIndexIsRemovedAndRebuilt(t *testing.T) {
	s, sc := open(t, Options{IndexVectors: true}), scope(t)
	vectors := directions(9, 100)
	ids := embed(t, s, sc, vectors)
	predicate := vectorPredicate(sc.Tenant, vectorDimension)
	if err := s.clientFor(t.Context()).Alter(t.Context(), &api.Operation{DropOp: api.Operation_ATTR, DropValue: predicate}); err != nil {
		t.Fatal(err)
	}
	_, err := s.clientFor(t.Context()).NewTxn().Do(t.Context(), &api.Request{
		CommitNow: true, Query: `{ n as var(func: has(near.of)) t as var(func: has(tenant.near)) }`,
		Mutations: []*api.Mutation{{DelNquads: []byte("uid(n) <near.of> * .\nuid(n) <near.in> * .\nuid(t) <tenant.near> * .\nuid(t) <tenant.filled> * .")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	plain, again := open(t, Options{}), open(t, Options{IndexVectors: true}) // servers that start after it
	more := directions(10, 20)
	ids, vectors = append(ids, embed(t, plain, sc, more)...), append(vectors, more...)
	if head := must[tenantHead](t)(plain.newSnapshot().readHead(t.Context(), sc.Tenant)); head.Current != "" {
		t.Errorf("a commit without an index began one: %+v", head.vectorIndexState)
	}
	waitForIndex(t, again, sc, vectors[0])
	sum := 0.0
	for i := range vectors {
		sum += agreement(t, must[[]graph.Alike](t)(again.Near(t.Context(), sc, vectors[i], 10, 100)), exactNear(ids, vectors, vectors[i], 10))
	}
	if recall := sum / float64(len(vectors)); recall < 0.95 {
		t.Errorf("recall@10 is %.3f", recall)
	}
}
