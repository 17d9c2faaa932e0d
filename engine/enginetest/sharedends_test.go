package enginetest

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// What is shared ends when the private memory would have ended: neither its time to live nor the end of its validity is lost.
func TestWhatIsSharedEndsAsThePrivateMemoryDid(t *testing.T) {
	w := New(t)
	bot := agent("bot", "ana", access.MemoryShare)
	until, ttl := w.Clock.Now().Add(48*time.Hour), 3600
	made, err := w.Engine.Remember(t.Context(), bot, engine.RememberInput{
		Content: "The code of the gate of Ana is 4711.", Consent: graph.ConsentExplicit, Private: true, TTLSeconds: &ttl, ValidTo: until,
	})
	if err != nil {
		t.Fatal(err)
	}
	ends := made.Memory.ExpiresAt
	w.Clock.Advance(30 * time.Minute)
	shared, err := w.Engine.Share(t.Context(), bot, made.Memory.ID, engine.ToTeam)
	if err != nil {
		t.Fatal(err)
	}
	m := shared.Memory
	if m.ExpiresAt.IsZero() || m.ExpiresAt.After(ends.Add(time.Second)) {
		t.Errorf("the private memory expires %v, the shared one %v", ends, m.ExpiresAt)
	}
	if !m.State.ValidTo.Equal(until) {
		t.Errorf("the private memory is valid until %v, the shared one until %v", until, m.State.ValidTo)
	}
}
