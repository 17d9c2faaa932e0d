package ingest_test

import (
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// "I" in the words of a user is the user, also when an agent writes them down. In the words of an agent it is the agent. The subject and the
// claims of a memory agree about that, so that forgetting a subject takes what the person said.
func TestTheSpeakerIsTheSubject(t *testing.T) {
	for _, x := range []struct {
		kind              graph.SourceKind
		user, agent, want string
	}{
		{graph.FromUser, "ana", "scribe", "ana"},
		{graph.FromUser, "ana", "", "ana"},
		{graph.FromUser, "", "scribe", "user"},
		{graph.FromAssistant, "ana", "scribe", "scribe"},
		{graph.FromAssistant, "ana", "", "assistant"},
	} {
		w := enginetest.New(t)
		m := w.Remember("I live in Oslo.", func(in *engine.RememberInput) {
			in.SourceKind, in.User, in.Agent, in.Session = x.kind, x.user, x.agent, "s1"
		}).Memory
		if m.Subject != x.want {
			t.Errorf("%s, user %q, agent %q: the subject is %q, want %q", x.kind, x.user, x.agent, m.Subject, x.want)
		}
		if claims := m.Claims(w.Clock.Now()); len(claims) != 1 || claims[0].State.Subject != x.want {
			t.Errorf("%s, user %q, agent %q: claims %+v", x.kind, x.user, x.agent, claims)
		}
	}
}
