package resolvers_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// Every value of the enumerations of remember is accepted and returned unchanged. Another case
// is refused.
func TestEnumsOverTheWire(t *testing.T) {
	s := start(t)
	for field, values := range map[string][]string{
		"type":        texts(graph.Types),
		"consent":     texts(graph.Consents),
		"decayClass":  texts(graph.DecayClasses),
		"priority":    texts(graph.Priorities),
		"sourceKind":  texts(graph.SourceKinds),
		"sensitivity": texts(graph.Sensitivities),
	} {
		for _, v := range values {
			a := s.must(fmt.Sprintf(`mutation($i: RememberInput!) { remember(input: $i) { memory { %s } } }`, field),
				vars{"i": merge(vars{"content": field + " as " + v, "consent": "EXPLICIT", "onDuplicate": "INSERT"}, field, v)})
			if got := a.at(t, "remember.memory."+field); got != v {
				t.Errorf("%s: %s came out as %v", field, v, got)
			}
		}
		a := s.ask(rememberID, vars{"i": nil, "input": merge(vars{"content": "x", "consent": "EXPLICIT"}, field, strings.ToLower(values[0]))})
		if a.code() != "INVALID_REQUEST" || a.field() != field {
			t.Errorf("%s in lower case answers %s", field, a.Body)
		}
	}
	for field, values := range map[string][]string{
		"mode":   {"ANSWER", "MANAGER", "BASE"},
		"effort": {"FAST", "BALANCED", "ACCURATE"},
		"fusion": {"WEIGHTED", "RRF"},
	} {
		for _, v := range values {
			s.must(searchCount, vars{"i": vars{"query": "as", field: v}})
		}
	}
	for _, v := range texts(graph.Types) {
		s.must(searchCount, vars{"i": vars{"query": "as", "types": []string{v}}})
	}
	for _, v := range texts(graph.Statuses) {
		s.must(searchCount, vars{"i": vars{"query": "as", "statuses": []string{v}}})
	}
	for _, v := range []string{"MARKDOWN", "XML", "JSON"} {
		s.must(`query($f: ContextFormat) { context(input: {session: "s", format: $f}) { totalTokens } }`, vars{"f": v})
	}
}

const searchCount = `query($i: SearchInput!) { search(input: $i) { hits { memory { id content } } consideredCount } }`

func merge(m vars, key string, value any) vars {
	m[key] = value
	return m
}

var written = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)

// Times may have any offset in requests and are returned in UTC with three decimals.
func TestTimes(t *testing.T) {
	s := start(t)
	const remember = `mutation($i: RememberInput!) { remember(input: $i) { memory {
		createdAt updatedAt lastAccessedAt recordedAt occurredAt validFrom validTo expiresAt supersededAt deletedAt } } }`
	for in, out := range map[string]string{
		"2026-02-19T07:30:00Z":                "2026-02-19T07:30:00.000Z",
		"2026-02-19T07:30:00.5Z":              "2026-02-19T07:30:00.500Z",
		"2026-02-19T08:30:00.123456789+01:00": "2026-02-19T07:30:00.123Z",
		"2026-02-18T23:30:00.001-08:00":       "2026-02-19T07:30:00.001Z",
		"1999-12-31T23:59:59.999Z":            "1999-12-31T23:59:59.999Z",
	} {
		a := s.must(remember, vars{"i": vars{"content": "at " + in, "consent": "EXPLICIT", "occurredAt": in, "onDuplicate": "INSERT"}})
		m := a.at(t, "remember.memory").(map[string]any)
		for _, field := range []string{"occurredAt", "validFrom"} {
			if m[field] != out {
				t.Errorf("after writing %s, %s is %v, want %s", in, field, m[field], out)
			}
		}
		for field, v := range m {
			if text, is := v.(string); is && !written.MatchString(text) {
				t.Errorf("%s is written as %s", field, text)
			}
		}
		for _, field := range []string{"validTo", "expiresAt", "supersededAt", "deletedAt"} {
			if m[field] != nil {
				t.Errorf("%s is %v, want null", field, m[field])
			}
		}
	}
	for _, bad := range []any{"2026-02-19", "19 February", "2026-02-19T07:30:00", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00Z", "", 5, true, []any{}} {
		a := s.ask(remember, vars{"i": vars{"content": "x", "consent": "EXPLICIT", "occurredAt": bad}})
		if a.code() != "INVALID_REQUEST" || a.field() != "occurredAt" {
			t.Errorf("%v as a time answers %s", bad, a.Body)
		}
	}
}

