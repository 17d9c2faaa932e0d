package reader

import (
	"testing"
	"time"
)

var firstOfDecember = time.Date(2031, 12, 1, 9, 0, 0, 0, time.UTC)

// calls relates a plan of 1 December 2031 to what is said three days later.
func calls(plan, later string) Relation {
	return Relate(Statement{Text: plan, Speaker: "ana", User: "ana", At: firstOfDecember}, Statement{Text: later, Speaker: "ana", User: "ana", At: firstOfDecember.AddDate(0, 0, 3)})
}

// A statement that calls off what a plan names ends the plan.
func TestPlansAreCalledOff(t *testing.T) {
	for _, x := range [][2]string{
		{"I'm moving to Lyon on 20 December.", "The move is off, I'm staying in Nice."},
		{"I'm moving to Lyon on 20 December.", "I'm not moving to Lyon after all."},
		{"I'm moving to Lyon on 20 December.", "I'm not moving after all."},
		{"I'm moving to Lyon on 20 December.", "The move isn't happening."},
		{"I start at Renault on 1 January.", "Renault withdrew the offer."},
		{"I start at Renault on 1 January.", "I turned down the Renault offer."},
		{"I'm flying to Lisbon on 20 January.", "I cancelled the Lisbon trip."},
		{"I'm flying to Lisbon on 20 January.", "I called off the trip to Lisbon."},
		{"The launch slipped to 10 March.", "There will be no launch."},
		{"The launch is on 10 March.", "The launch won't take place."},
		{"I'm going to Rome in February.", "The Rome trip is off."},
		{"My partner Jules and I are getting married on 12 September.", "We called off the wedding."},
		{"We have booked a trip to Rome for May 2032.", "We cancelled the trip."},
		{"I'm moving to Lyon on 20 December.", "The move is on hold."},
		{"I'm flying to Rome on 20 December.", "The trip was cancelled."},
	} {
		if r := calls(x[0], x[1]); !r.Off || !r.Day.IsZero() || r.Certainty < Revises {
			t.Errorf("%s => %s: %+v", x[0], x[1], r)
		}
	}
}

// Plans and sentences that were written after the rules.
func TestOtherPlansAreCalledOff(t *testing.T) {
	for _, x := range [][2]string{
		{"We're moving to Ghent on 3 February.", "Our move to Ghent fell through."},
		{"I'm joining Lumen on 1 March.", "Lumen rescinded the offer yesterday."},
		{"Anna and I are getting married in June.", "The wedding isn't happening."},
		{"The release is planned for 12 January.", "The release has been scrapped."},
		{"We will launch Falcon on 3 February.", "The Falcon launch was called off."},
		{"I'm having surgery on 9 January.", "The surgery was cancelled."},
		{"I'm running the Ghent marathon on 4 April.", "The Ghent marathon is off."},
		{"Tom is moving to Lyon on 20 December.", "Tom called off the move."},
		{"I have a dentist appointment on 15 December.", "I cancelled the dentist appointment."},
		{"I will start at Lumen in March.", "I won't be starting at Lumen after all."},
	} {
		if r := calls(x[0], x[1]); !r.Off || !r.Day.IsZero() {
			t.Errorf("%s => %s: %+v", x[0], x[1], r)
		}
	}
	for _, x := range [][2]string{
		{"I start at Renault on 1 January.", "I turned down the offer from Opel."},
		{"My review with Gus is on 20 December.", "The review with Tara is off."},
		{"My review with Gus is on 20 December.", "The review with Tara was moved to 23 December."},
		{"My review with Gus is on 20 December.", "We postponed the review with Tara."},
		{"The party at Kim's is on 12 December.", "The party at Jo's is off."},
		{"I have a meeting with sales on 7 December.", "The meeting with legal was called off."},
		{"My appointment at the town hall is on 8 December.", "My appointment at the bank fell through."},
		{"The workshop in Basel is on 22 December.", "The workshop in Bern was postponed to 31 December."},
		{"My trip to Rome is in April.", "The trip to Oslo is cancelled."},
		{"I'm starting chemo on 20 December.", "I declined the offer."},
		{"I'm joining the choir on 20 December.", "I turned down the job."},
		{"I have an appointment on 20 December.", "The appointment was delayed by 15 minutes."},
		{"I'm travelling to Rome on 20 December.", "I cancelled the tour."},
		{"I start at Renault on 1 January.", "The offer was withdrawn by Opel."},
		{"I start at Renault on 1 January.", "The supermarket withdrew the special offer."},
		{"We're moving to Ghent on 3 February.", "The movers cancelled."},
		{"We're moving to Ghent on 3 February.", "I dropped the sofa during the move."},
		{"I'm flying to Oslo on 9 January.", "My flight from Oslo is delayed until noon."},
		{"I'm flying to Oslo on 9 January.", "The school trip was cancelled."},
		{"I'm flying to Oslo on 9 January.", "They cancelled my flight to Rome."},
		{"Anna and I are getting married in June.", "My cousin called off her wedding."},
		{"Anna and I are getting married in June.", "We cancelled the wedding cake."},
		{"The release is planned for 12 January.", "The release notes were dropped."},
		{"We will launch Falcon on 3 February.", "The Kestrel launch was called off."},
		{"I have a dentist appointment on 15 December.", "I cancelled the vet appointment."},
		{"We're going to Crete in April.", "I never cancel a holiday."},
		{"We're going to Crete in April.", "Should we cancel the holiday?"},
		{"I'm visiting Oslo next week.", "I was told that the trip is off."},
	} {
		if r := calls(x[0], x[1]); r.Off {
			t.Errorf("%s => %s: %+v", x[0], x[1], r)
		}
	}
}

