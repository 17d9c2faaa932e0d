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

// counted waits until a memory was used so often.
func counted(t *testing.T, s *Store, sc graph.Scope, id graph.ID, n int) graph.Usage {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(patience); ; {
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

// Uses that were acknowledged are counted once each: when the store writes them, when it
// closes, and when it died before.
func TestUsesAreWrittenBehind(t *testing.T) {
	dir, sc := t.TempDir(), scope(t)
	dead := open(t, Options{Uses: dir, BehindFor: time.Hour}) // writes nothing while it lives
	m, gone := memory(t, 0), memory(t, time.Second)
	if _, err := dead.Update(t.Context(), sc, put(m, gone)); err != nil {
		t.Fatal(err)
	}
	count := func(s *Store, times int, from time.Time) {
		t.Helper()
		for i := range times {
			if err := s.CountUses(t.Context(), sc, []graph.ID{m.ID, gone.ID, m.ID, "x"}, from.Add(time.Duration(i)*100*time.Millisecond)); err != nil {
				t.Fatal(err)
			}
		}
	}
	count(dead, 25, start)
	if u := usage(t, dead, sc, m.ID); u.Count != 0 {
		t.Fatalf("%d uses are counted before they were written", u.Count)
	}
	again := open(t, Options{Uses: dir, BehindFor: time.Millisecond, FoldEvery: time.Hour}) // as the next process does
	u := counted(t, again, sc, m.ID, 25)
	if u.Count != 25 || len(u.Days) != 1 || !u.Last.Equal(start.Add(2400*time.Millisecond)) {
		t.Errorf("uses of who died: %+v", u)
	}
	if err := dead.behind.flush(t.Context()); err != nil { // who died comes back to life
		t.Error(err)
	}
	day := start.Add(24 * time.Hour)
	count(again, 3, day)
	if u := counted(t, again, sc, m.ID, 28); u.Count != 28 || len(u.Days) != 2 {
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
		t.Errorf("behind the end %d uses are counted, want 30", u.Count)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"+batchSuffix))
	if err != nil || len(left) != 0 {
		t.Errorf("the journal keeps %v, %v", left, err)
	}
}

// A batch whose answer is lost is counted once, and so is one that another process folded
// before it is sent again.
func TestALostAnswerCountsABatchOnce(t *testing.T) {
	dial, faults := faulty(func(n int) fault { return fault(n % 3) })
	s, sc := open(t, Options{Uses: t.TempDir(), BehindFor: time.Hour, Dial: []grpc.DialOption{dial}}), scope(t)
	other, m := open(t, Options{}), memory(t, 0)
	if _, err := s.Update(t.Context(), sc, put(m)); err != nil {
		t.Fatal(err)
	}
	const times = 12
	for i := range times {
		if err := s.CountUses(t.Context(), sc, []graph.ID{m.ID}, start.Add(time.Duration(i)*time.Minute)); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		for err := s.behind.flush(ctx); err != nil; err = s.behind.flush(ctx) {
			if ctx.Err() != nil {
				t.Fatal(err)
			}
		}
		cancel()
		if err := other.fold(t.Context(), sc.Tenant); err != nil {
			t.Fatal(err)
		}
	}
	if u := usage(t, other, sc, m.ID); u.Count != times {
		t.Errorf("%d uses counted, want %d; %d faults", u.Count, times, faults.Load())
	}
}

// A torn line at the end of the journal is of a call that was not acknowledged.
func TestATornJournalKeepsWhatWasAcknowledged(t *testing.T) {
	id := memory(t, 0).ID
	whole := "ana 1000 " + string(id) + " .\n"
	for cut := range len(whole) {
		b := readBatch(7, []byte(whole+whole[:cut]))
		if b.uses != 1 || b.number != 7 || b.tallies[0].uses[id].times != 1 || b.tallies[0].tenant != "ana" {
			t.Fatalf("cut at %d: %+v", cut, b)
		}
	}
	if b := readBatch(7, []byte(whole+whole)); b.uses != 2 || b.tallies[0].uses[id].times != 2 {
		t.Errorf("%+v", b)
	}
}

// Where the journal can't be written a use is not acknowledged.
func TestAUseThatCanNotBeKeptIsRefused(t *testing.T) {
	dir, sc := t.TempDir(), scope(t)
	s, m := open(t, Options{Uses: dir, BehindFor: time.Hour}), memory(t, 0)
	if _, err := s.Update(t.Context(), sc, put(m)); err != nil {
		t.Fatal(err)
	}
	s.behind.journal.stall(true)
	if err := s.CountUses(t.Context(), sc, []graph.ID{m.ID}, start); !errors.Is(err, graph.ErrUnavailable) {
		t.Errorf("with too much waiting: %v", err)
	}
	s.behind.journal.stall(false)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := s.CountUses(t.Context(), sc, []graph.ID{m.ID}, start); err == nil {
		t.Error("a use was acknowledged that is kept nowhere")
	}
}
