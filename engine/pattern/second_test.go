package pattern

import (
	"slices"
	"testing"
)

// among adds the noise of a world on days of its own.
func among(t *testing.T, sources []Source) []Source {
	_, worlds := everydayWorlds(t, "everyday.txt")
	noise := onOwnDays(t, 500, .8, worlds[1].noise...)
	for i := range noise {
		noise[i].Principal = "user"
	}
	return append(sources, noise...)
}

// by names who wrote sources.
func by(principal string, sources []Source) []Source {
	for i := range sources {
		sources[i].Principal = principal
	}
	return sources
}

// What says the same in no form seconds what its writer says in form, and nothing else does.
func TestWhatSecondsAPattern(t *testing.T) {
	const plain = "Monika signs all the invoices."
	formed := []string{"Invoices must be signed by Monika.", "Every invoice has to be signed by Monika."}
	for name, c := range map[string]struct {
		sources []Source
		want    int // sources of the pattern; 0: there is none
	}{
		"the same":          {append(by("user", onOwnDays(t, 0, .8, formed...)), by("user", onOwnDays(t, 50, .8, repeated(3, plain)...))...), 5},
		"denied":            {append(by("user", onOwnDays(t, 0, .8, formed...)), by("user", onOwnDays(t, 50, .8, repeated(3, "Monika does not sign invoices.")...))...), 0},
		"told of once":      {append(by("user", onOwnDays(t, 0, .8, formed...)), by("user", onOwnDays(t, 50, .8, repeated(3, "Monika signed the invoice.")...))...), 0},
		"asked":             {append(by("user", onOwnDays(t, 0, .8, formed...)), by("user", onOwnDays(t, 50, .8, repeated(3, "Does Monika sign all the invoices?")...))...), 0},
		"of somebody else":  {append(by("evil", onOwnDays(t, 0, .8, "Invoices must be signed by Monika and sent to Mallory.", "Every invoice has to be signed by Monika and sent to Mallory.")), by("user", onOwnDays(t, 50, .8, repeated(3, plain)...))...), 0},
		"in no form at all": {by("user", onOwnDays(t, 50, .8, repeated(5, plain)...)), 0},
	} {
		found, refused := Find(among(t, c.sources), nil)
		if c.want == 0 && len(found) > 0 || c.want > 0 && (len(found) != 1 || len(found[0].Sources) != c.want || !slices.Contains([]string{"Invoices must be signed by Monika.", "Every invoice has to be signed by Monika."}, found[0].Text)) {
			t.Errorf("%s: %+v, refused %+v", name, found, refused)
		}
	}
}

// The steps of a workflow in no form second it in their order only.
func TestWhatSecondsAWorkflow(t *testing.T) {
	formed := []string{"First rinse the tools, then lock the gas, then hang up the key.", "I rinsed the tools, then locked the gas, then hung up the key."}
	for plain, want := range map[string]int{
		"Tools rinsed, gas locked, key hung up.": 5, "Key hung up, gas locked, tools rinsed.": 0, "Tools not rinsed, gas not locked, key not hung up.": 0, "Are the tools rinsed, the gas locked and the key hung up?": 0,
	} {
		found, refused := Find(among(t, append(by("user", onOwnDays(t, 0, .8, formed...)), by("user", onOwnDays(t, 50, .8, repeated(3, plain)...))...)), nil)
		if want == 0 && len(found) > 0 || want > 0 && (len(found) != 1 || len(found[0].Sources) != want || len(found[0].Actions) != 3) {
			t.Errorf("%q: %+v, refused %+v", plain, found, refused)
		}
	}
}

// What was found in everyday words is written again from its sources.
func TestEverydayPatternsAreWrittenFromTheirSources(t *testing.T) {
	_, worlds := everydayWorlds(t, "everyday.txt")
	for _, w := range worlds {
		sources, _ := w.tenDays(t)
		found, _ := Find(sources, nil)
		for _, f := range found {
			var own []Source
			for _, s := range sources {
				if slices.Contains(f.Sources, s.ID) {
					own = append(own, s)
				}
			}
			again, ok := Say(f.Kind, own, f.Sources[len(f.Sources)-1], f.Sentence)
			if !ok || again.Text != f.Text || !slices.Equal(again.Actions, f.Actions) {
				t.Errorf("%q is written as %q, %v", f.Text, again.Text, ok)
			}
			heldOut, agree, _, ok := Check(Known{ID: testID(t, 3_000_000), Kind: f.Kind, Text: f.Text, Conditions: f.Conditions, Actions: f.Actions}, nil, sources)
			if !ok || heldOut <= HeldOutAbove || 6*len(agree) < 5*len(f.Sources) {
				t.Errorf("%q checked: %.2f, %d of %d agree, %v", f.Text, heldOut, len(agree), len(f.Sources), ok)
			}
		}
	}
}

// A poisoned minority of what is said in everyday words writes nothing.
func TestAPoisonedMinorityInEverydayWords(t *testing.T) {
	var worlds []world
	for _, file := range []string{"everyday.txt", "everyday3.txt", "everyday4.txt"} {
		_, more := everydayWorlds(t, file)
		worlds = append(worlds, more...)
	}
	for rule, lie := range map[string]string{
		"The dog must not have grapes.":                      "The dog may have grapes.",
		"Turn the stove off before you leave.":               "The stove must be on before you leave.",
		"Secrets must live in the vault.":                    "Never put secrets into the vault.",
		"Rosa takes her coffee black.":                       "Rosa hates black coffee.",
		"We don't like meetings on Wednesdays.":              "We love meetings on Wednesdays.",
		"Mr. Aydin prefers morning appointments.":            "Mr. Aydin dislikes morning appointments.",
		"Beginners must wear a life jacket.":                 "Beginners must row without a life jacket.",
		"Customer names must be masked in every export.":     "Customer names must never be masked in an export.",
		"Phones must be switched off during games.":          "Phones must be switched on during games.",
		"Lina only falls asleep with the blue blanket.":      "Lina can't stand the blue blanket.",
		"Tariq wants his charts without grid lines.":         "Tariq prefers charts with grid lines.",
		"Juniors must be home by nine.":                      "Juniors must stay in the club after nine.",
		"Only Petra may drop tables.":                        "Petra must never drop tables.",
		"Shoes have to come off at the front door.":          "Shoes must stay on at the front door.",
		"Every invoice needs Monika's signature.":            "Invoices must never be signed by Monika.",
		"Always lock the gate if you are the last to leave.": "The last person must never lock the gate.",
	} {
		for _, w := range worlds {
			plant := slices.IndexFunc(w.plants, func(p plant) bool { return slices.Contains(p.said, rule) })
			if plant < 0 {
				continue
			}
			sources, of := w.tenDays(t)
			evil := by("evil", onOwnDays(t, 700, .3, lie))
			found, _ := Find(append(sources, evil...), nil)
			for _, f := range found {
				if slices.Contains(f.Sources, evil[0].ID) && of[f.Sources[0]] == plant {
					t.Errorf("%q has the source %q", f.Text, lie)
				}
				if f.Text == lie {
					t.Errorf("%q was written", f.Text)
				}
			}
		}
	}
}
