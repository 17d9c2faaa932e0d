package ingest_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/graph"
)

// houses are the names in the subjects.
var houses = strings.Fields(`Abelhouse Birchmoor Corvinhall Dunmere Elderwick Fernhollow Glasstower Hawkcroft Ivyquay
	Juniperlodge Kestrelmill Larkfield Mossbank Nettlecombe Oakhaven Pinegarth Quarryside Rookery Saltmarsh Thornbury
	Umberlane Vinecourt Willowdene Yarrowgate Zephyrcot`)

// asked is one adjudication of a race and its result.
type asked struct {
	matter string // namespace and subject
	key    string
	fact   string
	strong bool
	answer *engine.Adjudication
}

// A thousand concurrent adjudications on fifty subjects, during sleep and searches: each
// subject has one line of versions and one ACTIVE version, the log matches the results,
// and every adjudication was decided exactly once.
func TestConcurrentAdjudications(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{SleepBatch: 4, Recess: enginetest.NewFakeArchive()})
	race(t, w, w.Engine)
}

// The same through two servers on one store.
func TestConcurrentAdjudicationsOnTwoServers(t *testing.T) {
	l := fixture.NewServers(t, 2)
	race(t, l.W, l.Engines...)
}

// race runs concurrent adjudications on engines that share one store.
func race(t *testing.T, w *enginetest.World, engines ...*engine.Engine) {
	rnd := rand.New(rand.NewPCG(20261121, 7))
	for i := range 40 { // input for the sleep
		w.Remember(fmt.Sprintf("The cargo of barge %d is gravel.", i/2), func(in *engine.RememberInput) {
			in.OnDuplicate, in.Project = engine.Insert, fmt.Sprint(i%2)
		})
	}
	w.Clock.Advance(33 * 24 * time.Hour)
	total := 1000
	if testing.Short() {
		total = 300
	}
	var all []asked
	for i := range total {
		n, space := rnd.IntN(25), []string{"north", "south"}[rnd.IntN(2)]
		a := asked{
			matter: space + " " + houses[n], strong: rnd.IntN(3) > 0,
			fact: fmt.Sprintf("The door code of %s is %04d.", houses[n], rnd.IntN(10000)), key: fmt.Sprint("k", i),
		}
		all = append(all, a)
		if rnd.IntN(10) == 0 {
			all = append(all, a) // a repetition under the same key, from another goroutine
		}
	}
	ctx := t.Context()
	var around sync.WaitGroup
	around.Go(func() {
		for range 6 {
			if _, err := engines[0].Sleep(ctx, w.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
				t.Error(err)
			}
		}
	})
	for range 2 {
		around.Go(func() {
			for i := range 100 {
				_, err := engines[i%len(engines)].Search(ctx, w.Caller, engine.SearchInput{Query: "door code of " + houses[i%25], TopK: 3, Track: i%2 == 0})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	var workers sync.WaitGroup
	next := make(chan int)
	for range 20 {
		workers.Go(func() {
			for i := range next {
				a := &all[i]
				space, house, _ := strings.Cut(a.matter, " ")
				evidence := []engine.Evidence{fixture.Evidence("a", 0.5), fixture.Evidence("b", 0.2)}
				if a.strong {
					evidence = []engine.Evidence{fixture.Evidence("a", 0.6), fixture.Evidence("b", 0.5), fixture.Evidence("b", 0.4)}
				}
				var err error
				a.answer, err = engines[i%len(engines)].Adjudicate(t.Context(), w.Caller, engine.AdjudicateInput{
					Fact: a.fact, Subject: "door code of " + house, Namespace: space, Consent: graph.ConsentExplicit, Evidence: evidence, IdempotencyKey: a.key,
				})
				if err != nil {
					t.Errorf("%s: %v", a.fact, err)
				}
			}
		})
	}
	for i := range all {
		next <- i
	}
	close(next)
	workers.Wait()
	around.Wait()
	if t.Failed() {
		return
	}
	linear(t, w, all, total)
	fixture.WantSound(t, "after the race", w.Store)
}

// linear checks the history of every subject against the results and the log.
func linear(t *testing.T, w *enginetest.World, all []asked, total int) {
	t.Helper()
	once := map[string]*engine.Adjudication{}
	fresh := 0
	versions := map[string]map[graph.ID]graph.ID{} // by matter: successor to predecessor
	firsts := map[string]int{}
	for _, a := range all {
		if !a.answer.Replayed {
			fresh++
		}
		if b := once[a.key]; b != nil {
			if b.Decision != a.answer.Decision || b.Current.ID != a.answer.Current.ID {
				t.Errorf("one key, two answers: %+v and %+v", b, a.answer)
			}
			continue
		}
		once[a.key] = a.answer
		switch a.answer.Decision {
		case gate.Stored:
			firsts[a.matter]++
		case gate.Replaced:
			if versions[a.matter] == nil {
				versions[a.matter] = map[graph.ID]graph.ID{}
			}
			if !a.strong {
				t.Errorf("weak evidence replaced %s", a.answer.Previous.Content)
			}
			versions[a.matter][a.answer.Current.ID] = a.answer.Previous.ID
		case gate.Rejected:
			if a.strong {
				t.Errorf("a quorum was rejected: %+v", a.answer)
			}
		}
	}
	if fresh != total {
		t.Errorf("%d decisions for %d calls", fresh, total)
	}
	decided := map[gate.Decision]int{}
	log, _, err := w.Reconsolidations(t.Context(), w.Caller, nil, "", 1000, "")
	if err != nil || len(log) != total {
		t.Errorf("the log has %d decisions of %d, %v", len(log), total, err)
	}
	for _, x := range log {
		decided[x.Decision]++
	}
	t.Logf("decisions %v", decided)
	for matter, firsts := range firsts {
		if firsts != 1 {
			t.Errorf("%s was stored %d times", matter, firsts)
		}
	}
	if len(firsts) != 50 && total == 1000 {
		t.Errorf("%d subjects", len(firsts))
	}
	replaced := 0
	err = w.Store.View(t.Context(), fixture.LoopScope, func(r graph.Reader) error {
		for matter := range firsts {
			space, house, _ := strings.Cut(matter, " ")
			found, err := r.ListMemories(graph.MemoryQuery{Namespaces: []string{space}, Subject: extract.Canonical("door code of " + house)})
			if err != nil {
				return err
			}
			active := 0
			for _, m := range found {
				if m.Status() == graph.Active {
					active++
				}
				if m.Version == 1 {
					continue
				}
				replaced++
				if versions[matter][m.ID] != m.Supersedes {
					t.Errorf("%s: version %d came after %s, but the results say %q", matter, m.Version, m.Supersedes, versions[matter][m.ID])
				}
			}
			if active != 1 {
				t.Errorf("%s: %d are ACTIVE", matter, active)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if replaced != decided[gate.Replaced] {
		t.Errorf("%d later versions, %d replacements", replaced, decided[gate.Replaced])
	}
}
