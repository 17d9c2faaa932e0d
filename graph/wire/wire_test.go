package wire

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"
	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

func TestStampsKeepInstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMilli(rapid.Int64Range(-1<<45, 1<<45).Draw(t, "ms")).UTC()
		if got := StampOf(at).Time(); !got.Equal(at) || got.IsZero() != at.IsZero() {
			t.Fatalf("%v comes back as %v", at, got)
		}
		later := at.Add(time.Millisecond)
		if StampOf(later) <= StampOf(at) {
			t.Fatalf("the order of %v and %v is lost", at, later)
		}
	})
	if StampOf(time.Time{}) != 0 || !Stamp(0).Time().IsZero() {
		t.Fatal("the zero time does not survive")
	}
}

// fillFields sets every field of a value, so that none is zero.
func fillFields(v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		*x = time.UnixMilli(1_750_000_000_123).UTC()
		return
	case *graph.ID:
		*x = "019b8d66-03d4-7000-8000-000000000035"
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fillFields(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fillFields(v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			fillFields(v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillFields(v.Elem())
	case reflect.String:
		v.SetString("said")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint('7')
	case reflect.Float32, reflect.Float64:
		v.SetFloat(0.5)
	default:
		panic("a field of kind " + v.Kind().String())
	}
}

// A field of a memory that the stored form omits would be lost by every store.
func TestEveryFieldOfMemoryIsStored(t *testing.T) {
	var m graph.Memory
	fillFields(reflect.ValueOf(&m).Elem())
	r, err := MemoryOf(&m)
	if err != nil {
		t.Fatal(err)
	}
	b, err := cbor.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again Memory
	if err := cbor.Unmarshal(b, &again); err != nil {
		t.Fatal(err)
	}
	got, err := again.Memory(m.ID)
	if err != nil {
		t.Fatal(err)
	}
	m.Usage = graph.Usage{} // kept apart
	if !reflect.DeepEqual(*got, m) {
		t.Errorf("came back as\n%+v\nwant\n%+v", *got, m)
	}
}

func TestFieldNumbersAreUnique(t *testing.T) {
	for _, row := range []any{Memory{}, State{}, Entity{}, Relation{}, Request{}, Receipt{}, Change{}, Chunk{}, Procedure{}, Pattern{}} {
		seen := map[string]string{}
		rt := reflect.TypeOf(row)
		for i := range rt.NumField() {
			f := rt.Field(i)
			tag := f.Tag.Get("cbor")
			number, _, _ := strings.Cut(tag, ",")
			if number == "" || seen[number] != "" {
				t.Errorf("%s.%s has %q, as %q has", rt.Name(), f.Name, tag, seen[number])
			}
			seen[number] = f.Name
		}
	}
}

func TestInvalidIDIsNamedInError(t *testing.T) {
	for field, m := range map[string]graph.Memory{
		"chain": {Chain: "x"}, "supersedes": {Supersedes: "x"}, "supersededBy": {SupersededBy: "x"}, "consolidated": {Consolidated: "x"}, "entities": {Entities: []graph.ID{"x"}},
	} {
		_, err := MemoryOf(&m)
		if e := new(graph.Error); !errors.As(err, &e) || e.Field != field || e.Code != graph.CodeInvalidRequest {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := (&Memory{}).Memory("019b8d66-03d4-7000-8000-000000000035"); err != ErrNoState {
		t.Errorf("a memory without a state: %v", err)
	}
	for _, id := range []graph.ID{"", "019b8d66-03d4-7000-8000-000000000035"} {
		if b, err := IDBytes("id", id); err != nil || ID(b) != id {
			t.Errorf("%q comes back as %q, %v", id, ID(b), err)
		}
	}
}
