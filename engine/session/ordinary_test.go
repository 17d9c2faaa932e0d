package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// ordinary are turns that begin with words of repair or of answers and say something of their own, after another turn.
var ordinary = [][2]string{
	{"u: My flat is in Graz.", "u: Sorry, the dog just ate my notes."},
	{"u: The demo is on Wednesday.", "u: Sorry, Wednesday is Liam's day off, I forgot."},
	{"u: My train arrives at 18:40.", "u: Sorry, running late, about 20 minutes."},
	{"u: I have three nieces.", "u: Oops, two new emails came in."},
	{"u: The budget is 40,000 euros.", "u: Oops, spilled coffee on my keyboard."},
	{"u: My desk is on the 5th floor.", "u: Oops, that was meant for Tara."},
	{"u: My cat is called Pixel.", "u: Wait, Milo."},
	{"u: My cat is called Pixel.", "u: Wait, let me show you a picture."},
	{"u: We meet at 14:00.", "u: Wait, 10 seconds."},
	{"u: The invoice is number 8812.", "u: Wait until the 15th before paying it."},
	{"u: I grew up in Porto.", "u: I mean, it was a nice childhood."},
	{"u: My brother lives in Turin.", "u: I mean Davide."},
	{"u: My colleague sits in Dublin.", "u: I mean Florence."},
	{"u: She works at Nokia.", "u: I mean Petra."},
	{"u: My wife is Danish.", "u: I mean Freja."},
	{"u: My aunt is from Chile.", "u: I mean Rosa."},
	{"u: The deadline is Friday.", "u: I mean it."},
	{"u: The deadline is Friday.", "u: I mean it this time, no extensions."},
	{"u: I run 10 km a week.", "u: I mean on the treadmill."},
	{"u: I wear size 42.", "u: Actually 43 people follow my blog."},
	{"u: I wear size 42.", "u: Actually, I prefer sandals."},
	{"u: The server has 64 GB.", "u: Actually 2 disks are failing."},
	{"u: Our office opens at 8.", "u: Actually, Nina opens it most days."},
	{"u: My mentor is Olga.", "u: Actually, Olga retires in June."},
	{"u: My mentor is Olga.", "u: Sorry, Olga."},
	{"u: My mentor is Olga.", "u: Sorry, Viktor, you were first."},
	{"u: The code review is on Monday.", "u: No, Tuesday I have yoga."},
	{"u: The code review is on Monday.", "u: No worries about Friday."},
	{"u: I own two guitars.", "u: No drums though."},
	{"u: I own two guitars.", "u: Yes, two."},
	{"u: My locker is C17.", "u: Sorry, ERR_404 popped up here."},
	{"u: My locker is C17.", "u: Oops, wrong window."},
	{"u: My plate is ZH 4410.", "u: Oops. Monday already!"},
	{"u: I parked on level 2.", "u: Correction tape is on the shopping list."},
	{"u: I parked on level 2.", "u: Make that video public, please."},
	{"u: The quiz is at 7 pm.", "u: Scratch that itch and book Lisbon!"},
	{"u: The quiz is at 7 pm.", "u: Sorry, in 5."},
	{"u: The party has 30 guests.", "u: Sorry, at 9."},
	{"u: I was in Kyoto in March.", "u: Sorry, April."},
	{"u: I need 6 eggs and 2 lemons.", "u: Sorry, 3."},
	{"u: Leo plays chess with Max.", "u: I mean Moritz."},
	{"u: My sister's number is 555-0142.", "u: Oops, 5 missed calls."},
	{"u: I take 20 mg of citalopram.", "u: Oops, 2 tablets left."},
	{"u: My rent is 780 euros.", "u: Sorry, 780 dollars is what Kim pays."},
	{"a: Do you live near Hamburg?", "u: yes"},
	{"a: Do you live with your parents?", "u: yes"},
	{"a: Do you work from home on Fridays?", "u: yes"},
	{"a: Have you lived in Madrid?", "u: yes"},
	{"a: Did you move to Oslo?", "u: yes"},
	{"a: Would you like to live in Rome?", "u: yes"},
	{"a: Are you in Berlin right now?", "u: yes"},
	{"a: Is that your flight at 9?", "u: yes"},
	{"a: Should I note that your flight is at 9?", "u: yes"},
	{"a: Are you allergic to nuts?", "u: No, but Emma is."},
	{"a: Are you vegan or vegetarian?", "u: yes"},
	{"a: Where do you live?", "u: Yes, in a flat."},
	{"a: Where do you work?", "u: Nights."},
	{"a: Where do you live?", "u: Alone."},
	{"a: What's your plan for the weekend?", "u: Sleep"},
	{"a: Who is your boss?", "u: Wait"},
	{"a: When is your next appointment?", "u: Sorry, 5 minutes"},
	{"a: What's your favourite colour?", "u: Guess"},
}

