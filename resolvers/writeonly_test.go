package resolvers_test

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
)

// A key that only writes reads what its own writes answer with, and lists nothing: neither through the fields of a memory that lead to
// others nor through a dry run of an erasure.
func TestAKeyThatOnlyWritesListsNothing(t *testing.T) {
	s, who := clustered(t)
	*who = reading(func(c *engine.Caller) {
		c.User, c.Scopes = "ana", []access.Scope{access.MemoryRead, access.MemoryWrite}
	})
	own := s.must(`mutation($i:RememberInput!){ remember(input:$i) { memory { id } } }`, vars{"i": vars{"content": "The winch on pier 99 needs grease before the storm.", "consent": "EXPLICIT"}}).at(t, "remember.memory.id").(string)
	s.must(`{ search(input: {query: "winch"}) { hits { memory { id } } } }`, nil) // waits until it is indexed
	who.Scopes = []access.Scope{access.MemoryWrite}
	for name, fields := range map[string]string{
		"cluster": `cluster { members(first: 1000) { content } }`, "contestedBy": `claims { contestedBy { content } }`, "derivedFrom": `derivedFrom { content }`,
		"consolidatedInto": `consolidatedInto { content }`, "pattern": `pattern { text sources { content } }`, "document": `document { memories { content } }`,
		"learnedFrom": `learnedFrom { content }`, "supersededBy": `supersededBy { content }`,
	} {
		a := s.ask(`mutation($id:ID!){ feedback(id: $id, query: "winch", relevant: true) { id content `+fields+` } }`, vars{"id": own})
		if strings.Contains(string(a.Body), "pier 3 ") || !strings.Contains(string(a.Body), "requires the scope") {
			t.Errorf("%s: %s", name, a.Body)
		}
	}
	if a := s.must(`mutation($id:ID!){ feedback(id: $id, query: "winch", relevant: true) { id content } }`, vars{"id": own}); a.at(t, "feedback.content") == nil {
		t.Errorf("what it gives feedback on: %s", a.Body)
	}
	a := s.ask(`mutation { forget(input: {user: "ana", dryRun: true}) { receipt { count ids } } }`, nil)
	if strings.Contains(string(a.Body), own) || a.code() != "FORBIDDEN" {
		t.Errorf("a dry run lists the ids: %.300s", a.Body)
	}
	s.must(`mutation { forget(input: {user: "ana", dryRun: true}) { receipt { count } } }`, nil)
}
