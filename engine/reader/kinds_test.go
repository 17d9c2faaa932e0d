package reader

import "testing"

// TestReadingsByTheKindOfAValue checks claims whose predicate depends on what the verb governs.
func TestReadingsByTheKindOfAValue(t *testing.T) {
	for text, want := range map[string][3]string{
		"I moved to Bergen.":                          {"zo", "lives in", "Bergen"},
		"I moved to decaf.":                           {"zo", "moved to", "decaf"},
		"I joined Bosch.":                             {"zo", "works at", "Bosch"},
		"I joined a call with Hale.":                  {"zo", "joined", "call"},
		"I signed for a parcel.":                      {"zo", "signed for", "parcel"},
		"I signed the lease for a shop in Annecy.":    {"zo", "signed", "lease"},
		"I started at Equinor.":                       {"zo", "works at", "Equinor"},
		"I got a job offer from Bosch.":               {"zo", "got", "job offer"},
		"I work from home on Fridays.":                {"zo", "works from", "home"},
		"The library supports Go.":                    {"library", "supports", "Go"},
		"The meeting isn't on Tuesday but on Monday.": {"meeting", "is on", "Monday"},
		"I don't drink tea but coffee.":               {"zo", "drinks", "coffee"},
		"No wait, the oven is a Bongard after all.":   {"oven", "is", "Bongard"},
	} {
		c := Read(text, Hints{Speaker: "zo"})
		if len(c) != 1 || c[0].Negated || [3]string{c[0].Subject, c[0].Predicate, c[0].Object} != want {
			t.Errorf("%q: %+v, want %q", text, c, want)
		}
	}
}

func TestTheUserByName(t *testing.T) {
	for text, want := range map[string]string{
		"Ana lives in Bergen.":                "ana",
		"The user lives in Bergen.":           "ana",
		"Ana Lopez lives in Bergen.":          "Ana Lopez",
		"My neighbour Ana lives in Bergen.":   "My neighbour Ana",
		"Bo lives in Bergen, says the paper.": "Bo",
	} {
		if c := Read(text, Hints{Speaker: "assistant", User: "ana"}); len(c) == 0 || c[0].Subject != want {
			t.Errorf("%q: %+v, want the subject %q", text, c, want)
		}
	}
}
