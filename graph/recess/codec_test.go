package recess

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// fill sets every part of v to a value other than zero.
func fill(v reflect.Value, rng *rand.Rand) {
	switch x := v.Interface().(type) {
	case graph.ID:
		var b [16]byte
		for i := range b {
			b[i] = byte(1 + rng.IntN(255))
		}
		v.SetString(string(graph.IDFromBytes(b)))
		return
	case time.Time:
		v.Set(reflect.ValueOf(start.Add(time.Duration(rng.IntN(1e6)) * time.Millisecond)))
		return
	case json.RawMessage:
		v.Set(reflect.ValueOf(json.RawMessage(`{"a":[1,null]}`)))
		return
	default:
		_ = x
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), rng)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), rng)
		fill(v.Index(1), rng)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), rng)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), rng)
	case reflect.String:
		v.SetString(strings.Repeat("x", 1+rng.IntN(5)))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(1 + rng.IntN(1000)))
	case reflect.Uint64:
		v.SetUint(1 + rng.Uint64N(1000))
	case reflect.Float64, reflect.Float32:
		v.SetFloat(float64(float32(rng.Float64())))
	default:
		panic(v.Kind())
	}
}

// An engram contains every field of a memory, also fields that are added later.
func TestEngramContainsTheWholeMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		r := &record{seq: 9, engravedAt: start}
		fill(reflect.ValueOf(&r.memory).Elem(), rng)
		r.memory.Checksum = graph.Sum(r.memory.Content, r.memory.CreatedAt, r.memory.SourceKind, r.memory.Source)
		h, b, err := r.encodeRows()
		must(t, err)
		ph, err := pack(segmentHead{Rows: []headRow{h}})
		must(t, err)
		pb, err := pack(segmentBody{Rows: []bodyRow{b}})
		must(t, err)
		var hs segmentHead
		var bs segmentBody
		must(t, unpack(ph, &hs))
		must(t, unpack(pb, &bs))
		got, err := recordOf(&hs.Rows[0], &bs.Rows[0])
		must(t, err)
		if !reflect.DeepEqual(got, r) {
			t.Fatalf("%+v\n%+v", got.memory, r.memory)
		}
		if c := cloneMemory(&r.memory); !reflect.DeepEqual(c, r.memory) {
			t.Fatalf("clone %+v", c)
		}
		head := h.toHead()
		if v := reflect.ValueOf(head); v.IsValid() {
			for i := range v.NumField() {
				if v.Field(i).IsZero() {
					t.Errorf("head without %s", v.Type().Field(i).Name)
				}
			}
		}
	}
}

func TestInvalidEngramsAreRefused(t *testing.T) {
	r := open(t, Options{Dir: t.TempDir(), Rand: chacha(1)})
	m := newMaker(1)
	for name, change := range map[string]func(*Engram){
		"engravedAt": func(e *Engram) { e.EngravedAt = time.Time{} },
		"namespace":  func(e *Engram) { e.Memory.Namespace = "../up" },
		"id":         func(e *Engram) { e.Memory.ID = "x" },
		"content":    func(e *Engram) { e.Memory.Content = "" },
		"checksum":   func(e *Engram) { e.Memory.Checksum = strings.Repeat("0", 64) },
		"status": func(e *Engram) {
			e.Memory.SetState(start.AddDate(1, 0, 0), func(s *graph.State) { s.Status = graph.Forgotten })
		},
		"vector":   func(e *Engram) { e.Vector = []float32{0, 0} },
		"entities": func(e *Engram) { e.Memory.Entities = []graph.ID{"nobody"} },
	} {
		e := m.engram("tea")
		change(&e)
		err := r.Append(ctx, kiwi, e)
		var shown *graph.Error
		if !asError(err, &shown) || shown.Field != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, tenant := range []graph.Tenant{"", "..", "a/b", "a b", "ä"} {
		if err := r.Append(ctx, graph.Scope{Tenant: tenant}, m.engram("tea")); graph.CodeOf(err) != graph.CodeInvalidRequest {
			t.Errorf("tenant %q: %v", tenant, err)
		}
	}
	if s, err := r.Stats(ctx, kiwi); err != nil || s.Engrams != 0 {
		t.Errorf("%+v %v", s, err)
	}
}
