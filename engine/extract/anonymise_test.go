package extract

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAnonymise(t *testing.T) {
	names := []string{"ana", "Ana Duarte", "Marlo Quint"}
	for _, c := range []struct{ text, want string }{
		{"Ana is allergic to penicillin.", "Someone is allergic to penicillin."},
		{"Never give ANA's medicine to marlo quint.", "Never give someone's medicine to someone."},
		{"Ana Duarte must not take more than 400 mg of ibuprofen a day.", "Someone must not take more than 400 mg of ibuprofen a day."},
		{"Call the nurse if Duarte faints. Ana’s pump beeps first.", "Call the nurse if someone faints. Someone's pump beeps first."},
		{"I'm allergic to nuts, and I carry a pen.", "I'm allergic to nuts, and I carry a pen."},
		{"The gas valve in the cellar leaks.", "The gas valve in the cellar leaks."},
	} {
		if got, sure := Anonymise(c.text, names); !sure || got != c.want {
			t.Errorf("%q became %q, sure %v", c.text, got, sure)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"Ana and Bo are allergic to penicillin.", "Someone and [name] are allergic to penicillin."}, // a person whose name is not given
		{"Quillon is allergic to penicillin.", "[name] is allergic to penicillin."},
		{"Someone who lives in Porto is allergic.", "Someone who lives in [name] is allergic."}, // a place can identify a person
		{"Call 0171 23 45 67 if she faints.", "Call [number] if she faints."},
		{"She was born on 1987-04-12 and must not run.", "She was born on [number] and must not run."},
		{"She was born on 12 April 1987 and must not run.", "She was born on [date] and must not run."},
		{"The valve failed on Monday, 3 March, at noon.", "The valve failed on [date], at noon."},
		{"Write to a.d@example.org before the operation.", "[name] to [address] before the operation."},
		{"See https://example.org/a before it starts.", "[name] [address] before it starts."},
		{"The iPhone of the patient must be off.", "The [name] of the patient must be off."},
		{"Marlo Quint leaked the production key on 3 March.", "Someone leaked the production key on [date]."},
	} {
		if got, sure := Anonymise(c.text, names); !sure || got != c.want {
			t.Errorf("%q became %q, sure %v, want %q", c.text, got, sure, c.want)
		}
	}
	for _, text := range []string{
		"ana is allergic, and so is bo.", // names without capitals
		"安娜对青霉素过敏。",
		"Bo and Quillon: Porto.", // says nothing without its names
		"",
	} {
		if got, sure := Anonymise(text, names); sure {
			t.Errorf("%q was treated as anonymous: %q", text, got)
		}
	}
}

// A text that counts as anonymised contains none of the names, in any spelling of them.
func TestCertainAnonymisationLeavesNoName(t *testing.T) {
	sure := 0
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.StringMatching("[A-ZÄÉ][a-zäé]{2,7}( [A-Z][a-z]{2,7})?"), 1, 3).Draw(t, "names")
		words := []string{"the", "pump", "allergic", "must", "not", "take", "40", "mg", "if", ".", ",", "The", "never", "Never", "-"}
		for _, n := range names {
			words = append(words, n, strings.ToLower(n), strings.ToUpper(n), n+"'s", strings.ReplaceAll(n, " ", "-"), "("+n+")")
		}
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 20).Draw(t, "words"), " ")
		got, ok := Anonymise(text, names)
		if !ok {
			return
		}
		sure++
		left := " " + Canonical(got) + " "
		for _, n := range names {
			for _, part := range strings.Fields(Canonical(n)) {
				if part != hiddenPerson && strings.Contains(left, " "+part+" ") && !strings.Contains(" the pump allergic must not take mg if never ", " "+part+" ") {
					t.Fatalf("%q of %q remains in %q", part, text, got)
				}
			}
		}
	})
	if sure == 0 {
		t.Error("it was never sure: the test shows nothing")
	}
}

// A text with a name in small letters is not anonymous.
func TestNamesInSmallLettersAreNotAnonymous(t *testing.T) {
	for _, text := range []string{
		"Never give my husband tomek nowak ibuprofen because his kidneys failed after the divorce.",
		"Warning: wanda kowalska has asthma and must never run.",
		"Never leave my son bas alone near the pool.",
		"The alarm was broken when peter left.",
		"Call marta before you open the valve.",
		"His kidneys failed in porto after the operation.",
		"The pump of quillon beeps.",
	} {
		if got, sure := Anonymise(text, nil); sure {
			t.Errorf("%q was treated as anonymous: %q", text, got)
		}
	}
	for _, text := range []string{
		"The gas valve in the cellar leaks.",
		"The crane dropped a load because the brake was worn.",
		"Never mix the bleach with the acid cleaner in a closed room.",
		"The back door of the van opens while driving.",
	} {
		if got, sure := Anonymise(text, nil); !sure {
			t.Errorf("%q was not treated as anonymous: %q", text, got)
		}
	}
}
