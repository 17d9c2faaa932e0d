package cluster

import "math/rand/v2"

// householdTeller makes messages of people who keep a village surgery, a farm and a house going. It was written after groups were made
// anew by the model of words, and nothing was changed for it. Topics have six words, and nine of them share one with another topic.
type householdTeller struct{ words [][]string }

func newHouseholdTeller() *householdTeller { return &householdTeller{topicLines(householdTopics)} }

const householdTopics = `
asthma inhaler spacer wheeze pollen nebuliser
diabetes insulin glucose lancet syringe dietitian
eczema ointment itch bandage soap steroid
migraine aura triptan darkness nausea headache-diary
physiotherapy knee crutch stretch elastic-band swelling
vaccination needle measles fridge booster leaflet
hives queen smoker-can honey swarm varroa
goats kidding hoof brush-fence milk fleece
orchard pruning scab ladder cider windfall
tractor clutch diesel hydraulics plough grease
hens coop grit eggs fox roost
pigs sow trough acorn farrowing ham
meadow scythe hay orchid drainage baler
roof slate gutter flashing moss ladder
wiring breaker socket junction-box electrician earth-rod
plumbing tap stopcock washer leak ballcock
stove flue ash kindling soot hearth
curtains lining rail hem pleats fabric
piano tuner pedal hammer-felt metronome sonata
freezer peas defrosting drawer label compressor
bicycle chain puncture pannier bell saddle
car clutch exhaust garage tyre warning-light
tax receipt allowance accountant deadline form
funeral coffin hymn sandwiches urn organist
wedding veil marquee cake toast caterer
nursery-school peg apron glue song nits
`

func (t *householdTeller) topics() int { return len(t.words) }

func (t *householdTeller) tell(r *rand.Rand, topic int) string {
	w := wordsOf(r, t.words, topic)
	switch r.IntN(7) {
	case 0:
		return "Granny phoned twice this morning, first because of the " + w[0] + " and then about the " + w[1] + " and the " + w[2] + "."
	case 1:
		return "On the list for Thursday, if the weather holds: " + w[0] + ", " + w[1] + ", " + w[2] + ", " + w[3] + "."
	case 2:
		return "I told the apprentice never to touch the " + w[0] + " before somebody has looked at the " + w[1] + "."
	case 3:
		return "The radio had a long programme on the " + w[0] + ", with a professor who knew all about the " + w[1] + " and nothing of the " + w[2] + "."
	case 4:
		return "There is a notebook on the dresser; page seven has what we agreed on " + w[0] + ", " + w[1] + " and " + w[2] + "."
	case 5:
		return "Our neighbour Pawel swapped a sack of potatoes for the " + w[0] + ", and threw in the " + w[1] + " and an old " + w[2] + "."
	}
	return "Nothing new in the post except an advertisement for a " + w[0] + " with free " + w[1] + ", and a bill for the " + w[2] + "."
}
