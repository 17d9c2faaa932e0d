package pattern

import (
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// What a condition bounds can be denied: a denial is no source of what it denies, whatever condition both name.
func TestADenialUnderTheSameConditionIsNoSource(t *testing.T) {
	pre := [][2]string{{"", ""}, {"On the farm ", ""}, {"", ", as the owner said"}, {"By the plan ", ""}, {"At the mill ", ""}, {"For guests ", ""}}
	for _, pair := range [][2]string{
		{"dogs may swim before sunset", "dogs may not swim before sunset"},
		{"the shed must be swept before lunch", "the shed must never be swept before lunch"},
		{"the vault must be locked before noon", "the vault must not be locked before noon"},
		{"the server must be restarted before a release", "the server must not be restarted before a release"},
		{"always water the roses before sunrise", "never water the roses before sunrise"},
		{"the gate must be open until noon", "the gate must not be open until noon"},
		{"the gate must be open until noon", "the gate must no longer be open until noon"},
		{"the shop may open before 9 am", "the shop may not open before 9 am"},
		{"the ship may sail without a pilot", "the ship may not sail without a pilot"},
		{"the pump must be stopped unless the tank is empty", "the pump must not be stopped unless the tank is empty"},
		{"guests must sign the book prior to boarding", "guests need not sign the book prior to boarding"},
		{"lamps must be lit after dusk", "lamps must no longer be lit after dusk"},
		{"the gate must be open if it rains", "the gate must not be open if it rains"},
	} {
		var sides [2][]string
		for _, p := range pre {
			for i := range sides {
				sides[i] = append(sides[i], p[0]+pair[i]+p[1]+".")
			}
		}
		sources := append(sourcesOf(t, 0, sides[0]...), sourcesOf(t, 100, sides[1]...)...)
		found, refused := Find(sources, nil)
		for _, f := range found {
			if len(f.Sources) > 6 || len(f.Against) == 0 {
				t.Errorf("%q: %q has %d sources, and %d against it", pair[0], f.Text, len(f.Sources), len(f.Against))
			}
		}
		if len(found) == 0 && len(refused) == 0 {
			t.Errorf("%q: nothing found or refused", pair[0])
		}
	}
	// One demand in several forms stays one.
	for _, texts := range [][]string{
		{"No deploy before a review.", "Deploy only after a review.", "Do not deploy before a review.", "You may only deploy after a review."},
		{"No deploy without a review.", "A deploy needs a review.", "A deploy must have a review."},
		{"Never board before the bell.", "Board only after the bell.", "Nobody may board before the bell.", "You must not board until the bell."},
		{"The pool may not be used before noon.", "The pool may only be used after noon.", "The pool must not be used until noon."},
	} {
		found, refused := Find(sourcesOf(t, 0, repeated(12, texts...)...), nil)
		if len(found) != 1 || len(found[0].Sources) != 12 {
			t.Errorf("%q: %+v, %+v", texts, found, refused)
		}
	}
}

// That something never fails was seen, and demands nothing. A demand may speak of a failure.
func TestAnObservationIsNoConstraint(t *testing.T) {
	found, refused := Find(sourcesOf(t, 0, repeated(8, "The alarm never fails.", "At the mill the alarm never fails.", "When the door is open, the alarm never fails.")...), nil)
	if len(found) != 0 {
		t.Errorf("%q, %+v", said(found), refused)
	}
	for _, text := range []string{"The crew never flies the kite in fog.", "The backup must never fail.", "Never break the seal of the valve."} {
		if found, _ := Find(sourcesOf(t, 0, repeated(8, text)...), nil); len(found) != 1 || found[0].Kind != graph.Constraint {
			t.Errorf("%q: %+v", text, found)
		}
	}
}

// What opens a workflow without naming anything is no condition of it.
func TestOnceMoreIsNoCondition(t *testing.T) {
	found, _ := Find(sourcesOf(t, 0, repeated(8, "Once more, I exported the time sheet, then filled in the invoice template, then mailed the invoice to the accountant.")...), nil)
	if len(found) != 1 || found[0].Kind != graph.Workflow || len(found[0].Conditions) != 0 || len(found[0].Actions) != 3 {
		t.Errorf("%+v", found)
	}
}
