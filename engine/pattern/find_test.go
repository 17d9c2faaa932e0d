package pattern

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

// sourcesOf makes sources of one mature cluster.
func sourcesOf(t testing.TB, from int, texts ...string) []Source {
	t.Helper()
	var out []Source
	for i, text := range texts {
		out = append(out, Source{ID: testID(t, from+i), Text: text, At: testStart, Cluster: testID(t, 2_000_000), Mature: true})
	}
	return out
}

func repeated(n int, texts ...string) []string {
	var out []string
	for i := range n {
		out = append(out, texts[i%len(texts)])
	}
	return out
}

var (
	windLimit  = []string{"The winch must never run above 12 knots of wind.", "Never run the winch above 12 knots of wind.", "The winch must not be run in winds over 12 knots."}
	otherLimit = []string{"The winch may run at up to 25 knots of wind.", "The winch must not run above 25 knots of wind."}
)

// said returns the texts of patterns.
func said(all []Found) []string {
	var out []string
	for _, f := range all {
		out = append(out, f.Text)
	}
	return out
}

func TestSmallMinorityMakesNoPattern(t *testing.T) {
	for poison := range 4 {
		sources := append(sourcesOf(t, 0, repeated(17, windLimit...)...), sourcesOf(t, 100, repeated(poison, otherLimit...)...)...)
		got, _ := Find(sources, nil)
		if len(got) != 1 || !strings.Contains(got[0].Text, "12 knots") || len(got[0].Against) != poison {
			t.Errorf("%d against 17: %q, against %d", poison, said(got), len(got[0].Against))
		}
	}
}

// A number that says of what a demand is, and no limit, leaves the demand and its denial opposed.
func TestDenialOfADemandWithANumberIsNoSource(t *testing.T) {
	demand := []string{"Refunds above 500 euros must be approved by the auditor.", "Every refund above 500 euros must be approved by the auditor."}
	denial := []string{"Ada claims that refunds above 500 euros must not be approved by the auditor."}
	sources := append(sourcesOf(t, 0, repeated(17, demand...)...), sourcesOf(t, 100, repeated(3, denial...)...)...)
	got, _ := Find(sources, nil)
	if len(got) != 1 || len(got[0].Sources) != 17 || len(got[0].Against) != 3 || strings.Contains(got[0].Text, "not") {
		t.Fatalf("%q, %+v; want 17 sources and 3 against", said(got), got)
	}
	sources = append(sourcesOf(t, 0, repeated(12, demand...)...), sourcesOf(t, 100, repeated(8, denial...)...)...)
	if got, refused := Find(sources, nil); len(got) != 0 || len(refused) == 0 {
		t.Errorf("8 against 12: %q, refused %+v", said(got), refused)
	}
	both := append(sourcesOf(t, 0, repeated(6, "The tank must hold at least 40 litres.")...), sourcesOf(t, 100, repeated(6, "The tank must hold at most 90 litres.")...)...)
	if got, refused := Find(both, nil); len(got) == 0 {
		t.Errorf("a lower and an upper bound: %q, refused %+v", said(got), refused)
	}
}

