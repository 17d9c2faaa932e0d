package distil

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

// inSessions says the texts in each of n sessions.
func inSessions(n int, texts ...string) []Source {
	var all []string
	for range n {
		all = append(all, texts...)
	}
	out := told("", all...)
	for i := range out {
		out[i].Session = fmt.Sprint("s", i/len(texts))
	}
	return out
}

func TestProcedures(t *testing.T) {
	same := func(text string) []Source { return told("", text, text, text) }
	oneSession := same("Run the tests, then tag the release, then push the tag.")
	oneDay := same("Run the tests, then tag the release, then push the tag.")
	apart := told("", "I ran the tests.", "We tagged the release.", "I pushed the tag.", "I ran the tests.", "We tagged the release.", "I pushed the tag.", "Ran the tests.", "Tagged the release.", "Pushed the tag.")
	for i := range oneSession {
		oneSession[i].Session = "s"
	}
	for i := range oneDay {
		oneDay[i].At = said
	}
	for i := range apart {
		apart[i].Session = fmt.Sprint("s", i/3)
	}
	for _, c := range []struct {
		name    string
		sources []Source
		want    []string // texts
		from    []graph.ID
	}{
		{"nothing", nil, nil, nil},
		{"three days", same("Run the tests, then tag the release, then push the tag."), []string{"1. Run the tests. 2. Tag the release. 3. Push the tag."}, []graph.ID{"m0", "m1", "m2"}},
		{"in other words", told("", "Release:\n1. Run the tests\n2. Tag the release\n3. Push the tag", "I ran the tests, then tagged the release, and finally pushed the tag.", "run tests → tag release → push tag"),
			[]string{"Release: 1. Run tests. 2. Tag release. 3. Push tag."}, []graph.ID{"m0", "m1", "m2"}},
		{"two days are no habit", told("", "Run the tests, then tag the release, then push the tag.", "Run the tests, then tag the release, then push the tag."), nil, nil},
		{"one session is no habit", oneSession, nil, nil},
		{"nor one day", oneDay, nil, nil},
		{"over several sources of a session", apart, []string{"1. Ran the tests. 2. Tagged the release. 3. Pushed the tag."},
			[]graph.ID{"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"}},
		{"any verb after a word of order", inSessions(3, "I cleaned the cellar.", "Then I salted the hams.", "Then I hung them on the hooks."), []string{"1. Cleaned the cellar. 2. Salted the hams. 3. Hung them on the hooks."}, []graph.ID{"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"}},
		{"numbers in a line", same("Smoking: 1. salt the hams 2. hang the hams on the hooks 3. light the beech chips"), []string{"Smoking: 1. Salt the hams. 2. Hang the hams on the hooks. 3. Light the beech chips."}, []graph.ID{"m0", "m1", "m2"}},
		{"numbered sentences", same("1. Salt the hams. 2. Hang the hams on the hooks. 3. Light the beech chips."), []string{"1. Salt the hams. 2. Hang the hams on the hooks. 3. Light the beech chips."}, []graph.ID{"m0", "m1", "m2"}},
		{"other words before the steps", told("", "Salted the hams, then cleaned the hooks, then lit the beech chips.", "For the smoking I first salted the hams, then I cleaned the hooks and after that I lit the beech chips.", "Did the smoking: salted the hams -> cleaned the hooks -> lit the beech chips"),
			[]string{"Did the smoking: 1. Salted the hams. 2. Cleaned the hooks. 3. Lit the beech chips."}, []graph.ID{"m0", "m1", "m2"}},
		{"numbers in prose", same("Paragraph 1. The hams hang. We pay 2. Nobody counts 3. All is well."), nil, nil},
		{"what happened then", inSessions(3, "The fog was thick.", "Then it was raining.", "Then dinner was late."), nil, nil},
		{"another order", told("", "Run the tests, then tag the release, then push the tag.", "Tag the release, then run the tests, then push the tag.", "Push the tag, then run the tests, then tag the release."), nil, nil},
		{"another object", told("", "Run the tests, then tag the release, then push the tag.", "Run the tests, then tag the release, then push the branch.", "Run the tests, then tag the release, then push the docs."), nil, nil},
		{"a step not done", told("", "Run the tests, then tag the release, then push the tag.", "Run the tests, then tag the release, then don't push the tag.", "Run the tests, then tag the release, then push the tag."), nil, nil},
		{"what was done yesterday", same("I ran the tests, then tagged the release yesterday, then pushed the tag."), nil, nil},
		{"two steps are few", same("Run the tests, then push the tag."), nil, nil},
		{"the same again and again", same("Run the tests, then run the tests, then run the tests."), nil, nil},
		{"a longer one holds the shorter", same("Run the tests, then tag the release, then push the tag, then close the milestone."),
			[]string{"1. Run the tests. 2. Tag the release. 3. Push the tag. 4. Close the milestone."}, []graph.ID{"m0", "m1", "m2"}},
		{"no steps", same("The boat is red, then the boat was blue, then it was green."), nil, nil},
		{"a question", same("Run the tests, then tag the release, then push the tag?"), nil, nil},

		{"a rule", told("", "Always run the linter before you push.", "Well, always run the linter before you push!", "Always run the linter before you push."),
			[]string{"Always run the linter before you push."}, []graph.ID{"m0", "m1", "m2"}},
		{"a habit", told("Ana", "I always water the ferns every Monday.", "I always water the ferns every Monday.", "Ana always waters the ferns every Monday."),
			[]string{"Ana always waters the ferns every Monday."}, []graph.ID{"m0", "m1", "m2"}},
		{"other people's habits", append(told("Ana", "I always water the ferns."), append(told("Bo", "I always water the ferns.")[:1:1], Source{ID: "x", Text: "I always water the ferns.", Speaker: "Cy", At: said.AddDate(0, 0, 9)})...), nil, nil},
		{"said twice", told("", "Always run the linter before you push.", "Always run the linter before you push.", "Lunch was good."), nil, nil},
		{"never is not always", told("", "Always share the key.", "Never share the key.", "Always share the key."), nil, nil},
		{"a wish", same("Maybe we should always run the linter first."), nil, nil},
		{"another number", told("", "Always wait 5 minutes before you push.", "Always wait 6 minutes before you push.", "Always wait 7 minutes before you push."), nil, nil},
		{"a promise", told("Ana", "I'll make sure to keep you posted.", "I'll make sure to keep you posted.", "I'll make sure to keep you posted."), nil, nil},
		{"no rule", same("The linter found nothing."), nil, nil},
		{"it leans on another", same("The linter is strict. It always fails before lunch on the server."), nil, nil},
	} {
		var texts []string
		var from []graph.ID
		for _, p := range Procedures(c.sources) {
			texts, from = append(texts, p.Text), append(from, p.Sources...)
		}
		if !slices.Equal(texts, c.want) || !slices.Equal(from, c.from) {
			t.Errorf("%s: %q from %v, want %q from %v", c.name, texts, from, c.want, c.from)
		}
	}
}

