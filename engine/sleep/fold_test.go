package sleep_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// say remembers episodes of ada, one a day, each in a session of its own.
func say(w *enginetest.World, kind graph.Type, texts ...string) []graph.ID {
	var ids []graph.ID
	for _, text := range texts {
		ids = append(ids, w.Remember(text, func(in *engine.RememberInput) {
			in.User, in.Type, in.Session, in.OnDuplicate = "ada", kind, w.Clock.Now().String(), engine.Insert
		}).Memory.ID)
		w.Clock.Advance(24 * time.Hour)
	}
	return ids
}

// derived returns the ACTIVE memories that sleeps made.
func derived(t *testing.T, w *enginetest.World) []*engine.View {
	t.Helper()
	page, err := w.Memories(t.Context(), w.Caller, engine.ListInput{Statuses: []graph.Status{graph.Active}, First: 1000})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(page.Memories, func(v *engine.View) bool { return v.SourceKind != graph.FromConsolidation })
}

const (
	blocked  = "Standup: the Atlas migration is blocked by the missing certificate."
	resolved = "Standup: the Atlas migration is unblocked by the missing certificate."
)

// An episode says what was so on its day. What changes later contradicts it no more than it revises it, and the repetitions before fold.
func TestAChangeInOtherWordsLeavesTheRepetitions(t *testing.T) {
	for end, said := range map[string]string{
		"Standup: the Atlas migration is unblocked, the certificate arrived.": blocked,
		"The Atlas migration is no longer blocked.":                           "The Atlas migration is blocked by legal.",
	} {
		w := enginetest.New(t)
		ids := say(w, graph.Episodic, said, said, said, said)
		last := say(w, graph.Episodic, end)[0]
		for _, id := range append(ids, last) {
			if v := get(t, w, id); v.Conflict > 0.3 || v.State.Status != graph.Active {
				t.Errorf("%q is %s, conflict %v", v.Content, v.State.Status, v.Conflict)
			}
		}
		w.Clock.Advance(14 * 24 * time.Hour)
		fixture.MustDeepSleep(w)
		all := derived(t, w)
		if len(all) != 1 || !strings.Contains(all[0].Content, "4 times") {
			t.Errorf("%q: derived %+v", end, all)
			continue
		}
		for _, id := range ids {
			if v := get(t, w, id); v.Consolidated != all[0].ID {
				t.Errorf("%q is %s", v.Content, v.State.Status)
			}
		}
		if v := get(t, w, last); v.State.Status != graph.Active {
			t.Errorf("%q is %s", v.Content, v.State.Status)
		}
	}
}

func TestRepetitionsBecomeOneStatement(t *testing.T) {
	w := enginetest.New(t)
	start := w.Clock.Now()
	ids := say(w, graph.Episodic, blocked, blocked, blocked, blocked, resolved)
	w.Clock.Advance(9 * 24 * time.Hour)
	r := fixture.MustDeepSleep(w)
	if r.Consolidated != 5 || r.Derived != 1 || r.TokensSaved <= 0 || !r.Complete {
		t.Fatalf("report %+v", r)
	}
	all := derived(t, w)
	if len(all) != 1 {
		t.Fatalf("%d derived memories", len(all))
	}
	fold := all[0]
	day := func(n int) string { return start.AddDate(0, 0, n).Format("2 January") }
	want := fmt.Sprintf("Standup, 5 times from %s to %s: the Atlas migration was blocked until %s, unblocked on %s by the missing certificate.", start.Format("2"), day(4), day(3), day(4))
	if fold.Content != want || fold.Type != graph.Semantic {
		t.Errorf("%s %q, want %q", fold.Type, fold.Content, want)
	}
	var meta struct {
		Count       int
		Occurrences []struct {
			ID graph.ID
			At time.Time
		}
	}
	if err := json.Unmarshal(fold.Meta, &meta); err != nil || meta.Count != 5 || len(meta.Occurrences) != 5 {
		t.Fatalf("%v, %s", err, fold.Meta)
	}
	for i, id := range ids {
		if o := meta.Occurrences[i]; o.ID != id || !o.At.Equal(start.AddDate(0, 0, i)) {
			t.Errorf("occurrence %d: %+v", i, o)
		}
		if v := get(t, w, id); v.State.Status != graph.Consolidated || v.Consolidated != fold.ID {
			t.Errorf("%s is %s", id, v.State.Status)
		}
	}

	// A newer fold merges the older one and takes its sources.
	more := say(w, graph.Episodic, blocked, blocked)
	w.Clock.Advance(9 * 24 * time.Hour)
	second := fixture.MustDeepSleep(w)
	all = derived(t, w)
	if len(all) != 1 || !strings.Contains(all[0].Content, "7 times") || second.Consolidated != 3 || second.TokensSaved < 0 {
		t.Fatalf("%+v, report %+v", all, second)
	}
	if v := get(t, w, fold.ID); v.State.Status != graph.Consolidated || v.Consolidated != all[0].ID {
		t.Errorf("the older fold is %s", v.State.Status)
	}
	for _, id := range append(slices.Clone(ids), more...) {
		if v := get(t, w, id); v.Consolidated != all[0].ID {
			t.Errorf("%s is merged into %q", id, v.Consolidated)
		}
	}

	// Erasing a source erases every fold that has its words. The others are ACTIVE again.
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: ids[:1]}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []graph.ID{fold.ID, all[0].ID} {
		if s := get(t, w, id).State.Status; s != graph.Forgotten {
			t.Errorf("a fold of an erased memory is %s", s)
		}
	}
	for _, id := range ids[1:] {
		if s := get(t, w, id).State.Status; s != graph.Active {
			t.Errorf("%s is %s", id, s)
		}
	}
	w.Clock.Advance(24 * time.Hour)
	fixture.MustDeepSleep(w)
	if all = derived(t, w); len(all) != 1 || !strings.Contains(all[0].Content, "6 times") {
		t.Errorf("after the erasure: %+v", all)
	}
}

