package monitor

import (
	"context"
	"log/slog"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// brokenFeed is a feed of 5,000 changes of which some can't be read.
type brokenFeed struct {
	graph.Store
	bad func(graph.Cursor) bool
}

func (f brokenFeed) Changes(_ context.Context, _ graph.Scope, after graph.Cursor, limit int) (changes []graph.Change, err error) {
	for at := after; len(changes) < limit && at < 5000; {
		if at++; f.bad(at) {
			return nil, graph.ErrIntegrity
		}
		changes = append(changes, graph.Change{Cursor: at})
	}
	return changes, nil
}

// The scrub passes over the damaged changes of the feed: it loses those, and after each run of them at most as many more.
func TestTheScrubPassesDamagedChanges(t *testing.T) {
	for name, x := range map[string]struct {
		bad  func(graph.Cursor) bool
		lost int // at most
	}{
		"none":              {func(graph.Cursor) bool { return false }, 0},
		"the first":         {func(at graph.Cursor) bool { return at == 1 }, 2},
		"the last":          {func(at graph.Cursor) bool { return at == 5000 }, 1},
		"300 in the middle": {func(at graph.Cursor) bool { return at > 2000 && at <= 2300 }, 600},
		"each 500th":        {func(at graph.Cursor) bool { return at%500 == 0 }, 20},
		"all":               {func(graph.Cursor) bool { return true }, 5000},
	} {
		svc := &Service{Space: &workspace.Space{Options: workspace.Options{Store: brokenFeed{bad: x.bad}, Log: slog.New(slog.DiscardHandler)}}}
		w := &watched{damagedRows: map[graph.Row]bool{}}
		var seen []graph.Cursor
		for refreshes, end := 0, false; !end; refreshes++ {
			changes, last, err := svc.nextChanges(t.Context(), w)
			if err != nil || refreshes > 40 || len(changes) > scrubStep {
				t.Fatalf("%s: %d changes in refresh %d, %v", name, len(changes), refreshes, err)
			}
			for _, ch := range changes {
				seen = append(seen, ch.Cursor)
			}
			if end = last; len(seen) > 0 {
				w.scrubbed = seen[len(seen)-1]
			}
		}
		if lost := 5000 - len(seen); lost > x.lost || !slices.IsSorted(seen) || len(slices.Compact(slices.Clone(seen))) != len(seen) {
			t.Errorf("%s: %d are lost, at most %d may be", name, lost, x.lost)
		}
		if damaged := w.damagedRows[graph.Row{Kind: ofFeed}]; damaged != (x.lost > 0) {
			t.Errorf("%s: the feed is damaged: %v", name, damaged)
		}
	}
}
