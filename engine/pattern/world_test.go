package pattern

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// plant is a pattern that a world contains, with the wordings of its sources and of the few that
// contradict it.
type plant struct {
	kind     graph.PatternKind
	said     []string
	opposite []string
}

// world is what a generated world is made of.
type world struct {
	plants []plant
	noise  []string // with {name}, {n}, {day}, {thing}, {other} and {act}, a verb in the past tense
	names  []string
	things []string
	acts   []string
}

var testStart = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func testID(t testing.TB, n int) graph.ID {
	t.Helper()
	id, err := graph.DerivedID(testStart.Add(time.Duration(n)*time.Minute), "pattern", fmt.Sprint(n))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// grow makes sources: each plant has from 8 to 15 in a mature cluster of its own, at most a tenth of
// them against it, and each cluster has as much noise. of names the plant of a source, -1: noise.
func (w world) grow(t testing.TB, seed uint64) (sources []Source, of map[graph.ID]int) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 1))
	of = map[graph.ID]int{}
	days := []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Saturday"}
	add := func(text string, cluster graph.ID, plant int) {
		id := testID(t, len(sources))
		text = strings.NewReplacer(
			"{name}", w.names[rnd.IntN(len(w.names))], "{n}", fmt.Sprint(2+rnd.IntN(90)), "{day}", days[rnd.IntN(len(days))], "{thing}", w.things[rnd.IntN(len(w.things))],
			"{other}", w.things[rnd.IntN(len(w.things))], "{act}", w.acts[rnd.IntN(len(w.acts))],
		).Replace(text)
		sources = append(sources, Source{ID: id, Text: text, At: testStart.Add(time.Duration(len(sources)) * time.Hour), Speaker: w.names[0], Cluster: cluster, Mature: true})
		of[id] = plant
	}
	for i, p := range w.plants {
		cluster := testID(t, 1_000_000+i)
		n := 8 + rnd.IntN(8)
		for k := range n {
			add(p.said[(k+rnd.IntN(2))%len(p.said)], cluster, i)
		}
		if len(p.opposite) > 0 {
			for k := range n / 10 {
				add(p.opposite[k%len(p.opposite)], cluster, -1)
			}
		}
		for range n {
			add(w.noise[rnd.IntN(len(w.noise))], cluster, -1)
		}
	}
	rnd.Shuffle(len(sources), func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
	return sources, of
}

// score compares what was found with what was planted. A pattern is right if it has the kind of a
// plant, at least 80 % of its sources are of the plant, and no other pattern found is it.
func (w world) score(t testing.TB, all []Source, found []Found, of map[graph.ID]int) (right int, wrong []string, missed []int) {
	t.Helper()
	done := map[int]bool{}
	for _, f := range found {
		count := map[int]int{}
		for _, id := range f.Sources {
			count[of[id]]++
		}
		best := -1
		for p, n := range count {
			if p >= 0 && 5*n >= 4*len(f.Sources) {
				best = p
			}
		}
		if best < 0 || w.plants[best].kind != f.Kind || done[best] {
			texts := map[string]int{}
			for _, x := range all {
				if slices.Contains(f.Sources, x.ID) {
					texts[x.Text]++
				}
			}
			wrong = append(wrong, fmt.Sprintf("%s %q (plant %d, confidence %.2f): %v", f.Kind, f.Text, best, f.Confidence, texts))
			continue
		}
		done[best] = true
		right++
	}
	for i := range w.plants {
		if !done[i] {
			missed = append(missed, i)
		}
	}
	return right, wrong, missed
}

// measure returns precision and recall over ten seeds.
func (w world) measure(t *testing.T) (precision, recall float64) {
	t.Helper()
	right, found, planted := 0, 0, 0
	wrong, missed := map[string]int{}, map[int]int{}
	for seed := range uint64(10) {
		sources, of := w.grow(t, seed)
		got, _ := Find(sources, nil)
		r, bad, no := w.score(t, sources, got, of)
		right, found, planted = right+r, found+len(got), planted+len(w.plants)
		for _, b := range bad {
			wrong[b]++
		}
		for _, i := range no {
			missed[i]++
		}
	}
	for b, n := range wrong {
		t.Logf("wrong %d times: %s", n, b)
	}
	for i, n := range missed {
		t.Logf("missed %d times: %s %q", n, w.plants[i].kind, w.plants[i].said[0])
	}
	precision, recall = float64(right)/float64(max(1, found)), float64(right)/float64(planted)
	t.Logf("precision %.3f, recall %.3f over %d patterns", precision, recall, planted)
	return precision, recall
}

