package dgraphstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dgraphstore/usejournal"
)

// usage reads how often a memory was used and when last.
func usage(t *testing.T, s *Store, sc graph.Scope, id graph.ID) graph.Usage {
	t.Helper()
	var u graph.Usage
	err := s.View(t.Context(), sc, func(r graph.Reader) error {
		m, err := r.Memory(id)
		if err == nil {
			u = m.Usage
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// waitForUses waits until a memory was used so often.
func waitForUses(t *testing.T, s *Store, sc graph.Scope, id graph.ID, n int) graph.Usage {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(waitLimit); ; {
		u := usage(t, s, sc, id)
		if u.Count >= n {
			return u
		}
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("%d uses are counted, want %d", u.Count, n)
		}
	}
}

// Acknowledged uses are counted once each: when the store writes them, when it closes, and
// after a process died.
func TestUsageJournalCountsUsesOnce(t *testing.T) {
	dir, sc := t.TempDir(), scope(t)
	dead := open(t, Options{UsageJournal: dir, UsageFlushEvery: time.Hour}) // writes nothing while it runs
	m, gone := memory(t, 0), memory(t, time.Second)
	if _, err := dead.Update(t.Context(), sc, put(m, gone)); err != nil {
		t.Fatal(err)
	}
	count := func(s *Store, times int, from time.Time) {
		t.Helper()
		for i := range times {
			if err := s.CountUses(t.Context(), sc, []graph.ID{m.ID, gone.ID, m.ID, "x"}, graph.Use{At: from.Add(time.Duration(i) * 100 * time.Millisecond)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	count(dead, 25, start)
	if u := usage(t, dead, sc, m.ID); u.Count != 0 {
		t.Fatalf("%d uses are counted before they were written", u.Count)
	}
	again := open(t, Options{UsageJournal: dir, UsageFlushEvery: time.Millisecond, FoldEvery: time.Hour}) // the next process
	u := waitForUses(t, again, sc, m.ID, 25)
	if u.Count != 25 || len(u.Days) != 1 || !u.Last.Equal(start.Add(2400*time.Millisecond)) {
		t.Errorf("uses of the killed process: %+v", u)
	}
	if err := dead.usageFlusher.flush(t.Context()); err != nil { // the dead process runs again
		t.Error(err)
	}
	day := start.Add(24 * time.Hour)
	count(again, 3, day)
	if u := waitForUses(t, again, sc, m.ID, 28); u.Count != 28 || len(u.Days) != 2 {
		t.Errorf("%+v", u)
	}
	if err := again.foldAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if u := usage(t, again, sc, m.ID); u.Count != 28 || !u.Last.Equal(day.Add(200*time.Millisecond)) {
		t.Errorf("folded: %+v", u)
	}
	count(again, 2, day)
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if u := usage(t, open(t, Options{}), sc, gone.ID); u.Count != 30 {
		t.Errorf("after the end %d uses are counted, want 30", u.Count)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"+usejournal.Suffix))
	if err != nil || len(left) != 0 {
		t.Errorf("the journal keeps %v, %v", left, err)
	}
}

// A batch whose answer is lost is counted once, also if another process folded it before it is
// sent again.
func TestLostAnswerCountsBatchOnce(t *testing.T) {
	dial, faults := faulty(func(n int) fault { return fault(n % 3) })
	s, sc := open(t, Options{UsageJournal: t.TempDir(), UsageFlushEvery: time.Hour, Dial: []grpc.DialOption{dial}}), scope(t)
	other, m := open(t, Options{}), memory(t, 0)
	if _, err := s.Update(t.Context(), sc, put(m)); err != nil {
		t.Fatal(err)
	}
	const times = 12
	for i := range times {
		if err := s.CountUses(t.Context(), sc, []graph.ID{m.ID}, graph.Use{At: start.Add(time.Duration(i) * time.Minute)}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
		for err := s.usageFlusher.flush(ctx); err != nil; err = s.usageFlusher.flush(ctx) {
			if ctx.Err() != nil {
				t.Fatal(err)
			}
		}
		cancel()
		if err := other.foldTenant(t.Context(), sc.Tenant); err != nil {
			t.Fatal(err)
		}
	}
	if u := usage(t, other, sc, m.ID); u.Count != times {
		t.Errorf("%d uses counted, want %d; %d faults", u.Count, times, faults.Load())
	}
}

// If the journal can't be written, a use is not acknowledged.
func TestUseIsRefusedWithoutJournal(t *testing.T) {
	dir, sc := t.TempDir(), scope(t)
	s, m := open(t, Options{UsageJournal: dir, UsageFlushEvery: time.Hour}), memory(t, 0)
	if _, err := s.Update(t.Context(), sc, put(m)); err != nil {
		t.Fatal(err)
	}
	s.usageFlusher.journal.SetStalled(true)
	if err := s.CountUses(t.Context(), sc, []graph.ID{m.ID}, graph.Use{At: start}); !errors.Is(err, graph.ErrUnavailable) {
		t.Errorf("with too many waiting writes: %v", err)
	}
	s.usageFlusher.journal.SetStalled(false)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := s.CountUses(t.Context(), sc, []graph.ID{m.ID}, graph.Use{At: start}); err == nil {
		t.Error("an acknowledged use is not stored")
	}
}
