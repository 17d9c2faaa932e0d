package reader

import (
	"reflect"
	"testing"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/wording"
)

func TestPredicatesAreComparedByTheTable(t *testing.T) {
	for _, same := range [][]string{
		{"residence", "lives in", "lives_in", "live-in", "Lives  In"},
		{"work", "works for", "works_at", "employer"},
		{"name", "is called", "is_called"},
		{"likes", "like", "LIKES"},
		{"hate", "hates"}, {"love", "loves"},
		{"ran", "runs", "run"},
	} {
		for _, p := range same[1:] {
			if Predicate(p) != Predicate(same[0]) {
				t.Errorf("%q is %q, %q is %q", p, Predicate(p), same[0], Predicate(same[0]))
			}
		}
	}
	for _, p := range []string{"likes", "hates", "residence", "work", "name", "speaks", "knows", "has visited"} {
		for _, q := range []string{"likes", "hates", "residence", "work", "name", "speaks", "knows", "has visited"} {
			if p != q && Predicate(p) == Predicate(q) {
				t.Errorf("%q and %q are both %q", p, q, Predicate(p))
			}
		}
	}
	for _, p := range []string{"is", "the", "_", "🙂", ""} {
		if got := Predicate(p); (p == "is" || p == "the") && got != p {
			t.Errorf("%q becomes %q", p, Predicate(p))
		}
	}
}

// A claim that is read in a text has the key of the predicate that Read gives it.
func TestPredicateKeepsTheNamesOfTheTable(t *testing.T) {
	for _, f := range frames.All {
		if got := SlotPredicate(f.Name); got != f.Name {
			t.Errorf("%q becomes %q", f.Name, got)
		}
	}
}

func TestSubjectsOfAPhraseWithAName(t *testing.T) {
	for subject, want := range map[string][]string{
		"ana":              {"ana"},
		"ana's sister Ana": {"ana's sister Ana", "Ana"},
		"Project Atlas":    {"Project Atlas"},
		"Maya's colour":    {"Maya's colour"},
		"my friend Bo Li":  {"my friend Bo Li", "Bo Li"},
		"":                 {""},
	} {
		if got := wording.Subjects(subject); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", subject, got, want)
		}
	}
}

// A verb with several meanings states a role only where its subject and object can have one.
func TestVerbsWithSeveralMeanings(t *testing.T) {
	for text, want := range map[string]string{
		"The staging server runs Debian 11.":  "staging server|runs|Debian 11",
		"Kim runs 10 km.":                     "Kim|runs|10 km",
		"Ana runs Ubuntu on her laptop.":      "Ana|runs|Ubuntu",
		"Hugo heads north.":                   "Hugo|heads|north",
		"Tom manages 5 people.":               "Tom|manages|5 people",
		"Nadia runs the Berlin office.":       "Berlin office|is led by|Nadia",
		"Mia manages the design team.":        "design team|is led by|Mia",
		"Priya became my manager.":            "Priya|is|my manager",
		"Priya has become our landlord.":      "Priya|is|our landlord",
		"Ben became the team lead.":           "Ben|works as|team lead",
		"I'm getting married on 5 June.":      "I|is getting|married",
		"Never shout at Tom, we are friends.": "|shouts at|Tom",
	} {
		claims := Read(text, Hints{})
		if len(claims) == 0 || claims[0].Subject+"|"+claims[0].Predicate+"|"+claims[0].Object != want {
			t.Errorf("%s: %+v, want %s", text, claims, want)
		}
	}
}