// Who says it behind the sentence is no part of the pattern, and makes no second one.
func TestWhoSaysItIsNoPartOfAPattern(t *testing.T) {
	for _, texts := range [][]string{
		append(repeated(13, "When the feed pump runs dry, the burner trips.", "Whenever the feed pump runs dry, the burner trips."), repeated(8, "If the feed pump runs dry, the burner trips, Cleo warns.", "If the feed pump runs dry, the burner trips, as Ben warned us.")...),
		append(repeated(13, "Refunds above 500 euros must be approved by the auditor.", "Every refund above 500 euros must be approved by the auditor."), repeated(8, "As Dora keeps saying, refunds above 500 euros must be approved by the auditor.", "As she said, refunds above 500 euros must be approved by the auditor.")...),
	} {
		got, refused := Find(sourcesOf(t, 0, texts...), nil)
		if len(got) != 1 || len(got[0].Sources) != len(texts) {
			t.Errorf("%q, %+v, refused %+v", said(got), got, refused)
		}
	}
	for _, text := range []string{"As the owner said, the vault must be locked at night.", "As the owner said: the vault must be locked at night.", "The vault must be locked at night, as the owner said.", "The vault must be locked at night. As the owner said."} {
		if got, _ := Find(sourcesOf(t, 0, repeated(8, text)...), nil); len(got) != 1 || got[0].Text != "The vault must be locked at night." {
			t.Errorf("%q: %+v", text, got)
		}
	}
	for _, text := range []string{"As the owner said. First lock the vault, then check the alarm.", "As the owner said, first lock the vault, then check the alarm.", "As the owner told us: first lock the vault, then check the alarm."} {
		if got, _ := Find(sourcesOf(t, 0, repeated(8, text)...), nil); len(got) != 1 || got[0].Text != "First lock the vault, then check the alarm." || len(got[0].Conditions) != 0 {
			t.Errorf("%q: %+v", text, got)
		}
	}
	if got, _ := Find(sourcesOf(t, 0, repeated(8, "When the pressure drops, the gauge must warn us.")...), nil); len(got) != 1 || !strings.Contains(got[0].Text, "the gauge must warn us") {
		t.Errorf("what a thing does is part of it: %+v", got)
	}
	got, _ := Find(sourcesOf(t, 0, repeated(8, "If the feed pump runs dry, the burner trips, Cleo warns.", "If the feed pump runs dry, the burner trips, Ada said.")...), nil)
	if len(got) != 1 || got[0].Text != "If the feed pump runs dry, the burner trips." || !slices.Equal(got[0].Actions, []string{"the burner trips"}) {
		t.Errorf("%+v", got)
	}
}

// What somebody prefers instead is against a preference, in any form of words.
func TestTheOtherChoiceIsNoSourceOfAPreference(t *testing.T) {
	one := []string{"Ana prefers window seats on trains.", "Nils noted that Ana prefers window seats on trains.", "Ana prefers a seat at the window on trains.", "On trains Ana would rather have a window seat."}
	other := []string{"Ana prefers aisle seats on trains.", "Ana prefers a seat at the aisle on trains."}
	got, _ := Find(append(sourcesOf(t, 0, repeated(22, one...)...), sourcesOf(t, 100, repeated(4, other...)...)...), nil)
	if len(got) != 1 || len(got[0].Sources) != 22 || len(got[0].Against) != 4 || !strings.Contains(got[0].Text, "window") {
		t.Errorf("22 and 4: %q, %+v", said(got), got)
	}
	got, refused := Find(append(sourcesOf(t, 0, repeated(13, one...)...), sourcesOf(t, 100, repeated(13, other...)...)...), nil)
	if !isConflict(got) {
		t.Errorf("13 and 13: %q, refused %+v", said(got), refused)
	}
	modes := append(sourcesOf(t, 0, repeated(14, "Mira prefers dark mode in the editor.", "Mira favours dark mode.")...), sourcesOf(t, 100, repeated(12, "Mira prefers light mode in the editor.")...)...)
	if got, _ := Find(modes, nil); !isConflict(got) {
		t.Errorf("dark and light mode: %q", said(got))
	}
	// One may like both.
	likes := append(sourcesOf(t, 0, repeated(12, "Ana likes tea in the morning.")...), sourcesOf(t, 100, repeated(12, "Ana likes coffee in the morning.")...)...)
	got, _ = Find(likes, nil)
	for _, f := range got {
		if len(f.Sources) != 12 || len(f.Against) != 0 {
			t.Errorf("tea and coffee: %q of %d, against %d", f.Text, len(f.Sources), len(f.Against))
		}
	}
	if len(got) != 2 {
		t.Errorf("tea and coffee: %q", said(got))
	}
}

