package resolvers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers"
)

// Known attacks on GraphQL servers are refused with a code before they cost anything.
func TestAttacksAreRefused(t *testing.T) {
	called := 0
	v := &verbs{health: func() (*engine.HealthReport, error) {
		called++
		return &engine.HealthReport{MemoryHealth: engine.MemoryHealth{Status: "HEALTHY"}}, nil
	}}
	s := start(t, between(v), production)
	repeat := func(n int, f func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(f(i))
		}
		return b.String()
	}
	id := `"0198f0a0-0000-7000-8000-000000000000"`
	for _, c := range []struct{ name, query, code string }{
		{"a flood of aliases", "{" + repeat(101, func(i int) string { return fmt.Sprintf("a%d: health { score } ", i) }) + "}", "LIMIT_EXCEEDED"},
		{"depth by nesting", "{ memory(id: " + id + ") " + strings.Repeat("{ supersedes ", 30) + "{ id }" + strings.Repeat("}", 30) + "}", "LIMIT_EXCEEDED"},
		{"depth by fragments", "{ memory(id: " + id + ") { ...f0 } }" +
			repeat(20, func(i int) string { return fmt.Sprintf(" fragment f%d on Memory { supersedes { ...f%d } }", i, i+1) }) + " fragment f20 on Memory { id }", "LIMIT_EXCEEDED"},
		{"doubling fragments", "{ memory(id: " + id + ") { ...f0 } }" +
			repeat(60, func(i int) string { return fmt.Sprintf(" fragment f%d on Memory { ...f%d ...f%d }", i, i+1, i+1) }) + " fragment f60 on Memory { id }", "LIMIT_EXCEEDED"},
		{"the same field many times", "{ health {" + strings.Repeat(" score", 1500) + "} }", "LIMIT_EXCEEDED"},
		{"the same object many times", "{" + strings.Repeat(" health { score }", 400) + "}", "LIMIT_EXCEEDED"},
		{"more tokens than are read", "{" + strings.Repeat(" a", 4000) + "}", "LIMIT_EXCEEDED"},
		{"many directives", "{ health {" + repeat(60, func(int) string { return " score @include(if: true)" }) + "} }", "LIMIT_EXCEEDED"},
		{"directives on one field", "{ health { score " + strings.Repeat("@a ", 60) + "} }", "LIMIT_EXCEEDED"},
		{"a fragment in itself", "{ health { ...f } } fragment f on HealthReport { score ...f }", "INVALID_REQUEST"},
		{"fragments in each other", "{ health { ...f } } fragment f on HealthReport { ...g } fragment g on HealthReport { ...f }", "INVALID_REQUEST"},
		{"lists in lists", "{ memories(first: 1000) { nodes { derivedFrom(first: 200) { derivedFrom(first: 200) { id } } } } }", "LIMIT_EXCEEDED"},
		{"lists in lists of an event", "subscription { memoryEvents { memory { derivedFrom(first: 100) { derivedFrom(first: 12) { id } } } } }", "LIMIT_EXCEEDED"},
		{"lists by variables", "query($n: Int = 1000) { memories(first: $n) { nodes { entities(first: $n) { id } } } }", "LIMIT_EXCEEDED"},
		{"introspection", "{ __schema { types { name } } }", "INVALID_REQUEST"},
		{"introspection of a type", `{ __type(name: "Memory") { fields { name } } }`, "INVALID_REQUEST"},
		{"introspection in a fragment", "{ ...f } fragment f on Query { __schema { types { name } } }", "INVALID_REQUEST"},
		{"a long document", "{ health { score } } #" + strings.Repeat("x", 70<<10), "LIMIT_EXCEEDED"},
		{"many root fields", "{" + strings.Repeat(" ...{ health { score } }", 21) + "}", "LIMIT_EXCEEDED"},
	} {
		a := s.ask(c.query, nil)
		if a.code() != c.code || a.Data != nil {
			t.Errorf("%s answers %d %.300s", c.name, a.Status, a.Body)
		}
		if len(a.Body) > 4<<10 {
			t.Errorf("%s answers %d bytes", c.name, len(a.Body))
		}
	}
	if called != 0 {
		t.Errorf("the verb was called %d times", called)
	}
	if a := s.post([]byte(`[` + strings.Repeat(`{"query":"{ health { score } }"},`, 50) + `{"query":"{ health { score } }"}]`)); a.Status != http.StatusBadRequest {
		t.Errorf("a batch of operations answers %d %s", a.Status, a.Body)
	}
}

