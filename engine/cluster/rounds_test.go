package cluster

import (
	"math/rand/v2"
	"strings"
)

// roundsTeller makes sentences of people who look after many things and note what they find. It was written last,
// and nothing was changed for it.
type roundsTeller struct{ words [][]string }

func newRoundsTeller() *roundsTeller {
	t := &roundsTeller{}
	for line := range strings.Lines(strings.TrimSpace(roundsTopics)) {
		t.words = append(t.words, strings.Fields(line))
	}
	return t
}

// roundsTopics are the words of each topic, one topic a line.
const roundsTopics = `
greenhouse tomatoes seedlings aphids vents trellis compost cucumbers
swimming-pool chlorine lanes goggles lifeguard filter diving-board showers
sawmill logs blade planks sawdust bark kiln-drying forklift
observatory telescope dome eyepiece nebula comet spectrograph meridian
dairy cows milking-machine udder cream cheese-vat rennet pasture
newsroom headline editor column deadline proofs masthead obituary
aquarium seahorse tank coral jellyfish algae pump-house feeding
tailor hem lapel buttonhole thimble lining chalk waistcoat
ski-lift gondola piste snow-cannon avalanche pylon bindings chairlift
pharmacy ointment prescription tablets cough-syrup dispenser pipette bandages
pottery glaze kiln clay wheel slip bisque stoneware
mine shaft ore pit-lamp drill-bit gallery-prop winding-gear methane
airport runway baggage boarding-pass windsock hangar taxiway tower
circus trapeze clown ringmaster juggler sawdust-ring unicycle big-top
vineyard grapes harvest barrel cork sulphur trellis-wire tasting
locksmith key padlock tumbler keyhole deadbolt safe picklock
printer toner paper-jam tray cartridge scanner duplex driver
falconry hawk glove jesses lure perch bell mews
laundry spin-dryer detergent stains ironing linen collar starch
chess bishop gambit endgame pawn castling clock opening
lighthouse lantern fog-horn keeper reef beam gallery-rail shipwreck
bakery dough sourdough oven crust yeast flour croissants
violin bow-hair rosin strings bridge-piece scroll luthier varnish
dentures clinic braces-wire crown-cast molar-mould plaster retainer bite
desert-trek camel dune oasis sandstorm turban well-water nomads
museum exhibit curator showcase mummy label-text loan skeleton
`

func (t *roundsTeller) topics() int { return len(t.words) }

func (t *roundsTeller) tell(r *rand.Rand, topic int) string {
	var own []string
	if topic >= 0 {
		own = t.words[topic]
	} else { // about nothing in particular: words of four topics
		for _, i := range r.Perm(len(t.words))[:4] {
			own = append(own, t.words[i][r.IntN(len(t.words[i]))])
		}
	}
	order := r.Perm(len(own))
	w := func(i int) string { return own[order[i]] }
	switch r.IntN(7) {
	case 0:
		return "Morning round: " + w(0) + " in order, " + w(1) + " in order, the " + w(2) + " wants attention."
	case 1:
		return "Handed over to Mikkel, who will see to the " + w(0) + " and the " + w(1) + " after lunch, then the " + w(2) + "."
	case 2:
		return "Nobody knows why the " + w(0) + " made trouble near the " + w(1) + "; we left a note for the " + w(2) + "."
	case 3:
		return "A visitor praised our " + w(0) + " and complained of the " + w(1) + "."
	case 4:
		return "Please remember that the " + w(0) + " belongs behind the " + w(1) + ", and that " + w(2) + " costs extra this season."
	case 5:
		return "The supplier sent the wrong " + w(0) + " again. Send it back with the " + w(1) + " and keep the " + w(2) + ", said Hanna."
	}
	return "Inspection passed for " + w(0) + ", " + w(1) + " and " + w(2) + "; failed for " + w(3) + "."
}
