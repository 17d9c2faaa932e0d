package conflict

import "slices"

// journey is how somebody usually travels somewhere: "cycles to work", "gets to the office by
// ferry".
type journey struct {
	who  string
	to   []string // lemmas of the destination, sorted
	mode string
}

// travelModes are the means of transport by the lemmas that name them.
var travelModes = keysOfWords("travelModes")

var (
	travelModeVerbs = lemmas("walk cycle bike drive fly") // name the means of transport
	travelVerbs     = lemmas("go get travel commute come ride take catch use deliver")
	boardingVerbs   = lemmas("take catch ride use")
)

// journeyOf reads how a clause says that somebody travels.
func (p *parser) journeyOf(c *clause) (journey, bool) {
	if c.negated || c.modality != asserted || c.hedged || c.weak || c.condition != "" || c.frequency < 0 || len(c.qualifiers) > 0 || c.passive || c.tense != present || len(c.subject) > 2 {
		return journey{}, false
	}
	j := journey{}
	if len(c.subject) == 1 {
		j.who = c.subject[0]
	} else if c.subject[0][0] == '@' {
		j.who = c.subject[1] // our courier
	} else {
		return journey{}, false
	}
	switch {
	case travelModeVerbs[c.verb]:
		j.mode = travelModes[c.verb]
		if o := c.object(); len(o) > 0 && (len(o) > 1 || o[0].prep == "" && travelModes[o[0].lem] == "") {
			return journey{}, false // drives a truck, walks the dog
		}
	case travelVerbs[c.verb]:
		for _, x := range c.items {
			if m := travelModes[x.lem]; m != "" && x.last && (x.prep == "by" || x.prep == "on" || boardingVerbs[c.verb] && x.prep == "") {
				if j.mode != "" {
					return journey{}, false
				}
				j.mode = m
			}
		}
	}
	if j.mode == "" {
		return journey{}, false
	}
	for _, x := range c.phrase("to") {
		if x.det != "a" && x.det != "an" && travelModes[x.lem] == "" {
			j.to = append(j.to, x.lem)
		}
	}
	if c.verb == commuteKey {
		j.to = append(j.to[:0], "work")
	}
	slices.Sort(j.to)
	return j, len(j.to) > 0 && len(j.to) < 4 || c.verb == "deliver"
}

// compareJourneys compares two journeys.
func compareJourneys(x, y *journey) Result {
	if x.mode != y.mode && sameWho(x.who, y.who) && (slices.Equal(x.to, y.to) || isSubset(x.to, y.to) || isSubset(y.to, x.to)) {
		return Result{scoreSlot, KindObject}
	}
	return Result{}
}
