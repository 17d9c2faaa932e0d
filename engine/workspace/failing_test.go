package workspace_test

import (
	"errors"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
)

// A failure that goes on is a line at its begin and one every ten minutes, not one at each try.
func TestFailuresThatGoOnAreLoggedSeldom(t *testing.T) {
	began := time.Date(2026, 11, 26, 21, 0, 0, 0, time.UTC)
	var f workspace.Failing
	full, away := errors.New("the disk is full"), errors.New("the store is away")
	for _, x := range []struct {
		after time.Duration
		err   error // nil: the work succeeds
		news  bool
	}{
		{0, full, true}, {5 * time.Second, full, false}, {9 * time.Minute, full, false}, {10 * time.Minute, full, true},
		{11 * time.Minute, full, false}, {12 * time.Minute, away, true}, {13 * time.Minute, away, false},
		{14 * time.Minute, nil, false}, {15 * time.Minute, away, true},
	} {
		if x.err == nil {
			f.Over()
		} else if got := f.News(x.err, began.Add(x.after)); got != x.news {
			t.Errorf("%v after %s: %v, want %v", x.err, x.after, got, x.news)
		}
	}
}