// completing are turns that correct a value of the turn before or answer it, and what they say.
var completing = [][3]string{
	{"u: My dentist appointment is on Monday.", "u: Sorry, I meant Tuesday.", "My dentist appointment is on Tuesday."},
	{"u: The standup starts at 9:15.", "u: Oops, 9:30.", "The standup starts at 9:30."},
	{"u: My shoe size is 41.", "u: I mean 42.", "My shoe size is 42."},
	{"u: The gate is C22.", "u: No wait, C24.", "The gate is C24."},
	{"u: Our wedding is on 12 June.", "u: Correction: 13 June.", "Our wedding is on 13 June."},
	{"u: My rabbit is called Hazel.", "u: I meant Basil.", "My rabbit is called Basil."},
	{"u: I live in Munich.", "u: Sorry, I mean Vienna.", "I live in Vienna."},
	{"u: The meeting is in room 310.", "u: Sorry, 301.", "The meeting is in room 301."},
	{"u: My email is jo@old.example.", "u: Oops, jo@new.example", "My email is jo@new.example."},
	{"u: The config is in etc/app.yaml.", "u: Correction: it's in etc/app.toml.", "The config is in etc/app.toml."},
	{"u: I take 5 mg of ramipril.", "u: Correction: 10 mg.", "I take 10 mg of ramipril."},
	{"u: The rent is €850.", "u: Sorry, €870.", "The rent is €870."},
	{"u: My manager is Tom Reed.", "u: Sorry, Tom Reid.", "My manager is Tom Reid."},
	{"u: The launch is on Thursday.", "u: Wait, Friday, not Thursday.", "The launch is on Friday."},
	{"a: Where do you live?", "u: Leipzig", "I live in Leipzig."},
	{"a: Where do you work?", "u: Bosch", "I work at Bosch."},
	{"a: Do you work at Zalando?", "u: Yes.", "I work at Zalando."},
	{"a: Are you vegetarian?", "u: yep", "I am vegetarian."},
	{"a: Is your dog called Bruno?", "u: yes", "My dog is called Bruno."},
	{"a: When is your birthday?", "u: 3 March", "My birthday is on 3 March."},
	{"a: How old are you?", "u: 29", "I am 29 years old."},
	{"a: Who is your landlord?", "u: Peter Vogel", "My landlord is Peter Vogel."},
	{"a: What is your shoe size?", "u: 44", "My shoe size is 44."},
	{"a: You're allergic to penicillin, right?", "u: Correct.", "I am allergic to penicillin."},
	{"a: Do you speak Portuguese?", "u: Yes, I do.", "I speak Portuguese."},
}

func TestOrdinaryTurnsStandAlone(t *testing.T) {
	for _, x := range ordinary {
		w, ids := talk(t, false, x[0], x[1])
		first, second := stored(t, w, ids[0]), stored(t, w, ids[1])
		if first.Status() != graph.Active || len(turnsOf(t, w)) != 2 {
			t.Errorf("%q after %q: the first is %s, conflict %v; the second is %s; %v", x[1], x[0], first.Status(), first.Conflict, second.Status(), keys(turnsOf(t, w)))
		}
	}
}

// The same texts by remember, outside of a session.
func TestOrdinaryTextsStandAlone(t *testing.T) {
	for _, x := range ordinary {
		first, own := strings.CutPrefix(x[0], "u: ")
		if !own {
			continue
		}
		w := enginetest.New(t)
		by := func(in *engine.RememberInput) { in.User = "ana" }
		before := w.Remember(first, by).Memory.ID
		w.Clock.Advance(time.Minute)
		second := strings.TrimPrefix(x[1], "u: ")
		r := w.Remember(second, by)
		if m := stored(t, w, before); m.Status() != graph.Active || r.Memory.Content != second && r.DuplicateOf == "" {
			t.Errorf("%q after %q: the first is %s, the second %q", second, first, m.Status(), r.Memory.Content)
		}
	}
}

func TestTurnsThatCompleteTheTurnBefore(t *testing.T) {
	for _, x := range completing {
		w, ids := talk(t, false, x[0], x[1])
		first, said := stored(t, w, ids[0]), turnsOf(t, w)
		if m := said[x[2]]; m == nil || m.Status() != graph.Active || strings.HasPrefix(x[0], "u: ") && first.SupersededBy != m.ID {
			t.Errorf("%q after %q: the first is %s; %v", x[1], x[0], first.Status(), keys(said))
		}
	}
}

func keys(of map[string]*graph.Memory) (out []string) {
	for k := range of {
		out = append(out, k)
	}
	return out
}
