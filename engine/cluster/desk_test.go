package cluster

import (
	"math/rand/v2"
	"strings"
)

// deskTeller makes requests at the desk of a town hall. It was written after nouns counted beside vectors, and nothing was
// changed for it. Some words belong to two topics.
type deskTeller struct{ words [][]string }

func newDeskTeller() *deskTeller {
	t := &deskTeller{}
	for line := range strings.Lines(strings.TrimSpace(deskTopics)) {
		t.words = append(t.words, strings.Fields(line))
	}
	return t
}

// deskTopics are the words of each topic, one topic a line.
const deskTopics = `
streetlamp bulb lamppost fuse-box glare underpass timer cable-duct
rubbish bins collection compost landfill skip recycling sack
nursery childminder waiting-list bottle playground nappies toddlers crayons
passport photograph fingerprint embassy renewal signature chip biometrics
dog leash kennel vaccination chip collar muzzle pedigree
marriage registrar witnesses rings certificate ceremony hall bouquet
parking meter permit fine clamp bay resident tow-truck
allotment shed lettuce water-butt hedge compost lease beans
market stall awning fishmonger cheese trader pitch crates
cemetery plot gravestone urn chapel wreath sexton yew
playhouse ticket usher stage curtain matinee cloakroom balcony
noise neighbour loudspeaker decibels curfew complaint-form party mediator
bridge girder rust pedestrian toll railing span rivets
school headmistress timetable satchel canteen bell caretaker gymnasium
swimming-bath locker chlorine lane lifeguard sauna turnstile towel
election ballot polling-station candidate envelope booth recount canvasser
scaffold crane builder dust fence planning-notice dormer gable
bus shelter timetable route driver pass depot interchange
tree oak branch roots chainsaw surgeon preservation-order leaves
flood sandbag pump culvert cellar river gauge dyke
library card fines shelf novel microfilm reading-lamp returns
tax band rebate instalment arrears bailiff surcharge assessment
football pitch goalpost changing-room referee floodlight turf club
rat trap poison burrow sewer droppings exterminator bait
heating radiator boiler thermostat insulation grant chimney draught
museum exhibit curator vitrine loan guide coin-hoard tapestry
`

func (t *deskTeller) topics() int { return len(t.words) }

func (t *deskTeller) tell(r *rand.Rand, topic int) string {
	var w []string
	for _, i := range r.Perm(len(t.words))[:4] { // about nothing in particular: words of four topics
		w = append(w, t.words[i][r.IntN(len(t.words[i]))])
	}
	if topic >= 0 {
		w = w[:0]
		for _, i := range r.Perm(len(t.words[topic]))[:4] {
			w = append(w, t.words[topic][i])
		}
	}
	switch r.IntN(8) {
	case 0:
		return "A caller from Mill Lane wants to know who decides on the " + w[0] + " and the " + w[1] + "."
	case 1:
		return "Passed to the department: " + w[0] + ", " + w[1] + ", " + w[2] + ". An answer is due within ten days."
	case 2:
		return "The lady at counter three was angry, because the form for the " + w[0] + " says nothing of the " + w[1] + " or the " + w[2] + "."
	case 3:
		return "Please ring Mrs Adeyemi back about her " + w[0] + "; the file with the " + w[1] + " and the " + w[2] + " is on the desk of Jonas."
	case 4:
		return "Reminder sent for the third time, the matter of the " + w[0] + " beside the " + w[1] + " is still open, says the mayor."
	case 5:
		return "We have no leaflet on " + w[0] + " or " + w[1] + "; the old one on " + w[2] + " with the " + w[3] + " is out of date."
	case 6:
		return "By letter: the " + w[0] + " was promised last year, and now the " + w[1] + " is gone and the " + w[2] + " too."
	}
	return "An elderly couple asked for help with the " + w[0] + ", the " + w[1] + " and the " + w[2] + "; I gave them an appointment on Tuesday."
}
