package distil

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
)

// told makes sources of equal weight, a day apart.
func told(speaker string, texts ...string) []Source {
	var out []Source
	for i, text := range texts {
		out = append(out, Source{ID: graph.ID(fmt.Sprintf("m%d", i)), Text: text, At: said.AddDate(0, 0, i), Speaker: speaker, Weight: 1})
	}
	return out
}

func covered(s Summary) string {
	out := ""
	for _, c := range s.Sources {
		if c.Covered {
			out += "+"
		} else {
			out += "-"
		}
	}
	return out
}

func TestDistil(t *testing.T) {
	for _, c := range []struct {
		name          string
		sources       []Source
		text, covered string
		subject       string
	}{
		{"nothing", nil, "", "", ""},
		{"one is as it is", told("Ana", "Hey! I left  yesterday."), "Hey! I left  yesterday.", "+", ""},
		{"small talk goes", told("", "Hi Bram! The boat is sold. Thanks!", "How are you? The mast is broken."), "The boat is sold. The mast is broken.", "++", ""},
		{"only small talk", told("", "Hi Bram!", "Thanks!"), "", "++", ""},
		{"the same once", told("", "The boat costs 900 euros.", "Well, the boat costs 900 euros!", "The boat has a new mast."),
			"The boat costs 900 euros. The boat has a new mast.", "+++", "boat"},
		{"another number is another thing", told("", "The boat costs 900 euros.", "The boat costs 950 euros."), "The boat costs 900 euros. The boat costs 950 euros.", "++", "boat"},
		{"a denial is another thing", told("", "Bram eats walnuts.", "Bram doesn't eat walnuts."), "Bram eats walnuts. Bram doesn't eat walnuts.", "++", ""},
		{"so is what is asked", told("", "Bram eats walnuts.", "Bram eats 3 walnuts?"), "Bram eats walnuts. Bram eats 3 walnuts?", "++", ""},
		{"and who did it to whom", told("", "Ana owes Bram 20 euros.", "Bram owes Ana 20 euros."), "Ana owes Bram 20 euros. Bram owes Ana 20 euros.", "++", ""},
		{"what was is not what is", told("", "Ana has a boat.", "Ana had a boat.", "The key is in the pot.", "The key is on the pot."),
			"Ana has a boat. Ana had a boat. The key is in the pot. The key is on the pot.", "++++", ""},
		{"it is not it", told("", "The gym is new. It costs 40 euros.", "The class is new. It costs 40 euros.", "The gym is new. It costs 40 euros."),
			"The gym is new. It costs 40 euros. The class is new. It costs 40 euros.", "+++", ""},
		{"said in other words", told("", "Ana lives in Graz.", "Ana moved to Graz.", "Ana is allergic to walnuts."), "Ana lives in Graz. Ana is allergic to walnuts.", "+++", "Ana"},
		{"by time", []Source{{ID: "b", Text: "The mast broke.", At: said.AddDate(0, 0, 3)}, {ID: "a", Text: "The boat sank.", At: said}}, "The boat sank. The mast broke.", "++", ""},
		{"who and when", told("Mara", "I signed up for the class yesterday.", "My bowl cracked last night."),
			"Mara signed up for the class on 2 March 2026. Mara's bowl cracked on the night of 3 March 2026.", "++", ""},
		{"a time that nobody can tell", told("", "The launch is on Friday.", "The budget is 900 euros.", "The budget is not approved."), "The budget is 900 euros. The budget is not approved.", "-++", ""},
		{"what leans on another stays with it", told("", "Kenji bought a kayak. It leaks.", "Kenji sold the canoe."), "Kenji bought a kayak. It leaks. Kenji sold the canoe.", "++", ""},
		{"nobody knows who she is", told("", "She sold the boat in 2024. The mast is new.", "Ana moved to Graz.", "Ana sails with Bram. He steers."),
			"Ana moved to Graz. Ana sails with Bram. He steers.", "-++", ""},
		{"it may be nobody", told("", "It turned out that the mast is rotten.", "This week the harbour is closed."), "It turned out that the mast is rotten. In the week of 2 March 2026 the harbour is closed.", "++", ""},
		{"code is not touched", told("", "Restart it so:\n```\nsystemctl  restart heron\n```", "The Heron host has 2 disks."), "Restart it so:\n```\nsystemctl  restart heron\n``` The Heron host has 2 disks.", "++", ""},
		{"lists", told("", "Bring:\n- 3 ropes\n- the blue sail", "The sail is torn."), "Bring: - 3 ropes. - the blue sail. The sail is torn.", "++", ""},
	} {
		got := Distil(c.sources)
		if got.Text != c.text || covered(got) != c.covered || got.Subject != c.subject {
			t.Errorf("%s: %q %s about %q, want %q %s about %q", c.name, got.Text, covered(got), got.Subject, c.text, c.covered, c.subject)
		}
		if got.Words != len(strings.Fields(got.Text)) {
			t.Errorf("%s: %d words", c.name, got.Words)
		}
	}
}

