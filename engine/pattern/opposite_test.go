package pattern

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// onOwnDays makes sources that were said on separate days, in one small cluster.
func onOwnDays(t testing.TB, from int, authority float64, texts ...string) []Source {
	t.Helper()
	var out []Source
	for i, text := range texts {
		out = append(out, Source{ID: testID(t, from+i), Text: text, At: testStart.Add(time.Duration(from+i) * 24 * time.Hour), Cluster: testID(t, 2_000_000), Principal: "p", Authority: authority})
	}
	return out
}

// Opposites are no agreement, also if they are particles.
func TestOppositesContradict(t *testing.T) {
	for _, c := range [][2]string{
		{"The heating must be on at night.", "The heating must be off at night."},
		{"The cat must stay in at night.", "The cat must stay out at night."},
		{"The blinds must be down at noon.", "The blinds must be up at noon."},
		{"Turn off the radio in the workshop.", "Turn on the radio in the workshop."},
		{"The side gate must stay closed.", "The side gate must stay open."},
		{"Always leave the fan on all night.", "Always leave the fan off all night."},
		{"The lamp on the porch must be off at night.", "The lamp on the porch must be on at night."},
		{"The tarp must be kept over the boat.", "The tarp must be kept under the boat."},
		{"Never open the hatch in a storm.", "Never close the hatch in a storm."},
		{"The milk must be served hot in the canteen.", "The milk must be served cold in the canteen."},
	} {
		sides := make([][]string, 2)
		for i := range sides {
			sides[i] = repeated(5, c[i])
			if strings.HasPrefix(c[i], "Turn") {
				sides[i] = repeated(5, "Always t"+c[i][1:])
			}
		}
		found, refused := Find(append(onOwnDays(t, 0, .8, sides[0]...), onOwnDays(t, 100, .8, sides[1]...)...), nil)
		if len(found) != 2 || len(found[0].Rivals) != 1 || len(found[0].Sources) != 5 || len(found[1].Sources) != 5 {
			t.Errorf("%q: %q %+v, refused %+v", c, said(found), found, refused)
		}
		// A minority of lesser authority writes nothing and is no source.
		found, refused = Find(append(onOwnDays(t, 0, .8, repeated(25, sides[0]...)...), onOwnDays(t, 100, .3, sides[1]...)...), nil)
		if len(found) != 1 || len(found[0].Sources) != 25 || len(found[0].Against) != 5 {
			t.Errorf("poisoned %q: %q, refused %+v", c, said(found), refused)
		}
	}
}

// A word of another noun opposes nothing, and a denied opposite says the same.
func TestWhatIsNoOpposite(t *testing.T) {
	for _, texts := range [][]string{
		{"The front door must be locked at night.", "The back door must be locked at night."},
		{"The lamp must be off on Mondays.", "The lamp must be off in the morning."},
	} {
		found, refused := Find(append(onOwnDays(t, 0, .8, repeated(5, texts[0])...), onOwnDays(t, 100, .8, repeated(5, texts[1])...)...), nil)
		if slices.ContainsFunc(found, func(f Found) bool { return len(f.Against)+len(f.Rivals) > 0 }) || len(found) == 0 {
			t.Errorf("%q: %+v, refused %+v", texts, found, refused)
		}
	}
	found, refused := Find(onOwnDays(t, 0, .8, repeated(8, "The oven must be off at night.", "The oven must not be on at night.")...), nil)
	if len(found) != 1 || len(found[0].Sources) != 8 {
		t.Errorf("%+v, refused %+v", found, refused)
	}
	found, _ = Find(append(onOwnDays(t, 0, .8, repeated(5, "The fuse blows up when the heater is on.")...), onOwnDays(t, 100, .8, repeated(5, "The fuse blows up when the heater is off.")...)...), nil)
	for _, f := range found {
		if f.Kind == graph.FailureSignature && len(f.Sources) > 5 {
			t.Errorf("%+v", f)
		}
	}
}

// A person is asked between two sides of as many sources, also if one of them is worded freely; without the other, neither stands.
func TestAFreelyWordedHalfIsARival(t *testing.T) {
	free := []string{"The alarm must be off at night because of the baby.", "At night the alarm must definitely be off for the neighbours.", "The alarm in the hall must be off at night.", "My mother says the alarm must be off at night."}
	found, refused := Find(append(onOwnDays(t, 0, .8, repeated(4, "The alarm must be on at night.")...), onOwnDays(t, 100, .8, free...)...), nil)
	if len(found) != 2 || len(found[0].Rivals) != 1 {
		t.Errorf("%q, refused %+v", said(found), refused)
	}
	sources := append(onOwnDays(t, 0, .8, repeated(4, "The alarm must be on at night.")...), onOwnDays(t, 100, .8, free...)...)
	for i := range sources[4:] {
		sources[4+i].At = testStart // one occasion
	}
	if found, refused = Find(sources, nil); len(found) != 0 {
		t.Errorf("%q, refused %+v", said(found), refused)
	}
}

// A side of a conflict is checked among its own sources, as it was when it was found, also once a person has ended the other one.
func TestASideOfAConflictIsCheckedAmongItsOwn(t *testing.T) {
	sources := append(onOwnDays(t, 0, .8, repeated(6, "The alarm must be on at night.")...), onOwnDays(t, 100, .8, repeated(5, "The alarm must be off at night.")...)...)
	on := Known{ID: testID(t, 3_000_000), Kind: graph.Constraint, Text: "The alarm must be on at night."}
	off := Known{ID: testID(t, 3_000_001), Kind: graph.Constraint, Text: "The alarm must be off at night."}
	for _, ended := range []bool{false, true} {
		on.Ended = ended
		heldOut, agree, against, ok := Check(off, []Known{on, off}, sources)
		if !ok || heldOut != 1 || len(agree) != 5 || len(against) != 6 {
			t.Errorf("ended %v: %.2f, %d agree, %d against, %v", ended, heldOut, len(agree), len(against), ok)
		}
	}
	if heldOut, _, against, ok := Check(off, nil, sources); !ok || heldOut > HeldOutAbove || len(against) != 6 {
		t.Errorf("alone: %.2f, %d against, %v", heldOut, len(against), ok)
	}
}

// A side with few of the sources is no side of its own, also if the other one was stored.
func TestASmallMinorityIsComparedWithTheRest(t *testing.T) {
	sources := append(onOwnDays(t, 0, .8, repeated(20, "The alarm must be on at night.")...), onOwnDays(t, 100, .8, repeated(2, "The alarm must be off at night.")...)...)
	on := Known{ID: testID(t, 3_000_000), Kind: graph.Constraint, Text: "The alarm must be on at night."}
	off := Known{ID: testID(t, 3_000_001), Kind: graph.Constraint, Text: "The alarm must be off at night."}
	if heldOut, agree, against, ok := Check(off, []Known{on, off}, sources); !ok || heldOut > HeldOutAbove || len(agree) != 2 || len(against) != 20 {
		t.Errorf("%.2f, %d agree, %d against, %v", heldOut, len(agree), len(against), ok)
	}
}