// An Int has 32 bits, a Float is finite, a number is not a String. Errors name the field.
func TestScalarsAreChecked(t *testing.T) {
	s := start(t)
	for _, c := range []struct {
		field string
		value any
		good  bool
	}{
		{"topK", 10, true}, {"topK", 1 << 31, false}, {"topK", -(1 << 31) - 1, false}, {"topK", 1.5, false}, {"topK", "10", false}, {"topK", true, false},
		{"hops", 0, true}, {"hops", 99999999999, false},
		{"minAuthority", 0.5, true}, {"minAuthority", 1, true}, {"minAuthority", "0.5", false}, {"minAuthority", "NaN", false},
		{"minAuthority", json.Number("1e999"), false},
		{"query", "as", true}, {"query", 5, false}, {"query", true, false}, {"query", []any{"a"}, false},
		{"track", false, true}, {"track", "false", false}, {"track", 0, false},
		{"tags", []any{"a"}, true}, {"tags", "a", true}, {"tags", []any{1}, false}, {"tags", []any{nil}, false},
	} {
		a := s.ask(searchCount, vars{"i": vars{"query": "as", c.field: c.value}})
		if c.good && len(a.Errors) > 0 {
			t.Errorf("%s: %v answers %s", c.field, c.value, a.Body)
		}
		if !c.good && (a.code() != "INVALID_REQUEST" || !strings.HasPrefix(a.field(), c.field)) {
			t.Errorf("%s: %v answers %s", c.field, c.value, a.Body)
		}
	}
	for literal, good := range map[string]bool{"10": true, "2147483648": false, "99999999999999999999": false, "1.0": false, `"10"`: false} {
		a := s.ask(`{ search(input: {query: "as", topK: `+literal+`}) { consideredCount } }`, nil)
		if (len(a.Errors) == 0) != good || !good && a.code() != "INVALID_REQUEST" {
			t.Errorf("topK: %s answers %s", literal, a.Body)
		}
	}
}

// null means the same as omitted.
func TestNullIsOmitted(t *testing.T) {
	s := start(t)
	for i := range 12 {
		s.remember(fmt.Sprintf("note %d about the harbour", i), nil)
	}
	omitted := s.must(searchCount, vars{"i": vars{"query": "harbour", "track": false}})
	nulls := vars{"query": "harbour", "track": false}
	for _, field := range []string{
		"topK", "mode", "effort", "fusion", "namespaces", "user", "project", "session", "types", "tags", "statuses", "since", "until", "asOf",
		"requireConsent", "includeImplicit", "minAuthority", "minImportance", "hops", "weights",
	} {
		nulls[field] = nil
	}
	if given := s.must(searchCount, vars{"i": nulls}); string(given.Body) != string(omitted.Body) {
		t.Errorf("null answers %s, omitted %s", given.Body, omitted.Body)
	}
	if n := len(omitted.at(t, "search.hits").([]any)); n != 10 {
		t.Errorf("without topK there are %d hits, want 10", n)
	}
	for _, empty := range []string{"namespaces", "types", "statuses", "tags"} {
		a := s.must(searchCount, vars{"i": vars{"query": "harbour", "track": false, empty: []string{}}})
		if string(a.Body) != string(omitted.Body) {
			t.Errorf("an empty list of %s answers %s, omitted %s", empty, a.Body, omitted.Body)
		}
	}

	if a := s.ask(`mutation { remember(input: {content: "x"}) { memory { id } } }`, nil); a.code() != "CONSENT_REQUIRED" || a.Status != 200 {
		t.Errorf("without consent: %d %s", a.Status, a.Body)
	}
	if a := s.ask(`mutation { remember(input: {content: "x", consent: null}) { memory { id } } }`, nil); a.code() != "CONSENT_REQUIRED" {
		t.Errorf("with null for consent: %s", a.Body)
	}
	if a := s.must(`mutation { remember(input: {content: "x", consent: NONE, namespace: null}) { memory { namespace consent } } }`, nil); a.at(t, "remember.memory.namespace") != "default" {
		t.Errorf("with null for namespace: %s", a.Body)
	}
	if a := s.ask(`mutation { remember(input: {content: "x", consent: NONE, namespace: ""}) { memory { id } } }`, nil); a.code() != "INVALID_REQUEST" || a.field() != "namespace" {
		t.Errorf("with an empty namespace: %s", a.Body)
	}
}

