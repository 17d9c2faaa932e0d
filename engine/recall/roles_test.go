package recall_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
)

// roles.tsv was written after the rules for roles and for attributes in other nouns. Its last questions have no answer.
func TestQuestionsForRolesInOtherWords(t *testing.T) {
	w := enginetest.New(t)
	lines := linesOf(t, "testdata/roles.tsv")
	for _, l := range lines {
		if text, _, _ := strings.Cut(l, "\t"); text != "" {
			w.Remember(text, by("ana"))
		}
	}
	found, sure, refused := 0, 0, 0
	for _, l := range lines {
		text, question, _ := strings.Cut(l, "\t")
		r := w.Search(question, func(in *engine.SearchInput) { in.User, in.TopK = "ana", 8 })
		at := slices.IndexFunc(r.Hits, func(h engine.Hit) bool { return h.Memory.Content == text })
		switch {
		case text == "" && (r.Unsure || r.NoMatch):
			refused++
		case text != "" && at == 0:
			if found++; !r.Unsure {
				sure++
			}
		default:
			t.Logf("%s: at %d, unsure %v", question, at, r.Unsure)
		}
	}
	t.Logf("%d answers first, %d of them surely; %d questions without an answer have no sure hit", found, sure, refused)
	if found < 13 || sure < 8 || refused < 12 {
		t.Error("fewer than measured")
	}
}