func TestASecondFoldIsRolledBack(t *testing.T) {
	w := enginetest.New(t)
	ids := say(w, graph.Episodic, blocked, blocked, blocked, blocked)
	w.Clock.Advance(9 * 24 * time.Hour)
	fixture.MustDeepSleep(w)
	first := derived(t, w)[0]
	say(w, graph.Episodic, blocked, blocked)
	w.Clock.Advance(9 * 24 * time.Hour)
	r := fixture.MustDeepSleep(w)
	if get(t, w, first.ID).State.Status != graph.Consolidated {
		t.Fatalf("nothing was folded again: %+v", r)
	}
	if _, err := w.Rollback(t.Context(), w.Caller, engine.RollbackInput{ID: r.ID}); err != nil {
		t.Fatal(err)
	}
	all := derived(t, w)
	if len(all) != 1 || all[0].ID != first.ID || all[0].Consolidated != "" {
		t.Fatalf("%+v", all)
	}
	for _, id := range ids {
		if v := get(t, w, id); v.Consolidated != first.ID {
			t.Errorf("%s is merged into %q", id, v.Consolidated)
		}
	}
}

func TestWhatIsNotFolded(t *testing.T) {
	for name, c := range map[string]struct {
		kind  graph.Type
		texts []string
		folds int
	}{
		"two are not shorter by two fifths":   {graph.Episodic, []string{blocked, blocked}, 0},
		"different statements":                {graph.Episodic, []string{"The kiln fires at 1180 degrees.", "Joris painted the door black.", "The shed was sold to Ana for 300 euros."}, 0},
		"facts with another value":            {graph.Semantic, []string{"The deploy window of the ledger is at 17:00 on weekdays.", "The deploy window of the ledger is at 18:00 on weekdays.", "The deploy window of the ledger is at 19:00 on weekdays.", "The deploy window of the ledger is at 20:00 on weekdays."}, 0},
		"facts that repeat in numbered words": {graph.Semantic, []string{"Weekly sync 1: the harbour budget is on track.", "Weekly sync 2: the harbour budget is on track.", "Weekly sync 3: the harbour budget is on track.", "Weekly sync 4: the harbour budget is on track.", "Weekly sync 5: the harbour budget is on track."}, 1},
	} {
		w := enginetest.New(t)
		say(w, c.kind, c.texts...)
		w.Clock.Advance(9 * 24 * time.Hour)
		if r := fixture.MustDeepSleep(w); r.TokensSaved < 0 {
			t.Errorf("%s: %d tokens saved", name, r.TokensSaved)
		}
		if all := derived(t, w); len(all) != c.folds {
			t.Errorf("%s: %d folds", name, len(all))
			for _, v := range all {
				t.Log(v.Content)
			}
		}
	}
}

// Memories of another authority, consent or sensitivity are no occurrences of one fold.
func TestOnlyEqualsFold(t *testing.T) {
	w := enginetest.New(t)
	low := 0.3
	for i := range 8 {
		w.Remember(blocked, func(in *engine.RememberInput) {
			in.User, in.Type, in.Session, in.OnDuplicate = "ada", graph.Episodic, fmt.Sprint(i), engine.Insert
			switch i % 4 {
			case 1:
				in.Authority = &low
			case 2:
				in.Consent = graph.ConsentImplicit
			case 3:
				in.Sensitivity = graph.Restricted
			}
		})
		w.Clock.Advance(24 * time.Hour)
	}
	w.Clock.Advance(9 * 24 * time.Hour)
	if r := fixture.MustDeepSleep(w); r.Consolidated != 0 {
		t.Errorf("report %+v", r)
	}
}