// Empty values are returned as null, never as "".
func TestEmptyIsNull(t *testing.T) {
	s := start(t)
	const fields = `summary user session project agent subject predicate object source meta priority validTo expiresAt supersededAt
		reason unavailable { code } supersedes { id } supersededBy { id } consolidatedInto { id }`
	id := s.remember("plain words", vars{"type": "EPISODIC"})
	m := s.must(`query($id: ID!) { memory(id: $id) { tags derivedFrom { id } `+fields+` } }`, vars{"id": id}).at(t, "memory").(map[string]any)
	for field, v := range m {
		switch list, is := v.([]any); {
		case field == "tags" || field == "derivedFrom":
			if !is || len(list) != 0 {
				t.Errorf("%s is %v, want an empty list", field, v)
			}
		case v != nil:
			t.Errorf("%s is %#v, want null", field, v)
		}
	}
}

// An erased memory still has its non-null fields, without anything of its content.
func TestErasedMemory(t *testing.T) {
	s := start(t)
	id := s.remember("the words to forget", vars{
		"user": "ada", "session": "s", "project": "p", "subject": "door", "predicate": "code", "object": "1234",
		"source": "a letter", "tags": []string{"secret"}, "meta": vars{"k": "v"}, "priority": "HIGH", "type": "SEMANTIC",
	})
	a := s.must(`mutation($id: ID!) { forget(input: {ids: [$id]}) { receipt { id status count hash ids requestedAt completedAt } } }`, vars{"id": id})
	if ids := a.at(t, "forget.receipt.ids").([]any); len(ids) != 1 || ids[0] != id {
		t.Errorf("the receipt names %v", ids)
	}
	if list := s.must(`{ deletionReceipts(status: COMPLETE, first: 1) { nodes { id ids } edges { cursor } pageInfo { hasNextPage endCursor } } }`, nil); list.at(t, "deletionReceipts.nodes.0.id") != a.at(t, "forget.receipt.id") ||
		list.at(t, "deletionReceipts.nodes.0.ids.0") != id || list.at(t, "deletionReceipts.pageInfo.hasNextPage") != false {
		t.Errorf("the list of receipts is %s", list.Body)
	}
	a = s.must(`query($id: ID!) { memory(id: $id) { id status content unavailable { code message } checksum consent sourceKind type decayClass tier tags
		user session project subject predicate object source meta priority entities { id } derivedFrom { id } deletedAt createdAt retention } }`, vars{"id": id})
	m := a.at(t, "memory").(map[string]any)
	if m["status"] != "FORGOTTEN" || m["deletedAt"] == nil || m["consent"] != "NONE" || m["sourceKind"] != "SYSTEM" {
		t.Errorf("an erased memory is %s", a.Body)
	}
	for _, field := range []string{"content", "checksum", "user", "session", "project", "subject", "predicate", "object", "source", "meta", "priority"} {
		if m[field] != nil {
			t.Errorf("%s of an erased memory is %v", field, m[field])
		}
	}
	if !slices.Contains([]any{"MEMORY_NOT_FOUND"}, a.at(t, "memory.unavailable.code")) {
		t.Errorf("unavailable is %s", a.Body)
	}
	receipt := s.must(`mutation($id: ID!) { forget(input: {ids: [$id], dryRun: true}) { receipt { id count ids completedAt } } }`,
		vars{"id": s.remember("stays", nil)})
	if receipt.at(t, "forget.receipt.id") != "" || receipt.at(t, "forget.receipt.count") != 1.0 {
		t.Errorf("a dry run answers %s", receipt.Body)
	}
}

