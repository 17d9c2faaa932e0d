package sleep_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// A sleep that crashes at any of its commits is resumed by the next one and ends as if it
// had never stopped. A sleep after it changes nothing.
func TestSleepResumesAfterCrashAtAnyStep(t *testing.T) {
	whole := fixture.NewLife(t)
	report, err := whole.Sleep(whole.Store)
	if err != nil {
		t.Fatal(err)
	}
	if report.Deduplicated == 0 || report.Derived == 0 || report.Pruned == 0 || report.Engraved == 0 || report.Dreamed == 0 {
		t.Fatalf("there was too little to do: %+v", report)
	}
	want := whole.Digest()
	if _, err := whole.Sleep(whole.Store); err != nil {
		t.Fatal(err)
	}
	fixture.SameDigest(t, "after a second sleep", whole.Digest(), want)
	died := 0
	for commits := 0; ; commits++ {
		l := fixture.NewLife(t)
		_, err := l.Sleep(enginetest.CrashAfter(l.Store, commits))
		if err == nil {
			break
		}
		died++
		if _, err := l.Sleep(l.Store); err != nil {
			t.Fatalf("dead after %d commits: %v", commits, err)
		}
		fixture.SameDigest(t, fmt.Sprintf("dead after %d commits", commits), l.Digest(), want)
	}
	if died < 10 {
		t.Errorf("the sleep was interrupted at only %d commits", died)
	}
	t.Logf("died at each of %d commits", died)
}

// A rollback that crashes at any of its commits is finished when the store is opened again.
func TestRollbackResumesAfterCrashAtAnyStep(t *testing.T) {
	back := func(l *fixture.Life, store graph.Store, report graph.ID) (err error) {
		l.WithEngine(store, func(ctx context.Context, e *engine.Engine) {
			_, err = e.Rollback(ctx, engine.Loopback(), engine.RollbackInput{ID: report})
		})
		return err
	}
	want := ""
	for commits := -1; ; commits++ {
		l := fixture.NewLife(t)
		before := state(l)
		r, err := l.Sleep(l.Store)
		if err != nil {
			t.Fatal(err)
		}
		if commits < 0 {
			if err := back(l, l.Store, r.ID); err != nil {
				t.Fatal(err)
			}
			want = l.Digest()
			fixture.SameDigest(t, "the state behind a rollback", state(l), before)
			continue
		}
		err = back(l, enginetest.CrashAfter(l.Store, commits), r.ID)
		if err == nil {
			if commits < 10 {
				t.Errorf("the rollback was interrupted at only %d commits", commits)
			}
			break
		}
		l.WithEngine(l.Store, func(context.Context, *engine.Engine) {})
		if commits == 0 { // the rollback had not begun
			if err := back(l, l.Store, r.ID); err != nil {
				t.Fatal(err)
			}
		}
		fixture.SameDigest(t, fmt.Sprintf("dead after %d commits", commits), l.Digest(), want)
	}
}

// state returns the state of every memory that no sleep created, without its history.
func state(l *fixture.Life) string {
	l.T.Helper()
	var lines []string
	err := l.Store.View(l.T.Context(), graph.Scope{Tenant: engine.Loopback().Tenant}, func(r graph.Reader) error {
		all, err := r.ListMemories(graph.MemoryQuery{})
		for _, m := range all {
			if m.SourceKind == graph.FromConsolidation {
				continue
			}
			s := m.State()
			s.From, m.History = time.Time{}, nil
			v, err := r.Embedding(m.ID)
			if err != nil {
				return err
			}
			edges, err := r.Edges(m.ID, graph.Out)
			if err != nil {
				return err
			}
			text, err := json.Marshal([]any{m, s, v, edges})
			if err != nil {
				return err
			}
			lines = append(lines, string(text))
		}
		return err
	})
	if err != nil {
		l.T.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
