package ingest_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/graph"
)

// contestedAbove is the conflict, [0,1], above which a memory is CONTESTED.
const contestedAbove = 0.3

var showRows = flag.Bool("rows", false, "print the rows of the development set of revision that are answered wrongly")

// restatement is a pair of a set under engine/reader/testdata.
type restatement struct {
	label                    byte // + update, x correction, = same, - compatible, ! trap, b beside
	earlier, later, question string
}

func readRestatements(t *testing.T, name string) (rows []restatement) {
	data, err := os.ReadFile("../reader/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		rest, question, _ := strings.Cut(line[2:], " ?= ")
		earlier, later, ok := strings.Cut(rest, " => ")
		if !ok || strings.ContainsRune("+xb", rune(line[0])) != (question != "") {
			t.Fatalf("%s: %q", name, line)
		}
		rows = append(rows, restatement{line[0], earlier, later, question})
	}
	return rows
}

// restatements is what the pairs of a set lead to.
type restatements struct {
	updates, first, ended, found int            // updates; of these: later before earlier, earlier no longer current, later found
	others, wrong, contested     int            // other pairs; of these: revised although both are true, contested
	repeated                     int            // of the other pairs: revised by the same fact in other words, which loses nothing
	beside, answered, displaced  int            // questions that the earlier statement answers; of these: it is found, the later one comes before it
	missed                       map[string]int // updates whose earlier statement is current still, by the step that keeps it
}

// reasons is a table of the steps at which updates are missed, the most frequent one first.
func (x restatements) reasons() string {
	var b strings.Builder
	for _, k := range slices.SortedFunc(maps.Keys(x.missed), func(a, b string) int { return cmp.Or(x.missed[b]-x.missed[a], strings.Compare(a, b)) }) {
		fmt.Fprintf(&b, "\n%5d  %s", x.missed[k], k)
	}
	return b.String()
}

func (x restatements) String() string {
	share := func(n int) float64 { return float64(n) / float64(max(1, x.updates)) }
	return fmt.Sprintf("%d updates: new before old %.3f, old no longer current %.3f, new found %.3f; %d others: wrongly revised %d, repeated %d, contested %d",
		x.updates, share(x.first), share(x.ended), share(x.found), x.others, x.wrong, x.repeated, x.contested)
}

// said stores a statement of a user and returns its memory.
type said func(w *enginetest.World, user, session, text string) graph.ID

func remembered(w *enginetest.World, user, session, text string) graph.ID {
	return w.Remember(text, by(user, session)).Memory.ID
}

func observed(w *enginetest.World, user, session, text string) graph.ID {
	id := fixture.Observe(w.T, w, "user", text, func(o *engine.Observation) { o.User, o.Session = user, session }).Memory.ID
	if _, err := w.CloseSession(w.T.Context(), w.Caller, session, ""); err != nil {
		w.T.Fatal(err)
	}
	return id
}

// measureRestatements states both sides of each pair, twelve days apart, each pair as another user,
// and asks after them.
func measureRestatements(t *testing.T, rows []restatement, say said) restatements {
	return measureIn(enginetest.New(t), rows, say, func() {})
}

// measureIn is measureRestatements in a world. settle returns when all that was said has been compared.
func measureIn(w *enginetest.World, rows []restatement, say said, settle func()) (x restatements) {
	x.missed = map[string]int{}
	before := make([]graph.ID, len(rows))
	after := make([]graph.ID, len(rows))
	user := func(i int) string { return fmt.Sprintf("user%d", i) }
	for i, r := range rows {
		before[i] = say(w, user(i), fmt.Sprintf("a%d", i), r.earlier)
		w.Clock.Advance(time.Second)
	}
	w.Clock.Advance(12 * 24 * time.Hour)
	for i, r := range rows {
		after[i] = say(w, user(i), fmt.Sprintf("b%d", i), r.later)
		w.Clock.Advance(time.Second)
	}
	settle()
	w.Clock.Advance(time.Hour)
	for i, r := range rows {
		old := view(w, before[i])
		ended := old.Status() == graph.Superseded || slices.ContainsFunc(old.Memory.Claims, func(c graph.Claim) bool { return c.State().RevisedBy != "" })
		contested := max(old.Conflict, view(w, after[i]).Conflict) > contestedAbove
		note := ""
		count := func(n *int, ok bool, name string) {
			if ok {
				*n++
				note += " " + name
			}
		}
		switch {
		case r.label == 'b':
			ids := enginetest.IDs(w.Search(r.question, func(in *engine.SearchInput) { in.User = user(i) }))
			a, b := slices.Index(ids, before[i]), slices.Index(ids, after[i])
			x.beside++
			count(&x.answered, a >= 0, "answered")
			count(&x.displaced, b >= 0 && b < a, "DISPLACED")
		case r.question == "":
			x.others++
			count(&x.wrong, ended && r.label != '=', "REVISED")
			count(&x.repeated, ended && r.label == '=', "repeated")
			count(&x.contested, contested, "contested")
		default:
			ids := enginetest.IDs(w.Search(r.question, func(in *engine.SearchInput) { in.User = user(i) }))
			a, b := slices.Index(ids, before[i]), slices.Index(ids, after[i])
			x.updates++
			count(&x.found, b >= 0, "found")
			count(&x.first, b >= 0 && (a < 0 || b < a), "first")
			count(&x.ended, ended, "ended")
			if !ended {
				x.missed[ingest.ReasonOf(old.Memory, view(w, after[i]).Memory)]++
			}
		}
		if *showRows {
			w.T.Logf("%c [%s ] conflict %.2f: %s => %s", r.label, note, max(old.Conflict, view(w, after[i]).Conflict), r.earlier, r.later)
		}
	}
	return x
}