// Over the budget the sources of the highest weight are covered, the others are reported as lost.
func TestDistilKeepsItsBudget(t *testing.T) {
	var in []Source
	for i := range 30 {
		in = append(in, Source{ID: graph.ID(fmt.Sprintf("m%02d", i)), At: said.AddDate(0, 0, i), Weight: float64(i%3) / 2,
			Text: fmt.Sprintf("On site %d the crew measured a depth of %d metres, and the chief signed sheet %d before the tide came in again.", i, 100+i, 500+i)})
	}
	got := Distil(in)
	if got.Words > MaxWords || got.Words < MaxWords-25 {
		t.Errorf("%d words", got.Words)
	}
	for i, c := range got.Sources {
		if c.Covered && i%3 != 2 {
			t.Errorf("%s of weight %v is in, a heavier one may not be", c.ID, in[i].Weight)
		}
		if !c.Covered && len(c.Lost) < 4 {
			t.Errorf("%s has lost only %v", c.ID, c.Lost)
		}
	}
}

// A source longer than the budget is not covered; its best sentences are used.
func TestLongSources(t *testing.T) {
	long := func(what string) string {
		var b strings.Builder
		for i := range 40 {
			fmt.Fprintf(&b, "The %s log of day %d shows %d faults. ", what, i+1, 7*i)
		}
		return b.String()
	}
	got := Distil(told("", long("pump"), long("valve")))
	if covered(got) != "--" || got.Words > MaxWords || got.Words < MaxWords-10 {
		t.Errorf("%s, %d words", covered(got), got.Words)
	}
}

// A summary says nothing that no source says, it says all that is reported as covered, and the
// order of the sources makes no difference.
func TestSummariesAreTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := sources(t)
		got := Distil(in)
		if len(in) == 1 {
			if got.Text != in[0].Text || !got.Sources[0].Covered {
				t.Fatalf("one source became %q", got.Text)
			}
			return
		}
		if got.Words > MaxWords || got.Words != len(strings.Fields(got.Text)) || len(got.Sources) != len(in) {
			t.Fatalf("%d words, %d sources", got.Words, len(got.Sources))
		}
		var facts []Fact
		words := map[string]bool{"on": true, "in": true, "around": true, "between": true, "and": true, "the": true, "of": true, "night": true, "week": true, "is": true, "has": true, "will": true, "does": true}
		for _, s := range in {
			facts = append(facts, KeyFacts(s)...)
			for w := range strings.FieldsSeq(extract.Canonical(s.Text + " " + s.Speaker)) {
				words[w] = true
			}
			for _, w := range wordsOf(s.Text) {
				words[extract.Canonical(thirdPersonForms[w.Low])] = true
			}
		}
		for _, f := range KeyFacts(Source{Text: got.Text}) {
			if !slices.ContainsFunc(facts, f.same) && (f.Kind == Number || f.Kind == Date) {
				t.Fatalf("nobody said %v of %q", f, got.Text)
			}
		}
		for _, x := range read(Source{Text: got.Text}) {
			dates := timesIn(x.text, time.Time{})
			for _, w := range wordsOf(x.text) {
				if slices.ContainsFunc(dates, func(d timeExpression) bool { return w.Start >= d.start && w.End <= d.end }) {
					continue // checked above
				}
				for part := range strings.FieldsSeq(extract.Canonical(w.Text)) {
					if !words[part] {
						t.Fatalf("nobody said %q of %q", part, x.text)
					}
				}
			}
		}
		byID := map[graph.ID]Source{}
		for _, s := range in {
			byID[s.ID] = s
		}
		for _, c := range got.Sources {
			missing := Missing(got.Text, KeyFacts(byID[c.ID]))
			if c.Covered && len(missing) > 0 {
				t.Fatalf("%s is covered without %v in %q", c.ID, short(missing), got.Text)
			}
			if c.Covered != (len(c.Lost) == 0) {
				t.Fatalf("%s: covered %v, lost %v", c.ID, c.Covered, c.Lost)
			}
		}
		if other := Distil(moved(t, in)); !reflect.DeepEqual(other, got) {
			t.Fatalf("in another order %q, was %q", other.Text, got.Text)
		}
	})
}

// For any text, reading ends and the limits hold.
func TestAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in []Source
		for i := range rapid.IntRange(2, 5).Draw(t, "n") {
			in = append(in, Source{ID: graph.ID(fmt.Sprint(i)), Text: rapid.String().Draw(t, "text"), Speaker: rapid.String().Draw(t, "speaker"), At: said})
		}
		if got := Distil(in); got.Words > MaxWords || len(strings.Fields(got.Text)) != got.Words {
			t.Fatalf("%d words in %q", got.Words, got.Text)
		}
		Project("x", said, in)
		Procedures(in)
	})
}
