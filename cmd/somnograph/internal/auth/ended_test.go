package auth

import (
	"testing"
	"time"
)

// recorded is a record of ended sessions in memory.
type recorded map[string]time.Time

func (r recorded) EndSession(id string, until time.Time) error { r[id] = until; return nil }
func (r recorded) EndedSessions() map[string]time.Time         { return r }

// A session that ended before a restart has ended after it, until it would have ended by itself.
func TestASessionStaysEndedAfterARestart(t *testing.T) {
	now := time.Date(2026, 11, 26, 6, 0, 0, 0, time.UTC)
	a, err := New(Options{Now: func() time.Time { return now }, Ended: recorded{"session-a": now.Add(time.Hour), "session-b": now.Add(-time.Hour)}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for id, want := range map[string]bool{"session-a": true, "session-b": false, "session-c": false} {
		if _, gone, err := a.state(t.Context(), id); err != nil || gone != want {
			t.Errorf("%s has ended: %v, want %v", id, gone, want)
		}
	}
}
