package pattern

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/topictest"
)

// theatre was written after the rules of small worlds. Once it had been looked at, fewSources was lowered, because two sentences
// of its noise were a pattern (ADR 151).
var theatre = world{
	names: []string{"Agnes", "Bilal", "Corinna", "Dov", "Esther"},
	plants: []plant{
		{graph.Workflow, []string{
			"Opening the house: unlock the foyer, then switch on the cash desk, then ring the first bell.",
			"{name} unlocked the foyer, then switched on the cash desk, then rang the first bell.",
			"1. Unlock the foyer\n2. Switch on the cash desk\n3. Ring the first bell",
			"First unlock the foyer, then switch on the cash desk, and finally ring the first bell.",
			"unlock the foyer -> switch on the cash desk -> ring the first bell",
		}, nil},
		{graph.Workflow, []string{
			"To patch a dimmer, pull the breaker, swap the cable, label the channel and run the cue.",
			"I pulled the breaker, then swapped the cable, then labelled the channel, then ran the cue.",
			"Patching a dimmer:\n- pull the breaker\n- swap the cable\n- label the channel\n- run the cue",
			"First pull the breaker. Then swap the cable. After that label the channel. Finally run the cue.",
			"Pull the breaker, then swap the cable, then label the channel, and at last run the cue.",
		}, nil},
		{graph.StatedPreference, []string{
			"Agnes prefers matinees to evening shows.",
			"Agnes would rather play a matinee than an evening show.",
			"I like matinees better than evening shows.",
			"Agnes likes matinees more than evening shows.",
			"If she may choose, Agnes prefers matinees over evening shows.",
		}, nil},
		{graph.StatedPreference, []string{
			"The stagehands hate gaffer tape on the floor.",
			"The stagehands don't like gaffer tape on the floor.",
			"The stagehands avoid gaffer tape on the floor.",
			"The stagehands can't stand gaffer tape on the floor.",
			"Our stagehands dislike gaffer tape on the floor.",
		}, nil},
		{graph.StatedPreference, []string{
			"Bilal's favourite seat is in row nine on the aisle.",
			"Bilal prefers a seat in row nine on the aisle.",
			"Bilal loves the aisle seat in row nine.",
			"Bilal likes to have the aisle seat in row nine.",
			"Bilal enjoys the aisle seat in row nine most.",
		}, nil},
		{graph.Constraint, []string{
			"The balcony holds at most 120 people.",
			"No more than 120 people on the balcony.",
			"Never let more than 120 people onto the balcony.",
			"More than 120 people on the balcony are not allowed.",
			"The balcony must not hold more than 120 people.",
		}, nil},
		{graph.Constraint, []string{
			"Pyrotechnics must be signed off by the fire marshal.",
			"Pyrotechnics need the signature of the fire marshal.",
			"No pyrotechnics unless the fire marshal has signed off.",
			"Only use pyrotechnics after the fire marshal has signed off.",
			"It is mandatory that the fire marshal signs off pyrotechnics.",
		}, nil},
		{graph.Constraint, []string{
			"Doors must be closed once the overture begins.",
			"Nobody may enter after the doors are closed at the overture.",
			"The doors have to be closed when the overture begins.",
			"Always close the doors as soon as the overture begins.",
			"At the overture the doors must be closed.",
		}, nil},
		{graph.Constraint, []string{
			"The fly bars carry at most 250 kilos.",
			"Never hang more than 250 kilos on the fly bars.",
			"The maximum load of the fly bars is 250 kilos.",
			"The fly bars must not carry more than 250 kilos.",
			"Loads over 250 kilos on the fly bars are prohibited.",
		}, nil},
		{graph.FailureSignature, []string{
			"The revolve stalls when the hydraulic oil is cold.",
			"The revolve stalled because the hydraulic oil was cold.",
			"Cold hydraulic oil makes the revolve stall.",
			"On {day} the revolve stalled again due to cold hydraulic oil.",
			"Whenever the hydraulic oil is cold, the revolve stalls.",
		}, nil},
		{graph.FailureSignature, []string{
			"The ticket scanner crashes if the foyer network is overloaded.",
			"An overloaded foyer network crashed the ticket scanner.",
			"The ticket scanner crashed since the foyer network was overloaded.",
			"When the foyer network is overloaded, the ticket scanner hangs.",
			"The ticket scanner failed because of an overloaded foyer network.",
		}, nil},
		{graph.FailureSignature, []string{
			"The fog machine trips the fuse if the heater runs.",
			"The fog machine tripped the fuse because the heater was running.",
			"Once the heater ran, the fog machine tripped the fuse.",
			"With the heater running the fog machine trips the fuse.",
			"The fog machine trips the fuse whenever the heater is running.",
		}, nil},
	},
	things: strings.Split("allotment,door mat,fish tank,sewing box,tandem,sleeping bag,orange crate,bus pass,garden hose,chess clock,teapot,rowing boat,wool coat,shoe rack,bread knife,photo album,cello,mail slot,hat stand,rain barrel,apple tree,market stall,toy train,ladder,lunch box,pigeon loft,tile stove,old map,scooter,bird bath", ","),
	acts:   strings.Fields("bought lent hid weighed polished signed found dropped inspected rented emptied framed"),
	noise: []string{
		"Yesterday {name} {act} the {thing}.", "The {thing} belongs to {name}.", "{name} must not forget the {thing}.", "Has anyone {act} the {thing}?",
		"The {thing} is {n} years old.", "{name} likes the {thing}.", "When {name} {act} the {thing}, it rained.", "The {thing} costs {n} euros.",
		"We need a new {thing} by {day}.", "{name} can't find the {other}.", "Someone {act} the {thing} near the {other}.", "The {thing} broke on {day}.",
		"{name} prefers the {other}.", "There is no room for the {thing}.", "The {thing} must be {act} on {day}.", "First the {thing}, then the {other}.",
		"A photograph of the {thing} hangs in the hall.", "{name} has {act} the {thing} twice.", "The {thing} stood between the {other} and the wall.", "Because of the {thing} {name} came late.",
		"At most {n} people saw the {thing}.", "{name} avoids the {thing}.", "Never mind the {thing}.", "The {thing} always reminds me of {name}.",
	},
}

// The world of this test and the topics around it were written after the rules.
func TestPatternsOfAnotherSmallWorld(t *testing.T) {
	pool := topictest.Read(t, "second", "terse")
	seeds := uint64(10)
	if testing.Short() {
		seeds = 2
	}
	for _, nouns := range []bool{false, true} {
		precision, recall := smallWorld{theatre, pool}.measureSmall(t, seeds, 5, 6, 12, nouns)
		if precision < 0.9 || recall < 0.8 {
			t.Errorf("nouns %v: precision %.3f, want ≥ 0.9; recall %.3f, want ≥ 0.8", nouns, precision, recall)
		}
	}
}