func TestTriggers(t *testing.T) {
	for text, want := range map[string]string{
		"Whenever the alarm rings, close the valve.": "Whenever the alarm rings",
		"Close the valve whenever the alarm rings.":  "whenever the alarm rings",
		"Every time it rains, check the roof.":       "Every time it rains",
		"Never share the key.":                       "",
		"Before":                                     "",
		"Water the ferns every Monday.":              "",
		"Release steps":                              "",
	} {
		if got := triggerOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	in := told("", "When the alarm rings:\n1. Close the valve\n2. Check the gauge\n3. Call the harbour", "Closed the valve -> checked the gauge -> called the harbour.", "Close the valve -> check the gauge -> call the harbour")
	p := Procedures(in)
	if len(p) != 1 || p[0].Trigger != "When the alarm rings" || p[0].Name != "When the alarm rings" || len(p[0].Steps) != 3 {
		t.Errorf("%+v", p)
	}
}

func TestLemma(t *testing.T) {
	for word, want := range map[string]string{
		"run": "run", "ran": "run", "running": "run", "runs": "run", "tagged": "tag", "merged": "merge", "merging": "merge", "pushes": "push", "dried": "dry", "tests": "test",
		"boiled": "boil", "boat": "boat", "ed": "ed", "s": "s", "": "", "red": "red", "sanded": "sand", "put": "put",
	} {
		if got := baseForm(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// For any texts, the steps of a procedure occur in the sources, on enough occasions.
func TestProceduresAreSeen(t *testing.T) {
	acts := []string{"Run the tests", "Tag the release", "Push the tag", "Close the milestone", "Call the harbour"}
	told := append([]string{"Run the migration", "Restart the workers", "Clear the queue"}, acts...) // with those of the corpus
	rapid.Check(t, func(t *rapid.T) {
		in := sources(t)
		for i := range in {
			var steps []string
			for range rapid.IntRange(0, 5).Draw(t, "steps") {
				steps = append(steps, rapid.SampledFrom(acts).Draw(t, "act"))
			}
			if len(steps) > 0 {
				in[i].Text = strings.Join(steps, " → ")
			}
		}
		got := Procedures(in)
		for _, p := range got {
			occasions := map[string]bool{}
			for _, s := range in {
				if slices.Contains(p.Sources, s.ID) {
					occasions[occasionOf(s)] = true
				}
			}
			if len(occasions) < Repeats || p.Name == "" || p.Text == "" || !slices.IsSorted(p.Sources) {
				t.Fatalf("%+v on %d occasions", p, len(occasions))
			}
			for _, step := range p.Steps {
				if len(p.Steps) > 1 && !slices.Contains(told, step) {
					t.Fatalf("nobody does %q", step)
				}
			}
		}
		if other := Procedures(moved(t, in)); !reflect.DeepEqual(other, got) {
			t.Fatalf("in another order %+v, was %+v", other, got)
		}
	})
}
