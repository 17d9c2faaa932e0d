package cluster

import (
	"math/rand/v2"
	"strings"
)

// minutesTeller makes sentences of the minutes of many associations. It was written last, and nothing
// was changed for it.
type minutesTeller struct{ words [][]string }

func newMinutesTeller() *minutesTeller {
	t := &minutesTeller{}
	for line := range strings.Lines(strings.TrimSpace(minutesTopics)) {
		t.words = append(t.words, strings.Fields(line))
	}
	return t
}

// minutesTopics are the words of each topic, one topic a line.
const minutesTopics = `
orchard apples cider pruning grafting ladder wasps windfalls
fire-engine hydrant siren ladder-truck helmet smoke-alarm extinguisher drill
library shelves lending returns fines reading-room cataloguer microfilm
canal lock towpath barge dredging sluice lock-keeper moorage
football pitch goalposts linesman jersey league turf floodlights
refugee interpreter asylum shelter hearing residence caseworker integration
organ pipes bellows-pump stops pedals tuner console registration
allotment beans shed water-butt wheelbarrow rhubarb fence weeds
radio antenna transmitter frequency callsign repeater bandplan ionosphere
brewery hops malt keg wort lager mash-tun bottling
cemetery gravestone lease urn chapel funeral wreath undertaker
genealogy baptism census surname parish-register ancestors pedigree emigration
gymnastics vault beam somersault leotard springboard rings mat
ballroom waltz foxtrot partner parquet tango-night heels choreographer
archery arrow bowstring target quiver longbow nock fletching
puppetry marionette strings-frame booth puppeteer glove-puppet shadow-play dummyhead
windmill sails millstone grain miller flour-sack brake-wheel thatch
caving helmet-lamp stalactite sump passage bats calcite rope-ladder
philately stamps perforation watermark album postmark auction overprint
bees-and-birds nestbox ringing binoculars migration warbler hide osprey
geology quartz granite hammer outcrop strata fault-line mineral
foodbank tins donation parcels volunteers expiry crates vouchers
toy-library puzzles blocks teddy loan-card doll train-set dominoes
repair-cafe solder toaster screwdriver fuse multimeter sewing-machine lamp-cord
`

func (t *minutesTeller) topics() int { return len(t.words) }

func (t *minutesTeller) tell(r *rand.Rand, topic int) string {
	var w []string
	for i := range 4 {
		from := topic
		if topic < 0 { // about nothing in particular
			from = (r.IntN(len(t.words)/4) + i*len(t.words)/4) % len(t.words)
		}
		for {
			x := t.words[from][r.IntN(len(t.words[from]))]
			if topic >= 0 && strings.Contains(" "+strings.Join(w, " ")+" ", " "+x+" ") {
				continue
			}
			w = append(w, x)
			break
		}
	}
	switch r.IntN(7) {
	case 0:
		return "The committee approved money for the " + w[0] + " and the " + w[1] + "; the " + w[2] + " is postponed."
	case 1:
		return "Mr Okafor reported that the " + w[0] + " was damaged near the " + w[1] + " and that the " + w[2] + " is safe."
	case 2:
		return "Question from the floor: who pays for " + w[0] + ", " + w[1] + " and " + w[2] + "?"
	case 3:
		return "A vote on " + w[0] + " and " + w[1] + " was lost by three to five, since " + w[2] + " and " + w[3] + " are more urgent."
	case 4:
		return "Action: get offers for a " + w[0] + ", with " + w[1] + " and " + w[2] + "."
	case 5:
		return "The treasurer thanked everybody who helped with the " + w[0] + ", the " + w[1] + " or the " + w[2] + "."
	}
	return "In spring there will be a day for " + w[0] + ", where children can try the " + w[1] + ", the " + w[2] + " and the " + w[3] + "."
}
