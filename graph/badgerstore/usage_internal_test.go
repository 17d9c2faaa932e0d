package badgerstore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var (
	began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	scope = graph.Scope{Tenant: "t"}
	quiet = slog.New(slog.NewTextHandler(io.Discard, nil))
)

// openSmall opens a store that folds only on demand. An empty dir means in memory.
func openSmall(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir, Options{
		InMemory: dir == "", MemTable: 16 << 20, MinFree: 1 << 20, MinOpen: 1 << 20, Reserve: 1 << 20, FoldEvery: time.Hour,
	})
	must(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func testID(t testing.TB, n int) graph.ID {
	t.Helper()
	id, err := graph.NewID(began.Add(time.Duration(n)*time.Second), bytes.NewReader(make([]byte, 10)))
	must(t, err)
	return id
}

// putMemories writes n memories.
func putMemories(t testing.TB, s *Store, n int) (ids []graph.ID) {
	t.Helper()
	for i := range n {
		ids = append(ids, testID(t, i))
	}
	for at := 0; at < n; at += 100 {
		_, err := s.Update(t.Context(), scope, func(tx graph.Tx) error {
			for _, id := range ids[at:min(n, at+100)] {
				err := tx.PutMemory(&graph.Memory{
					ID: id, Namespace: "main", Type: graph.Episodic, Content: "c", DecayClass: graph.DecaySlow, Sensitivity: graph.Public,
					Consent: graph.ConsentExplicit, SourceKind: graph.FromUser, Chain: id, Version: 1,
					CreatedAt: began, UpdatedAt: began, RecordedAt: began, OccurredAt: began, ValidFrom: began,
					History: []graph.State{{From: began, Status: graph.Active, Tier: graph.L1}},
				}, graph.EventCreated)
				if err != nil {
					return err
				}
			}
			return nil
		})
		must(t, err)
	}
	return ids
}

// wantUses fails the test unless each memory has so many uses.
func wantUses(t testing.TB, s *Store, ids []graph.ID, want int) {
	t.Helper()
	must(t, s.View(t.Context(), scope, func(r graph.Reader) error {
		for _, id := range ids {
			m, err := r.Memory(id)
			if err != nil {
				return err
			}
			if m.Usage.Count != want || want > 0 && (len(m.Usage.Days) != 1 || m.Usage.Last.IsZero()) {
				return fmt.Errorf("%s has %+v, want %d uses", id, m.Usage, want)
			}
		}
		return nil
	}))
}

// crash copies the files that a killed process would leave.
func crash(t testing.TB, dir string) string {
	t.Helper()
	to := t.TempDir()
	must(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

func TestFoldCutShortCountsOnce(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir)
	ids := putMemories(t, s, 300)
	for range 3 {
		must(t, s.CountUses(t.Context(), scope, ids, graph.Use{At: began}))
	}
	untouched := crash(t, dir)

	// Fold the first hundred only, as after a crash between two transactions.
	s.usage.mu.Lock()
	batch := s.usage.batches[0]
	s.usage.batches = append(s.usage.batches, newBatch())
	s.usage.mu.Unlock()
	var some []memoryUse
	for _, id := range ids[:100] {
		some = append(some, memoryUse{scope.Tenant, id, *batch.uses[scope.Tenant][id]})
	}
	must(t, s.foldChunk(some, batch, false))
	wantUses(t, s, ids, 3)
	must(t, s.CountUses(t.Context(), scope, ids, graph.Use{At: began}))
	wantUses(t, s, ids, 4)
	half := crash(t, dir)
	must(t, s.usage.foldAll(s))
	wantUses(t, s, ids, 4)
	whole := crash(t, dir)

	for dir, want := range map[string]int{untouched: 3, half: 4, whole: 4} {
		again := openSmall(t, dir)
		wantUses(t, again, ids, want)
		must(t, again.CountUses(t.Context(), scope, ids, graph.Use{At: began}))
		wantUses(t, again, ids, want+1)
		must(t, again.usage.foldAll(again))
		wantUses(t, again, ids, want+1)
		must(t, again.Close())
		wantUses(t, openSmall(t, dir), ids, want+1)
	}
}

func TestFoldedUsageLogStartsNewSegment(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir)
	ids := putMemories(t, s, 200)
	n := 0
	for s.usage.log.size() < trimSize {
		must(t, s.CountUses(t.Context(), scope, ids, graph.Use{At: began}))
		n++
	}
	pos := s.usage.logEnd
	must(t, s.usage.foldAll(s))
	if s.usage.log.size() != 0 || s.usage.log.start != pos {
		t.Errorf("the log holds %d bytes from %d", s.usage.log.size(), s.usage.log.start)
	}
	must(t, s.CountUses(t.Context(), scope, ids, graph.Use{At: began}))
	copied := crash(t, dir)
	starts, err := segmentStarts(filepath.Join(copied, usageDir))
	must(t, err)
	if len(starts) != 1 || starts[0] != pos {
		t.Errorf("segments begin at %v, want %d", starts, pos)
	}
	wantUses(t, openSmall(t, copied), ids, n+1)
}

func TestUsageLogDamage(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir)
	ids := putMemories(t, s, 3)
	for range 4 {
		must(t, s.CountUses(t.Context(), scope, ids, graph.Use{At: began}))
	}
	must(t, s.usage.syncLog(s))
	synced := s.usage.logEnd
	s.usage.foldMu.Lock() // keeps the log from being synced
	must(t, s.CountUses(t.Context(), scope, ids, graph.Use{At: began}))
	pristine := crash(t, dir)
	s.usage.foldMu.Unlock()
	end := s.usage.logEnd
	record := end - synced
	path := func(dir string) string { return segmentPath(filepath.Join(dir, usageDir), 0) }
	for what, c := range map[string]struct {
		at   uint64 // position of the damage, or of the cut
		cut  bool
		uses int // -1: does not open
	}{
		"nothing":                  {at: end, cut: true, uses: 5},
		"flipped, synced":          {at: record + 20, uses: -1},
		"flipped length, synced":   {at: record + 1, uses: -1},
		"cut, synced":              {at: synced - 1, cut: true, uses: -1},
		"flipped, not synced yet":  {at: synced + 15, uses: 4},
		"torn, not synced yet":     {at: end - 1, cut: true, uses: 4},
		"cut between two records":  {at: synced, cut: true, uses: 4},
		"the head":                 {at: ^uint64(0), uses: -1}, // the byte before position 0
		"nothing of a record left": {at: synced + 3, cut: true, uses: 4},
	} {
		hurt := crash(t, pristine)
		data, err := os.ReadFile(path(hurt))
		must(t, err)
		if c.cut {
			data = data[:usageHeader+c.at]
		} else {
			data[usageHeader+c.at] ^= 4
		}
		must(t, os.WriteFile(path(hurt), data, 0o600))
		if c.uses < 0 {
			if _, err := Open(hurt, s.options); !errors.Is(err, graph.ErrIntegrity) {
				t.Errorf("%s: %v", what, err)
			}
			continue
		}
		again := openSmall(t, hurt)
		t.Log(what)
		wantUses(t, again, ids, c.uses)
		must(t, again.CountUses(t.Context(), scope, ids, graph.Use{At: began}))
		must(t, again.Close())
		wantUses(t, openSmall(t, hurt), ids, c.uses+1)
	}
}