// A read as of a point in time shows nothing later, in nested reads either.
func TestAsOfAppliesToNestedReads(t *testing.T) {
	s := start(t)
	old := s.remember("the deploy runs on Fridays", nil)
	before := s.Now().Format("2006-01-02T15:04:05.000Z")
	s.Clock.Advance(time.Hour)
	a := s.must(`mutation($id: ID!) { supersede(input: {id: $id, content: "the deploy runs on Mondays", reason: "moved"}) {
		memory { id version reason supersedes { id } } previous { id status supersededAt supersededBy { id } } } }`, vars{"id": old})
	next := a.at(t, "supersede.memory.id").(string)
	if a.at(t, "supersede.memory.supersedes.id") != old || a.at(t, "supersede.previous.supersededBy.id") != next || a.at(t, "supersede.previous.supersededAt") == nil {
		t.Errorf("after supersede: %s", a.Body)
	}
	const q = `query($id: ID!, $at: AsOf) { memory(id: $id, asOf: $at) { status supersededAt supersededBy { id } } }`
	then := s.must(q, vars{"id": old, "at": vars{"recorded": before}}).at(t, "memory").(map[string]any)
	if then["status"] != "ACTIVE" || then["supersededAt"] != nil || then["supersededBy"] != nil {
		t.Errorf("as of before: %v", then)
	}
	now := s.must(q, vars{"id": old}).at(t, "memory").(map[string]any)
	if now["status"] != "SUPERSEDED" || now["supersededAt"] == nil || now["supersededBy"] == nil {
		t.Errorf("now: %v", now)
	}
	line := s.must(`query($id: ID!) { lineage(id: $id) { version reason checksum recordedAt supersededAt memory { id } } }`, vars{"id": next})
	if line.at(t, "lineage.0.memory.id") != old || line.at(t, "lineage.1.memory.id") != next || line.at(t, "lineage.1.supersededAt") != nil {
		t.Errorf("lineage: %s", line.Body)
	}
	none := s.must(`{ lineage(id: "0198f0a0-0000-7000-8000-000000000000") { version } }`, nil)
	if list, is := none.at(t, "lineage").([]any); !is || len(list) != 0 {
		t.Errorf("lineage of an unknown id: %s", none.Body)
	}
}

// A number beyond an Int is an error of that field alone, never a wrong number.
func TestIntOverflow(t *testing.T) {
	v := &verbs{health: func() (*engine.HealthReport, error) {
		return &engine.HealthReport{MemoryHealth: engine.MemoryHealth{Status: "HEALTHY", Memories: 1 << 40}}, nil
	}}
	s := start(t, between(v))
	a := s.ask(`{ health { memories } whoami { tenant } }`, nil)
	if a.code() != "INTERNAL" || a.at(t, "whoami.tenant") != "default" || a.Data["health"] != nil {
		t.Errorf("answers %s", a.Body)
	}
}

func TestOperationsOfTheExplorer(t *testing.T) {
	s := start(t)
	id := s.remember("The ferry to Bexley leaves at seven.", vars{"entities": []string{"Bexley"}})
	s.remember("The stove is cold.", nil)
	who := s.must(`{ entities(name: "Bexley") { nodes { id } } }`, nil).at(t, "entities.nodes.0.id")
	a := s.must(`query($e: ID!) { memories(filter: {entity: $e}) { nodes { id } } }`, vars{"e": who})
	if list := a.at(t, "memories.nodes").([]any); len(list) != 1 || list[0].(map[string]any)["id"] != id {
		t.Errorf("the memories that mention it: %s", a.Body)
	}
	const preview = `query($track: Boolean, $session: String!) { context(input: {session: $session, query: "when does the ferry leave", track: $track}) { text } memory(id: "%s") { usage } }`
	const turn = `mutation($session: String!, $role: Role!, $text: String!) { observe(input: {session: $session, role: $role, text: $text, consent: EXPLICIT}) { __typename } }`
	ask := strings.Replace(preview, "%s", id, 1)
	for _, c := range []struct {
		track bool
		uses  float64
	}{{false, 0}, {true, 1}} {
		session := fmt.Sprint(c.track)
		s.must(ask, vars{"track": c.track, "session": session})
		s.must(turn, vars{"session": session, "role": "USER", "text": "When does the ferry leave?"})
		s.must(turn, vars{"session": session, "role": "ASSISTANT", "text": "The ferry to Bexley leaves at seven."})
		if n := s.must(`query($id: ID!) { memory(id: $id) { usage } }`, vars{"id": id}).at(t, "memory.usage"); n != c.uses {
			t.Errorf("with track %v it was used %v times", c.track, n)
		}
	}
}
