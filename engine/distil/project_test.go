package distil

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

func linesOf(points []Point) []string {
	var out []string
	for _, p := range points {
		out = append(out, p.Text)
	}
	return out
}

func TestProject(t *testing.T) {
	for _, c := range []struct {
		text                        string
		decision, pattern, question bool
	}{
		{"We decided to keep the ledger in Postgres.", true, false, false},
		{"Let's go with Postgres for the ledger.", true, false, false},
		{"We agreed on a rota of four.", true, false, false},
		{"The redesign was rejected by the board.", true, false, false},
		{"Decision: we cancel the Zurich office", true, false, false},
		{"Final verdict: the red carpet stays in the lobby.", true, false, false},
		{"Problem: the lobby is cold.", false, false, false},
		{"Maybe we decided too early.", false, false, false},
		{"If we picked Kafka, the queue would be slower.", false, false, false},
		{"We haven't decided on a queue.", false, false, true},
		{"Have we decided on a queue?", false, false, true},
		{"It turned out that the cache was stale.", false, true, false},
		{"The import fails whenever a node restarts.", false, true, false},
		{"Who owns the on-call phone?", false, false, true},
		{"What do you think?", false, false, false},
		{"Why?", false, false, false},
		{"We still need to write the runbook.", false, false, true},
		{"TODO: rotate the keys.", false, false, true},
		{"I'm not sure about the index.", false, false, true},
		{"The tests ran for 12 minutes.", false, false, false},
		{"We agreed to ship on 5 May.", true, false, false},
		{"The meeting is on Friday, we decided.", false, false, false}, // which Friday
	} {
		d := Project("Heron", said, []Source{{ID: "a", Text: c.text, At: said}})
		if len(d.Decisions) > 0 != c.decision || len(d.Patterns) > 0 != c.pattern || len(d.Questions) > 0 != c.question {
			t.Errorf("%q: decisions %q, patterns %q, questions %q", c.text, linesOf(d.Decisions), linesOf(d.Patterns), linesOf(d.Questions))
		}
	}
}

func TestProjectWrites(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 3, day, 9, 0, 0, 0, time.UTC) }
	got := Project("Heron", at(17), []Source{
		{ID: "a", At: at(2), Text: "Hello all! Should we shard the ledger by region?"},
		{ID: "b", At: at(3), Text: "Who owns the on-call phone?"},
		{ID: "c", At: at(9), Text: "We agreed yesterday to shard the ledger by region. It turned out that one region is enough."},
		{ID: "d", At: at(4), Text: "Well, let's go with Postgres."},
		{ID: "e", At: at(5), Text: "Let's go with Postgres."},
		{ID: "f", At: at(31).AddDate(0, 0, 1), Text: "We decided to leave."},
		{ID: "g", At: at(1).AddDate(0, 0, -1), Text: "We decided to come."},
	})
	want := `Heron, March 2026
Decisions:
- Let's go with Postgres. (4 March)
- We agreed on 8 March 2026 to shard the ledger by region. (9 March)
Patterns:
- It turned out that one region is enough. (9 March)
Open questions:
- Who owns the on-call phone? (3 March)`
	if got.Text != want || got.Words != len(strings.Fields(want)) || got.Decisions[1].Source != "c" {
		t.Errorf("%s\n%d words, want\n%s", got.Text, got.Words, want)
	}
	if empty := Project("Heron", said.AddDate(1, 0, 0), []Source{{ID: "a", Text: "We decided to stay.", At: said}}); !reflect.DeepEqual(empty, Digest{}) {
		t.Errorf("another month: %+v", empty)
	}
}

// A question is answered by a later statement with all its words and a value of its kind.
func TestProjectLeavesOutWhatWasAnswered(t *testing.T) {
	for _, c := range []struct {
		question, later string
		open            bool
	}{
		{"Who signs off the Atlas cutover?", "Hanna signs off the Atlas cutover", false},
		{"Open question: which region do we deploy to first?", "We deploy to Frankfurt first", false},
		{"Do we need a second reviewer?", "Yes, we need a second reviewer", false},
		{"How long is the maintenance window?", "The maintenance window is 2 hours long.", false},
		{"Who signs off the Atlas cutover?", "Hanna asked who signs off the Atlas cutover", true},
		{"Who signs off the Atlas cutover?", "Nobody knows who signs off the Atlas cutover", true},
		{"Who signs off the Atlas cutover?", "The team should sign off the Atlas cutover", true},
		{"Who signs off the Atlas cutover?", "Hanna signs off the Heron cutover", true},
		{"How long is the maintenance window?", "The maintenance window is announced by mail.", true},
		{"Do we need a second reviewer?", "Maybe we need a second reviewer", true},
		{"Why does the nightly import fail?", "The nightly import fails on Mondays", true},
	} {
		d := Project("Heron", said, []Source{{ID: "a", Text: c.question, At: said}, {ID: "b", Text: c.later, At: said.Add(72 * time.Hour)}})
		if len(d.Questions) > 0 != c.open {
			t.Errorf("%q, %q: open %q", c.question, c.later, linesOf(d.Questions))
		}
		if d = Project("Heron", said, []Source{{ID: "b", Text: c.later, At: said}, {ID: "a", Text: c.question, At: said.Add(72 * time.Hour)}}); len(d.Questions) == 0 {
			t.Errorf("%q: asked after %q", c.question, c.later)
		}
	}
}

// The limit holds, each section has its share, and the order makes no difference.
func TestProjectBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := sources(t)
		for i := range rapid.IntRange(0, 45).Draw(t, "more") {
			in = append(in, Source{ID: graph.ID(fmt.Sprintf("x%02d", i)), At: said.Add(time.Duration(i%7) * time.Hour), Weight: float64(i%4) / 3,
				Text: fmt.Sprintf([]string{"We decided to buy pump %d.", "It turned out that valve %d leaks in the rain.", "Who checks gauge %d?"}[i%3], i)})
		}
		got := Project("Heron", said, in)
		if got.Words > MaxWords || got.Words != len(strings.Fields(got.Text)) {
			t.Fatalf("%d words", got.Words)
		}
		if len(in) > 40 && (len(got.Decisions) == 0 || len(got.Patterns) == 0 || len(got.Questions) == 0) {
			t.Fatalf("a section is empty: %s", got.Text)
		}
		for _, points := range [][]Point{got.Decisions, got.Patterns, got.Questions} {
			if !slices.IsSortedFunc(points, func(a, b Point) int { return a.At.Compare(b.At) }) {
				t.Fatalf("not by time: %v", points)
			}
		}
		if other := Project("Heron", said, moved(t, in)); !reflect.DeepEqual(other, got) {
			t.Fatalf("in another order\n%s\nwas\n%s", other.Text, got.Text)
		}
	})
}
