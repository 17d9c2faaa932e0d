package graph_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A journal names the kind of a note by this list.
func TestNoteKindsListsEveryKind(t *testing.T) {
	source, err := os.ReadFile("note.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`Note[A-Z]\w* +NoteKind += +"([A-Z]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(declared) != len(graph.NoteKinds) {
		t.Errorf("%d kinds are declared and %d listed", len(declared), len(graph.NoteKinds))
	}
	for _, d := range declared {
		if !slices.Contains(graph.NoteKinds, graph.NoteKind(d[1])) {
			t.Errorf("%s is not listed", d[1])
		}
	}
}
