// Package scalar encodes and decodes the scalars of the schema.
//
// Decoding is stricter than gqlgen's: an Int has 32 bits, a Float is finite, a number is not a
// String. Errors are INVALID_REQUEST.
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

// MarshalID encodes an ID.
func MarshalID(id string) graphql.Marshaler { return graphql.MarshalString(id) }

// UnmarshalID decodes an ID: a string, or a whole number as GraphQL allows.
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

// MarshalInt encodes an Int. It panics if the value exceeds 32 bits, so that the field fails
// instead of returning a wrong number.
func MarshalInt(n int) graphql.Marshaler {
	if n < math.MinInt32 || n > math.MaxInt32 {
		panic("scalar: " + strconv.Itoa(n) + " does not fit the 32 bits of an Int")
	}
	return graphql.WriterFunc(func(w io.Writer) {
		var b [12]byte
		write(w, strconv.AppendInt(b[:0], int64(n), 10))
	})
}

// UnmarshalInt decodes an Int: a whole number of 32 bits.
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

// MarshalFloat encodes a Float. A value that is not finite becomes null, because JSON can't
// represent it.
func MarshalFloat(f float64) graphql.Marshaler {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return graphql.Null
	}
	return graphql.WriterFunc(func(w io.Writer) {
		var b [24]byte
		write(w, strconv.AppendFloat(b[:0], f, 'g', -1, 64))
	})
}

// UnmarshalFloat decodes a finite number.
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

// MarshalString encodes a String.
func MarshalString(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// UnmarshalString decodes a String; a number is refused.
func UnmarshalString(v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, nil
	}
	return "", invalid("must be a String")
}

// Layout is the format of a Time: UTC with exactly three decimals.
const Layout = "2006-01-02T15:04:05.000Z"

// MarshalTime encodes a time; the zero time becomes null.
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

// UnmarshalTime decodes RFC 3339 with any offset and truncates to milliseconds. Years 1 to 9999
// are valid. The zero time, which means "none", is refused.
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

// MaxJSON is the maximum size of a JSON value in bytes.
const MaxJSON = graph.MaxMeta

// MarshalJSON encodes a value unchanged; an empty value becomes null.
func MarshalJSON(v json.RawMessage) graphql.Marshaler {
	if len(v) == 0 {
		return graphql.Null
	}
	return graphql.WriterFunc(func(w io.Writer) { write(w, v) })
}

// UnmarshalJSON decodes any value of at most MaxJSON bytes in compact form. Numbers keep their
// digits.
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

// write writes to the response, a buffer in memory that does not fail.
func write(w io.Writer, b []byte) {
	if _, err := w.Write(b); err != nil {
		panic(err)
	}
}
