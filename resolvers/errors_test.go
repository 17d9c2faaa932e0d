package resolvers_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// Every error of an engine verb has its code and field, and no internal details.
func TestErrorCodes(t *testing.T) {
	var given error
	v := &verbs{health: func() (*engine.HealthReport, error) { return nil, given }}
	s := start(t, between(v))
	const secret = "the words of a memory"
	for _, c := range []struct {
		err         error
		code, field string
	}{
		{graph.FieldError(graph.CodeInvalidRequest, "topK", "must be 1 to 100"), "INVALID_REQUEST", "topK"},
		{graph.Errorf(graph.CodeConsentRequired, "is required"), "CONSENT_REQUIRED", ""},
		{graph.Errorf(graph.CodeUnauthenticated, "who?"), "UNAUTHENTICATED", ""},
		{graph.Errorf(graph.CodeForbidden, "no"), "FORBIDDEN", ""},
		{graph.Errorf(graph.CodeMemoryNotFound, "none"), "MEMORY_NOT_FOUND", ""},
		{graph.Errorf(graph.CodeDuplicateMemory, "twice"), "DUPLICATE_MEMORY", ""},
		{graph.Errorf(graph.CodeVersionConflict, "old"), "VERSION_CONFLICT", ""},
		{graph.Errorf(graph.CodeSleepRunning, "hush"), "SLEEP_RUNNING", ""},
		{graph.Errorf(graph.CodeQuorumUnmet, "few"), "QUORUM_UNMET", ""},
		{graph.Errorf(graph.CodeRateLimited, "slow down"), "RATE_LIMITED", ""},
		{graph.Errorf(graph.CodeLimitExceeded, "much"), "LIMIT_EXCEEDED", ""},
		{fmt.Errorf("wrapped: %w", graph.FieldError(graph.CodeForbidden, "user", "no")), "FORBIDDEN", "user"},
		{graph.ErrNotFound, "MEMORY_NOT_FOUND", ""},
		{graph.ErrIntegrity, "INTEGRITY_FAILURE", ""},
		{fmt.Errorf("read %s: %w", secret, graph.ErrTooLarge), "LIMIT_EXCEEDED", ""},
		{fmt.Errorf("read %s: %w", secret, graph.ErrConflict), "UNAVAILABLE", ""},
		{graph.ErrUncertain, "UNAVAILABLE", ""},
		{graph.ErrUnavailable, "UNAVAILABLE", ""},
		{graph.ErrClosed, "UNAVAILABLE", ""},
		{context.DeadlineExceeded, "UNAVAILABLE", ""},
		{context.Canceled, "UNAVAILABLE", ""},
		{errors.New(secret), "INTERNAL", ""},
		{&graph.Error{Code: graph.CodeInternal, Message: secret}, "INTERNAL", ""},
	} {
		given = c.err
		a := s.ask(`{ h: health { score } }`, nil)
		if a.Status != http.StatusOK || a.code() != c.code || a.field() != c.field {
			t.Errorf("%v answers %d %s, want %s %q", c.err, a.Status, a.Body, c.code, c.field)
		}
		if len(a.Errors) != 1 || len(a.Errors[0].Path) != 1 || a.Errors[0].Path[0] != "h" || a.Errors[0].Message == "" {
			t.Errorf("%v answers %s", c.err, a.Body)
		}
		if strings.Contains(string(a.Body), secret) {
			t.Errorf("%v shows itself: %s", c.err, a.Body)
		}
		if v, there := a.Data["h"]; !there || v != nil {
			t.Errorf("%v answers data %v", c.err, a.Data)
		}
	}
}

