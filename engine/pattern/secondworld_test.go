package pattern

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// clinic was written after the rules were done, with other words and other shapes of sentences.
var clinic = world{
	names: []string{"Priya", "Oskar", "Lena", "Hamid", "Grace"},
	plants: []plant{
		{graph.Workflow, []string{
			"Admission goes like this: scan the insurance card, then print the wristband, then weigh the patient.",
			"{name} scanned the insurance card, then printed the wristband, and then weighed the patient.",
			"How we admit people:\n1) Scan the insurance card\n2) Print the wristband\n3) Weigh the patient",
			"Scan the insurance card => print the wristband => weigh the patient",
			"New arrival at bed {n}. First I scanned the insurance card. Next I printed the wristband. Lastly I weighed the patient.",
			"At admission, start by scanning the insurance card, then print the wristband and finally weigh the patient.",
		}, nil},
		{graph.Workflow, []string{
			"To close the pharmacy, count the cash, lock the cabinet, set the alarm and text the manager.",
			"Closing on {day}: counted the cash, then locked the cabinet, then set the alarm, then texted the manager.",
			"First count the cash, second, lock the cabinet, third, set the alarm, and finally text the manager.",
			"Evening checklist:\n* Count the cash\n* Lock the cabinet\n* Set the alarm\n* Text the manager",
			"count cash -> lock cabinet -> set alarm -> text manager",
		}, []string{"First set the alarm, then count the cash, then lock the cabinet."}},
		{graph.Workflow, []string{
			"Sourdough with {name} again: feed the starter, then fold the dough, then shape the loaf, then bake it.",
			"After feeding the starter we fold the dough; then we shape the loaf, and finally bake it.",
			"Step 1: feed the starter\nStep 2: fold the dough\nStep 3: shape the loaf\nStep 4: bake it",
			"You feed the starter, then you fold the dough, then you shape the loaf and then you bake it.",
			"First feed the starter. Then fold the dough. Then shape the loaf. Finally bake it.",
		}, nil},
		{graph.StatedPreference, []string{
			"Priya would rather walk than take the tram.",
			"Priya prefers walking to the tram.",
			"Instead of the tram, Priya prefers walking.",
			"I like walking more than the tram.",
			"I'd rather walk than ride the tram.",
			"Given the choice, Priya prefers to walk rather than take the tram.",
		}, []string{"Priya prefers the tram to walking."}},
		{graph.StatedPreference, []string{
			"Our night shift can't stand fluorescent lights.",
			"The night shift hates fluorescent lights.",
			"The night shift avoids fluorescent lights.",
			"Nobody on the night shift likes fluorescent lights.",
			"The night shift doesn't like fluorescent lights.",
			"The night shift really dislikes fluorescent lights.",
		}, nil},
		{graph.StatedPreference, []string{
			"Oskar's favourite bread is dark rye.",
			"Dark rye is Oskar's favourite bread.",
			"Oskar loves dark rye bread.",
			"Oskar is fond of dark rye bread.",
			"For bread, Oskar prefers dark rye.",
			"Oskar always enjoys dark rye bread.",
		}, nil},
		{graph.Constraint, []string{
			"Insulin has to be stored between 2 and 8 degrees.",
			"Store insulin at no more than 8 degrees and no less than 2.",
			"Insulin must be kept at 2 to 8 degrees.",
			"Insulin must always be stored at 2 to 8 degrees.",
			"It is required to store insulin at 2 to 8 degrees.",
			"Insulin needs to be stored at 2 to 8 degrees.",
		}, nil},
		{graph.Constraint, []string{
			"Visitors are not allowed on the ward after 20 hours.",
			"No visitors on the ward after 20 hours.",
			"After 20 hours visitors must leave the ward.",
			"Visitors may not stay on the ward after 20 hours.",
			"You can't have visitors on the ward after 20 hours.",
			"Visitors are prohibited on the ward after 20 hours.",
		}, []string{"Visitors are allowed on the ward after 20 hours."}},
		{graph.Constraint, []string{
			"The lift carries at most 6 persons.",
			"No more than 6 persons in the lift.",
			"The maximum load of the lift is 6 persons.",
			"More than 6 persons in the lift are forbidden.",
			"The lift must not carry more than 6 persons.",
			"Never put more than 6 persons in the lift.",
		}, []string{"The lift carries at most 10 persons."}},
		{graph.Constraint, []string{
			"Only a pharmacist may sign for morphine.",
			"Morphine must be signed for by a pharmacist.",
			"Nobody but a pharmacist may sign for morphine.",
			"A pharmacist has to sign for morphine.",
			"Morphine requires the signature of a pharmacist.",
			"Without a pharmacist's signature morphine must not be handed out.",
		}, nil},
		{graph.Constraint, []string{
			"Before surgery the patient must have fasted for 6 hours.",
			"Surgery is only possible if the patient has fasted for 6 hours.",
			"A patient must fast for at least 6 hours before surgery.",
			"No surgery unless the patient has fasted for 6 hours.",
			"Patients have to fast for 6 hours prior to surgery.",
		}, nil},
		{graph.FailureSignature, []string{
			"The dishwasher floods if the filter is clogged.",
			"Flooded kitchen again: the dishwasher overflowed because of a clogged filter.",
			"The dishwasher overflowed because the filter was clogged.",
			"A clogged filter made the dishwasher overflow.",
			"Whenever the filter gets clogged, the dishwasher overflows.",
			"The dishwasher overflows as soon as its filter is clogged.",
		}, nil},
		{graph.FailureSignature, []string{
			"The scanner freezes when two people log in.",
			"The scanner froze after two people logged in.",
			"Two people logged in, and the scanner froze.",
			"Every time two people log in the scanner hangs.",
			"The scanner hung once two people had logged in.",
			"On {day} the scanner became unresponsive because two people were logged in.",
		}, []string{"The scanner did not freeze when two people logged in."}},
		{graph.FailureSignature, []string{
			"The backup job runs out of disk if the archive is not pruned.",
			"Backups failed because the archive had not been pruned.",
			"The backup job fails when nobody prunes the archive.",
			"An unpruned archive led to a failed backup job.",
			"The backup job failed due to an unpruned archive.",
			"The backup job crashes whenever the archive is not pruned.",
		}, nil},
	},
	things: strings.Split("wheelchair,lunch menu,parking lot,fountain,waiting room,coffee machine,birthday card,rain coat,goldfish,puzzle,tulip bed,water cooler,elevator music,vending machine,magazine rack,hand cream,sandwich,bus stop,fire drill,calendar,balcony,thermos,umbrella stand,guitar,chess board,postcard,sun hat,picnic,camera,flag pole", ","),
	acts:   strings.Fields("washed ordered tested returned praised drew counted opened admired mentioned carried packed"),
	noise: []string{
		"On {day} {name} {act} the {thing}.", "{name} has to get the {thing} {act}.", "We enjoyed the {thing} beside the {other}.", "The {thing} can't be {act} this week.",
		"It was {name} who {act} the {thing}.", "Who {act} the {thing}?", "{name} hates the {thing}.", "Because of the {other} the {thing} was late.",
		"{n} visitors asked about the {thing}.", "The {thing} came with the {other}.", "{name} lost the {thing} after {day}.", "The {thing} stopped working in year {n}.",
		"Do not forget the {thing} on {day}.", "{name} {act} the {thing} and then the {other}.", "Next to the {thing} stands the {other}.", "Never seen such a {thing}!",
		"The {thing} needs a {other}.", "There are at least {n} kinds of {thing}.", "The {thing} must be the oldest of all.", "{name} only {act} the {thing}.",
		"They like the {thing}.", "Before the {other}, {name} {act} the {thing}.", "The {thing} failed to impress {name}.", "{name} would rather see the {thing}.",
	},
}

func TestPatternsOfAnotherWorld(t *testing.T) {
	precision, recall := clinic.measure(t)
	if precision < 0.9 || recall < 0.8 {
		t.Errorf("precision %.3f, want ≥ 0.9; recall %.3f, want ≥ 0.8", precision, recall)
	}
}
