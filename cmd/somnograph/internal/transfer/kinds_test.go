package transfer

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A kind of note that somebody adds must not stay behind when a memory moves.
func TestEveryKindOfNoteMoves(t *testing.T) {
	source, err := os.ReadFile("../../../../graph/note.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`Note[A-Z]\w* +NoteKind += +"([A-Z]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(declared) < 6 {
		t.Fatalf("only %d kinds are declared: the test can't read them", len(declared))
	}
	for _, d := range declared {
		kind := graph.NoteKind(d[1])
		// A plan is of a night under way, and vectors put aside are of a model not in use.
		stays := kind == graph.NotePlan || kind == graph.NoteAside
		if moves := slices.Contains(noteKinds, kind); moves == stays {
			t.Errorf("%s moves: %v", kind, moves)
		}
	}
}