// A delay calls nothing off, and a refused job only its own start.
func TestADelayCallsNothingOff(t *testing.T) {
	for _, x := range [][2]string{
		{"I'm flying to Tokyo on 3 May.", "My flight's been delayed."},
		{"I'm flying to Tokyo on 3 May.", "My flight was delayed, so I missed dinner."},
		{"I'm travelling to Rome on 20 March.", "We delayed the trip."},
		{"I'm travelling to Rome on 20 March.", "The trip is delayed."},
		{"The concert is on 2 April.", "The concert has been delayed."},
		{"I start at Siemens on 1 June.", "They delayed the job."},
		{"We're moving to Porto on 15 July.", "The move is a bit delayed."},
		{"I'm having surgery on 5 May.", "My surgery was delayed."},
		{"Our wedding is in June.", "Our wedding had to be delayed."},
		{"I'm visiting Oslo next week.", "The visit got delayed."},
		{"I'm starting at Ericsson in June.", "I turned down the Nokia job."},
		{"I'm starting at Ericsson in June.", "I turned down a job offer from Volvo."},
		{"I'm starting at Ericsson in June.", "I decided against the car."},
		{"I'm starting at Ericsson in June.", "I may turn down the Ericsson job."},
		{"I'm starting at Ericsson in June.", "My sister turned down the job at Ikea."},
		{"I'm starting a course in June.", "I passed on the job."},
	} {
		if r := calls(x[0], x[1]); r.Off {
			t.Errorf("%s => %s: %+v", x[0], x[1], r)
		}
	}
	for _, x := range [][2]string{
		{"I'm flying to Tokyo on 3 May.", "My flight was cancelled."},
		{"We're moving to Porto on 15 July.", "The move was called off."},
		{"We're moving to Porto on 15 July.", "The move is delayed to 3 September."},
		{"I'm starting at Ericsson in June.", "I turned down the Ericsson job."},
		{"I'm joining Volvo in August.", "I turned down the job offer from Volvo."},
		{"I'll start at Ikea in May.", "I decided against the Ikea job."},
		{"I begin at Airbus on 1 July.", "I turned the Airbus job down."},
		{"I'm starting as a chef at Noma in April.", "I turned down the Noma position."},
	} {
		if r := calls(x[0], x[1]); !r.Off || r.Certainty < Revises {
			t.Errorf("%s => %s: %+v", x[0], x[1], r)
		}
	}
}

