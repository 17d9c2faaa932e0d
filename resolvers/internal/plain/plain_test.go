package plain

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

func TestStringsEqualThoseOfGqlgen(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	texts := []string{"", `"`, "\\", "a\tb\r\nc", "\x00\x1f\x7f", "für 日本 \u2028", "\xff broken \xc3", "plain"}
	for range 200 {
		b := make([]byte, r.IntN(20))
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		texts = append(texts, string(b))
	}
	for _, s := range texts {
		var want bytes.Buffer
		graphql.MarshalString(s).MarshalGQL(&want)
		if got := quoted(nil, s); string(got) != want.String() {
			t.Errorf("%q is %s, want %s", s, got, want.Bytes())
		}
	}
}

// gqlgen encodes values that the schema does not allow, and reports the error.
func TestInvalidValuesAreLeftToGqlgen(t *testing.T) {
	must, may := ast.NonNullNamedType("X", nil), ast.NamedType("X", nil)
	var none *string
	for name, c := range map[string]struct {
		value any
		typ   *ast.Type
		want  string // empty: gqlgen encodes it
	}{
		"null pointer":                {none, may, "null"},
		"null pointer, non-null type": {none, must, ""},
		"zero time":                   {time.Time{}, may, "null"},
		"zero time, non-null type":    {time.Time{}, must, ""},
		"NaN, non-null type":          {math.NaN(), must, ""},
		"infinity":                    {math.Inf(1), may, "null"},
		"Int above 32 bits":           {math.MaxInt32 + 1, may, ""},
		"Int":                         {math.MinInt32, must, "-2147483648"},
		"nil list":                    {[]string(nil), ast.ListType(must, nil), "null"},
		"nil list, non-null type":     {[]string(nil), ast.NonNullListType(must, nil), "[]"},
		"list":                        {[]string{"a", "b"}, ast.ListType(must, nil), `["a","b"]`},
		"null item, non-null type":    {[]*string{nil}, ast.ListType(must, nil), ""},
		"list for a scalar type":      {[]string{"a"}, may, ""},
		"unknown kind":                {uint8(3), may, ""},
	} {
		got, ok := new(step).value(nil, reflect.ValueOf(c.value), c.typ)
		if ok != (c.want != "") || ok && string(got) != c.want {
			t.Errorf("%s: %s, %v, want %q", name, got, ok, c.want)
		}
	}
}
