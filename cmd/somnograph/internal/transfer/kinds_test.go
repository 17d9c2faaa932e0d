package transfer

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A new kind of note must not be forgotten in exports: it moves, or it stays for a reason.
func TestEveryKindOfNoteMovesOrStays(t *testing.T) {
	source, err := os.ReadFile("../../../../graph/note.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`Note[A-Z]\w* +NoteKind += +"([A-Z]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(declared) != len(graph.NoteKinds) || len(declared) < 6 {
		t.Fatalf("%d kinds are declared, and %d are listed", len(declared), len(graph.NoteKinds))
	}
	for _, d := range declared {
		kind := graph.NoteKind(d[1])
		moves := slices.ContainsFunc(movedNotes, func(m movedNote) bool { return m.kind == kind })
		if moves == (stays[kind] != "") {
			t.Errorf("%s must be in one of movedNotes and stays", kind)
		}
	}
}
