package transfer

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A new kind of note must not be forgotten in exports.
func TestEveryKindOfNoteIsExported(t *testing.T) {
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
		// A plan belongs to a running sleep, stored vectors to a model that is not in use, a key and a
		// tenant to their server, and the audit and the proofs of erasures to the keys of their server, which
		// has the receipts too.
		stays := kind == graph.NotePlan || kind == graph.NoteAside || kind == graph.NoteAPIKey || kind == graph.NoteTenant || !kind.Recorded() || kind == graph.NoteProof || kind == graph.NoteErasure
		if moves := slices.Contains(noteKinds, kind); moves == stays {
			t.Errorf("%s moves: %v", kind, moves)
		}
	}
}
