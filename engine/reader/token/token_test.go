package token

import (
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/verb"
	"github.com/somnograph/somnograph/internal/english"
)

// TestScan checks contractions, possessives, idioms and values.
func TestScan(t *testing.T) {
	verbs := english.WordSet("move live leave")
	r := Reader{
		Function: english.WordSet("in the to is a"), Adverb: english.WordSet("now"), Preposition: english.WordSet("in to"), Determiner: english.WordSet("the a"),
		Finite: english.WordSet("is has would had"), ChangeLemma: lexicon.Lemmas(english.WordSet("move")), StopLemma: lexicon.Lemmas(english.WordSet("leave")),
	}
	r.Verbs = verb.New(verbs, lexicon.Lemmas(verbs), nil, r.Finite, lexicon.Lemma)
	r.Quantities.Function = r.Function
	for text, want := range map[string][]string{
		"I can't":                      {"i", "can", "not"},
		"the ladder's in the shed":     {"the", "ladder", "is", "in", "the", "shed"},
		"Ana's ladder":                 {"ana", "ladder"},
		"my sister's left the band":    {"my", "sister", "has", "left", "the", "band"},
		"he'd lived in Leeds":          {"he", "had", "lived", "in", "leeds"},
		"at half past nine":            {"at", "half past nine"},
		"“quoted” words":               {"quoted", "words"},
		"she cannot leave":             {"she", "can", "not", "leave"},
		"the code is 90%, not 4 Pence": {"the", "code", "is", "90%", "not", "4", "pence"},
	} {
		var low []string
		for _, w := range r.Scan(text) {
			low = append(low, w.Low)
		}
		if !slices.Equal(low, want) {
			t.Errorf("%q: %q, want %q", text, low, want)
		}
	}
}
