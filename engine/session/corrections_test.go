package session_test

import (
	"os"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// exchange is a dialogue of a file of testdata: its last turn corrects a statement of the user to another one, or changes nothing.
type exchange struct {
	turns     []string // for talk
	corrected string   // empty: nothing changes
}

// exchanges reads a file of testdata.
func exchanges(t *testing.T, file string) (out []exchange) {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		text, corrected, changes := strings.Cut(line[2:], " => ")
		if changes != (line[0] == '+') {
			t.Fatalf("%s: %q", file, line)
		}
		x := exchange{corrected: corrected}
		for turn := range strings.SplitSeq(text, " / ") {
			if !strings.HasPrefix(turn, "a: ") {
				turn = "u: " + turn
			}
			x.turns = append(x.turns, turn)
		}
		out = append(out, x)
	}
	return out
}

// holds plays a dialogue. read reports that its last turn did what it should; wrong reports that a statement was changed that should not be, or
// to something else.
func (x exchange) holds(t *testing.T) (read, wrong bool) {
	t.Helper()
	w, ids := talk(t, false, x.turns...)
	made := 0
	for text, m := range turnsOf(t, w) {
		switch {
		case text == x.corrected && m.Status() == graph.Active && stored(t, w, ids[0]).SupersededBy == m.ID:
			read = true
		case text == x.corrected, !strings.Contains(strings.Join(x.turns, " / ")+" / ", ": "+text+" / "):
			made++
		}
	}
	first := stored(t, w, ids[0])
	wrong = made > 0 || x.corrected == "" && (first.Status() != graph.Active || first.Conflict != 0)
	return read || x.corrected == "" && !wrong, wrong
}

// The dialogues with which the rules were made.
func TestCorrections(t *testing.T) {
	for _, x := range exchanges(t, "corrections.txt") {
		if read, wrong := x.holds(t); !read || wrong {
			t.Errorf("%q: read %v, wrong %v; want %q", x.turns, read, wrong, x.corrected)
		}
	}
}

// The dialogues that were written after the rules. docs/benchmarks.md has the figures of the first runs.
func TestHeldOutCorrections(t *testing.T) {
	if testing.Short() {
		t.Skip("plays some 500 dialogues")
	}
	for file, least := range map[string]int{"corrections_heldout.txt": 64, "corrections_heldout2.txt": 30, "corrections_heldout3.txt": 0} {
		t.Run(file, func(t *testing.T) {
			var ordinary, changed, corrections, read int
			for _, x := range exchanges(t, file) {
				ok, wrong := x.holds(t)
				if wrong {
					changed++
					t.Logf("changed: %q", x.turns)
				}
				switch {
				case x.corrected == "":
					ordinary++
				case ok:
					read++
					fallthrough
				default:
					corrections++
				}
			}
			t.Logf("%d ordinary turns, %d corrections: %d were read, %d changed something else", ordinary, corrections, read, changed)
			if changed > 0 || read < least {
				t.Errorf("%d changed, want none; %d were read, want %d", changed, read, least)
			}
		})
	}
}