// standups is a Life with standups that its sleep folds.
func standups(t *testing.T) *fixture.Life {
	l := fixture.NewLife(t)
	l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
		for i := range 6 {
			l.Remember(ctx, e, engine.RememberInput{Content: blocked, User: "mira", Type: graph.Episodic, Session: fmt.Sprint("standup", i), OnDuplicate: engine.Insert})
			l.Clock.Advance(24 * time.Hour)
		}
		l.Clock.Advance(9 * 24 * time.Hour)
	})
	return l
}

// found reports whether a search finds the standup.
func found(ctx context.Context, e *engine.Engine) (bool, error) {
	r, err := e.Search(ctx, engine.Loopback(), engine.SearchInput{Query: "What blocks the Atlas migration?", User: "mira"})
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(r.Hits, func(h engine.Hit) bool { return strings.Contains(h.Memory.Content, "the Atlas migration") }), nil
}

// While sources fold, a reader finds them or their summary at any instant.
func TestASearchDuringTheFoldFindsOneOfThem(t *testing.T) {
	l := standups(t)
	l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
		done := make(chan struct{})
		var reader sync.WaitGroup
		reads := 0
		reader.Go(func() {
			for {
				if ok, err := found(ctx, e); err != nil || !ok {
					t.Errorf("read %d: found %v, %v", reads, ok, err)
					return
				}
				reads++
				select {
				case <-done:
					return
				default:
				}
			}
		})
		r, err := e.Sleep(ctx, engine.Loopback(), fixture.DeepSleep)
		close(done)
		reader.Wait()
		if err != nil || r.Consolidated < 6 {
			t.Fatalf("%+v, %v", r, err)
		}
	})
}