var boatyard = world{
	names: []string{"Mira", "Tomas", "Ilona", "Jon", "Vera"},
	plants: []plant{
		{graph.Workflow, []string{
			"Before a dive: first check the oxygen bottle, then test the radio, and finally sign the log.",
			"{name} reminded us: check the oxygen bottle -> test the radio -> sign the log.",
			"Dive routine:\n1. Check the oxygen bottle\n2. Test the radio\n3. Sign the log",
			"First we checked the oxygen bottle, then we tested the radio. Finally we signed the log.",
			"Today I checked the oxygen bottle, then tested the radio, then signed the log.",
			"Dive with {name}: (1) check the oxygen bottle (2) test the radio (3) sign the log.",
		}, []string{"First sign the log, then test the radio, and finally check the oxygen bottle."}},
		{graph.Workflow, []string{
			"To release the firmware: run the unit tests -> build the image -> tag the commit -> publish the notes.",
			"First run the unit tests, next build the image, then tag the commit, finally publish the notes.",
			"To release, run the unit tests, build the image, tag the commit and publish the notes.",
			"We ran the unit tests, then built the image, then tagged the commit, and finally published the notes.",
			"Release steps:\n- run the unit tests\n- build the image\n- tag the commit\n- publish the notes",
		}, nil},
		{graph.Workflow, []string{
			"When the sluice alarm rings: close the upper gate, then call the harbour office, then read the gauge.",
			"First close the upper gate. Then call the harbour office. After that read the gauge.",
			"Sluice alarm again on {day}. {name} closed the upper gate, then called the harbour office, then read the gauge.",
			"Close the upper gate -> call the harbour office -> read the gauge",
			"1. Close the upper gate\n2. Call the harbour office\n3. Read the gauge",
		}, []string{"Read the gauge -> call the harbour office -> close the upper gate"}},
		{graph.StatedPreference, []string{
			"I prefer tea over coffee in the morning.",
			"Mira prefers tea to coffee.",
			"Mira likes tea better than coffee.",
			"In the morning I'd rather have tea than coffee.",
			"I prefer tea, as always, over coffee.",
			"Mira's preferred drink is tea, not coffee.",
		}, []string{"Mira prefers coffee over tea."}},
		{graph.StatedPreference, []string{
			"The team avoids meetings on Friday afternoons.",
			"We avoid meetings on Friday afternoon.",
			"The crew dislikes Friday afternoon meetings.",
			"We don't like meetings on a Friday afternoon.",
			"Everyone hates meetings on Friday afternoons.",
			"We prefer not to have meetings on Friday afternoons.",
		}, []string{"We like meetings on Friday afternoons."}},
		{graph.StatedPreference, []string{
			"Tomas prefers short status reports in plain text.",
			"Tomas likes his status reports short and in plain text.",
			"For status reports Tomas prefers plain text.",
			"Tomas loves short plain text status reports.",
			"Tomas enjoys status reports in short plain text.",
		}, nil},
		{graph.Constraint, []string{
			"The winch must never be run in winds above 12 knots.",
			"Never run the winch above 12 knots of wind.",
			"Running the winch above 12 knots of wind is forbidden.",
			"The winch must not run when the wind is over 12 knots.",
			"The winch may be run in winds of at most 12 knots.",
			"{name} said the winch must not be run in winds above 12 knots.",
			"The wind limit for running the winch is 12 knots.",
		}, []string{"The winch may be run in winds up to 25 knots."}},
		{graph.Constraint, []string{
			"Every deploy must be approved by two reviewers.",
			"A deploy needs the approval of two reviewers.",
			"No deploy without approval by two reviewers.",
			"Deploys require approval from two reviewers.",
			"Never deploy without the approval of two reviewers.",
			"Only deploy after two reviewers have approved.",
			"A deploy is not allowed until two reviewers have approved it.",
		}, []string{"A deploy does not need the approval of two reviewers."}},
		{graph.Constraint, []string{
			"Customer exports must be encrypted before they leave the office.",
			"Always encrypt customer exports before they leave the office.",
			"Customer exports may only leave the office encrypted.",
			"Never let customer exports leave the office unless they are encrypted.",
			"Customer exports must leave the office encrypted.",
			"It is mandatory to encrypt customer exports before they leave the office.",
		}, nil},
		{graph.Constraint, []string{
			"The kiln must cool for at least 8 hours before it is opened.",
			"Do not open the kiln until it has cooled for 8 hours.",
			"The kiln has to cool for at least 8 hours before opening.",
			"Never open the kiln before it has cooled 8 hours.",
			"At least 8 hours of cooling are required before the kiln is opened.",
		}, []string{"The kiln must cool for at least 2 hours before it is opened."}},
		{graph.FailureSignature, []string{
			"The bilge pump fails when the battery is below 11 volts.",
			"The bilge pump failed because the battery was below 11 volts.",
			"When the battery drops below 11 volts, the bilge pump stalls.",
			"A battery below 11 volts makes the bilge pump fail.",
			"The bilge pump would not start because the battery was under 11 volts.",
			"On {day} the bilge pump failed again after the battery fell below 11 volts.",
		}, []string{"The bilge pump does not fail when the battery is below 11 volts."}},
		{graph.FailureSignature, []string{
			"The nightly sync times out after a schema change.",
			"After a schema change the nightly sync timed out.",
			"The nightly sync crashed because of a schema change.",
			"Whenever there is a schema change, the nightly sync hangs.",
			"A schema change caused the nightly sync to crash.",
			"The nightly sync broke again once the schema changed.",
		}, []string{"The nightly sync works fine after a schema change."}},
		{graph.FailureSignature, []string{
			"The label printer jams if the paper is damp.",
			"Damp paper causes the label printer to jam.",
			"The label printer jammed because the paper was damp.",
			"With {name} at the desk the label printer jammed again due to damp paper.",
			"The jam of the label printer was caused by damp paper.",
		}, nil},
	},
	things: strings.Split("garden gate,ferry,blue lamp,kitchen table,school bus,north barn,piano,tax letter,mooring line,cheese press,museum,old radio,carpet,tool shed,wedding cake,chapel,bakery,canoe,weather station,library card,snow shovel,bicycle,aquarium,clock tower,greenhouse,drum kit,jam jar,train ticket,hospital,swimming pool", ","),
	acts:   strings.Fields("painted sold moved cleaned borrowed measured photographed repaired visited described insured wrapped"),
	noise: []string{
		"{name} {act} the {thing} on {day}.", "{name} must have the {thing} {act} by {day}.", "I like the {thing} next to the {other}.", "The {thing} has to be {act} before the {other}.",
		"{name} never {act} the {thing}.", "Did the {thing} leave after {n} o'clock?", "{name} prefers the {thing} to the {other}.", "The {thing} was closed because of the {other}.",
		"Bill {n} for the {thing} was paid on {day}.", "{name} told a story about the {thing}.", "The {thing} broke when {name} {act} the {other}.", "The {thing} failed after {n} years.",
		"Please bring the {thing} on {day}.", "{name} {act} the {thing}, then went home.", "Then {name} {act} the {other}.", "No {thing} without the {other}.",
		"{name} thinks the {thing} is too loud.", "The {thing} can be seen from the {other}.", "Someone should look at the {thing}.", "{name} first saw the {thing} on a {day}.",
		"Only {n} people came to the {thing}.", "I avoid the {thing} in summer.", "The {thing} holds at most {n} people.", "First {name} {act} the {thing}, then the {other}.",
		"We always meet at the {thing}.", "The {thing} is not allowed near the {other}.", "{name} was at the {thing} with {n} friends.", "My favourite place is the {thing}.",
	},
}