// A postponement moves the plan to the day that it names.
func TestPlansAreMoved(t *testing.T) {
	for _, x := range []struct {
		plan, later string
		day         time.Time
	}{
		{"I'm moving to Lyon on 20 December.", "The move is postponed to May.", time.Date(2032, 5, 1, 0, 0, 0, 0, time.UTC)},
		{"My partner Jules and I are getting married on 12 September.", "We postponed the wedding to spring.", time.Date(2032, 3, 1, 0, 0, 0, 0, time.UTC)},
		{"I start at Renault on 1 January.", "The job was pushed back to 1 March.", time.Date(2032, 3, 1, 0, 0, 0, 0, time.UTC)},
		{"I'm flying to Lisbon on 20 January.", "We moved the trip to 3 February.", time.Date(2032, 2, 3, 0, 0, 0, 0, time.UTC)},
	} {
		if r := calls(x.plan, x.later); !r.Off || !r.Day.Equal(x.day) {
			t.Errorf("%s => %s: %+v", x.plan, x.later, r)
		}
	}
}

// What calls off something else, or is not sure, leaves a plan.
func TestPlansAreNotCalledOff(t *testing.T) {
	for _, x := range [][2]string{
		{"I'm going to Rome in February.", "The Paris trip is off."},
		{"I'm flying to Lisbon on 20 January.", "I cancelled the hotel for the Lisbon trip."},
		{"I'm flying to Lisbon on 20 January.", "My sister cancelled her trip."},
		{"I'm flying to Lisbon on 20 January.", "Is the Lisbon trip off?"},
		{"I'm flying to Lisbon on 20 January.", "The trip might be off."},
		{"I'm flying to Lisbon on 20 January.", "If it rains, the trip is off."},
		{"I'm flying to Lisbon on 20 January.", "I cancelled a trip."},
		{"I'm flying to Lisbon on 20 January.", "I cancelled the trip in March."},
		{"I'm flying to Lisbon on 20 January.", "The trip is not off."},
		{"I'm flying to Lisbon on 20 January.", "The trip was not postponed to March."},
		{"I'm flying to Lisbon on 20 January.", "We did not cancel the trip."},
		{"I'm flying to Lisbon on 20 January.", "The trip was nearly cancelled."},
		{"I'm flying to Lisbon on 20 January.", "I cancelled the Lisbon trip insurance."},
		{"I live in Lyon.", "The move is off."},
		{"I moved to Lyon.", "The move is off."},
		{"Tom is moving to Lyon on 20 December.", "The move is off."},
		{"I'm moving to Lyon on 20 December.", "Tom's move is off."},
		{"I'm moving to Lyon on 20 December.", "I'm not moving to Lyon on 20 December but on 3 January."},
		{"I'm moving to Lyon on 20 December.", "I'm not moving to Paris after all."},
		{"I'm moving to Lyon on 20 December.", "The move is off to a good start."},
		{"I start at Renault on 1 January.", "Opel withdrew the offer."},
		{"The launch is on 10 March.", "The launch party is cancelled."},
		{"The launch is on 10 March.", "The book launch is cancelled."},
		{"I take piano lessons on Mondays.", "The piano lesson is off."},
		{"I'm going to the gym tomorrow.", "The trip is off."},
		{"I went to Rome in November.", "The trip is off."},
		{"Dinner with Ana is every Friday.", "Dinner is off."},
	} {
		if r := calls(x[0], x[1]); r.Off {
			t.Errorf("%s => %s: %+v", x[0], x[1], r)
		}
	}
	late := Statement{Text: "I cancelled the Lisbon trip.", Speaker: "ana", User: "ana", At: firstOfDecember.AddDate(0, 3, 0)}
	if r := Relate(Statement{Text: "I'm flying to Lisbon on 20 January.", Speaker: "ana", User: "ana", At: firstOfDecember}, late); r.Off {
		t.Errorf("after the day: %+v", r)
	}
}
