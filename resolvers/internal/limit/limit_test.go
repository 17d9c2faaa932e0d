package limit

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
)

func schema(t testing.TB) *ast.Schema {
	t.Helper()
	text, err := os.ReadFile("../../../schema.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	s, err := gqlparser.LoadSchema(&ast.Source{Input: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func guard() *Guard { return &Guard{Limits: Default(), Documents: NewDocumentCache()} }

func code(e *gqlerror.Error) string {
	if e == nil {
		return ""
	}
	return fmt.Sprint(e.Extensions["code"])
}

// Each limit is exact: a document at the limit passes, one item more does not.
func TestShapeAtTheLimits(t *testing.T) {
	chain := func(n int) string { return strings.Repeat("{ a ", n) + strings.Repeat("}", n) }
	times := func(n int, part string) string { return strings.Repeat(part+" ", n) }
	aliases := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "x%d: a ", i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name string
		set  func(*Limits)
		at   string
		over string
	}{
		{"depth", func(l *Limits) { l.Depth = 5 }, chain(5), chain(6)},
		{"depth in a fragment", func(l *Limits) { l.Depth = 3 }, "{ ...f } fragment f on Q " + chain(3), "{ a { ...f } } fragment f on Q " + chain(3)},
		{"depth in an inline fragment", func(l *Limits) { l.Depth = 2 }, "{ ... { a { b } } }", "{ ... { a { ... { b { c } } } } }"},
		{"aliases", func(l *Limits) { l.Aliases = 4 }, "{" + aliases(4) + "}", "{" + aliases(5) + "}"},
		{"aliases in fragments", func(l *Limits) { l.Aliases = 4 }, "{ ...f b { ...f } } fragment f on Q {" + aliases(2) + "}", "{ ...f b { ...f } } fragment f on Q {" + aliases(3) + "}"},
		{"fields", func(l *Limits) { l.Fields = 6 }, "{ a { b c d e f } }", "{ a { b c d e f g } }"},
		{"fields in fragments", func(l *Limits) { l.Fields = 6 }, "{ ...f ...f ...f } fragment f on Q { a b }", "{ ...f ...f ...f ...f } fragment f on Q { a b }"},
		{"selections", func(l *Limits) { l.Selections = 3 }, "{ a b c }", "{ a { a b c d } }"},
		{"selections of an unused fragment", func(l *Limits) { l.Selections = 3 }, "{ a } fragment f on Q { a b c }", "{ a } fragment f on Q { a b c d }"},
		{"root fields", func(l *Limits) { l.RootFields = 3 }, "{ a b ...f } fragment f on Q { c }", "{ a b ...f } fragment f on Q { c d }"},
		{"directives", func(l *Limits) { l.Directives = 3 }, "{ a @x @x ... @x { b } }", "query($v: Int @x) @x { a @x ...f @x } fragment f on Q { b }"},
		{"tokens", func(l *Limits) { l.Tokens = 12 }, "{" + times(10, "a") + "}", "{" + times(12, "a") + "}"},
		{"bytes", func(l *Limits) { l.Document = 20 }, "{ a }" + times(7, " "), "{ a }" + times(8, " ")},
	} {
		g := guard()
		c.set(&g.Limits)
		if e := g.MutateOperationParameters(t.Context(), &graphql.RawParams{Query: c.at}); e != nil {
			t.Errorf("%s, at the limit: %v", c.name, e)
		}
		if e := g.MutateOperationParameters(t.Context(), &graphql.RawParams{Query: c.over}); code(e) != "LIMIT_EXCEEDED" {
			t.Errorf("%s, beyond the limit: %v", c.name, e)
		}
	}
}

// Nested fragments that expand to more fields than can be counted are measured quickly.
// Recursive ones are left to validation.
func TestFragmentsAreMeasuredOnce(t *testing.T) {
	var b strings.Builder
	b.WriteString("{ ...f0 }")
	for i := range 400 {
		fmt.Fprintf(&b, " fragment f%d on Q { ...f%d ...f%d }", i, i+1, i+1)
	}
	b.WriteString(" fragment f400 on Q { a }")
	g := guard()
	g.Tokens = 1 << 20
	if e := g.MutateOperationParameters(t.Context(), &graphql.RawParams{Query: b.String()}); code(e) != "LIMIT_EXCEEDED" {
		t.Errorf("doubling fragments: %v", e)
	}
	for _, cycle := range []string{
		"{ ...f } fragment f on Q { ...f }", "{ ...f } fragment f on Q { a { ...g } } fragment g on Q { b { ...f } }", "{ ...missing }",
	} {
		if e := guard().MutateOperationParameters(t.Context(), &graphql.RawParams{Query: cycle}); e != nil {
			t.Errorf("%s: %v", cycle, e)
		}
	}
}

func TestIntrospectionIsRefusedUnlessAllowed(t *testing.T) {
	for _, query := range []string{"{ __schema { types { name } } }", "{ ...f } fragment f on Q { __type(name: \"x\") { name } }"} {
		g := guard()
		if e := g.MutateOperationParameters(t.Context(), &graphql.RawParams{Query: query}); code(e) != "INVALID_REQUEST" {
			t.Errorf("%s: %v", query, e)
		}
		g.Introspection = true
		if e := g.MutateOperationParameters(t.Context(), &graphql.RawParams{Query: query}); e != nil {
			t.Errorf("%s, allowed: %v", query, e)
		}
	}
	if e := guard().MutateOperationParameters(t.Context(), &graphql.RawParams{Query: "{ __typename }"}); e != nil {
		t.Errorf("__typename: %v", e)
	}
}

// The cost of an operation is the maximum number of objects in its response.
func TestCost(t *testing.T) {
	s := schema(t)
	many := make([]any, 7)
	for i := range many {
		many[i] = map[string]any{"content": "x"}
	}
	for _, c := range []struct {
		query string
		vars  map[string]any
		want  int
	}{
		{`{ health { score status } }`, nil, 1},
		{`{ memory(id: "x") { id content } }`, nil, memoryCost},
		{`{ memory(id: "x") { entities { name } } }`, nil, memoryCost + 50},
		{`{ memory(id: "x") { entities(first: 3) { name } } }`, nil, memoryCost + 3},
		{`{ a: health { score } b: health { score } }`, nil, 2},
		{`{ memories(first: 4) { nodes { id } } }`, nil, 4 * (1 + memoryCost)},
		{`{ memories { nodes { id } } }`, nil, 50 * (1 + memoryCost)},
		{`{ memories(first: null) { nodes { id } } }`, nil, 50 * (1 + memoryCost)},
		{`query($n: Int) { memories(first: $n) { nodes { id } } }`, map[string]any{"n": int64(6)}, 6 * (1 + memoryCost)},
		{`query($n: Int = 2) { memories(first: $n) { nodes { id } } }`, map[string]any{}, 2 * (1 + memoryCost)},
		{`{ search(input: {query: "x", topK: 3}) { hits { score } } }`, nil, 3 * 2},
		{`{ search(input: {query: "x"}) { hits { memory { id } } } }`, nil, 10 * (2 + memoryCost)},
		{`query($i: SearchInput!) { search(input: $i) { hits { score } } }`, map[string]any{"i": map[string]any{"topK": json.Number("20")}}, 20 * 2},
		{`query($i: SearchInput!) { search(input: $i) { hits { score } } }`, map[string]any{"i": map[string]any{"topK": nil}}, 10 * 2},
		{`mutation($i: [RememberInput!]!) { rememberMany(input: $i) { memory { id } } }`, map[string]any{"i": many}, 7 * (1 + memoryCost)},
		{`{ memories(first: 10) { nodes { derivedFrom(first: 10) { id } } } }`, nil, 10 * (1 + memoryCost + 10*memoryCost)},
		{`{ ...f ...f } fragment f on Query { health { score } }`, nil, 2},
		{`{ ... on Query { health { score } } }`, nil, 1},
		{`{ related(id: "x", budget: 30) { memories { id } edges { weight } } }`, nil, 30 * (1 + memoryCost + 1)},
		{`{ timeline(buckets: 8) { born } }`, nil, 8},
		{`{ clusters { nodes { members(first: 3) { id } activity { count } } } }`, nil, 50 * (1 + 1 + 3*memoryCost + 24)},
		{`{ patterns(first: 2) { nodes { sources { id } conflicts { id } memory { id } } } }`, nil, 2 * (1 + 1 + 50*memoryCost + 5 + memoryCost)},
		// A value that the field itself refuses costs like one item.
		{`{ memories(first: 2000000000) { nodes { id } } }`, nil, 1 + memoryCost},
		{`{ memories(first: -1) { nodes { id } } }`, nil, 1 + memoryCost},
	} {
		doc, errs := gqlparser.LoadQueryWithRules(s, c.query, nil)
		if errs != nil {
			t.Fatalf("%s: %v", c.query, errs)
		}
		vars := c.vars
		if vars == nil {
			vars = map[string]any{}
		}
		vars, err := validator.VariableValues(s, doc.Operations[0], vars)
		if err != nil {
			t.Fatalf("%s: %v", c.query, err)
		}
		if got := Cost(doc.Operations[0], vars); got != c.want {
			t.Errorf("%s costs %d, want %d", c.query, got, c.want)
		}
	}
}

// The price of an operation is its cost, the work of its questions and what it sends.
func TestPrice(t *testing.T) {
	s := schema(t)
	long := strings.Repeat("x", 6<<10)
	ask := func(effort string) string {
		return `query($q: String!) { search(input: {query: $q, topK: 1` + effort + `}) { hits { score } } }`
	}
	var many strings.Builder
	for i := range 20 {
		fmt.Fprintf(&many, "a%d: search(input: {query: $q, topK: 1, effort: ACCURATE}) { hits { score } } ", i)
	}
	for _, c := range []struct {
		query, text string
		want        int
	}{
		{`{ health { score } }`, "", 1},
		{ask(""), "short", 2},
		{ask(", effort: FAST"), long, 2 + 96 + 6},
		{ask(""), long, 2 + 192 + 6},
		{ask(", effort: ACCURATE"), long, 2 + 384 + 6},
		{`query($q: String!) { context(input: {session: "s", query: $q}) { text } }`, long, 1 + 192 + 6},
		{`query($q: String!) { ...f } fragment f on Query { search(input: {query: $q, topK: 1}) { hits { score } } }`, long, 2 + 192 + 6},
		{`query($q: String!) { ` + many.String() + `}`, long, 20 * (2 + 384 + 6)},
		{`mutation($q: String!) { remember(input: {content: $q, consent: EXPLICIT}) { memory { id } } }`, long, 1 + memoryCost + 6},
	} {
		doc, errs := gqlparser.LoadQueryWithRules(s, c.query, nil)
		if errs != nil {
			t.Fatalf("%s: %v", c.query, errs)
		}
		given := map[string]any{}
		if c.text != "" {
			given["q"] = c.text
		}
		vars, err := validator.VariableValues(s, doc.Operations[0], given)
		if err != nil {
			t.Fatalf("%s: %v", c.query, err)
		}
		if got := Price(doc.Operations[0], vars); got != c.want {
			t.Errorf("%.100s with %d bytes is charged %d, want %d", c.query, len(c.text), got, c.want)
		}
	}
}

// The query that tools send for the schema is granted, and not much more of it.
func TestCostOfIntrospection(t *testing.T) {
	const reference = "type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } } }"
	const input = "{ name description " + reference + " defaultValue isDeprecated deprecationReason }"
	const fields = "fields(includeDeprecated: true) { name description args(includeDeprecated: true) " + input + " " + reference + " isDeprecated deprecationReason }"
	whole := "{ __schema { queryType { name } mutationType { name } subscriptionType { name } types { kind name description " + fields +
		" inputFields(includeDeprecated: true) " + input + " interfaces { name } enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { name } } directives { name locations args " + input + " } } }"
	var aliased strings.Builder
	for i := range 28 {
		fmt.Fprintf(&aliased, "a%d: %s ", i, fields)
	}
	for _, c := range []struct {
		query       string
		least, most int
	}{
		{whole, 5_000, 20_000},
		{"{ __schema { types { " + aliased.String() + " } } }", 100_000, math.MaxInt},
		{`{ __type(name: "Memory") { name fields { name } } }`, 1, 20},
	} {
		doc, err := gqlparser.LoadQueryWithRules(schema(t), c.query, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := Cost(doc.Operations[0], nil); got < c.least || got > c.most {
			t.Errorf("%.80s costs %d, want %d to %d", c.query, got, c.least, c.most)
		}
	}
}

// Nested lists do not overflow.
func TestCostDoesNotOverflow(t *testing.T) {
	s := schema(t)
	query := `{ memories(first: 1000) { nodes { ` + strings.Repeat("derivedFrom(first: 200) { ", 9) + "id" + strings.Repeat(" }", 9) + ` } } }`
	doc, errs := gqlparser.LoadQueryWithRules(s, query, nil)
	if errs != nil {
		t.Fatal(errs)
	}
	if got := Cost(doc.Operations[0], nil); got < Default().Cost {
		t.Errorf("costs %d", got)
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		value any
		want  int
	}{
		{"abc", 3}, {"", 0}, {json.Number("12345"), 5}, {int64(7), 8}, {nil, 8}, {true, 8},
		{[]any{"ab", "c"}, 5}, {map[string]any{"key": "value"}, 9},
		{[]map[string]any{{"k": "0123456789"}}, 13}, {[]string{"ab"}, 3},
	} {
		if got := valueSize(c.value); got != c.want {
			t.Errorf("%#v has %d bytes, want %d", c.value, got, c.want)
		}
	}
}

func TestBatch(t *testing.T) {
	l := Default()
	for document, want := range map[string]bool{
		"mutation($i: [RememberInput!]!) { rememberMany(input: $i) { promoted } }":                         true,
		"mutation { a: rememberMany(input: []) { promoted } b: rememberMany(input: []) { promoted } }":     true,
		"mutation { rememberMany(input: []) { promoted } remember(input: {content: \"x\"}) { promoted } }": false,
		"mutation { ...f } fragment f on Mutation { remember(input: {content: \"x\"}) { promoted } }":      false,
		"mutation { rememberMany: remember(input: {content: \"x\"}) { promoted } }":                        false,
		"mutation A { rememberMany(input: []) { promoted } } mutation B { expire(id: 1) { id } }":          false,
		"{ health { score } }": false, "{": false, "": false,
		"mutation { rememberMany(input: []) { promoted } } #" + strings.Repeat("x", 64<<10): false,
	} {
		if got := l.IsBatch(document, ""); got != want {
			t.Errorf("%.80s is a batch: %v", document, got)
		}
	}
	two := "mutation A { rememberMany(input: []) { promoted } } mutation B { expire(id: 1) { id } }"
	if !l.IsBatch(two, "A") || l.IsBatch(two, "B") || l.IsBatch(two, "C") {
		t.Error("the operation's name does not choose")
	}
}

// Long documents are not cached, so that clients can't fill the memory.
func TestDocumentCache(t *testing.T) {
	k := NewDocumentCache()
	short, long := strings.Repeat("s", maxDocumentBytes), strings.Repeat("l", maxDocumentBytes+1)
	k.Add(t.Context(), short, &ast.QueryDocument{})
	k.Add(t.Context(), long, &ast.QueryDocument{})
	if _, kept := k.Get(t.Context(), short); !kept {
		t.Error("a short document is not kept")
	}
	if _, kept := k.Get(t.Context(), long); kept {
		t.Error("a long document is kept")
	}
}