// An internal error is logged under the id that is returned.
func TestInternalErrorsAreLoggedUnderAnID(t *testing.T) {
	v := &verbs{}
	s := start(t, between(v))
	seen := map[string]bool{}
	for name, fails := range map[string]func() (*engine.HealthReport, error){
		"an unknown error": func() (*engine.HealthReport, error) { return nil, errors.New("the disk spoke in tongues") },
		"a panic":          func() (*engine.HealthReport, error) { panic("the disk spoke in tongues") },
		"a panic of a part": func() (*engine.HealthReport, error) {
			panic(&graph.Panic{Value: "the disk spoke in tongues", Stack: []byte("the stack of the part")})
		},
	} {
		v.health = fails
		a := s.ask(`query Weather { health { score } whoami { name } }`, nil)
		id, _ := a.Errors[0].Extensions["id"].(string)
		if a.code() != "INTERNAL" || !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(id) || seen[id] {
			t.Errorf("%s answers %s", name, a.Body)
		}
		seen[id] = true
		if strings.Contains(string(a.Body), "tongues") || strings.Contains(string(a.Body), ".go") {
			t.Errorf("%s shows itself: %s", name, a.Body)
		}
		if log := s.log.String(); strings.Count(log, " id="+id) != 1 || !strings.Contains(log, "tongues") || !strings.Contains(log, "operation=Weather") {
			t.Errorf("%s is logged as %s", name, log)
		}
		if log := s.log.String(); name == "a panic of a part" && !strings.Contains(log, "the stack of the part") {
			t.Errorf("%s is logged without its stack: %s", name, log)
		}
		if a.at(t, "whoami.name") != "loopback" {
			t.Errorf("%s hides the other field: %s", name, a.Body)
		}
	}
}

// An error before execution has a code, and a field if a variable is invalid. There is no data,
// and the request is not echoed.
func TestErrorsBeforeExecution(t *testing.T) {
	s := start(t)
	for _, c := range []struct {
		name, query string
		vars        vars
		field       string
	}{
		{"a parse error", `{`, nil, ""},
		{"no such field", `{ nothing }`, nil, ""},
		{"no such argument", `{ memory(no: 1) { id } }`, nil, "no"},
		{"a missing argument", `{ memory { id } }`, nil, "id"},
		{"a leaf without fields", `{ health }`, nil, ""},
		{"no such enum value", `{ search(input: {mode: NOPE}) { latencyMs } }`, nil, "mode"},
		{"a missing variable", `query($id: ID!) { memory(id: $id) { id } }`, nil, "id"},
		{"null for a variable", `query($id: ID!) { memory(id: $id) { id } }`, vars{"id": nil}, "id"},
		{"an unknown input field", searchCount, vars{"i": vars{"nope": 1}}, "nope"},
		{"a wrong input field", rememberID, vars{"input": vars{"content": nil}}, "content"},
		{"a wrong enum value", searchCount, vars{"i": vars{"mode": "NOPE"}}, "mode"},
		{"two operations", `query A { health { score } } query B { health { score } }`, nil, ""},
	} {
		a := s.ask(c.query, c.vars)
		if a.Status != http.StatusOK || a.code() != "INVALID_REQUEST" || a.field() != c.field || a.Data != nil {
			t.Errorf("%s answers %d %s", c.name, a.Status, a.Body)
		}
		if strings.Contains(string(a.Body), `"data"`) || strings.Contains(string(a.Body), `"path"`) {
			t.Errorf("%s has data or a path: %s", c.name, a.Body)
		}
	}
	for name, body := range map[string]string{
		"no JSON":          `{"query": "{ secretword`,
		"an array":         `[{"query": "{ secretword }"}]`,
		"two values":       `{"query": "{ health { score } }"} {"secretword": 1}`,
		"a number":         `5`,
		"no query":         `{"variables": {}}`,
		"an empty query":   `{"query": ""}`,
		"a wrong query":    `{"query": ["secretword"]}`,
		"wrong variables":  `{"query": "{ health { score } }", "variables": "secretword"}`,
		"wrong extensions": `{"query": "{ health { score } }", "extensions": [1]}`,
	} {
		a := s.post([]byte(body))
		if a.Status != http.StatusBadRequest || a.code() != "INVALID_REQUEST" || a.Data != nil {
			t.Errorf("%s answers %d %s", name, a.Status, a.Body)
		}
		if strings.Contains(string(a.Body)+s.log.String(), "secretword") {
			t.Errorf("%s is repeated: %s", name, a.Body)
		}
	}
}

