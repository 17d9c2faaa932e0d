package mcp_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/resolvers/mcp"
)

// late says that what it remembers happened before.
type late struct {
	mcp.Verbs
	by time.Duration
}

func (l *late) Remember(ctx context.Context, c engine.Caller, in engine.RememberInput) (*engine.RememberResult, error) {
	if l.by > 0 {
		in.OccurredAt = l.Now().Add(-l.by)
	}
	return l.Verbs.Remember(ctx, c, in)
}

// The answer of remember names what the new statement did to earlier ones, with their words.
func TestRememberNamesWhatItEnded(t *testing.T) {
	v := &late{}
	s := start(t, func(c *mcp.Config) { v.Verbs, c.Verbs = c.Verbs, v })
	c := s.connect("/mcp?user=ana", nil)
	remember := func(text string) (answer, made string) {
		t.Helper()
		s.Clock.Advance(48 * time.Hour)
		answer = c.ok("remember", object{"text": text, "quote": text})
		return answer, id(t, answer)
	}
	check := func(answer string, want ...string) {
		t.Helper()
		lines := strings.Split(answer, "\n")
		if len(lines) != 1+len(want) {
			t.Errorf("%q, want %q", answer, want)
			return
		}
		for i, x := range want {
			if lines[i+1] != x {
				t.Errorf("%q, want %q", lines[i+1], x)
			}
		}
	}
	answer, dana := remember("My manager is Dana.")
	check(answer)
	answer, priya := remember("My manager is Priya.")
	check(answer, `It replaces id=`+dana+`: "My manager is Dana."`)
	_, job := remember("I live in Oslo and I work at Bosch.")
	answer, _ = remember("I work at Siemens now.")
	check(answer, `It ends a fact of id=`+job+`: "I work at Bosch"`)
	_, rent := remember("Our rent is 900 euros.")
	answer, _ = remember("From 1 April our rent is 950 euros.")
	check(answer, `It ends a fact of id=`+rent+`: "Our rent is 900 euros.", on 2026-04-01`)
	_, coffee := remember("I prefer that my coffee is strong.")
	answer, _ = remember("I like my coffee black.")
	check(answer, `It disagrees with id=`+coffee+`: "I prefer that my coffee is strong."; both are kept. Use correct if the new one replaces it.`)
	_, dentist := remember("My dentist is Maria Magdalena Anastasia Konstantina Theodora Alexandra Wilhelmina von Hohenfels zu Rautenberg.")
	answer, _ = remember("My dentist is Bo.")
	check(answer, `It disagrees with id=`+dentist+`: "My dentist is Maria Magdalena Anastasia Konstantina Theodora Alexandra Wilhelmina von Hohenfels z…"; both are kept. Use correct if the new one replaces it.`)
	v.by = 19 * 24 * time.Hour
	answer, _ = remember("My manager is Omar.")
	check(answer, `It is kept as past. What holds now is id=`+priya+`: "My manager is Priya."`)
}

// A key that only writes learns the ids that it learnt before, and no texts. What another namespace or user has is not named.
func TestRememberTellsOnlyWhatTheKeyReads(t *testing.T) {
	caller := engine.Caller{Tenant: engine.Loopback().Tenant, Name: "key", User: "ana", Grant: 1, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite}}
	s := start(t, func(c *mcp.Config) {
		c.Authenticate = func(*http.Request) (engine.Caller, error) { return caller, nil }
		c.MayRead = func(c engine.Caller) bool { return c.May(access.MemoryRead) }
	})
	c := s.connect("/mcp/boats", nil)
	remember := func(text string) string {
		t.Helper()
		s.Clock.Advance(48 * time.Hour)
		return c.ok("remember", object{"text": text, "quote": text})
	}
	dana := id(t, remember("My manager is Dana."))
	caller.Scopes = []access.Scope{access.MemoryWrite}
	if text := remember("My manager is Priya."); !strings.HasSuffix(text, "\nIt replaces id="+dana) {
		t.Errorf("a key that only writes: %q", text)
	}
	caller.Scopes = []access.Scope{access.MemoryRead, access.MemoryWrite}
	for _, other := range []func(){func() { caller.User = "ben" }, func() { caller.User = "ana"; c = s.connect("/mcp/cars", nil) }} {
		other()
		if text := remember("My manager is Omar."); strings.Contains(text, "Priya") || strings.Contains(text, "\n") {
			t.Errorf("another owner or namespace: %q", text)
		}
	}
}
