package lexicon

import (
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/internal/english"
)

func TestTopicsMeetWhereWordsDoNot(t *testing.T) {
	names := Topics{}.Names()
	of := func(word string) (out []string) {
		for _, n := range (Topics{}).Of(english.Stem(word)) {
			out = append(out, names[n])
		}
		return out
	}
	for _, c := range []struct{ a, b, topic string }{
		{"bassoon", "band", "music"}, {"salary", "employer", "job"}, {"resides", "landlord", "home"},
		{"parrot", "pets", "pet"}, {"peanuts", "rash", "allergy"}, {"rollback", "staging", "deployment"},
	} {
		if a, b := of(c.a), of(c.b); !slices.Contains(a, c.topic) || !slices.Contains(b, c.topic) {
			t.Errorf("%s is about %v, %s about %v: want %s of both", c.a, a, c.b, b, c.topic)
		}
	}
	for _, w := range []string{"zyzzyva", "the", ""} {
		if got := of(w); got != nil {
			t.Errorf("%q is about %v", w, got)
		}
	}
}

// The index supports 128 topics, and 16 per word.
func TestTheListsAreInOrder(t *testing.T) {
	list := topics()
	if n := len(list.names); n < 100 || n > 128 {
		t.Errorf("%d topics", n)
	}
	for s, of := range list.byStem {
		if len(of) > 16 || !slices.IsSorted(of) {
			t.Errorf("%q stands under %v", s, of)
		}
	}
	inOrder(t, list.names, topicList, 4)
}

// inOrder reports mistakes in a list: a name or word that occurs twice or is not plain, and a
// paragraph of fewer words than least.
func inOrder(t *testing.T, names []string, list string, least int) {
	t.Helper()
	for i, n := range names {
		if n == "" || n != strings.ToLower(n) || n != strings.TrimSpace(n) || slices.Contains(names[:i], n) {
			t.Errorf("name %q", n)
		}
	}
	paragraphs(list, func(name string, words []string) {
		if len(words) < least || len(words) > 400 {
			t.Errorf("%s has %d words", name, len(words))
		}
		seen := map[string]bool{}
		for _, w := range words {
			if seen[w] || w != strings.ToLower(w) || strings.ContainsAny(w, "-'<") {
				t.Errorf("%s: %q, twice or not a plain word", name, w)
			}
			seen[w] = true
		}
	})
}
