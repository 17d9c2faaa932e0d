package cluster

import (
	"math/rand/v2"
	"strings"
)

// workshopTeller makes notes of a repair workshop. It was written after memories moved by their nouns, and nothing was changed for it. Its
// eight forms have nouns of their own, and some words belong to two topics.
type workshopTeller struct{ words [][]string }

func newWorkshopTeller() *workshopTeller {
	t := &workshopTeller{}
	for line := range strings.Lines(strings.TrimSpace(workshopTopics)) {
		t.words = append(t.words, strings.Fields(line))
	}
	return t
}

// workshopTopics are the words of each topic, one topic a line.
const workshopTopics = `
bicycle spokes derailleur saddle pedal handlebar tyre brake-pad
toaster crumb-tray filament lever plug thermostat slot
kettle limescale spout element lid handle descaler
lamp shade bulb switch flex socket dimmer
wristwatch strap crystal crown mainspring dial buckle
trousers zip hem pocket waistband patch crotch
sewing-machine bobbin treadle needle presser-foot belt spool
radio antenna tuner speaker valve dial capacitor
umbrella ribs canopy ferrule runner handle stretcher
armchair upholstery webbing springs castor tack cushion
doll eyelash wig limb stuffing pinafore elastic
accordion bellows reed buttons strap bass-board register
lawnmower blade carburettor starter-cord spark-plug choke throttle
laptop hinge keyboard battery charger fan touchpad
printer cartridge roller tray nozzle spooler toner
vacuum hose filter brush motor dustbag nozzle
hi-fi turntable stylus amplifier cartridge belt cable
suitcase wheel zip lock lining handle buckle
boots sole heel eyelet lace welt insole
pram axle hood mattress harness wheel brake
clock pendulum escapement chime weights dial key
guitar fretboard bridge strings nut pickup tuning-peg
camera shutter lens aperture mirror flash viewfinder
espresso-machine portafilter gasket pump boiler steam-wand grinder
picture-frame glass mount mitre gilding hook backing
tent pole guy-rope zip flysheet peg seam
drill chuck trigger gearbox brushes bit torque
skates blade rivet boot toe-stop bearing lace
`

func (t *workshopTeller) topics() int { return len(t.words) }

func (t *workshopTeller) tell(r *rand.Rand, topic int) string {
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
		return "A volunteer spent the whole afternoon on the " + w[0] + " and in the end it was only the " + w[1] + "."
	case 1:
		return "Waiting for spares since Easter: one " + w[0] + ", one " + w[1] + ", one " + w[2] + ". The supplier in Leeds is slow."
	case 2:
		return "The grandson of the owner had glued the " + w[0] + " to the " + w[1] + ", so the " + w[2] + " came off with the paint."
	case 3:
		return "Could somebody with patience look at table six? There is a " + w[0] + " without a " + w[1] + " in a box with its " + w[2] + "."
	case 4:
		return "Repaired and tested, donation of five pounds for the tin; new " + w[0] + ", old " + w[1] + " cleaned, " + w[2] + " left as it was."
	case 5:
		return "We told the visitor with regret that a " + w[0] + " costs more than a new one, although the " + w[1] + " was fine."
	case 6:
		return "Lesson for the manual of the café: loosen the " + w[0] + " before the " + w[1] + ", else the " + w[2] + " and the " + w[3] + " jump out."
	}
	return "Still on the shelf under the stairs, no name on the ticket: the " + w[0] + " with the bent " + w[1] + " and the " + w[2] + "."
}