// A longer name of one thing is no other choice.
func TestALongerNameIsASourceOfAPreference(t *testing.T) {
	texts := repeated(20, "Mara prefers dark roast coffee in the office kitchen.", "In the office kitchen Mara would rather have dark coffee than tea.", "Mara prefers a dark roast in the kitchen at work.", "Mara prefers dark roast coffee to light roast coffee.")
	if got, refused := Find(sourcesOf(t, 0, texts...), nil); len(got) != 1 || len(got[0].Sources) < 15 || len(got[0].Against) != 0 {
		t.Errorf("%q, %+v, refused %+v", said(got), got, refused)
	}
}

func TestDisagreementMakesNoPattern(t *testing.T) {
	for _, poison := range []int{5, 10, 13} {
		sources := append(sourcesOf(t, 0, repeated(17, windLimit...)...), sourcesOf(t, 100, repeated(poison, otherLimit...)...)...)
		got, refused := Find(sources, nil)
		if len(got) != 0 || len(refused) == 0 {
			t.Errorf("%d against 17: %q, refused %v", poison, said(got), refused)
		}
	}
}

// isConflict reports two patterns that contradict each other and of which each has its own sources only.
func isConflict(got []Found) bool {
	return len(got) == 2 && slices.Equal(got[0].Rivals, []int{1}) && slices.Equal(got[1].Rivals, []int{0}) && slices.Equal(got[0].Against, got[1].Sources) && slices.Equal(got[1].Against, got[0].Sources)
}

// Two halves that contradict each other are two patterns in conflict; a person decides. Three or four against as many are too few.
func TestTwoHalvesAreAConflict(t *testing.T) {
	for _, c := range []struct {
		a, b int
		want bool
	}{{6, 6, true}, {17, 17, true}, {6, 5, true}, {6, 4, false}, {3, 3, false}} {
		got, refused := Find(append(sourcesOf(t, 0, repeated(c.a, windLimit...)...), sourcesOf(t, 100, repeated(c.b, otherLimit...)...)...), nil)
		if isConflict(got) != c.want || !c.want && len(got) > 0 {
			t.Errorf("%d and %d: %q, refused %+v", c.a, c.b, said(got), refused)
		}
	}
	both, _ := Find(append(sourcesOf(t, 0, repeated(6, windLimit...)...), sourcesOf(t, 100, repeated(6, otherLimit...)...)...), nil)
	if len(both) != 2 {
		t.Fatalf("%q", said(both))
	}
	known := make([]Known, 2)
	for i, f := range both {
		known[i] = Known{ID: testID(t, 900+i), Kind: f.Kind, Text: f.Text, Conditions: f.Conditions, Actions: f.Actions, Occurrences: f.Occurrences(), Confidence: f.Confidence}
	}
	known[1].Ended = true
	sources := append(sourcesOf(t, 0, repeated(6, windLimit...)...), sourcesOf(t, 100, repeated(6, otherLimit...)...)...)
	if got, _ := Find(sources, known); len(got) != 1 || got[0].Known != known[0].ID {
		t.Errorf("after a person ended one: %q", said(got))
	}
}

