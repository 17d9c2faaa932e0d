package scalar

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/somnograph/somnograph/graph"
)

func written(m graphql.Marshaler) string {
	var b strings.Builder
	m.MarshalGQL(&b)
	return b.String()
}

// agree checks that a decoder returns want, or INVALID_REQUEST if want is nil.
func agree[T comparable](t *testing.T, name string, read func(any) (T, error), in any, want any) {
	t.Helper()
	got, err := read(in)
	if want == nil {
		if graph.CodeOf(err) != graph.CodeInvalidRequest {
			t.Errorf("%s %#v: %v, %v; want INVALID_REQUEST", name, in, got, err)
		}
		return
	}
	if err != nil || any(got) != want {
		t.Errorf("%s %#v: %v, %v; want %v", name, in, got, err, want)
	}
}

func TestInt(t *testing.T) {
	for in, want := range map[any]any{
		int64(5): 5, 7: 7, json.Number("9"): 9, json.Number("-2147483648"): math.MinInt32, int64(math.MaxInt32): math.MaxInt32,
		int64(math.MaxInt32 + 1): nil, int64(math.MinInt32 - 1): nil, json.Number("2147483648"): nil, json.Number("1.5"): nil,
		json.Number("99999999999999999999"): nil, json.Number("1e3"): nil, "5": nil, 5.0: nil, true: nil,
	} {
		agree(t, "Int", UnmarshalInt, in, want)
	}
	for _, n := range []int{0, -1, math.MaxInt32, math.MinInt32} {
		if back, err := UnmarshalInt(json.Number(written(MarshalInt(n)))); err != nil || back != n {
			t.Errorf("%d is written as %s", n, written(MarshalInt(n)))
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an Int of 33 bits is written")
		}
	}()
	MarshalInt(math.MaxInt32 + 1)
}

func TestFloat(t *testing.T) {
	for in, want := range map[any]any{
		0.5: 0.5, int64(2): 2.0, 3: 3.0, json.Number("1e-7"): 1e-7, json.Number("7"): 7.0,
		json.Number("1e999"): nil, "0.5": nil, "NaN": nil, true: nil, math.Inf(1): nil,
	} {
		agree(t, "Float", UnmarshalFloat, in, want)
	}
	for _, f := range []float64{0, 1, -0.5, 0.1, 1e-9, 1e21, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		var back float64
		if err := json.Unmarshal([]byte(written(MarshalFloat(f))), &back); err != nil || back != f {
			t.Errorf("%v is written as %s", f, written(MarshalFloat(f)))
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := written(MarshalFloat(f)); got != "null" {
			t.Errorf("%v is written as %s", f, got)
		}
	}
}

func TestStringAndID(t *testing.T) {
	for in, want := range map[any]any{"": "", "ä": "ä", 5: nil, json.Number("5"): nil, true: nil, 1.5: nil} {
		agree(t, "String", UnmarshalString, in, want)
	}
	for in, want := range map[any]any{"x": "x", 5: "5", int64(6): "6", json.Number("7"): "7", 1.5: nil, true: nil} {
		agree(t, "ID", UnmarshalID, in, want)
	}
}

func TestTime(t *testing.T) {
	for text, want := range map[string]string{
		"2026-02-19T07:30:00Z":                `"2026-02-19T07:30:00.000Z"`,
		"2026-02-19T07:30:00.9999Z":           `"2026-02-19T07:30:00.999Z"`,
		"2026-02-19T00:00:00.1+14:00":         `"2026-02-18T10:00:00.100Z"`,
		"9999-12-31T23:59:59.999Z":            `"9999-12-31T23:59:59.999Z"`,
		"1969-12-31T23:59:59.999Z":            `"1969-12-31T23:59:59.999Z"`,
		"2024-02-29T12:00:00.000000001-00:30": `"2024-02-29T12:30:00.000Z"`,
	} {
		at, err := UnmarshalTime(text)
		if err != nil || written(MarshalTime(at)) != want {
			t.Errorf("%s: %s, %v; want %s", text, written(MarshalTime(at)), err, want)
		}
	}
	for _, bad := range []any{
		"", "now", "2026-02-19", "2026-02-30T00:00:00Z", "2026-02-19 07:30:00Z", "2026-02-19T07:30:00", "0001-01-01T00:00:00Z",
		"0001-01-01T00:00:00.0009Z", "0000-06-01T00:00:00Z", "9999-12-31T23:59:59-01:00", 5, json.Number("5"), true,
	} {
		if at, err := UnmarshalTime(bad); graph.CodeOf(err) != graph.CodeInvalidRequest || !at.IsZero() {
			t.Errorf("%v: %v, %v; want INVALID_REQUEST", bad, at, err)
		}
	}
	if got := written(MarshalTime(time.Time{})); got != "null" {
		t.Errorf("no time is written as %s", got)
	}
	berlin := time.FixedZone("", 3600)
	if got := written(MarshalTime(time.Date(2026, 1, 1, 0, 30, 0, 123456789, berlin))); got != `"2025-12-31T23:30:00.123Z"` {
		t.Errorf("another zone is written as %s", got)
	}
}

func TestJSON(t *testing.T) {
	in := map[string]any{"n": json.Number("12345678901234567890"), "f": json.Number("1.10"), "list": []any{nil, true, "x"}}
	raw, err := UnmarshalJSON(in)
	if err != nil {
		t.Fatal(err)
	}
	if got := written(MarshalJSON(raw)); got != `{"f":1.10,"list":[null,true,"x"],"n":12345678901234567890}` {
		t.Errorf("written as %s", got)
	}
	if got := written(MarshalJSON(nil)); got != "null" {
		t.Errorf("nothing is written as %s", got)
	}
	if _, err := UnmarshalJSON(strings.Repeat("x", MaxJSON-2)); err != nil {
		t.Errorf("a value of the largest size: %v", err)
	}
	if _, err := UnmarshalJSON(strings.Repeat("x", MaxJSON-1)); graph.CodeOf(err) != graph.CodeLimitExceeded {
		t.Errorf("a value beyond the largest size: %v", err)
	}
	if _, err := UnmarshalJSON(math.NaN()); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("invalid JSON: %v", err)
	}
}
