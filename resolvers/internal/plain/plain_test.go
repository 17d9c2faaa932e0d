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

func TestStringsAreThoseOfGqlgen(t *testing.T) {
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

// What the schema does not allow is left to gqlgen, which says so.
func TestWhatIsNotAllowedIsLeft(t *testing.T) {
	must, may := ast.NonNullNamedType("X", nil), ast.NamedType("X", nil)
	var none *string
	for name, c := range map[string]struct {
		value any
		typ   *ast.Type
		want  string // empty: it is left
	}{
		"absent":             {none, may, "null"},
		"absent and wanted":  {none, must, ""},
		"no instant":         {time.Time{}, may, "null"},
		"no instant, wanted": {time.Time{}, must, ""},
		"not finite":         {math.NaN(), must, ""},
		"infinite":           {math.Inf(1), may, "null"},
		"a large Int":        {math.MaxInt32 + 1, may, ""},
		"an Int":             {math.MinInt32, must, "-2147483648"},
		"no list":            {[]string(nil), ast.ListType(must, nil), "null"},
		"no list, wanted":    {[]string(nil), ast.NonNullListType(must, nil), "[]"},
		"a list":             {[]string{"a", "b"}, ast.ListType(must, nil), `["a","b"]`},
		"a hole in a list":   {[]*string{nil}, ast.ListType(must, nil), ""},
		"a list of no type":  {[]string{"a"}, may, ""},
		"another kind":       {uint8(3), may, ""},
	} {
		got, ok := new(step).value(nil, reflect.ValueOf(c.value), c.typ)
		if ok != (c.want != "") || ok && string(got) != c.want {
			t.Errorf("%s: %s, %v, want %q", name, got, ok, c.want)
		}
	}
}
