package verb

import (
	"testing"

	"github.com/somnograph/somnograph/internal/english"
)

func table() Table {
	verbs := english.WordSet("live be use carry put have teach")
	lemmas := map[string]bool{}
	for v := range verbs {
		lemmas[english.Lemma(v)] = true
	}
	return New(verbs, lemmas, english.WordSet("put"), english.WordSet("will"), english.Lemma)
}

func TestForms(t *testing.T) {
	verbs := table()
	for low, want := range map[string]Form{"live": Base, "lives": Third, "lived": Past, "living": Ing, "put": Base, "taught": Past, "table": None} {
		if got := verbs.FormOf(low); got != want {
			t.Errorf("%s: %d, want %d", low, got, want)
		}
	}
	for low, want := range map[string]string{"live": "lives", "carry": "carries", "teach": "teaches", "are": "is", "have": "has", "lived": "lived", "will": "will"} {
		if got := verbs.ThirdOf(low); got != want {
			t.Errorf("%s: %s, want %s", low, got, want)
		}
	}
}

func TestLasting(t *testing.T) {
	verbs := table()
	for _, x := range []struct {
		predicate, said string
		passive         bool
		want            string
	}{
		{"has lived in", "lived", false, "lives in"},
		{"is taught by", "taught", false, "is taught by"}, // of who "has taught"
		{"has been living in", "living", false, "lives in"},
		{"has been in", "been", false, "is in"},
		{"has used", "used", false, "uses"},
		{"has been used by", "used", true, "is used by"},
		{"has strolled in", "strolled", false, "has strolled in"},
		{"lives in", "lives", false, "lives in"},
	} {
		lemma := english.Lemma(x.said)
		if x.said == "been" {
			lemma = "be"
		}
		if got := verbs.Lasting(x.predicate, lemma, x.said, x.passive); got != x.want {
			t.Errorf("%s: %s, want %s", x.predicate, got, x.want)
		}
	}
}
