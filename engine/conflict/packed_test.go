package conflict

import (
	"fmt"
	"reflect"
	"testing"
	"time"
	"unsafe"
)

// Every text of the tests is equal after packing and unpacking.
func TestPackedTextsRoundTrip(t *testing.T) {
	at := time.Date(2026, 2, 19, 8, 30, 0, 7, time.UTC)
	n := 0
	for _, file := range []string{"pairs.json", "wordings.json", "kept.json"} {
		for _, p := range readPairs(t, "testdata/"+file) {
			for _, s := range []Statement{{Text: p.A, At: at}, {Text: p.B, Subject: "Ann", Predicate: "lives_in", Object: p.A}} {
				a := Analyse(s)
				if b := a.Pack().Analysis(); !reflect.DeepEqual(a, b) {
					t.Fatalf("%q comes back as\n%+v, was\n%+v", s.Text, b, a)
				}
				n++
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d texts", n)
	}
}

// Every field is equal after packing and unpacking. A field that is added later fails the test
// until it is packed.
func TestPackedFieldsRoundTrip(t *testing.T) {
	var a Analysis
	n := 0
	fill(t, reflect.ValueOf(&a).Elem(), &n)
	if b := a.Pack().Analysis(); !reflect.DeepEqual(a, b) {
		t.Errorf("comes back as\n%+v, was\n%+v", b, a)
	}
	if n < 150 {
		t.Errorf("only %d fields were filled", n)
	}
}

// fill gives each field of v a distinct value.
func fill(t *testing.T, v reflect.Value, n *int) {
	t.Helper()
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem() // fields are not exported
	*n++
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(int64(1_700_000_000+*n), int64(*n)).UTC()))
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprint("word", *n))
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(int64(-*n % 100))
	case v.CanUint():
		v.SetUint(uint64(*n % 250))
	case v.CanFloat():
		v.SetFloat(float64(*n) / 3)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(t, v.Index(i), n)
		}
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), n)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), n)
		}
	default:
		t.Fatalf("no value for a %v", v.Type())
	}
}

func BenchmarkPacked(b *testing.B) {
	a := Analyse(Statement{Text: "Ann moved to Lisbon in May 2024 and works at the harbour as a pilot, where the ferry leaves at 7 am."})
	p := a.Pack()
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Analyse(a.statement)
		}
	})
	b.Run("pack", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			a.Pack()
		}
	})
	b.Run("unpack", func(b *testing.B) {
		b.ReportAllocs()
		b.ReportMetric(float64(len(p)), "bytes")
		for b.Loop() {
			p.Analysis()
		}
	})
}
