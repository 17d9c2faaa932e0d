package lexicon

import (
	"slices"
	"strings"
	"testing"
)

func TestTopicsMeetWhereWordsDoNot(t *testing.T) {
	names := Topics{}.Names()
	of := func(word string) (out []string) {
		for _, n := range (Topics{}).Of(stem(word)) {
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

// The index takes 128 topics, and 16 of a word; a word or name written twice is a slip.
func TestTheTopicsAreInOrder(t *testing.T) {
	list := topics()
	if n := len(list.names); n < 100 || n > 128 {
		t.Errorf("%d topics", n)
	}
	for s, of := range list.byStem {
		if len(of) > 16 || !slices.IsSorted(of) {
			t.Errorf("%q stands under %v", s, of)
		}
	}
	seen := map[string]bool{}
	for i, n := range list.names {
		if n == "" || n != strings.ToLower(n) || slices.Contains(list.names[:i], n) {
			t.Errorf("topic %q", n)
		}
	}
	name := ""
	for line := range strings.Lines(topicList) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if head, rest, begins := strings.Cut(line, ":"); begins {
			name, line, seen = head, rest, map[string]bool{}
		}
		for _, w := range strings.Fields(line) {
			if seen[w] || w != strings.ToLower(w) || strings.ContainsAny(w, "-'") {
				t.Errorf("%s: %q, twice or not a plain word", name, w)
			}
			seen[w] = true
		}
	}
}
