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
	id := s.must(`mutation($i:RememberInput!){ remember(input:$i) { memory { id } } }`, vars{"i": vars{"content": "The word of the safe is quagga.", "consent": "EXPLICIT"}}).at(t, "remember.memory.id")
	for _, text := range []string{"The word of the safe is okapi.", "The word of the safe is no business of the winch."} {
		id = s.must(`mutation($i:SupersedeInput!){ supersede(input:$i) { memory { id } } }`, vars{"i": vars{"id": id, "content": text}}).at(t, "supersede.memory.id")
	}
	who.Scopes = []access.Scope{access.MemoryWrite}
	a := s.ask(`mutation($id:ID!){ feedback(id: $id, query: "winch", relevant: true) { id supersedes { content supersedes { content } } } }`, vars{"id": id})
	if body := string(a.Body); strings.Contains(body, "quagga") || strings.Contains(body, "okapi") || !strings.Contains(body, "requires the scope") {
		t.Errorf("it reads the earlier versions: %s", a.Body)
	}
}

// A key that only writes gets of the session that it closes, and of turns that leave the window, what it wrote itself.
func TestAKeyThatOnlyWritesReadsNoTurnsOfOthers(t *testing.T) {
	s, who := clustered(t)
	write := func(name string, scopes ...access.Scope) {
		*who = reading(func(c *engine.Caller) { c.Name, c.User, c.Scopes = name, "ana", append(scopes, access.MemoryWrite) })
	}
	say := func(session, text string) *answer {
		return s.must(`mutation($i:ObserveInput!){ observe(input:$i) { memory { content } flushed { content } } }`,
			vars{"i": vars{"session": session, "role": "USER", "text": text, "consent": "EXPLICIT"}})
	}
	const closing = `mutation($s:String!){ closeSession(session:$s) { flushed { content } kept { content } expired { content } } }`
	talk := func(session string) {
		write("writer")
		say(session, "The writer moors at the pontoon.")
		s.must(rememberID, vars{"input": vars{"content": "Fetch the writer's line.", "consent": "EXPLICIT", "type": "WORKING", "session": session}})
		write("other", access.MemoryRead)
		say(session, "The code of the safe is 4711.")
		say(session, "Remind me to call about safe 4712.")
		s.must(rememberID, vars{"input": vars{"content": "Fetch key 4713.", "consent": "EXPLICIT", "type": "WORKING", "session": session}})
	}
	check := func(what, body string, own ...string) {
		t.Helper()
		if strings.Contains(body, "471") {
			t.Errorf("%s answers with what others wrote: %s", what, body)
		}
		for _, text := range own {
			if !strings.Contains(body, text) {
				t.Errorf("%s does not answer with %q: %s", what, text, body)
			}
		}
	}
	talk("harbour")
	write("writer")
	check("the close", string(s.must(closing, vars{"s": "harbour"}).Body), "moors at the pontoon", "the writer's line")
	talk("pier")
	write("writer", access.MemoryRead)
	if body := string(s.must(closing, vars{"s": "pier"}).Body); !strings.Contains(body, "4711") || !strings.Contains(body, "4713") {
		t.Errorf("a key that reads: %s", body)
	}
	talk("quay")
	write("writer")
	window := ""
	for range 6 {
		window += string(say("quay", "Part. "+strings.Repeat("the wind turned north ", 250)).Body)
	}
	check("a turn", window, "moors at the pontoon")
}
