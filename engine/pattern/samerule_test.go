package pattern

import "testing"

// A rule with another condition, or in other words around it, is no version of the first; another demand, value or time is.
func TestSameRule(t *testing.T) {
	for _, x := range []struct {
		earlier, later string
		want           bool
	}{
		{"Always lock the boat house after sailing.", "Always lock the boat house when you leave.", true},
		{"Always lock the boat house after sailing.", "Please always lock the boat house after sailing.", true},
		{"Always lock the boat house after sailing.", "Always lock the boat house, said Tomas.", true},
		{"The kiln must be vented before a glaze firing.", "When the lid is open, the kiln must be vented.", true},
		{"Never wake the geese.", "Never wake the geese while the eggs hatch.", true},

		{"Always lock the boat house after sailing.", "Never lock the boat house after sailing.", false},
		{"Always lock the boat house after sailing.", "Always lock the boat shed after sailing.", false},
		{"Always lock the boat house after sailing.", "Always lock the boat house before sailing.", false},
		{"Always close the gate before 10.", "Always close the gate before 11.", false},
		{"Always close the gate after Monday.", "Always close the gate after Tuesday.", false},
		{"Always put the key in the drawer.", "Always put the key under the drawer.", false},
		{"Always answer in Dutch.", "Always answer in French.", false},
		{"Always answer in Dutch.", "From now on always answer in Dutch.", false},
		{"Always lock the boat house after sailing.", "Always lock the boat house when you leave instead.", false},
		{"The ferry waited for the bus.", "The ferry waited for the bus when it rained.", false},
	} {
		if got := SameRule(x.earlier, x.later); got != x.want {
			t.Errorf("%q, %q: %v, want %v", x.earlier, x.later, got, x.want)
		}
	}
}

// What names its speaker at the end, or asks politely, is a source like the others.
func TestRuleInOtherWordsIsASource(t *testing.T) {
	got, _ := Find(sourcesOf(t, 0, "Always rinse the churn after milking.", "Please always rinse the churn after milking.", "Always rinse the churn when it is empty.", "Always rinse the churn, said Tomas."), nil)
	if len(got) != 1 || got[0].Occurrences() != 4 {
		t.Errorf("%+v, want one pattern of four sources", got)
	}
}

// Another time of the day is another rule, whether it is a deadline or not.
func TestAnotherTimeOfTheDayIsAnotherRule(t *testing.T) {
	for _, c := range [][2]string{
		{"Everybody must be back by noon.", "Everybody must be back by midnight."},
		{"Always lock the shed before lunch.", "Always lock the shed before dinner."},
		{"Everybody must be back by Friday.", "Everybody must be back by Monday."},
		{"Everybody must be back by nine.", "Everybody must be back by ten."},
	} {
		if SameRule(c[0], c[1]) {
			t.Errorf("%q and %q", c[0], c[1])
		}
	}
	if !SameRule("Everybody must be back by noon.", "Please, everybody must be back by noon.") {
		t.Error("the same deadline")
	}
}
