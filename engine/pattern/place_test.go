package pattern

import (
	"slices"
	"testing"
)

// A rule that names the place where it holds is one rule for several places, also if other things are said of these.
func TestARuleForSeveralPlaces(t *testing.T) {
	others := map[string][]string{
		"lab":  {"The lab got new lamps.", "Somebody painted the lab.", "The lab smells of tea.", "We cleaned the lab."},
		"barn": {"The barn got a new door.", "Swallows nest in the barn.", "The barn is forty years old.", "We swept the barn."},
		"roof": {"The roof is leaking.", "We climbed the roof.", "The roof was mended in May.", "Tiles fell from the roof."},
	}
	rule := map[string]string{"lab": "Gloves must be worn in the lab.", "barn": "Gloves must be worn in the barn.", "roof": "Gloves must be worn on the roof."}
	var all []Source
	for i, place := range []string{"lab", "barn", "roof"} {
		some := onOwnDays(t, 30*i, .8, append(slices.Clone(others[place]), repeated(2, rule[place])...)...)
		for k := range some {
			some[k].Cluster = testID(t, 2_000_000+i)
		}
		all = append(all, some...)
	}
	found, refused := Find(all, nil)
	if len(found) != 1 || found[0].Text != "Gloves must be worn in the barn, in the lab and on the roof." || len(found[0].Clusters) != 3 || !slices.Equal(found[0].Conditions, []string{"in the barn", "in the lab", "on the roof"}) {
		t.Errorf("%+v, refused %+v", found, refused)
	}
}

// What is to be kept in one place or another is not one rule for both.
func TestWhereAThingIsKeptIsTheRule(t *testing.T) {
	found, _ := Find(append(onOwnDays(t, 0, .8, repeated(4, "The key must be kept in the safe.")...), onOwnDays(t, 50, .8, repeated(4, "The key must be kept in the drawer.")...)...), nil)
	if len(found) == 1 && len(found[0].Sources) == 8 {
		t.Errorf("%q", said(found))
	}
}
