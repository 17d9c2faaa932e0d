package resolvers_test

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
)

// A key that only writes gets the memory that it gives feedback on, and not the versions before it: they are other memories.
func TestAKeyThatOnlyWritesReadsNoEarlierVersions(t *testing.T) {
	s, who := clustered(t)
	*who = reading(func(c *engine.Caller) {
		c.User, c.Scopes = "ana", []access.Scope{access.MemoryRead, access.MemoryWrite}
	})
	id := s.must(`mutation($i:RememberInput!){ remember(input:$i) { memory { id } } }`, vars{"i": vars{"content": "The code of the safe is 4711.", "consent": "EXPLICIT"}}).at(t, "remember.memory.id")
	for _, text := range []string{"The code of the safe is 4712.", "The code of the safe is no business of the winch."} {
		id = s.must(`mutation($i:SupersedeInput!){ supersede(input:$i) { memory { id } } }`, vars{"i": vars{"id": id, "content": text}}).at(t, "supersede.memory.id")
	}
	who.Scopes = []access.Scope{access.MemoryWrite}
	a := s.ask(`mutation($id:ID!){ feedback(id: $id, query: "winch", relevant: true) { id supersedes { content supersedes { content } } } }`, vars{"id": id})
	if strings.Contains(string(a.Body), "471") || !strings.Contains(string(a.Body), "requires the scope") {
		t.Errorf("it reads the earlier versions: %s", a.Body)
	}
}