// A sleep that dies between the summary and the merge of its sources leaves both, and the next one
// finishes it.
func TestAFoldThatDiesBetweenIsFinished(t *testing.T) {
	both := 0
	for commits := 0; ; commits++ {
		l := standups(t)
		_, dead := l.Sleep(enginetest.CrashAfter(l.Store, commits))
		sources, summaries := 0, 0
		count := func() {
			sources, summaries = 0, 0
			err := l.Store.View(t.Context(), fixture.LoopScope, func(r graph.Reader) error {
				all, err := r.ListMemories(graph.MemoryQuery{Statuses: []graph.Status{graph.Active}})
				for _, m := range all {
					switch {
					case m.Content == blocked:
						sources++
					case strings.Contains(m.Content, "the Atlas migration"):
						summaries++
					}
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		count()
		if summaries == 0 && sources != 6 {
			t.Fatalf("dead after %d commits: %d sources and no summary", commits, sources)
		}
		if summaries == 1 && sources == 6 {
			both++
			l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
				if ok, err := found(ctx, e); err != nil || !ok {
					t.Errorf("dead after %d commits: found %v, %v", commits, ok, err)
				}
			})
		}
		if dead == nil {
			break
		}
		if _, err := l.Sleep(l.Store); err != nil {
			t.Fatal(err)
		}
		if count(); summaries != 1 || sources != 0 {
			t.Fatalf("dead after %d commits and resumed: %d sources, %d summaries", commits, sources, summaries)
		}
	}
	if both == 0 {
		t.Error("no crash fell between the summary and the merge")
	}
}

// The page of a month lists decisions, changes, patterns and questions that nothing answered.
func TestTheMonthsPage(t *testing.T) {
	w := enginetest.New(t)
	told := func(content string) graph.ID {
		w.Clock.Advance(24 * time.Hour)
		return w.Remember(content, func(in *engine.RememberInput) {
			in.User, in.Project, in.Session = "noor", "ferry", w.Clock.Now().String()
		}).Memory.ID
	}
	told("We decided to keep the ledger in Postgres until the new ferry arrives.")
	told("Should we keep Redis for the session cache of the ticket machines?")
	told("Open question: who owns the on-call phone at the weekend?")
	told("Should we shard the ledger by region?")
	told("We decided to shard the ledger by region.")
	limit := told("The wind limit of the ferry is 14 metres per second.")
	w.Clock.Advance(24 * time.Hour)
	if _, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: limit, Content: "The wind limit of the ferry is 15 metres per second."}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(23 * 24 * time.Hour) // the month is over
	fixture.MustDeepSleep(w)
	page := ""
	for _, v := range derived(t, w) {
		if strings.HasPrefix(v.Content, "ferry, March 2026") {
			page = v.Content
		}
	}
	for _, line := range []string{"Decisions:\n- We decided to keep the ledger", "Changes:\n- The wind limit of the ferry is 15 metres", "Should we keep Redis", "who owns the on-call phone"} {
		if !strings.Contains(page, line) {
			t.Errorf("the page lacks %q:\n%s", line, page)
		}
	}
	for _, line := range []string{"14 metres", "Should we shard"} {
		if strings.Contains(page, line) {
			t.Errorf("the page has %q:\n%s", line, page)
		}
	}
}

// A page that a rollback withdrew is written again by the next deep sleep, from what stands then, and
// once only. One that was archived otherwise is not.
func TestAWithdrawnPageIsWrittenAgain(t *testing.T) {
	w := enginetest.New(t)
	told := func(content string) graph.ID {
		w.Clock.Advance(24 * time.Hour)
		return w.Remember(content, func(in *engine.RememberInput) {
			in.User, in.Project, in.Session = "noor", "ferry", w.Clock.Now().String()
		}).Memory.ID
	}
	lie := w.Remember("We decided to paint the ferry green.", func(in *engine.RememberInput) {
		in.User, in.Project, in.Session, in.Source = "noor", "ferry", "l", "liar"
	}).Memory.ID
	wrong := told("We decided to shard the ledger by customer.")
	told("We decided to keep the ledger in Postgres until the new ferry arrives.")
	told("Open question: who owns the on-call phone at the weekend?")
	w.Clock.Advance(27 * 24 * time.Hour) // the month is over
	pages := func() (all []*engine.View) {
		for _, v := range derived(t, w) {
			if strings.HasPrefix(v.Content, "ferry, March 2026") {
				all = append(all, v)
			}
		}
		return all
	}
	night := fixture.MustDeepSleep(w)
	first := pages()
	if len(first) != 1 || !strings.Contains(first[0].Content, "by customer") {
		t.Fatalf("the first page: %+v", first)
	}
	known := map[graph.ID]bool{first[0].ID: true}
	for round := range 3 {
		rollBack(w, engine.RollbackInput{ID: night.ID})
		if got := pages(); len(got) != 0 {
			t.Fatalf("round %d: the page was not withdrawn: %+v", round, got)
		}
		if round == 0 {
			if _, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: wrong, Content: "We decided to shard the ledger by region."}); err != nil {
				t.Fatal(err)
			}
		}
		w.Clock.Advance(time.Hour)
		night = fixture.MustDeepSleep(w)
		again := pages()
		if len(again) != 1 || known[again[0].ID] || strings.Contains(again[0].Content, "by customer") || !strings.Contains(again[0].Content, "in Postgres") {
			t.Fatalf("round %d: the page is %+v", round, again)
		}
		known[again[0].ID] = true
	}
	fixture.MustDeepSleep(w)
	last := pages()
	if len(last) != 1 || !known[last[0].ID] {
		t.Fatalf("after a sleep without a rollback: %+v", last)
	}
	// A later page is known as one: without a bad source it is written as a page again.
	if out, err := w.WithdrawSource(t.Context(), w.Caller, "liar", "", "", false); err != nil || !slices.Contains(out.Withdrawn, lie) || len(out.Rebuilt) != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	if last = pages(); len(last) != 1 || strings.Contains(last[0].Content, "green") {
		t.Fatalf("without the bad source: %+v", last)
	}
	if _, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		m, err := tx.Memory(last[0].ID)
		if err != nil {
			return err
		}
		m.UpdatedAt = m.SetState(w.Clock.Now(), func(s *graph.State) { s.Status = graph.Archived })
		return tx.PutMemory(m, graph.EventArchived)
	}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
	fixture.MustDeepSleep(w)
	if got := pages(); len(got) != 0 {
		t.Errorf("a page that was archived came back: %+v", got)
	}
}

// A consolidation by age folds what repeats before it archives what is alone.
func TestAgeFoldsFirst(t *testing.T) {
	w := enginetest.New(t)
	var texts []string
	for i := range 6 {
		texts = append(texts, fmt.Sprintf("ERROR worker of the ledger lost the connection to the primary database after %d seconds", 30+i%3))
	}
	ids := say(w, graph.Episodic, texts...)
	alone := say(w, graph.Episodic, "A heron stood on the roof of the boathouse.")[0]
	w.Clock.Advance(40 * 24 * time.Hour)
	days := 30
	r, err := w.Consolidate(t.Context(), w.Caller, engine.ConsolidateInput{Strategy: engine.StrategyAge, OlderThanDays: &days})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if s := get(t, w, id).State.Status; s != graph.Consolidated {
			t.Errorf("%s is %s", id, s)
		}
	}
	if s := get(t, w, alone).State.Status; s != graph.Archived {
		t.Errorf("what is alone is %s", s)
	}
	if r.Derived != 1 || r.Consolidated != 6 || r.Pruned != 1 || r.TokensSaved <= 0 {
		t.Errorf("report %+v", r)
	}
}