// A refused input is named, with the values of its enum or the nearest name, whether it is a literal,
// a variable or a part of either.
func TestRefusedInputsSayWhatIsRight(t *testing.T) {
	s, quiet := start(t), start(t, production)
	const many = `mutation($input: [RememberInput!]!) { rememberMany(input: $input) { promoted } }`
	for _, c := range []struct {
		query string
		vars  vars
		field string
		says  string // in the message, in development only
	}{
		{`{ search(input: {query: "x", mode: NOPE}) { latencyMs } }`, nil, "mode", "ANSWER"},
		{`{ search(input: {query: "x", mode: "NOPE"}) { latencyMs } }`, nil, "mode", "ANSWER"},
		{`{ search(input: {query: "x", types: [SEMANTIC, NOPE]}) { latencyMs } }`, nil, "types.1", "EPISODIC"},
		{`{ search(input: {query: "x", types: 5}) { latencyMs } }`, nil, "types", "EPISODIC"},
		{`{ search(input: {querry: "x"}) { latencyMs } }`, nil, "querry", `"query"`},
		{`{ search(input: {query: 5}) { latencyMs } }`, nil, "query", "string"},
		{`{ memory(idd: "x", id: "x") { id } }`, nil, "idd", `"id"`},
		{`{ memory { id } }`, nil, "id", `"ID!"`},
		{`mutation { remember(input: {consent: EXPLICIT}) { score } }`, nil, "content", `"String!"`},
		{`mutation { rememberMany(input: [{content: "x"}, {consent: EXPLICIT}]) { score } }`, nil, "input.1.content", `"String!"`},
		{`query($m: SearchMode = NOPE) { search(input: {query: "x", mode: $m}) { latencyMs } }`, nil, "m", "ANSWER"},
		{`{ health { score @include(iff: true) } }`, nil, "iff", `"if"`},
		{`query($m: SearchMode) { search(input: {query: "x", mode: $m}) { latencyMs } }`, vars{"m": "NOPE"}, "m", "ANSWER"},
		{`query($m: SearchMode) { search(input: {query: "x", mode: $m}) { latencyMs } }`, vars{"m": "answer"}, "mode", "ANSWER"},
		{searchCount, vars{"i": vars{"query": "x", "mode": "NOPE"}}, "mode", "ANSWER"},
		{searchCount, vars{"i": vars{"query": "x", "mode": "answer"}}, "mode", "ANSWER"},
		{searchCount, vars{"i": vars{"query": "x", "types": []string{"SEMANTIC", "NOPE"}}}, "types.1", "EPISODIC"},
		{searchCount, vars{"i": vars{"querry": "x"}}, "querry", "did you mean query?"},
		{searchCount, vars{"i": vars{"zzzzzzzzzz": "x"}}, "zzzzzzzzzz", "it has query, "},
		{rememberID, vars{"input": vars{"consent": "EXPLICIT"}}, "content", "must be defined"},
		{many, vars{"input": []vars{{"content": "x"}, {"content": "x", "consent": "SURE"}}}, "1.consent", "EXPLICIT"},
		{many, vars{"input": []vars{{"content": "x", "consnet": "EXPLICIT"}}}, "0.consnet", "did you mean consent"},
	} {
		a := s.ask(c.query, c.vars)
		if a.code() != "INVALID_REQUEST" || a.field() != c.field || !strings.Contains(a.Errors[0].Message, c.says) {
			t.Errorf("%s %v answers %s, want field %s and %q", c.query, c.vars, a.Body, c.field, c.says)
		}
		// In production the field is named, and nothing that was not in the request.
		b := quiet.ask(c.query, c.vars)
		if b.field() != c.field || strings.Contains(b.Errors[0].Message, "allowed") || strings.Contains(b.Errors[0].Message, "did you mean") {
			t.Errorf("%s %v answers in production %s", c.query, c.vars, b.Body)
		}
	}
	if a := s.ask(`{ memorie(id: "x") { id } }`, nil); !strings.Contains(a.Errors[0].Message, `or "memory"?`) {
		t.Errorf("an unknown field answers %s", a.Body)
	}
	if a := s.ask(`{ search(input: {query: "x", mode: NOPE, types: NOPE}) { latencyMs } }`, nil); len(a.Errors) != 2 || a.Errors[1].Extensions["field"] == a.field() {
		t.Errorf("two wrong values answer %s", a.Body)
	}
}

