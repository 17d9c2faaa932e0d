package cluster

import (
	"math/rand/v2"
	"strings"
)

// diaryTeller makes short notes of everyday words. It was written after the mechanism was tuned.
type diaryTeller struct{ words [][]string }

func newDiaryTeller() *diaryTeller {
	t := &diaryTeller{}
	for line := range strings.Lines(strings.TrimSpace(diaryTopics)) {
		t.words = append(t.words, strings.Fields(line))
	}
	return t
}

// diaryTopics are the words of each topic, one topic a line.
const diaryTopics = `
sourdough flour starter dough oven crust yeast loaf kneading hydration baguette rye
bicycle pedal chain brakes saddle handlebar spokes gears puncture helmet tyre derailleur
aquarium guppies filter algae gravel heater snails pump goldfish nitrate plants tank
telescope nebula eyepiece galaxy Saturn tripod comet observatory lens constellation Jupiter moons
violin bow rosin concerto orchestra strings conductor sonata rehearsal cello scales quartet
vineyard grapes barrel harvest Merlot tannin cork cellar pruning fermentation tasting Riesling
passport visa embassy luggage airport boarding customs itinerary hostel flight layover ticket
mortgage lender interest instalment deposit appraisal broker refinancing equity escrow notary deed
physiotherapy knee ligament crutches swelling stretching surgeon bandage rehabilitation tendon ankle brace
beehive honey queen swarm smoker frames pollen drone wax apiary mites brood
compiler parser syntax pointer linker debugger bytecode allocator recursion macro assembler register
pottery kiln glaze clay wheel porcelain bisque mug stoneware slip throwing ceramics
chess opening gambit bishop endgame rook tournament Sicilian pawn checkmate castling knight
greenhouse seedlings tomatoes compost basil watering trellis fertiliser cucumbers soil mulch sprouts
insulin glucose diabetes carbohydrates sensor injection pancreas endocrinologist syringe hypoglycaemia meter dosage
sailing mast rudder jib regatta anchor keel spinnaker harbour knots tiller mooring
kindergarten crayons teacher nap playground finger-paint lunchbox alphabet sandpit caretaker enrolment naptime
invoice ledger accountant VAT receipts payroll audit bookkeeping expenses deduction fiscal balance
darkroom negatives enlarger developer fixer aperture shutter film exposure tripods prints contrast
parliament ballot candidate senator election referendum coalition campaign constituency voters manifesto poll
espresso grinder crema barista portafilter beans roast milk latte steaming tamper arabica
mountaineering crampons glacier summit rope crevasse icefall belay altitude avalanche bivouac ridge
knitting wool needles stitch scarf purl yarn pattern sweater cardigan skein crochet
solar panels inverter battery rooftop kilowatt grid wiring electrician subsidy photovoltaic shading
veterinarian puppy vaccine leash kennel flea spaniel collar deworming obedience biscuit grooming
theatre audition monologue costume curtain understudy director props backstage matinee script stage
earthquake seismograph fault tremor epicentre aftershock magnitude shelter evacuation Richter rubble tsunami
wedding bouquet bridesmaid florist vows caterer ring invitations venue groom veil reception
plumbing faucet pipe leak drain valve gasket boiler radiator plumber wrench sink
poetry sonnet stanza rhyme metaphor anthology verse haiku publisher manuscript poet reading`

// diaryCommon are words that belong to no topic.
const diaryCommon = `morning window corner idea colour letter afternoon friend street garden music paper stone market number
	village bridge story river chair candle summer winter basket mirror blanket shoulder question answer promise
	silence shadow pocket button ladder engine feather copper pepper lemon island forest desert planet circle square
	whistle thunder ribbon needlework parcel courage patience luck holiday neighbour cousin uncle doctor lawyer farmer
	quiet heavy bright narrow strange gentle sudden famous hollow bitter tall empty distant clever lazy proud
	carry follow listen wander borrow gather repair polish measure count explain forget imagine whisper climb hurry
	chimney carpet pillow lantern staircase attic balcony fence orchard meadow canyon waterfall valley pebble
	newspaper dictionary envelope calendar notebook pencil museum library bakery station platform tunnel suitcase
	cloud rainbow snowflake breeze sunrise dusk midnight autumn spring thermometer umbrella raincoat puddle`

func (t *diaryTeller) topics() int { return len(t.words) }

func (t *diaryTeller) tell(r *rand.Rand, topic int) string {
	common := strings.Fields(diaryCommon)
	own := common
	if topic >= 0 {
		own = t.words[topic]
	}
	some := func(n int) []string {
		var out []string
		for _, i := range r.Perm(len(own))[:n] {
			out = append(out, own[i])
		}
		return out
	}
	c := func() string { return common[r.IntN(len(common))] }
	w := some(5)
	switch r.IntN(6) {
	case 0:
		return "Note to self: " + w[0] + " and " + w[1] + ". Ask Lena about the " + w[2] + " before the " + c() + "; " + w[3] + " can wait."
	case 1:
		return "My " + w[0] + " was " + c() + ", and her " + w[1] + " too. In the end it was the " + w[2] + ", with a bit of " + w[3] + "."
	case 2:
		return "Why is the " + w[0] + " so near to the " + w[1] + "? He said that " + w[2] + " is all about " + w[3] + " and " + w[4] + "."
	case 3:
		return w[0] + " - " + w[1] + " - " + w[2] + " (" + c() + ")"
	case 4:
		return "They have a " + w[0] + " for every " + w[1] + ". I would have the " + w[2] + " " + c() + " by the " + w[3] + "."
	}
	return "If there is no " + w[0] + ", then the " + w[1] + " or the " + w[2] + " is what we have; the " + c() + " was not for " + w[3] + "."
}
