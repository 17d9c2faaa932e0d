package pattern

import (
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// "With" and "without" exclude each other, and what must not be done without something is done with it.
func TestWithAndWithoutContradict(t *testing.T) {
	for _, c := range [][2]string{
		{"The soup must be served with salt.", "The soup must be served without salt."},
		{"The tablets must be taken with food.", "The tablets must be taken without food."},
		{"I prefer my tea with milk.", "I prefer my tea without milk."},
	} {
		found, refused := Find(append(onOwnDays(t, 0, .8, repeated(5, c[0])...), onOwnDays(t, 100, .8, repeated(5, c[1])...)...), nil)
		if len(found) != 2 || len(found[0].Rivals) != 1 || len(found[0].Sources) != 5 {
			t.Errorf("%q: %q, refused %+v", c, said(found), refused)
		}
	}
	found, refused := Find(onOwnDays(t, 0, .8, repeated(9, "The soup must be served with salt.", "Never serve the soup without salt.", "The soup must not be served without salt.")...), nil)
	if len(found) != 1 || len(found[0].Sources) != 9 {
		t.Errorf("%+v, refused %+v", found, refused)
	}
}

// The two sides of one place exclude each other, whatever preposition names them.
func TestTheOtherSideOfAPlaceContradicts(t *testing.T) {
	for _, c := range [][2]string{
		{"Gloves must be worn in the shed.", "Gloves must be worn outside the shed."},
		{"Helmets must be worn inside the barn.", "Helmets must be worn outside the barn."},
		{"The cable must run over the carpet.", "The cable must run under the carpet."},
		{"The label must be stuck on the lid.", "The label must be stuck under the lid."},
		{"The sensor must be mounted above the valve.", "The sensor must be mounted beneath the valve."},
		{"I like to sit in the cafe.", "I like to sit outside the cafe."},
	} {
		found, refused := Find(append(onOwnDays(t, 0, .8, repeated(5, c[0])...), onOwnDays(t, 100, .8, repeated(5, c[1])...)...), nil)
		if len(found) != 2 || len(found[0].Rivals) != 1 || len(found[0].Sources) != 5 {
			t.Errorf("%q: %q, refused %+v", c, said(found), refused)
		}
	}
}

// A rule for several places does not name both sides of one of them.
func TestARuleDoesNotHoldOnBothSides(t *testing.T) {
	var all []Source
	for i, rule := range []string{"Gloves must be worn on the roof.", "Gloves must be worn in the yard.", "Gloves must be worn in the shed.", "Gloves must be worn outside the shed."} {
		some := onOwnDays(t, 30*i, .8, repeated(4, rule)...)
		for k := range some {
			some[k].Cluster = testID(t, 2_000_000+i)
		}
		all = append(all, some...)
	}
	found, refused := Find(all, nil)
	if slices.ContainsFunc(found, func(f Found) bool { return len(f.Sources) > 12 }) || len(found) == 0 && !slices.ContainsFunc(refused, func(r Refused) bool { return r.Occurrences == 12 }) {
		t.Errorf("%q, refused %+v", said(found), refused)
	}
}

// What can fail is not permitted to.
func TestWhatCanFailIsNotPermitted(t *testing.T) {
	found, refused := Find(onOwnDays(t, 0, .8, repeated(5, "The pump can stall when the tank is low.", "The pump may stall if the tank is low.", "The pump stalls when the tank is low.")...), nil)
	if len(found) != 1 || found[0].Kind != graph.FailureSignature || len(found[0].Sources) != 5 {
		t.Errorf("%+v, refused %+v", found, refused)
	}
}

// A permission contradicts a prohibition of the same act, in whatever words it permits, and supports no demand.
func TestWhatAPermissionSays(t *testing.T) {
	for _, permission := range []string{
		"Children may swim in the lake.", "Children can swim in the lake.", "Children are welcome to swim in the lake.", "Children are free to swim in the lake.", "Children are allowed to swim in the lake.",
	} {
		found, _ := Find(append(onOwnDays(t, 0, .8, repeated(25, "Children must not swim in the lake.")...), onOwnDays(t, 100, .8, repeated(4, permission)...)...), nil)
		if len(found) != 1 || len(found[0].Sources) != 25 || len(found[0].Against) != 4 {
			t.Errorf("%q: %+v", permission, found)
		}
		found, _ = Find(append(onOwnDays(t, 0, .8, repeated(5, "Children must swim in the lake.")...), onOwnDays(t, 100, .8, repeated(4, permission)...)...), nil)
		if len(found) != 1 || len(found[0].Sources) != 5 || len(found[0].Against) != 0 {
			t.Errorf("%q: %+v", permission, found)
		}
	}
}