// REJECTED is a result, not an error.
func TestAdjudicateReturnsItsDecision(t *testing.T) {
	s := start(t)
	const ask = `mutation($input: AdjudicateInput!) { adjudicate(input: $input) {
		decision reason quorum required conflict similarity replayed current { content version } previous { content status } } }`
	decide := func(fact string, weight float64, want string) {
		t.Helper()
		a := s.must(ask, vars{"input": vars{"fact": fact, "subject": "Vera", "consent": "EXPLICIT", "evidence": []vars{{"source": "a", "weight": weight, "confidence": 1}}}})
		if got := a.at(t, "adjudicate.decision"); got != want {
			t.Errorf("%s: %s", fact, a.Body)
		}
	}
	decide("Vera lives in Ghent.", 0.5, "STORED")
	decide("Vera lives in Bruges.", 0.5, "REJECTED")
	decide("Vera lives in Bruges.", 0.9, "REPLACED")
	decide("Vera lives in Bruges.", 0.1, "MERGED")
	log := s.must(`{ reconsolidations(first: 3) { nodes { id at namespace memoryIds erased decision fact subject evidence { source weight } quorum required conflict similarity states } pageInfo { hasNextPage endCursor } } }`, nil)
	nodes := log.at(t, "reconsolidations.nodes").([]any)
	if len(nodes) != 3 || nodes[0].(map[string]any)["decision"] != "MERGED" || nodes[1].(map[string]any)["decision"] != "REPLACED" || log.at(t, "reconsolidations.pageInfo.hasNextPage") != true {
		t.Errorf("the decisions read %s", log.Body)
	}
	rest := s.must(`query($after: String) { reconsolidations(after: $after) { nodes { decision } pageInfo { hasNextPage } } }`, vars{"after": log.at(t, "reconsolidations.pageInfo.endCursor")})
	if len(rest.at(t, "reconsolidations.nodes").([]any)) != 1 {
		t.Errorf("the last page reads %s", rest.Body)
	}
	if a := s.ask(ask, vars{"input": vars{"fact": "x", "subject": "y", "consent": "EXPLICIT", "evidence": []vars{{"source": "a", "weight": 2, "confidence": 1}}}}); a.code() != "INVALID_REQUEST" || a.field() != "evidence.0.weight" {
		t.Errorf("a weight of 2 answers %s", a.Body)
	}
}

// One invalid item of a batch fails on its own.
func TestInvalidItemFailsAlone(t *testing.T) {
	s := start(t)
	a := s.must(`mutation($input: [RememberInput!]!) { rememberMany(input: $input) { memory { content } error { code field message } score conflictsWith } }`,
		vars{"input": []vars{
			{"content": "the first", "consent": "EXPLICIT"},
			{"content": "no consent"},
			{"content": "no namespace", "consent": "EXPLICIT", "namespace": ""},
			{"content": "", "consent": "EXPLICIT"},
			{"content": "the last", "consent": "IMPLICIT"},
		}})
	for i, want := range []string{"", "CONSENT_REQUIRED", "INVALID_REQUEST", "INVALID_REQUEST", ""} {
		item := a.at(t, "rememberMany").([]any)[i].(map[string]any)
		code := ""
		if item["error"] != nil {
			code = item["error"].(map[string]any)["code"].(string)
		}
		if code != want || (item["memory"] == nil) != (want != "") || (item["score"] == nil) != (want != "") {
			t.Errorf("item %d is %v, want %q", i, item, want)
		}
	}
	if a := s.must(`mutation { rememberMany(input: []) { promoted } }`, nil); len(a.at(t, "rememberMany").([]any)) != 0 {
		t.Errorf("an empty batch answers %s", a.Body)
	}
	many := make([]vars, engine.MaxMany+1)
	for i := range many {
		many[i] = vars{"content": "x", "consent": "EXPLICIT"}
	}
	if a := s.ask(`mutation($i: [RememberInput!]!) { rememberMany(input: $i) { promoted } }`, vars{"i": many}); a.code() != "LIMIT_EXCEEDED" || a.field() != "input" {
		t.Errorf("%d items answer %s", len(many), a.Body)
	}
}