// In production, errors name nothing that was not in the request.
func TestNoSuggestionsOutsideDevelopment(t *testing.T) {
	s := start(t, production)
	for query, name := range map[string]string{
		`{ memorie(id: 1) { id } }`:                            `"memory"`,
		`{ memory(idd: 1, id: 2) { id } }`:                     `"id"`,
		`{ health { scor } }`:                                  `"score"`,
		`{ search(input: {querry: "x"}) { latencyMs } }`:       `"query"`,
		`{ search(input: {mode: ANSWR}) { latencyMs } }`:       `ANSWER`,
		`query($x: SearchInpt) { health { score } }`:           `SearchInput"`,
		`{ ...f } fragment f on Qery { health { score } }`:     `"Query"`,
		`{ health { score { x } } }`:                           `status`,
		`{ health { score @includ(if: true) } }`:               `"include"`,
		`{ health }`:                                           `score`,
		`mutation { remember(input: {contnt: "x"}) { score }}`: `contnt"?`,
	} {
		a := s.ask(query, nil)
		if a.code() != "INVALID_REQUEST" {
			t.Errorf("%s answers %s", query, a.Body)
		}
		for _, e := range a.Errors {
			if strings.Contains(e.Message, "Did you mean") || strings.Contains(e.Message, name) {
				t.Errorf("%s gives names away: %s", query, e.Message)
			}
		}
	}
}

// Ordinary operations accept 64 KiB, batches 40 MiB.
func TestSizes(t *testing.T) {
	batches := 0
	v := &verbs{many: func(in []engine.RememberInput) ([]engine.RememberResult, error) {
		batches++
		return make([]engine.RememberResult, len(in)), nil
	}}
	s := start(t, between(v), func(c *resolvers.Config) { c.Limits.Bulk = 8 << 20 })
	item := func(n int) vars { return vars{"content": strings.Repeat("a", n), "consent": "EXPLICIT"} }
	many := func(count, n int) vars {
		items := make([]vars, count)
		for i := range items {
			items[i] = item(n)
		}
		return vars{"input": items}
	}
	const rememberMany = `mutation($input: [RememberInput!]!) { rememberMany(input: $input) { promoted } }`

	if a := s.ask(rememberID, vars{"input": item(32 << 10)}); len(a.Errors) > 0 {
		t.Errorf("32 KiB of content answer %s", a.Body)
	}
	// Escapes enlarge the body; the decoded size counts.
	escaped := strings.Repeat(`\u00e9`, 16<<10)
	if a := s.post([]byte(`{"query":"mutation($c: String!) { remember(input: {content: $c, consent: EXPLICIT}) { promoted } }","variables":{"c":"` + escaped + `"}}`)); len(a.Errors) > 0 {
		t.Errorf("32 KiB of escaped content answer %.300s", a.Body)
	}
	for name, variables := range map[string]vars{"beyond 64 KiB": {"input": item(65 << 10)}, "beyond 384 KiB": {"input": item(400 << 10)}} {
		if a := s.ask(rememberID, variables); a.code() != "LIMIT_EXCEEDED" || a.Data != nil {
			t.Errorf("%s: remember answers %d %.300s", name, a.Status, a.Body)
		}
	}
	if a := s.ask(rememberMany, many(100, 30<<10)); len(a.Errors) > 0 || batches != 1 {
		t.Errorf("a batch of 3 MB answers %.300s", a.Body)
	}
	if a := s.ask(`mutation($input: [RememberInput!]!, $one: RememberInput!) { rememberMany(input: $input) { promoted } remember(input: $one) { promoted } }`,
		merge(many(20, 30<<10), "one", item(1))); a.Status != http.StatusRequestEntityTooLarge || a.code() != "LIMIT_EXCEEDED" {
		t.Errorf("a batch beside an ordinary field answers %d %.300s", a.Status, a.Body)
	}
	if a := s.ask(rememberMany, many(300, 30<<10)); a.Status != http.StatusRequestEntityTooLarge || a.code() != "LIMIT_EXCEEDED" {
		t.Errorf("a batch beyond the largest body answers %d %.300s", a.Status, a.Body)
	}
	if batches != 1 {
		t.Errorf("the verb was called %d times, want once", batches)
	}
	long := s.http.URL + "/graphql?query=" + strings.Repeat("x", 500<<10)
	if r, err := http.NewRequest(http.MethodGet, long, nil); err != nil {
		t.Fatal(err)
	} else if a := s.do(r); a.Status < 400 || a.Status > 499 {
		t.Errorf("a long URL answers %d", a.Status)
	}
}

