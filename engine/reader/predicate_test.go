package reader

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/graph"
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
	if SlotKey("ana", "likes") != SlotKey("ana", "hates") {
		t.Error("likes and hates are in different slots")
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
		if got := slotPredicate(f.Name); got != f.Name {
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

func TestASubjectIsFoundByItsName(t *testing.T) {
	for subject, want := range map[string][]string{
		"Project Atlas":     {"project atlas", "atlas"},
		"Atlas":             {"atlas"},
		"Atlas Project":     {"atlas project"},
		"ana's brother Jon": {"ana brother jon", "jon"},
	} {
		if got := ClaimNames(&graph.Memory{}, subject); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", subject, got, want)
		}
	}
}

func TestClaimKeysCoverAllStates(t *testing.T) {
	c := graph.Claim{N: 1, History: []graph.ClaimState{{From: time.Unix(1, 0), Subject: "Ana", Predicate: "residence", Object: "Oslo"}}}
	c.SetState(time.Unix(2, 0), func(s *graph.ClaimState) { s.Subject, s.Predicate = "My friend Bo", "lives_in" })
	keys := map[uint64]bool{}
	for _, k := range (ClaimKeys{}).Of(&graph.Memory{Claims: []graph.Claim{c}}) {
		keys[k] = true
	}
	for _, k := range []uint64{SubjectKey("ana"), SlotKey("ANA", "lives in"), SubjectKey("Bo"), SlotKey("bo", "residence"), SubjectKey("my friend bo")} {
		if !keys[k] {
			t.Errorf("a key is missing")
		}
	}
	if keys[SubjectKey("oslo")] || keys[SlotKey("ana", "name")] || len(keys) != 6 {
		t.Errorf("%d keys", len(keys))
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
