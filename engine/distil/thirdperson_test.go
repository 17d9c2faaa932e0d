package distil

import "testing"

func TestNamed(t *testing.T) {
	for text, want := range map[string]string{
		"The boat is sold.":              "The boat is sold.",
		"I live in Graz.":                "Ana lives in Graz.",
		"I'm tired.":                     "Ana is tired.",
		"I've never been to Rome.":       "Ana has never been to Rome.",
		"I'll call Bram.":                "Ana will call Bram.",
		"I don't eat meat.":              "Ana doesn't eat meat.",
		"I can't swim.":                  "Ana can't swim.",
		"I always run before breakfast.": "Ana always runs before breakfast.",
		"I sold my car.":                 "Ana sold Ana's car.",
		"My dog's name is Rex.":          "Ana's dog's name is Rex.",
		"Bram gave me a lamp.":           "Bram gave Ana a lamp.",
		"I think I broke it.":            "Ana thinks Ana broke it.",
		"I tried twice.":                 "Ana tried twice.",
		"I study law.":                   "Ana studies law.",
		"We moved.":                      "We moved.",
		"I'd rather walk.":               "Ana: I'd rather walk.",
		"I live here and work there.":    "Ana: I live here and work there.",
		"Bram and I live here.":          "Ana: Bram and I live here.",
		"I hurt myself.":                 "Ana: I hurt myself.",
		"I dunno.":                       "Ana: I dunno.",
		"I put it there.":                "Ana: I put it there.",
		`Bram said "I am late".`:         `Ana: Bram said "I am late".`,
		"Your dog is cute.":              "Ana: Your dog is cute.",
		"Love the colours.":              "Ana: Love the colours.",
		"Had my hair cut.":               "Ana: Had my hair cut.",
		"Can't wait!":                    "Ana: Can't wait!",
		"Run the tests.":                 "Ana: Run the tests.",
		"Am I late?":                     "Ana: Am I late?",
		"Mine is red.":                   "Ana: Mine is red.",
		"I":                              "Ana: I",
		"Ingrid is here.":                "Ingrid is here.",
	} {
		if got := inThirdPerson(text, "Ana"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := inThirdPerson(text, ""); got != text {
			t.Errorf("nobody: %q became %q", text, got)
		}
	}
}