func TestPatternsOfAWorld(t *testing.T) {
	precision, recall := boatyard.measure(t)
	if precision < 0.9 || recall < 0.8 {
		t.Errorf("precision %.3f, want ≥ 0.9; recall %.3f, want ≥ 0.8", precision, recall)
	}
}

func TestNoPatternsInNoise(t *testing.T) {
	for _, w := range []world{boatyard, clinic, theatre, orchard} {
		w.plants = slices.Repeat([]plant{{graph.Workflow, w.noise, nil}}, 13)
		for seed := range uint64(10) {
			sources, of := w.grow(t, seed)
			for id := range of {
				of[id] = -1 // nothing is planted
			}
			got, _ := Find(sources, nil)
			if _, wrong, _ := w.score(t, sources, got, of); len(wrong) > 0 {
				t.Errorf("%s and others, seed %d: %v", w.names[0], seed, wrong)
			}
		}
	}
}

// orchard is noise alone, which was written after the rules for workflows and clusters.
var orchard = world{
	names:  []string{"Greta", "Paolo", "Sunniva", "Idris", "Noemi"},
	things: strings.Split("cider press,long ladder,beehive,red tractor,wicker basket,stone wall,rain gauge,wheelbarrow,pear tree,scarecrow,grass cutter,cold frame,water butt,apple crate,hen house,pond pump,hedge,orchard gate,pruning saw,tin bucket", ","),
	acts:   strings.Fields("filled moved scrubbed mended emptied weighed locked oiled"),
	noise: []string{
		"{name} {act} the {thing}, then {act} the {other}, and finally sat down.", "Then {name} had tea next to the {thing}.", "First {name} {act} the {thing}, afterwards it rained.", "{name} {act} the {thing} and went to bed.",
		"To the left of the {thing} is the {other}.", "{name} must ask about the {thing}.", "The {thing} must not touch the {other}.", "{name} dislikes the {thing}.", "{name} would like a new {thing}.",
		"When it rained the {thing} failed.", "The {thing} got stuck because of the {other}.", "On {day} the {thing} fell over.", "Only {name} may use the {thing}.", "Never mind the {thing}.", "At most {n} apples fit into the {thing}.",
		"{name} enjoys the {thing} more than the {other}.", "We should paint the {thing}.", "{name} -> {thing} -> {other}", "The {thing} has to wait until {day}.", "Nobody {act} the {thing} before {day}.",
	},
}