// Of several reasons, a refusal names the one that decides.
func TestARefusalNamesWhatDecides(t *testing.T) {
	young := func(sources []Source) []Source {
		for i := range sources {
			sources[i].Mature = false
		}
		return sources
	}
	apart := sourcesOf(t, 0, repeated(5, windLimit...)...)
	for i := 3; i < 5; i++ {
		apart[i].Cluster, apart[i].Mature = testID(t, 3_000_000), false
	}
	for _, c := range []struct {
		sources []Source
		want    string
	}{
		{young(append(sourcesOf(t, 0, repeated(8, windLimit...)...), sourcesOf(t, 100, repeated(4, otherLimit...)...)...)), "4 of the 12 members that speak of the matter say something else; compared with each other, 67 % agree, and more than 80 % must"},
		{sourcesOf(t, 0, repeated(3, windLimit...)...), "it is said too rarely; one of these is enough: 4 occasions (it has 1), 3 clusters (it has 1), or 4 members of one cluster with 20 members and a density above 0.7 (it has 3)"},
		{apart, "it is said too rarely; one of these is enough: 4 occasions (it has 1), 3 clusters (it has 2), or 4 members of one cluster with 20 members and a density above 0.7 (it has 3)"}, // of five
		{young(sourcesOf(t, 0, repeated(6, windLimit...)...)), "it is said too rarely; one of these is enough: 4 occasions (it has 1), 3 clusters (it has 1), or 4 members of one cluster with 20 members and a density above 0.7 (it has 0)"},
	} {
		got, refused := Find(c.sources, nil)
		if len(got) != 0 || !slices.ContainsFunc(refused, func(r Refused) bool { return strings.HasPrefix(r.Reason, c.want) }) {
			t.Errorf("want %q: %q, refused %+v", c.want, said(got), refused)
		}
	}
}

func TestEvidenceAgainstAStoredPattern(t *testing.T) {
	stored := Known{ID: testID(t, 9000), Kind: graph.Constraint, Text: windLimit[0], Actions: []string{"The winch must never run above 12 knots of wind"}, Occurrences: 10, Confidence: 0.9}
	for _, c := range []struct {
		what       string
		same, anew int
		want       []bool // for each pattern found, whether it says 12 knots
		replaces   bool
	}{
		{"less than a fifth", 20, 4, []bool{true}, false},
		{"a third", 12, 6, []bool{true, false}, false},
		{"most", 6, 14, []bool{true, false}, false},
		{"more than four fifths", 2, 18, []bool{false}, true},
	} {
		sources := append(sourcesOf(t, 0, repeated(c.same, windLimit...)...), sourcesOf(t, 100, repeated(c.anew, otherLimit...)...)...)
		got, refused := Find(sources, []Known{stored})
		var twelve []bool
		for _, f := range got {
			old := strings.Contains(f.Text, "12 knots")
			twelve = append(twelve, old)
			switch {
			case old && (f.Known != stored.ID || f.Replaces):
				t.Errorf("%s: the stored pattern is not found again: %+v", c.what, f)
			case !old && c.replaces && (f.Known != stored.ID || !f.Replaces || len(f.Conflicts) > 0):
				t.Errorf("%s: it replaces nothing: %+v", c.what, f)
			case !old && !c.replaces && (f.Known != "" || !slices.Equal(f.Conflicts, []graph.ID{stored.ID}) || len(f.Rivals) != 1):
				t.Errorf("%s: no conflict: %+v", c.what, f)
			}
		}
		slices.SortFunc(twelve, func(a, b bool) int {
			if a == b {
				return 0
			}
			if a {
				return -1
			}
			return 1
		})
		if !slices.Equal(twelve, c.want) {
			t.Errorf("%s: %q, refused %+v", c.what, said(got), refused)
		}
	}
}

func TestEndedPatternIsNotFoundAgain(t *testing.T) {
	stored := Known{ID: testID(t, 9000), Kind: graph.Constraint, Text: windLimit[0], Actions: []string{"x"}, Ended: true}
	got, refused := Find(sourcesOf(t, 0, repeated(12, windLimit...)...), []Known{stored})
	if len(got) != 0 || len(refused) != 1 || refused[0].Reason != "a person ended this pattern" {
		t.Errorf("%q, %+v", said(got), refused)
	}
}

