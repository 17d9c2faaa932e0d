package workspace

import (
	"testing"
	"time"
)

// A source that asked the same more than three times within a day polls for seven days.
func TestPolls(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	var x Polls
	for n, want := range []bool{false, false, false, true, true} {
		if got := x.Polls("ana", "where is it", at.Add(time.Duration(n)*time.Hour)); got != want {
			t.Errorf("question %d: %t", n+1, got)
		}
	}
	at = at.Add(4 * time.Hour)
	for _, c := range []struct {
		source, question string
		after            time.Duration
		want             bool
	}{
		{"ana", "where is it", 24 * time.Hour, true},
		{"ana", "who is it", 24 * time.Hour, false},
		{"ben", "where is it", 24 * time.Hour, false},
		{"ana", "where is it", pollsFor, false},
	} {
		if got := x.Polls(c.source, c.question, at.Add(c.after)); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