// A request that takes too long ends with UNAVAILABLE.
func TestDeadline(t *testing.T) {
	slow := &verbs{}
	s := start(t, between(slow), func(c *resolvers.Config) { c.Times.Request = 20 * time.Millisecond })
	slow.wait = func(ctx context.Context) { <-ctx.Done() }
	if a := s.ask(`{ health { score } }`, nil); a.code() != "UNAVAILABLE" || a.Status != http.StatusOK {
		t.Errorf("a request beyond its deadline answers %d %s", a.Status, a.Body)
	}
}

// late is an engine whose Remember returns at the deadline: with the memory, or with an error.
type late struct {
	resolvers.Verbs
	err error
}

func (l *late) Remember(ctx context.Context, c engine.Caller, in engine.RememberInput) (*engine.RememberResult, error) {
	<-ctx.Done()
	if l.err != nil {
		return nil, l.err
	}
	return l.Verbs.Remember(context.WithoutCancel(ctx), c, in)
}

// A write that was committed is reported even after the deadline. A refused one gets
// retryAfter.
func TestWriteAfterItsDeadline(t *testing.T) {
	v := &late{}
	s := start(t, func(c *resolvers.Config) {
		v.Verbs, c.Verbs = c.Verbs, v
		c.Times.Request = time.Second
	})
	const write = `mutation { remember(input: {content: "Pier 9 is open.", consent: EXPLICIT}) { memory { id content } } }`
	if a := s.ask(write, nil); a.code() != "" || a.at(t, "remember.memory.content") != "Pier 9 is open." {
		t.Errorf("a committed write: %s", a.Body)
	}
	v.err = graph.Errorf(graph.CodeRateLimited, "too late")
	if a := s.ask(write, nil); a.code() != "RATE_LIMITED" || a.Errors[0].Extensions["retryAfter"] != 1.0 {
		t.Errorf("a refused write: %s", a.Body)
	}
}

// Without valid credentials every request is refused.
func TestUnauthenticated(t *testing.T) {
	s := start(t, func(c *resolvers.Config) { c.Authenticate = bearer })
	const body = `{"query": "{ whoami { name } }"}`
	for _, headers := range [][]string{nil, {"Authorization", "Bearer wrong"}, {"Authorization", "Bearer wrong", "Accept", "text/event-stream"}} {
		a := s.post([]byte(body), headers...)
		if a.Status != http.StatusUnauthorized || a.code() != "UNAUTHENTICATED" || a.Data != nil || a.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%v answers %d %s", headers, a.Status, a.Body)
		}
	}
	if a := s.post([]byte(body), "Authorization", "Bearer letmein"); a.at(t, "whoami.name") != "loopback" {
		t.Errorf("with credentials: %s", a.Body)
	}
	forbidden := start(t, func(c *resolvers.Config) {
		c.Authenticate = func(*http.Request) (engine.Caller, error) {
			return engine.Caller{}, graph.Errorf(graph.CodeForbidden, "the key was withdrawn")
		}
	})
	if a := forbidden.post([]byte(body)); a.code() != "FORBIDDEN" {
		t.Errorf("an error with a code of its own answers %s", a.Body)
	}
}
