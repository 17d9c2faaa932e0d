package distil

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

// daily returns one source a day from 3 March 2026; an empty text skips a day.
func daily(texts ...string) []Source {
	var all []Source
	for i, text := range texts {
		if text != "" {
			all = append(all, Source{ID: graph.ID(fmt.Sprintf("m%02d", i)), Text: text, At: time.Date(2026, 3, 3+i, 9, 0, 0, 0, time.UTC), Session: fmt.Sprint(i)})
		}
	}
	return all
}

func foldTexts(folds []Fold) []string {
	var all []string
	for _, f := range folds {
		all = append(all, f.Text)
	}
	return all
}

func TestFolds(t *testing.T) {
	const blocked = "Standup: the Atlas migration is blocked."
	for name, c := range map[string]struct {
		texts []string
		want  []string
	}{
		"the same": {
			[]string{"I watered the ferns.", "", "I watered the ferns again.", "Watered the ferns today."},
			[]string{"3 times from 3 to 6 March: Watered the ferns."},
		},
		"a label and a change": {
			[]string{blocked, blocked, "Standup: the Atlas migration is still blocked.", "", blocked, "", "Standup: the Atlas migration is unblocked."},
			[]string{"Standup, 5 times from 3 to 9 March: the Atlas migration was blocked until 7 March, unblocked on 9 March."},
		},
		"nothing new": {
			[]string{blocked, "Standup: Atlas migration still blocked", "Standup: nothing new, the Atlas migration is blocked", "Standup: the Atlas migration is blocked as before"},
			[]string{"Standup, 4 times from 3 to 6 March: the Atlas migration is blocked."},
		},
		"as before is no end": {
			[]string{"The press stops as before a frost warning.", "The press stops as before a frost warning."},
			[]string{"Twice from 3 to 4 March: The press stops as before a frost warning."},
		},
		"further sentences": {
			[]string{blocked, blocked, blocked + " Ana is on leave."},
			[]string{"Standup, 3 times from 3 to 5 March: the Atlas migration is blocked. Ana is on leave (5 March)."},
		},
		"numbers in order": {
			[]string{"Ran 5 km in the park this morning.", "I ran 6 km in the park.", "Ran 5 km in the park today."},
			[]string{"3 times from 3 to 5 March: Ran 5, 6 and 5 km in the park."},
		},
		"a numbered label": {
			[]string{"Weekly sync 1: the budget is on track.", "Weekly sync 2: the budget is on track.", "Weekly sync 3: the budget is on track."},
			[]string{"Weekly sync 1, 2 and 3, 3 times from 3 to 5 March: the budget is on track."},
		},
		"times of day and dates": {
			[]string{"Took the blood pressure pill at 8 am.", "Took my blood pressure pill at 9 am."},
			[]string{"Twice from 3 to 4 March: Took my blood pressure pill at 8 am and 9 am."},
		},
		"alternating values": {
			[]string{"I had soup for lunch.", "I had pasta for lunch.", "I had soup for lunch.", "I had pasta for lunch."},
			[]string{"4 times from 3 to 6 March: I had soup (twice) and pasta (twice) for lunch."},
		},
		"two places keep their order": {
			[]string{"Marta lifted 20 kilos in the gym.", "Tobias lifted 30 kilos in the gym.", "Marta lifted 25 kilos in the gym.", "Tobias lifted 35 kilos in the gym."},
			[]string{"4 times from 3 to 6 March: Marta, Tobias, Marta and Tobias lifted 20, 30, 25 and 35 kilos in the gym."},
		},
		"a negation is no repetition": {
			[]string{"I paid the rent of 900 euros.", "I did not pay the rent of 900 euros."}, nil,
		},
		"other things are no repetition": {
			[]string{"Marta checked the Kestrel outboard and found 12 worn bearings.", "Marta checked the Belvedere lift and found 13 worn bearings."}, nil,
		},
		"questions and vague times": {
			[]string{"Is the build green?", "Is the build green?", "The build broke on the 5th or so.", "It was late.", "It was late."}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := foldTexts(Folds(daily(c.texts...))); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestFoldNamesItsOccurrences(t *testing.T) {
	in := daily("The night watch saw nothing.", "", "The night watch saw nothing.", "A whale passed the harbour.")
	folds := Folds(in)
	if len(folds) != 1 || !slices.Equal(folds[0].IDs(), []graph.ID{"m00", "m02"}) || !folds[0].Occurrences[1].At.Equal(in[1].At) {
		t.Fatalf("%+v", folds)
	}
	if f := folds[0]; f.Differs || f.Numbered || !f.Whole || f.Words != len(strings.Fields(f.Text)) {
		t.Errorf("%+v", f)
	}
	if f := Folds(daily("Sync 1: the build is green.", "Sync 2: the build is green.")); len(f) != 1 || f[0].Differs || !f[0].Numbered {
		t.Errorf("%+v", f)
	}
	if f := Folds(daily("Sync: 4 builds are green.", "Sync: 5 builds are green.")); len(f) != 1 || !f[0].Differs || f[0].Numbered {
		t.Errorf("%+v", f)
	}
}

func TestASpanOverYearsNamesThem(t *testing.T) {
	at := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 9, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		s    span
		want string
	}{
		{span{at(2026, 3, 3), at(2026, 3, 3)}, "on 3 March"},
		{span{at(2026, 2, 28), at(2026, 3, 3)}, "from 28 February to 3 March"},
		{span{at(2025, 12, 30), at(2026, 1, 2)}, "from 30 December 2025 to 2 January 2026"},
	} {
		if got := c.s.text(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A fold holds every subject, number, date and name of its sources, is bounded, and does not
// depend on the order of the sources.
func TestFoldsLoseNoFact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in []Source
		for i := range rapid.IntRange(0, 40).Draw(t, "n") {
			in = append(in, Source{
				ID: graph.ID(fmt.Sprintf("m%03d", i)), At: said.Add(time.Duration(rapid.IntRange(0, 400).Draw(t, "hours")) * time.Hour), Session: fmt.Sprint(i),
				Text: rapid.StringMatching(`(Standup: |)(Marta|Tobias|We) (checked|met|did not check) (the pump|the valve of the Tarn well|Leonie)( on [1-9] May| yesterday| today|) and (saw [0-9]{1,3} (bar|percent)|was late)\.( The bus was (red|late)\.|)`).Draw(t, "text"),
			})
		}
		folds := Folds(in)
		shuffled := slices.Clone(in)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if again := foldTexts(Folds(shuffled)); !slices.Equal(again, foldTexts(folds)) {
			t.Fatalf("another order: %q, %q", again, foldTexts(folds))
		}
		seen := map[graph.ID]bool{}
		for _, f := range folds {
			if f.Words > MaxWords || len(f.Occurrences) < 2 || len(f.Occurrences) > MaxOccurrences {
				t.Fatalf("%+v", f)
			}
			for _, o := range f.Occurrences {
				if seen[o.ID] {
					t.Fatalf("%s is in two folds", o.ID)
				}
				seen[o.ID] = true
				s := in[slices.IndexFunc(in, func(s Source) bool { return s.ID == o.ID })]
				for _, fact := range missing(read(Source{Text: f.Text}), KeyFacts(s)) {
					if fact.Kind != Date || fact.Canonical != s.At.UTC().Format(dayForm) {
						t.Fatalf("%q loses %+v of %q", f.Text, fact, s.Text)
					}
				}
			}
		}
	})
}

// A sentence that only says who said the others is in no summary, unless it has a name.
func TestWhoSaidItIsNoLineOfASummary(t *testing.T) {
	day := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	told := func(ending string) []Source {
		return []Source{{ID: "a", At: day, Text: "The vault was locked at nine. " + ending}, {ID: "b", At: day.AddDate(0, 0, 1), Text: "The vault was locked at ten. " + ending}}
	}
	for ending, stays := range map[string]bool{"As the owner said.": false, "As she told us before.": false, "As Mara said.": true, "As the owner said, it is old.": true} {
		folds := Folds(told(ending))
		if len(folds) > 1 || len(folds) == 0 && !stays {
			t.Errorf("%s %d folds", ending, len(folds))
		}
		for _, f := range folds {
			if strings.Contains(f.Text, "said") != stays {
				t.Errorf("%s %q", ending, f.Text)
			}
		}
		s := Distil(told(ending))
		if got := strings.Contains(s.Text, "As "); got != stays || !s.Sources[0].Covered {
			t.Errorf("%s %+v", ending, s)
		}
	}
	if s := Distil([]Source{{ID: "a", Text: "As the owner said."}}); s.Text != "As the owner said." {
		t.Errorf("a source with nothing else: %+v", s)
	}
}

// A fold says the sentences of its sources in their order.
func TestFoldKeepsTheOrderOfSentences(t *testing.T) {
	const text = "I exported the ledger. Afterwards I reconciled the accounts. Finally I mailed the summary to Hanna."
	var in []Source
	for i := range 3 {
		in = append(in, Source{ID: graph.ID(fmt.Sprint(i)), Text: text, At: said.Add(time.Duration(i) * 24 * time.Hour)})
	}
	folds := Folds(in)
	if len(folds) != 1 || !strings.HasSuffix(folds[0].Text, text) {
		t.Errorf("%+v", folds)
	}
}
