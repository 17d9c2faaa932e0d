package dgraphstore

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// nodeValues is what a node has of each predicate.
type nodeValues map[string]map[any]bool

// apply changes a node as Dgraph would.
func (h nodeValues) apply(set, gone []fact) {
	for _, f := range gone {
		if f.multi {
			delete(h[f.predicate], f.key())
		} else {
			delete(h, f.predicate)
		}
		if len(h[f.predicate]) == 0 {
			delete(h, f.predicate)
		}
	}
	for _, f := range set {
		if h[f.predicate] == nil || !f.multi {
			h[f.predicate] = map[any]bool{}
		}
		h[f.predicate][f.key()] = true
	}
}

func (f fact) key() any {
	if f.link != "" {
		return f.link
	}
	return f.value
}

func TestDiffFactsTurnsOneRowIntoAnother(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	draw := func() []fact {
		var c factCollector
		c.text("text", strings.Repeat("x", rnd.IntN(3)))
		c.number("number", float64(rnd.IntN(2)))
		c.instant("instant", []time.Time{{}, start, start.In(time.FixedZone("east", 3600)), start.Add(1)}[rnd.IntN(4)])
		c.link("link", []graph.ID{"", "a", "b"}[rnd.IntN(3)])
		for i := range rnd.IntN(4) {
			c.texts("every", strconv.Itoa(i+rnd.IntN(2)*10))
		}
		c.links("links", []graph.ID{"a", "b", "a", "c"}[:rnd.IntN(5)])
		return c
	}
	for range 2000 {
		old, next := draw(), draw()
		node, want := nodeValues{}, nodeValues{}
		node.apply(old, nil)
		want.apply(next, nil)
		set, gone := diffFacts(old, next)
		node.apply(set, gone)
		for p := range want { // equal instants in different zones are equal
			if p == "instant" && len(node[p]) == 1 {
				node[p] = want[p]
			}
		}
		if !reflect.DeepEqual(node, want) {
			t.Fatalf("from %v to %v: set %v, gone %v leaves %v", old, next, set, gone, node)
		}
		if set, gone := diffFacts(next, next); len(set)+len(gone) > 0 {
			t.Fatalf("no change sets %v and removes %v", set, gone)
		}
	}
}

// fill sets every field of a value, so that the test misses a field that the stored form
// omits.
func fill(v reflect.Value, id graph.ID) {
	switch v.Interface().(type) {
	case graph.ID:
		v.Set(reflect.ValueOf(id))
		return
	case time.Time:
		v.Set(reflect.ValueOf(start.Add(time.Millisecond)))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), id)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), id)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), id)
		}
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(7)
	default:
		v.SetInt(7)
	}
}

func filled[T any](id graph.ID) T {
	var v T
	fill(reflect.ValueOf(&v).Elem(), id)
	return v
}

func TestEveryFieldIsStored(t *testing.T) {
	ks, id := newKeyspace("acme"), memory(t, 0).ID
	key := ks.nodeKey(id)
	same := func(got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("read back\n%+v, want\n%+v", got, want)
		}
	}
	m := filled[graph.Memory](id)
	m.Usage = graph.Usage{} // kept apart
	same(*must[*graph.Memory](t)(decodeMemory(ks, key, must[string](t)(encodeMemory(key, &m)))), m)
	e := filled[graph.Entity](id)
	same(*must[*graph.Entity](t)(decodeEntity(ks, key, must[string](t)(encodeEntity(key, &e)))), e)
	r := filled[graph.Relation](id)
	same(*must[*graph.Relation](t)(decodeRelation(ks, key, must[string](t)(encodeRelation(key, &r)))), r)
	edge := filled[graph.Edge](id)
	same(*must[*graph.Edge](t)(decodeEdge(ks, "k", must[string](t)(encodeEdge("k", edge)))), edge)
	q := filled[graph.Request](id)
	same(*must[*graph.Request](t)(decodeRequest(ks, "k", must[string](t)(encodeRequest("k", q)))), q)
	rec := filled[graph.Receipt](id)
	rec.Forecast = nil // of dry runs, never stored
	same(*must[*graph.Receipt](t)(decodeReceipt(ks, key, must[string](t)(encodeReceipt(key, rec)))), rec)
	n := filled[graph.Note](id)
	same(*must[*graph.Note](t)(decodeNote(ks, "k", must[string](t)(encodeNote("k", &n)))), n)
	u := filled[graph.Usage](id)
	same(must[graph.Usage](t)(decodeUsage("k", must[string](t)(encodeUsage("k", u)))), u)
}

