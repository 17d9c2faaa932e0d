package reader

import (
	"testing"
	"time"
)

// The date of a change is the beginning of what it brings about, and not its end.
func TestChangesBeginWhatTheyState(t *testing.T) {
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for _, x := range []struct {
		text, predicate, object string
		from                    time.Time
	}{
		{"I moved to Bergen last week.", "lives in", "Bergen", time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)},
		{"My sister moved to Ghent last year.", "lives in", "Ghent", time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		claims := Read(x.text, Hints{Speaker: "ana", At: at})
		if len(claims) != 1 {
			t.Errorf("%s: %+v", x.text, claims)
			continue
		}
		if c := claims[0]; c.Predicate != x.predicate || c.Object != x.object || !c.ValidFrom.Equal(x.from) || !c.ValidTo.IsZero() {
			t.Errorf("%s: %+v", x.text, c)
		}
	}
}
