package cluster

import (
	"math/rand/v2"
	"strings"
)

// chatTeller makes what a person says to an assistant. On it the choice
// among spaces was tuned.
type chatTeller struct{ words [][]string }

func newChatTeller() *chatTeller {
	t := &chatTeller{}
	for line := range strings.Lines(strings.TrimSpace(chatTopics)) {
		t.words = append(t.words, strings.Fields(line))
	}
	return t
}

// chatTopics are the words of each topic, one topic a line.
const chatTopics = `
guitar chords strumming capo fretboard amplifier pickup tuning riff pedalboard
pregnancy midwife ultrasound trimester heartburn contractions newborn cradle nursery lullaby
cactus succulent repotting windowsill perlite drainage terracotta aloe cutting sunlight
chemistry titration molecule beaker catalyst isotope reagent solvent oxidation pipette
allergy pollen antihistamine sneezing rash hives epinephrine inhaler peanuts eczema
database migration rollback replica sharding query schema transaction deadlock vacuum
elections turnout district gerrymander incumbent caucus primary delegate polling recount
volcano magma lava caldera basalt fumarole ash eruption crater geothermal
swimming freestyle butterfly goggles lane flip-turn backstroke kickboard pool lifeguard
tailor hem lapel cufflinks waistcoat seam fabric fitting trousers buttonhole
pizza mozzarella pepperoni stone-oven oregano topping calzone semolina tomato-sauce anchovies
dinosaur fossil sediment palaeontologist triceratops Jurassic amber skeleton excavation raptor
divorce custody alimony mediation settlement judge petition separation visitation decree
astronaut capsule docking spacewalk orbit reentry zero-gravity thruster airlock spacesuit
karate dojo belt kata sparring sensei kick gi punch stance
dishwasher detergent cutlery limescale rinse-aid sprayer rack filter hose descaling
whale plankton blowhole migration-route krill calf fluke baleen sonar pod
accordion polka bellows reed keyboard bandoneon tango musette strap squeeze
blockchain wallet mining token ledger consensus validator hash smart-contract staking
campsite tent sleeping-bag campfire marshmallow lantern mosquito groundsheet cooler stakes
eyesight optometrist cataract contact-lens retina cornea glasses prescription glaucoma squint
penalty striker goalkeeper offside midfielder corner-kick dribbling fullback stoppage header
waterfall canyon trailhead viewpoint switchback ranger permit scree backpack cairn
violin-maker spruce maple varnish scroll peg soundpost bridge-blank purfling f-hole
spreadsheet pivot formula column macro cell worksheet filter-row chart VLOOKUP
hurricane evacuation sandbags generator storm-surge shutters forecast eyewall landfall levee
tattoo ink needle-gun stencil aftercare sleeve artist piercing shading parlour
wheelchair ramp armrest cushion accessibility caster footrest curb lift brakes`

func (t *chatTeller) topics() int { return len(t.words) }

func (t *chatTeller) tell(r *rand.Rand, topic int) string {
	var w []string
	if topic >= 0 {
		for _, i := range r.Perm(len(t.words[topic]))[:5] {
			w = append(w, t.words[topic][i])
		}
	} else { // about nothing in particular: words of five topics
		for _, i := range r.Perm(len(t.words))[:5] {
			w = append(w, t.words[i][r.IntN(len(t.words[i]))])
		}
	}
	switch r.IntN(9) {
	case 0:
		return "Remember that my " + w[0] + " and the " + w[1] + " go together, and I bought a " + w[2] + " for the " + w[3] + "."
	case 1:
		return "Yesterday I learned a lot about " + w[0] + ", especially " + w[1] + " and " + w[2] + "."
	case 2:
		return "My sister gave me advice on " + w[0] + ": start with the " + w[1] + ", then the " + w[2] + ", never the " + w[3] + " first."
	case 3:
		return "I am worried about the " + w[0] + " because the " + w[1] + " is worse than the " + w[2] + "."
	case 4:
		return "Which " + w[0] + " is best for a " + w[1] + " with " + w[2] + " and " + w[3] + "? Marco says " + w[4] + "."
	case 5:
		return "The " + w[0] + " costs too much; a cheaper " + w[1] + " plus " + w[2] + " would do."
	case 6:
		return "We spent the whole weekend on " + w[0] + " and " + w[1] + ". Next time: " + w[2] + ", " + w[3] + "."
	case 7:
		return w[0] + ", " + w[1] + ", " + w[2] + ", " + w[3] + ", " + w[4]
	}
	return "User likes " + w[0] + " more than " + w[1] + " and dislikes " + w[2] + "."
}