func TestRowsRoundTrip(t *testing.T) {
	ks := newKeyspace("acme")
	m := memory(t, 0)
	e := &graph.Entity{ID: m.ID, Namespace: "main", User: "\xff\x00", Name: "Ada", Canonical: "ada", Type: graph.Person, Properties: []byte(`{ "a":1}`), FirstSeen: start}
	text := must[string](t)(encodeEntity(ks.nodeKey(e.ID), e))
	if got := must[*graph.Entity](t)(decodeEntity(ks, ks.nodeKey(e.ID), text)); !reflect.DeepEqual(got, e) {
		t.Errorf("entity %+v, want %+v", got, e)
	}
	q := graph.Request{Key: "k\xff", Digest: "d", Result: m.ID, Answer: []byte("{}"), At: start}
	text = must[string](t)(encodeRequest("key", q))
	if got := must[*graph.Request](t)(decodeRequest(ks, "key", text)); !reflect.DeepEqual(*got, q) {
		t.Errorf("request %+v, want %+v", got, q)
	}
	n := graph.Note{Kind: graph.NoteSleep, ID: m.ID, Namespace: "main", Memories: []graph.ID{m.ID}, At: start.Add(-100 * 365 * 24 * time.Hour), Data: []byte("[]")}
	text = must[string](t)(encodeNote("key", &n))
	if got := must[*graph.Note](t)(decodeNote(ks, "key", text)); !reflect.DeepEqual(*got, n) {
		t.Errorf("note %+v, want %+v", got, n)
	}
	u := graph.Usage{Count: 3, Days: []int32{-1, 4}, Last: start}
	text = must[string](t)(encodeUsage("key", u))
	if got := must[graph.Usage](t)(decodeUsage("key", text)); !reflect.DeepEqual(got, u) {
		t.Errorf("usage %+v, want %+v", got, u)
	}
}

func TestSealDetectsAnyChangedByte(t *testing.T) {
	text := seal("memory acme/1", []byte("what was said"))
	if p, err := unseal("memory acme/1", text); err != nil || string(p) != "what was said" {
		t.Fatalf("unsealed %q, %v", p, err)
	}
	for i := range text {
		spoilt := []byte(text)
		spoilt[i] ^= 1
		if p, err := unseal("memory acme/1", string(spoilt)); !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("byte %d: %q, %v", i, p, err)
		}
	}
	for _, key := range []string{"memory acme/2", "entity acme/1", ""} {
		if _, err := unseal(key, text); !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("unsealed under %q: %v", key, err)
		}
	}
	if _, err := unseal("memory acme/1", ""); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("nothing unsealed: %v", err)
	}
}

func TestVectorTextIsExact(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	v := []float32{0, 1, -1, math.MaxFloat32, math.SmallestNonzeroFloat32, 1.0 / 3}
	for range 1000 {
		if x := math.Float32frombits(rnd.Uint32()); x == x && !math.IsInf(float64(x), 0) {
			v = append(v, x)
		}
	}
	for i, word := range strings.Split(strings.Trim(vectorText(v), "[]"), ",") {
		x, err := strconv.ParseFloat(word, 32)
		if err != nil || float32(x) != v[i] {
			t.Errorf("%v became %s, %v", v[i], word, err)
		}
	}
}

func TestNextSpanFollowsDensity(t *testing.T) {
	for _, x := range []struct {
		span        int64
		found, want int
		next        int64
	}{
		{1000, 0, 10, 4000}, {1000, 4, 10, 4000}, {1000, 5, 10, 1000}, {1000, 40, 10, 1000}, {1000, 41, 10, 487},
		{1, 100_000, 10, 1}, {1 << 60, 0, 10, 1 << 48},
	} {
		if got := nextSpan(x.span, x.found, x.want); got != x.next {
			t.Errorf("after a span of %d with %d of %d: a span of %d, want %d", x.span, x.found, x.want, got, x.next)
		}
	}
}