// A person ends a pattern; those who said otherwise were few and stay few: they make no pattern.
func TestEndedPatternStillCountsAgainstAMinority(t *testing.T) {
	stored := Known{ID: testID(t, 9000), Kind: graph.Constraint, Text: windLimit[0], Actions: []string{"The winch must never run above 12 knots of wind"}, Ended: true}
	got, refused := Find(append(sourcesOf(t, 0, repeated(22, windLimit...)...), sourcesOf(t, 100, repeated(8, otherLimit...)...)...), []Known{stored})
	if len(got) != 0 {
		t.Errorf("%q, refused %+v", said(got), refused)
	}
	// The one that a person kept is not weighed against the one that the person ended.
	kept := Known{ID: testID(t, 9001), Kind: graph.Constraint, Text: otherLimit[1], Actions: []string{"The winch must not run above 25 knots of wind"}, Occurrences: 8, Confidence: 0.85}
	got, refused = Find(append(sourcesOf(t, 0, repeated(9, windLimit...)...), sourcesOf(t, 100, repeated(8, otherLimit...)...)...), []Known{stored, kept})
	if len(got) != 1 || got[0].Known != kept.ID {
		t.Errorf("%q, refused %+v", said(got), refused)
	}
}

// onDays puts sources on days of their own, from a day on.
func onDays(from int, sources []Source) []Source {
	for i := range sources {
		sources[i].At = testStart.AddDate(0, 0, from+i)
	}
	return sources
}