func TestUsageLogMissingOrWithGap(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir)
	ids := putMemories(t, s, 3)
	must(t, s.CountUses(t.Context(), scope, ids, graph.Use{At: began}))
	must(t, s.usage.syncLog(s))
	gone := crash(t, dir)
	must(t, os.RemoveAll(filepath.Join(gone, usageDir)))
	gap := crash(t, dir)
	must(t, os.Rename(segmentPath(filepath.Join(gap, usageDir), 0), segmentPath(filepath.Join(gap, usageDir), 8)))
	for _, dir := range []string{gone, gap} {
		if _, err := Open(dir, s.options); !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("opened with %v", err)
		}
	}
	must(t, s.Close()) // folds
	must(t, os.RemoveAll(filepath.Join(dir, usageDir)))
	wantUses(t, openSmall(t, dir), ids, 1)
}

func TestFoldedButNotSyncedLog(t *testing.T) {
	// A power cut can lose records whose fold was durable: the log is then shorter
	// than the folded position.
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, usageDir), 0o700))
	f, err := createSegment(filepath.Join(dir, usageDir), 0)
	must(t, err)
	must(t, f.Close())
	l, records, err := openUsageLog(dir, 5000, 0, quiet)
	must(t, err)
	if len(records) != 0 || l.end != 5000 {
		t.Fatalf("%d records, end %d", len(records), l.end)
	}
	r := usageRecord{tenant: "t", ids: []graph.ID{testID(t, 1)}, use: graph.Use{At: began}}
	r.end, err = l.append(r)
	must(t, err)
	must(t, l.file.Close())
	l, records, err = openUsageLog(dir, 5000, r.end, quiet)
	must(t, err)
	if len(records) != 1 || records[0].end != r.end || l.end != r.end {
		t.Fatalf("%+v, end %d", records, l.end)
	}
	must(t, l.file.Close())
}

// An empty segment is its own successor, and its file stays.
func TestAnEmptySegmentStays(t *testing.T) {
	l, _, err := openUsageLog(t.TempDir(), 0, 0, slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := l.file.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := l.startSegment(l.end, slog.Default()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(l.file.Name()); err != nil {
		t.Errorf("the file of the log is gone: %v", err)
	}
}
