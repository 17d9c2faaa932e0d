package cluster

import (
	"math/rand/v2"
	"strings"
)

// letterTeller makes what people write to each other about. It was written after the rules for small
// sets, and measured once.
type letterTeller struct{ words [][]string }

func newLetterTeller() *letterTeller {
	t := &letterTeller{}
	for line := range strings.Lines(strings.TrimSpace(letterTopics)) {
		t.words = append(t.words, strings.Fields(line))
	}
	return t
}

// letterTopics are the words of each topic, one topic a line.
const letterTopics = `
canoe paddle portage rapids drybag riverbank spraydeck kayak lagoon weir
saxophone embouchure mouthpiece jazz solo octave swing quintet reed clarinet
foster-cat litter whiskers kitten shelter purring adoption claws tabby microchip
lighthouse foghorn lantern-room keeper reef beacon shipwreck tide logbook storm-glass
upholstery armchair webbing velvet tacks horsehair cushions springs ottoman fabric
stamp philately perforation album postmark hinge collector misprint watermark auction
trombone brass parade bandmaster slide march cymbal bugle bandstand uniform
cheese rennet curd rind cellar brine goat whey culture affineur
genealogy ancestor parish baptism census surname emigrant archive gravestone cousin
fencing foil sabre parry lunge piste riposte mask epee bout
tram depot pantograph conductor route ticket-machine overhead-line junction timetable driver
orchid repot humidity bloom epiphyte bark aerial-root mist petals greenhouse
ice-skating rink blades axel pirouette zamboni choreography edges skates jump
judo tatami throw grip randori ippon belt sensei hold breakfall
bookbinding spine endpaper awl linen-thread gilding signature bone-folder leather press
falcon hood lure jesses aviary perch hunting moult glove talons
translation glossary proofread idiom deadline subtitle interpreter dialect footnotes agency
dike polder pump sluice flood embankment seepage water-board spillway sandbag
barbecue charcoal brisket marinade tongs smoker ribs skewer grill rub
crossword clue anagram grid setter solver cryptic pun across down
`

func (t *letterTeller) topics() int { return len(t.words) }

func (t *letterTeller) tell(r *rand.Rand, topic int) string {
	var w []string
	if topic >= 0 {
		for _, i := range r.Perm(len(t.words[topic]))[:4] {
			w = append(w, t.words[topic][i])
		}
	} else { // about nothing in particular: words of four topics
		for _, i := range r.Perm(len(t.words))[:4] {
			w = append(w, t.words[i][r.IntN(len(t.words[i]))])
		}
	}
	people := []string{"Berta", "Goran", "Miss Tilde", "Uncle Olaf", "the twins"}
	who := people[r.IntN(len(people))]
	switch r.IntN(7) {
	case 0:
		return who + " sent me a postcard with a " + w[0] + " on it, and asks whether the " + w[1] + " arrived."
	case 1:
		return "You would have laughed: first the " + w[0] + ", then the " + w[1] + ", and in the end " + who + " lost the " + w[2] + "."
	case 2:
		return "I enclose a drawing of the " + w[0] + "; please show it to " + who + " before you order the " + w[1] + "."
	case 3:
		return "There is no news but the " + w[0] + ", which " + who + " keeps beside the " + w[1] + " and the " + w[2] + "."
	case 4:
		return "Do not forget to return the " + w[0] + " and the book about " + w[1] + " that " + who + " lent you."
	case 5:
		return "It rained, so we stayed in and talked of " + w[0] + ", " + w[1] + " and " + w[2] + " until " + who + " fell asleep."
	}
	return "My best regards to everybody at the club; the " + w[0] + " with the " + w[1] + " is finished at last, and so is the " + w[3] + "."
}