// Operations at the limits succeed: the standard introspection, a full page, a full batch.
func TestOperationsAtTheLimitsSucceed(t *testing.T) {
	// Under the race detector a full batch takes about the default time limit.
	s := start(t, func(c *resolvers.Config) { c.Times.Request = 5 * time.Minute })
	for i := range 3 {
		s.remember(fmt.Sprintf("fact %d", i), vars{"entities": []string{"Ada", "Bob"}})
	}
	for name, query := range map[string]string{
		"a full page": `{ memories(first: 1000) { edges { cursor node { id content entities(first: 20) { name } } } pageInfo { endCursor } } }`,
		"many hits":   `{ search(input: {query: "fact", topK: 100}) { hits { memory { id entities { name } supersedes { id } } parts { semantic } provenance { id } } } }`,
		"a lineage":   `{ lineage(id: "0198f0a0-0000-7000-8000-000000000000") { memory { entities { name } } } }`,
		"ten aliases": `{` + strings.Join([]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}, ": health { score } ") + `: health { score } }`,
		"introspection": `query { __schema { queryType { name } types { ...T fields { args { ...I } type { ...R } } } directives { name args { ...I } } } }
			fragment T on __Type { kind name description inputFields { ...I } enumValues { name } possibleTypes { ...R } }
			fragment I on __InputValue { name type { ...R } defaultValue }
			fragment R on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } }`,
	} {
		if a := s.ask(query, nil); len(a.Errors) > 0 {
			t.Errorf("%s answers %.300s", name, a.Body)
		}
	}
	many := make([]vars, engine.MaxMany)
	for i := range many {
		many[i] = vars{"content": fmt.Sprintf("item %d", i), "consent": "EXPLICIT", "onDuplicate": "INSERT"}
	}
	a := s.must(`mutation($i: [RememberInput!]!) { rememberMany(input: $i) { memory { id content createdAt entities { name } } error { code } conflictsWith } }`, vars{"i": many})
	if n := len(a.at(t, "rememberMany").([]any)); n != len(many) {
		t.Errorf("a full batch answers %d items", n)
	}
}

// The number of errors in a response is limited.
func TestErrorsAreCapped(t *testing.T) {
	s := start(t, func(c *resolvers.Config) { c.Limits.Errors = 4 })
	a := s.ask(`{`+strings.Repeat(" a", 50)+`}`, nil)
	if len(a.Errors) != 4 && len(a.Errors) != 1 {
		t.Errorf("%d errors: %s", len(a.Errors), a.Body)
	}
	var b strings.Builder
	for i := range 9 {
		fmt.Fprintf(&b, ` a%d: memory(id: "no id") { id }`, i)
	}
	a = s.ask(`{`+b.String()+`}`, nil)
	if len(a.Errors) != 4 || !strings.HasPrefix(a.Errors[3].Message, "6 more errors") || a.Errors[3].Extensions["code"] != "LIMIT_EXCEEDED" {
		t.Errorf("%d errors: %s", len(a.Errors), a.Body)
	}
}