func TestSubgroupWithItsOwnCondition(t *testing.T) {
	own := []string{"The winch may not run above 5 knots of wind when a diver is below.", "When a diver is below, the winch must not run above 5 knots of wind.", "Never run the winch above 5 knots of wind while a diver is below."}
	fridays := []string{"On Friday the winch must not run above 5 knots of wind.", "The winch may not run above 5 knots of wind on Fridays.", "Never run the winch above 5 knots of wind on a Friday."}
	invented := []string{"The winch may run at up to 60 knots of wind when the zorblax is on.", "When the zorblax is on, the winch must not run above 60 knots of wind.", "Never run the winch above 60 knots of wind while the zorblax is on."}
	divers := onDays(100, sourcesOf(t, 200, "A diver came to breakfast.", "The diver from Oslo has a new suit.", "We waved at the diver."))
	for _, c := range []struct {
		name   string
		few    []string
		n      int
		more   []Source
		change func(i int, s *Source) // of the few
		want   int
	}{
		{"a condition that others speak of", own, 7, divers, nil, 2},
		{"a weekday", fridays, 7, nil, nil, 2},
		{"a condition that nobody else speaks of", own, 7, nil, nil, 1},
		{"an invented condition", invented, 7, divers, nil, 1},
		{"four in a mature cluster", invented, 4, divers, nil, 1},
		{"the others speak of it on the same days", invented, 7, onDays(50, sourcesOf(t, 200, "The zorblax is on.", "The zorblax is off.", "The zorblax is loud.")), nil, 1},
		{"all on one day", own, 7, divers, func(_ int, s *Source) { s.At = testStart }, 1},
		{"all in one session", own, 7, divers, func(_ int, s *Source) { s.Session = "one" }, 1},
		{"days that the caller claims", own, 7, divers, func(_ int, s *Source) { s.Recorded = testStart }, 1},
		{"of less authority", own, 7, divers, func(_ int, s *Source) { s.Authority = 0.6 }, 1},
		{"by a principal that says nothing else", own, 7, divers, func(_ int, s *Source) { s.Principal = "guest" }, 1},
		{"by one of several principals", own, 7, divers, func(_ int, s *Source) { s.Principal = "p0" }, 1},
		{"by several principals", own, 7, divers, func(i int, s *Source) { s.Principal = []string{"p0", "guest"}[i%2] }, 2},
	} {
		many, few := onDays(0, sourcesOf(t, 0, repeated(36, windLimit...)...)), onDays(50, sourcesOf(t, 100, repeated(c.n, c.few...)...))
		for i := range many {
			many[i].Authority, many[i].Principal = 0.8, []string{"p0", "p1"}[i%2]
		}
		for i := range few {
			few[i].Authority, few[i].Principal = 0.8, []string{"p0", "p1"}[i%2]
			if c.change != nil {
				c.change(i, &few[i])
			}
		}
		got, refused := Find(slices.Concat(many, few, c.more), nil)
		if len(got) != c.want {
			t.Errorf("%s: %q, want %d; refused %+v", c.name, said(got), c.want, refused)
			continue
		}
		i := slices.IndexFunc(got, func(f Found) bool { return len(f.Sources) == c.n })
		if (i >= 0) != (c.want == 2) || i >= 0 && (!strings.Contains(got[i].Text, "5 knots") || len(got[0].Rivals)+len(got[1].Rivals)+len(got[i].Against) > 0 || c.more != nil && len(got[i].Conditions) != 1) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestSeveralClustersNeedNoMatureOne(t *testing.T) {
	sources := sourcesOf(t, 0, repeated(6, windLimit...)...)
	for i := range sources {
		sources[i].Mature = false
	}
	if got, refused := Find(sources, nil); len(got) != 0 || len(refused) != 1 || !strings.Contains(refused[0].Reason, "density") {
		t.Errorf("one young cluster: %q, %+v", said(got), refused)
	}
	for i := range sources {
		sources[i].Cluster = testID(t, 3_000_000+i%3)
	}
	if got, _ := Find(sources, nil); len(got) != 1 || len(got[0].Clusters) != 3 {
		t.Errorf("three clusters: %+v", got)
	}
}

// The words before the first word of order are the occasion and the first step.
func TestAWorkflowKeepsItsFirstStep(t *testing.T) {
	texts := []string{
		"Closing on Monday: we emptied the till, then locked the cellar, then set the alarm.",
		"For closing time we first empty the small till, then lock the cellar, and then set the alarm.",
		"Ben walked me through closing: empty the till, lock the cellar, set the alarm.",
		"Ada had her first closing shift: she emptied the till, locked the cellar and then set the alarm.",
		"Carl closed on Sunday by emptying the till, then locking the cellar and then setting the alarm.",
		"First empty the till, then lock the cellar, then set the alarm.",
	}
	got, refused := Find(sourcesOf(t, 0, texts...), nil)
	if len(got) != 1 || len(got[0].Sources) != len(texts) || len(got[0].Actions) != 3 {
		t.Fatalf("%+v, refused %+v", got, refused)
	}
	for i, want := range []string{"empty the", "lock the cellar", "set the alarm"} {
		if !strings.HasPrefix(got[0].Actions[i], want) {
			t.Errorf("step %d is %q, want %q", i+1, got[0].Actions[i], want)
		}
	}
}

func TestWhatPatternsSay(t *testing.T) {
	for _, c := range []struct {
		texts []string
		kind  graph.PatternKind
		cond  string
		acts  []string
	}{
		{repeated(6, "Before a dive: first check the bottle, then test the radio, finally sign the log."), graph.Workflow, "Before a dive", []string{"check the bottle", "test the radio", "sign the log"}},
		{repeated(6, "The pump fails after a cold start.", "After a cold start the pump failed."), graph.FailureSignature, "after a cold start", []string{"The pump fails"}},
		{repeated(6, "A cold start makes the pump fail."), graph.FailureSignature, "A cold start", []string{"the pump fail"}},
		{repeated(6, "Mira prefers tea to coffee."), graph.StatedPreference, "", []string{"Mira prefers tea to coffee"}},
		{repeated(6, "Exports must be encrypted before they leave the office."), graph.Constraint, "before they leave the office", []string{"Exports must be encrypted"}},
	} {
		got, refused := Find(sourcesOf(t, 0, c.texts...), nil)
		if len(got) != 1 {
			t.Errorf("%s: %+v, refused %+v", c.texts[0], got, refused)
			continue
		}
		f := got[0]
		if f.Kind != c.kind || strings.Join(f.Conditions, "|") != c.cond || !slices.Equal(f.Actions, c.acts) || f.Occurrences() != 6 || f.HeldOut != 1 {
			t.Errorf("%s: %+v", c.texts[0], f)
		}
	}
}

func TestStepsOfAllForms(t *testing.T) {
	want := []string{"check the oil", "open the valve", "start the pump"}
	for _, text := range []string{
		"1. Check the oil\n2. Open the valve\n3. Start the pump",
		"Routine: 1) check the oil, 2) open the valve, 3) start the pump",
		"check the oil -> open the valve -> start the pump",
		"First check the oil, then open the valve, finally start the pump.",
		"First, check the oil. Then open the valve. Finally, start the pump.",
		"- check the oil\n- open the valve\n- start the pump",
		"We check the oil, then open the valve, and then start the pump.",
	} {
		w := workflowOf(0, Source{Text: text})
		if w == nil {
			t.Errorf("%q has no steps", text)
			continue
		}
		var got []string
		for _, x := range w.steps {
			got = append(got, lowerFirst(x.text))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, text := range []string{"Then we went home.", "The first of May is a holiday.", "Did you first check the oil and then open the valve?", "The boat is old."} {
		if w := workflowOf(0, Source{Text: text}); w != nil {
			t.Errorf("%q has steps: %+v", text, w)
		}
	}
}

func TestOrderOfSourcesMakesNoDifference(t *testing.T) {
	sources, _ := boatyard.grow(t, 3)
	want, wantRefused := Find(sources, nil)
	for seed := range uint64(5) {
		rnd := rand.New(rand.NewPCG(seed, 9))
		rnd.Shuffle(len(sources), func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
		got, refused := Find(sources, nil)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(refused, wantRefused) {
			t.Fatalf("another order: %q, want %q", said(got), said(want))
		}
	}
}

// Whatever the texts are, a pattern keeps its promises: its sources say it, and it can be stored.
func TestPatternsOfAnyTexts(t *testing.T) {
	words := strings.Fields("the a winch pump must not never before after when first then -> 12 25 knots fails prefers tea coffee only at most . , : ? \n 1. 2. is allowed because run open closed without no")
	rapid.Check(t, func(r *rapid.T) {
		var sources []Source
		for i := range rapid.IntRange(0, 30).Draw(r, "sources") {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 12).Draw(r, "words"), " ")
			if rapid.IntRange(0, 3).Draw(r, "any") == 0 {
				text = rapid.String().Draw(r, "text")
			}
			sources = append(sources, Source{ID: testID(t, i), Text: text, Cluster: testID(t, 1_000_000+i%4), Mature: i%2 == 0})
		}
		found, _ := Find(sources, nil)
		for i, f := range found {
			p := graph.Pattern{Kind: f.Kind, Conditions: f.Conditions, Actions: f.Actions, Confidence: f.Confidence, Occurrences: f.Occurrences(), HeldOut: f.HeldOut, Clusters: f.Clusters, ValidatedAt: testStart}
			if err := p.Validate(); err != nil {
				r.Fatalf("%+v: %v", f, err)
			}
			if f.Text == "" || f.Confidence < MinConfidence || f.HeldOut <= HeldOutAbove || len(f.Sources) < minSpread || !slices.IsSorted(f.Sources) || slices.Contains(f.Rivals, i) {
				r.Fatalf("%+v", f)
			}
			for _, id := range f.Against {
				if slices.Contains(f.Sources, id) {
					r.Fatalf("a source contradicts itself: %+v", f)
				}
			}
		}
	})
}

func BenchmarkFind(b *testing.B) {
	var sources []Source
	for seed := range uint64(16) {
		some, _ := boatyard.grow(b, seed)
		for i := range some {
			some[i].ID = testID(b, len(sources)+i)
		}
		sources = append(sources, some...)
	}
	b.ReportMetric(float64(len(sources)), "sources")
	for b.Loop() {
		Find(sources, nil)
	}
}
