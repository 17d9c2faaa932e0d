package lexicon

import (
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/internal/english"
)

func TestTopicsMatchWithoutCommonWords(t *testing.T) {
	names := Topics{}.Names()
	of := func(word string) (out []string) {
		for _, n := range (Topics{}).Of(english.Stem(word)) {
			if n < firstGroup {
				out = append(out, names[n])
			}
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

func TestGroupsAreNarrowerThanTopics(t *testing.T) {
	names := Topics{}.Names()
	of := func(word string) (out []string) {
		for _, n := range (Topics{}).Of(english.Stem(word)) {
			if n >= firstGroup {
				out = append(out, names[n])
			}
		}
		return out
	}
	for _, c := range []struct {
		a, b  string
		group string // both are in it; empty: they share none
	}{
		{"espresso", "oolong", "hot drinks"}, {"espresso", "whisky", ""}, {"bassoon", "oboes", "wind instruments"}, {"bassoon", "cello", ""},
		{"instrument", "clarinet", "wind instruments"}, {"nephew", "aunt", "wider family"}, {"postgres", "mysql", "databases"}, {"postgres", "kotlin", ""},
		{"landlord", "tenants", "tenancy"}, {"landlord", "mayor", ""}, {"vienna", "graz", "austria"}, {"terrier", "beagle", "dogs"},
	} {
		a, b := of(c.a), of(c.b)
		if len(a) == 0 || len(b) == 0 {
			t.Errorf("%s is in %v, %s in %v: want groups", c.a, a, c.b, b)
		}
		if c.group != "" && (!slices.Contains(a, c.group) || !slices.Contains(b, c.group)) {
			t.Errorf("%s is in %v, %s in %v: want %s for both", c.a, a, c.b, b, c.group)
		}
		if c.group == "" && slices.ContainsFunc(a, func(g string) bool { return slices.Contains(b, g) }) {
			t.Errorf("%s is in %v, %s in %v: want no common group", c.a, a, c.b, b)
		}
	}
	for _, w := range []string{"zyzzyva", "the", ""} {
		if got := of(w); got != nil {
			t.Errorf("%q is in %v", w, got)
		}
	}
}

// The index supports 128 topics, 16 per word, and 640 groups.
func TestListsAreSorted(t *testing.T) {
	list := topics()
	topicNames := list.names[:slices.Index(list.names, "")]
	groupNames := list.names[firstGroup:]
	if n := len(topicNames); n < 100 || n > firstGroup {
		t.Errorf("%d topics", n)
	}
	if n := len(groupNames); n < 500 || n > 640 {
		t.Errorf("%d groups", n)
	}
	for s, of := range list.byStem {
		if n, _ := slices.BinarySearch(of, firstGroup); n > 16 || !slices.IsSorted(of) {
			t.Errorf("%q stands under %v", s, of)
		}
	}
	inOrder(t, topicNames, topicList, 4, func(w string) string { return w }) // several inflections are allowed
	inOrder(t, groupNames, groupList, 4, english.Stem)
}

// inOrder reports mistakes in a list: a name or a word's key that occurs twice or is not plain, and
// a paragraph of fewer words than least.
func inOrder(t *testing.T, names []string, list string, least int, key func(word string) string) {
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
			if seen[key(w)] || w != strings.ToLower(w) || strings.ContainsAny(w, "-'<") {
				t.Errorf("%s: %q occurs twice or is not a plain word", name, w)
			}
			seen[key(w)] = true
		}
	})
}