// A restated fact wins, on the development sets.
func TestRestatements(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	t.Run("first", func(t *testing.T) {
		wantRestated(t, "restated.txt", limits{wrong: 0, contested: 4, first: 94, ended: 47})
	})
	t.Run("second", func(t *testing.T) {
		wantRestated(t, "restated_dev2.txt", limits{wrong: 0, contested: 8, first: 90, ended: 44})
	})
	t.Run("third", func(t *testing.T) {
		wantRestated(t, "restated_dev3.txt", limits{wrong: 0, contested: 2, first: 29, ended: 3})
	})
}

// The rules were not mended by looking at the rows of the held-out sets. The limits are a little
// below the figures measured when the reader was trained (docs/revision.md).
func TestHeldOutRestatements(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	t.Run("first", func(t *testing.T) {
		wantRestated(t, "restated_heldout.txt", limits{wrong: 0, contested: 8, first: 95, ended: 53})
	})
	t.Run("second", func(t *testing.T) {
		wantRestated(t, "restated_heldout2.txt", limits{wrong: 1, repeated: 2, contested: 4, first: 82, ended: 28})
	})
	t.Run("third", func(t *testing.T) {
		wantRestated(t, "restated_heldout3.txt", limits{wrong: 1, repeated: 1, contested: 5, first: 98, ended: 61})
	})
	t.Run("fourth", func(t *testing.T) {
		wantRestated(t, "restated_heldout4.txt", limits{wrong: 1, contested: 3, first: 73, ended: 18})
	})
	t.Run("fifth", func(t *testing.T) {
		wantRestated(t, "restated_heldout5.txt", limits{wrong: 2, contested: 5, first: 65, ended: 32})
	})
	t.Run("sixth", func(t *testing.T) {
		wantRestated(t, "restated_heldout6.txt", limits{wrong: 2, repeated: 1, contested: 6, first: 85, ended: 31})
	})
	t.Run("seventh", func(t *testing.T) {
		wantRestated(t, "restated_heldout7.txt", limits{wrong: 2, contested: 1, first: 25, ended: 2})
	})
	t.Run("eighth", func(t *testing.T) {
		wantRestated(t, "restated_heldout8.txt", limits{wrong: 2, contested: 7, first: 63, ended: 45})
	})
	t.Run("ninth", func(t *testing.T) {
		wantRestated(t, "restated_heldout9.txt", limits{wrong: 2, contested: 4, first: 69, ended: 39})
	})
}

// What is of another kind, what a thing is like and a second value of a verb end nothing. The limits are those of a second run, after three of its rows were mended.
func TestHeldOutKinds(t *testing.T) {
	wantRestated(t, "restated_heldout10.txt", limits{wrong: 3, contested: 3, first: 95, ended: 71})
}

// Moves to towns that no table knows mostly end a residence, and moves to what is no place end none. The limits of the second set are those of the first
// run; before names were read by their letters and by the rest of the text, 13 percent of its residences ended.
func TestHeldOutMoves(t *testing.T) {
	wantRestated(t, "moves_heldout.txt", limits{wrong: 0, contested: 10, first: 95, ended: 66})
	wantRestated(t, "moves_heldout2.txt", limits{wrong: 1, contested: 27, first: 100, ended: 56})
}

// What was said later about the same thing does not come before the answer: the rows marked b.
func TestAnswersComeFirst(t *testing.T) {
	for _, set := range []string{"beside.txt", "beside_heldout.txt"} {
		x := measureRestatements(t, readRestatements(t, set), remembered)
		t.Logf("%s: %d questions: answer found %d, after the later statement %d", set, x.beside, x.answered, x.displaced)
		if 100*x.answered < 84*x.beside || 100*x.displaced > 25*x.beside {
			t.Errorf("%s: %d questions: answer found %d, after the later statement %d, want at least 84 and at most 25 percent", set, x.beside, x.answered, x.displaced)
		}
	}
}

// limits are the most other pairs that are wrongly revised or contested, and the least updates whose
// later statement is first and whose earlier one has ended, in percent.
type limits struct{ wrong, repeated, contested, first, ended int }

// wantRestated measures a set by remember and by observe.
func wantRestated(t *testing.T, set string, most limits) {
	t.Helper()
	rows := readRestatements(t, set)
	for name, say := range map[string]said{"remember": remembered, "observe": observed} {
		x := measureRestatements(t, rows, say)
		t.Logf("%s: %v; missed:%s", name, x, x.reasons())
		if x.wrong > most.wrong || x.repeated > most.repeated || x.contested > most.contested || 100*x.first < most.first*x.updates || 100*x.ended < most.ended*x.updates {
			t.Errorf("%s: %v, want %+v", name, x, most)
		}
	}
}
