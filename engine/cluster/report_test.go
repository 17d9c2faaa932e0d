package cluster

import (
	"math/rand/v2"
	"strings"
)

// reportTeller makes entries of a work log. On it the damping of directions was tuned.
type reportTeller struct{ words [][]string }

func newReportTeller() *reportTeller {
	t := &reportTeller{}
	for line := range strings.Lines(strings.TrimSpace(reportTopics)) {
		t.words = append(t.words, strings.Fields(line))
	}
	return t
}

// reportTopics are the words of each topic, one topic a line.
const reportTopics = `
ferry timetable pier deckhand gangway berth ramp crossing captain
kubernetes cluster namespace ingress pod helm rollout sidecar
payroll overtime payslip pension salary bonus wage timesheet
lettuce spinach radish polytunnel seedbed irrigation slug mulching
patent claim inventor prior-art filing examiner novelty drawing
warehouse forklift pallet barcode shelf picker conveyor stocktake
podcast microphone episode interview soundproofing jingle listener editing
marathon blister interval pacing hydration stopwatch sprint cooldown
dialysis nephrologist creatinine catheter kidney fistula transplant potassium
bakery croissant brioche puff-pastry marzipan icing muffin baguettes
turbine blade nacelle gearbox anemometer yaw pylon wind-farm
museum curator exhibit loan vitrine catalogue conservation archive
lawsuit plaintiff affidavit subpoena verdict attorney deposition settlement
drone propeller gimbal waypoint battery-pack geofence telemetry payload
choir alto tenor soprano hymn psalm cantata organist
scaffolding bricklayer mortar plaster lintel foundation rebar crane
newsletter subscriber headline unsubscribe open-rate segment mailing-list teaser
beach-volleyball serve spike net referee libero tie-break sandcourt
recycling landfill cardboard aluminium sorting glassware composting incinerator
watchmaker escapement mainspring dial strap chronograph jewel balance-wheel
mushroom chanterelle boletus spores truffle foraging mycelium gills
tax-return allowance withholding bracket rebate assessment taxpayer filing-date
cinema projector subtitle trailer popcorn screening premiere usher
sheep shearing lambing fleece pasture ram ewe shepherd
firewall packet router subnet gateway latency bandwidth switchport
dentist molar filling crown plaque enamel braces root-canal
origami crease fold paper-crane valley mountain-fold tessellation washi
skateboard ollie halfpipe kickflip grip-tape deck truck longboard
thesis supervisor abstract citation bibliography defence appendix footnote
carnival parade float mask samba confetti drummer sequins
perfume jasmine sandalwood bergamot vetiver accord flacon musk
railway signalbox sleeper points locomotive carriage siding level-crossing
toddler potty tantrum pushchair dummy daycare nappy weaning
glacier moraine crevasse meltwater icefield drumlin ablation firn
sushi nori wasabi tuna rice-vinegar sashimi roll miso
insurance premium claimant underwriter liability excess policyholder broker
`

func (t *reportTeller) topics() int { return len(t.words) }

func (t *reportTeller) tell(r *rand.Rand, topic int) string {
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
	switch r.IntN(8) {
	case 0:
		return "The " + w(0) + " needs a new " + w(1) + " before the " + w(2) + " is checked, says Priya."
	case 1:
		return "Checked " + w(0) + ", " + w(1) + " and " + w(2) + "; all fine."
	case 2:
		return "Can we move the " + w(0) + " closer to the " + w(1) + "? The " + w(2) + " gets in the way of the " + w(3) + "."
	case 3:
		return "Tom asked about " + w(0) + " again: no " + w(1) + " without " + w(2) + " and " + w(3) + "."
	case 4:
		return strings.ToUpper(w(0)[:1]) + w(0)[1:] + " problem solved, it was the " + w(1) + " and not the " + w(2) + "."
	case 5:
		return "On Friday the " + w(0) + " and the " + w(1) + " will be replaced; order one more " + w(2) + "."
	case 6:
		return "I prefer a " + w(0) + " with " + w(1) + " over a " + w(2) + " with " + w(3) + "."
	}
	return "It turned out that the " + w(0) + " depends on the " + w(1) + ", so we changed the " + w(2) + " and kept the " + w(3) + "."
}
