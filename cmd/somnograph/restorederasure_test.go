package main

import (
	"fmt"
	"strings"
	"testing"
)

// What a restore or an import brings back of a user who was forgotten since is erased again at the start, also if a sleep had made
// memories of others and their erasure takes several pages. What others wrote is served.
func TestAForgottenUserStaysErased(t *testing.T) {
	p := newPlace(t)
	s := start(t, p.at("data"), "--keys", p.at("keys"))
	do := func(query, name string, in any) {
		t.Helper()
		if err := s.client().Do(t.Context(), query, map[string]any{name: in}, &struct{}{}); err != nil {
			t.Fatal(err)
		}
	}
	const write = `mutation($i:RememberInput!){remember(input:$i){memory{id}}}`
	colours, sizes := strings.Fields("red blue green old new"), strings.Fields("heavy light small large round")
	for i := range 60 {
		do(write, "i", map[string]any{
			"content": fmt.Sprintf("The %s sailing kite of Fabian needs a %s rope before flight %d.", colours[i%5], sizes[i%3], i),
			"type":    "EPISODIC", "consent": "EXPLICIT", "user": "ana", "onDuplicate": "INSERT", "entities": []string{"Fabian"},
		})
	}
	for _, session := range []string{"closed", "open"} {
		do(`mutation($i:ObserveInput!){observe(input:$i){memory{id}}}`, "i", map[string]any{"session": session, "role": "USER", "text": "I fly the kite of Fabian on Sundays.", "consent": "EXPLICIT", "user": "ana"})
	}
	do(`mutation($i:String!){closeSession(session:$i){flushed{id}}}`, "i", "closed")
	do(write, "i", map[string]any{"content": "The bakery opens at nine.", "consent": "EXPLICIT", "user": "bob"})
	do(`mutation($i:ConsolidateInput!){consolidate(input:$i){report{derived}}}`, "i", map[string]any{"strategy": "AGE", "olderThanDays": 0, "user": "ana"})
	of := func(user string) (contents []string) {
		t.Helper()
		var seen struct {
			Memories struct{ Nodes []struct{ Content string } }
		}
		filter := map[string]any{"statuses": []string{"ACTIVE", "CONSOLIDATED", "ARCHIVED", "SUPERSEDED"}}
		if user != "" {
			filter["user"] = user
		}
		if err := s.client().Do(t.Context(), `query($f:MemoryFilter){memories(filter:$f,first:500){nodes{content}}}`, map[string]any{"f": filter}, &seen); err != nil {
			t.Fatal(err)
		}
		for _, m := range seen.Memories.Nodes {
			contents = append(contents, m.Content)
		}
		return contents
	}
	if n := len(of("ana")); n <= 62 || !strings.Contains(exportOf(t, s), `"Kind":"SESSION"`) {
		t.Fatalf("%d memories of the user: nothing was derived, or there are no sessions", n)
	}
	p.succeeds("backup", "--addr", s.url, "--to", p.at("bk"))
	exportFrom(t, s, p.at("all.ndjson"))
	do(`mutation($i:ForgetInput!){forget(input:$i){receipt{status}}}`, "i", map[string]any{"user": "ana"})
	s.stop()
	check := func(what string) {
		t.Helper()
		if left := of(""); len(left) != 1 || left[0] != "The bakery opens at nine." {
			t.Errorf("%s: %q", what, left)
		}
		if strings.Contains(exportOf(t, s), `"Kind":"SESSION"`) {
			t.Errorf("%s: the records of the sessions are left", what)
		}
		s.stop()
	}
	p.succeeds("restore", "--from", p.at("bk"), "--keys", p.at("keys"), "--data", p.at("restored"))
	s = start(t, p.at("restored"), "--keys", p.at("keys"))
	check("restored")
	s = start(t, p.at("other"), "--keys", p.at("keys"))
	p.succeeds("import", "--addr", s.url, p.at("all.ndjson"))
	check("imported")
}
