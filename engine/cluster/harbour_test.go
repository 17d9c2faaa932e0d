package cluster

import (
	"math/rand/v2"
	"strings"
)

// harbourTeller makes entries in the book of a harbour office. It was written after groups were made anew by the model of words, and
// nothing was changed for it. Some words belong to two topics, and three of the nine forms tell two words only.
type harbourTeller struct{ words [][]string }

func newHarbourTeller() *harbourTeller { return &harbourTeller{topicLines(harbourTopics)} }

// topicLines returns the words of each topic, one topic a line.
func topicLines(text string) (words [][]string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		words = append(words, strings.Fields(line))
	}
	return words
}

const harbourTopics = `
trawler haddock winch gutting ice-plant quota otter-board skipper
ferry ramp lorry lounge purser gangway season-ticket lifejacket
yacht spinnaker marina halyard varnish winch keel mooring
dredger silt spoil bucket channel sounding barge pipeline
customs seal manifest contraband sniffer stamp lorry declaration
crane hook ballast pulley cabin counterweight spreader gantry
pilot cutter ladder fairway radio harbour-chart swell boarding
oyster basket spat brine tide-table depuration knife lease
coal conveyor hopper dust stockpile wagon screen sulphur
grain silo weevil sampler elevator moisture chute barley
lifeboat slipway flare volunteer helmet tractor rescue davit
shipyard rivet hull welder drydock template plating launch
tanker bunker valve hose spill boom vapour gauge
lock sluice gate keeper windlass chamber paddle water-level
rowing oar cox blade regatta boathouse rigger sculls
quay bollard fender rope ladder paving rust edge-stone
warehouse pallet forklift mezzanine rat sprinkler shelf doorkeeper
cruise brochure coach buffet passenger souvenir tender excursion
weather barometer gale forecast anemometer squall fog warning
crab pot buoy claw bait creel shedder knot
sailmaker canvas needle wax eyelet batten seam palm-guard
timber log raft bark stack plank saw-mill kiln
seal-pup sanctuary vet whelping colony beach feeding quarantine
chandler shackle paint twine lamp-oil catalogue compass discount
`

func (t *harbourTeller) topics() int { return len(t.words) }

func (t *harbourTeller) tell(r *rand.Rand, topic int) string {
	w := wordsOf(r, t.words, topic)
	switch r.IntN(9) {
	case 0:
		return "Entered by the night watchman: trouble with the " + w[0] + ", then with the " + w[1] + ", quiet from four o'clock."
	case 1:
		return "The office in Harwich wrote that the " + w[0] + " must be listed apart from the " + w[1] + " and the " + w[2] + "."
	case 2:
		return "Bill of the second quarter: " + w[0] + ", " + w[1] + ", " + w[2] + ". Paid in part, the rest in October."
	case 3:
		return "A schoolboy asked what a " + w[0] + " is, and I showed him the " + w[1] + " from the window."
	case 4:
		return "Captain Lindqvist complains about the " + w[0] + "; she says the " + w[1] + " has blocked the way to the " + w[2] + " since Sunday."
	case 5:
		return "Insurance wants photographs of the " + w[0] + ", a statement on the " + w[1] + " and the age of the " + w[2] + "."
	case 6:
		return "To be decided at the meeting: whether the " + w[0] + " may stay, and who pays for the " + w[1] + "."
	case 7:
		return "Inventory of shed nine, ground floor: one " + w[0] + ", one " + w[1] + ", parts of a " + w[2] + " and of a " + w[3] + "."
	}
	return "The auditor found no receipt for the " + w[0] + ", only a slip with the word " + w[1] + " and the price of a " + w[2] + "."
}

// wordsOf draws four words of a topic, for −1 of four topics.
func wordsOf(r *rand.Rand, words [][]string, topic int) (out []string) {
	if topic < 0 {
		for _, i := range r.Perm(len(words))[:4] {
			out = append(out, words[i][r.IntN(len(words[i]))])
		}
		return out
	}
	for _, i := range r.Perm(len(words[topic]))[:4] {
		out = append(out, words[topic][i])
	}
	return out
}
