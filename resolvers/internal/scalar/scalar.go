// Package scalar is how the scalars of the schema are read and written.
//
// What is read is checked more strictly than gqlgen does: Int has 32 bits, Float is
// finite, a number is no String. An error is an INVALID_REQUEST.
package scalar

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/somnograph/somnograph/graph"
)

func invalid(format string, args ...any) error {
	return graph.Errorf(graph.CodeInvalidRequest, format, args...)
}

// MarshalID writes an id.
func MarshalID(id string) graphql.Marshaler { return graphql.MarshalString(id) }

// UnmarshalID reads an id: a string, or a whole number as GraphQL allows.
func UnmarshalID(v any) (string, error) {
	switch v := v.(type) {
	case json.Number:
		return v.String(), nil
	case string:
		return v, nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case int:
		return strconv.Itoa(v), nil
	}
	return "", invalid("must be an ID")
}

// MarshalInt writes an Int. It panics where one does not fit 32 bits: an error for
// that field, never a wrong number.
func MarshalInt(n int) graphql.Marshaler {
	if n < math.MinInt32 || n > math.MaxInt32 {
		panic("scalar: " + strconv.Itoa(n) + " does not fit the 32 bits of an Int")
	}
	return graphql.WriterFunc(func(w io.Writer) {
		var b [12]byte
		write(w, strconv.AppendInt(b[:0], int64(n), 10))
	})
}

// UnmarshalInt reads an Int: a whole number of 32 bits.
func UnmarshalInt(v any) (int, error) {
	var n int64
	switch v := v.(type) {
	case int64:
		n = v
	case int:
		n = int64(v)
	case json.Number:
		var err error
		if n, err = v.Int64(); err != nil {
			return 0, invalid("must be a whole number of 32 bits")
		}
	default:
		return 0, invalid("must be a whole number of 32 bits")
	}
	if n < math.MinInt32 || n > math.MaxInt32 {
		return 0, invalid("must be a whole number of 32 bits")
	}
	return int(n), nil
}

// MarshalFloat writes a Float; what is not finite has no JSON and is written as null.
func MarshalFloat(f float64) graphql.Marshaler {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return graphql.Null
	}
	return graphql.WriterFunc(func(w io.Writer) {
		var b [24]byte
		write(w, strconv.AppendFloat(b[:0], f, 'g', -1, 64))
	})
}

// UnmarshalFloat reads a finite number.
func UnmarshalFloat(v any) (float64, error) {
	var f float64
	switch v := v.(type) {
	case float64:
		f = v
	case int64:
		f = float64(v)
	case int:
		f = float64(v)
	case json.Number:
		var err error
		if f, err = v.Float64(); err != nil {
			return 0, invalid("must be a finite number")
		}
	default:
		return 0, invalid("must be a finite number")
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, invalid("must be a finite number")
	}
	return f, nil
}

// MarshalString writes a String.
func MarshalString(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// UnmarshalString reads a String; a number is none.
func UnmarshalString(v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, nil
	}
	return "", invalid("must be a String")
}

// Layout is how a Time is written: UTC with exactly three decimals.
const Layout = "2006-01-02T15:04:05.000Z"

// MarshalTime writes an instant, or null where there is none.
func MarshalTime(t time.Time) graphql.Marshaler {
	if t.IsZero() {
		return graphql.Null
	}
	return graphql.WriterFunc(func(w io.Writer) {
		var b [32]byte
		b[0] = '"'
		write(w, append(t.UTC().AppendFormat(b[:1], Layout), '"'))
	})
}

// UnmarshalTime reads RFC 3339 with any offset and cuts it to the millisecond. The
// years 1 to 9999 can be written; the very first instant stands for "none" inside
// and is refused.
func UnmarshalTime(v any) (time.Time, error) {
	s, ok := v.(string)
	if !ok {
		return time.Time{}, invalid("must be a Time such as 2026-02-19T07:30:00.000Z")
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || graph.Millis(t).IsZero() || t.UTC().Year() < 1 || t.UTC().Year() > 9999 {
		return time.Time{}, invalid("must be a Time such as 2026-02-19T07:30:00.000Z")
	}
	return graph.Millis(t), nil
}

// MaxJSON is the largest JSON value that is read, in bytes.
const MaxJSON = graph.MaxMeta

// MarshalJSON writes a value as it is; an empty one is null.
func MarshalJSON(v json.RawMessage) graphql.Marshaler {
	if len(v) == 0 {
		return graphql.Null
	}
	return graphql.WriterFunc(func(w io.Writer) { write(w, v) })
}

// UnmarshalJSON reads any value, of at most MaxJSON bytes once it is written
// compactly. Numbers keep their digits.
func UnmarshalJSON(v any) (json.RawMessage, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, invalid("must be a JSON value")
	}
	if len(b) > MaxJSON {
		return nil, graph.Errorf(graph.CodeLimitExceeded, "has %d bytes, more than %d", len(b), MaxJSON)
	}
	return b, nil
}

// write puts bytes into the answer, which is a buffer in memory: it can't fail.
func write(w io.Writer, b []byte) {
	if _, err := w.Write(b); err != nil {
		panic(err)
	}
}
