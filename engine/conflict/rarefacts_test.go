package conflict

import "testing"

// verdicts are pairs of texts and whether they contradict each other.
type verdicts []struct {
	a, b string
	want bool
}

func (v verdicts) check(t *testing.T) {
	t.Helper()
	for _, c := range v {
		r := score(c.a, c.b)
		if (r.Score >= 0.7) != c.want || (r.Score < 0.2) == c.want {
			t.Errorf("%s | %s: %+v", c.a, c.b, r)
		}
		if back := score(c.b, c.a); back.Score != r.Score {
			t.Errorf("%s | %s: %v, turned round %v", c.a, c.b, r.Score, back.Score)
		}
	}
}

// A state, a loss or a replacement denies what another text presupposes.
func TestDenials(t *testing.T) {
	verdicts{
		{"Ottmar is pescatarian", "Ottmar eats a schnitzel on Sundays", true},
		{"Ottmar is pescatarian", "Ottmar eats trout on Sundays", false},
		{"Ottmar is pescatarian", "Ottmar's mother eats a schnitzel on Sundays", false},
		{"I'm teetotal", "I drink a beer after training", true},
		{"I'm teetotal", "I drink alcohol-free beer after training", false},
		{"I avoid nuts", "I have walnuts for breakfast", true},
		{"I used to eat lamb", "I eat no lamb", false},
		{"Ilka lost her husband", "Ilka's husband runs the mill", true},
		{"Ilka gave her rabbit away", "Ilka's rabbit lives in the kitchen", true},
		{"Ilka gave her rabbit away", "Ilka's parrot lives in the kitchen", false},
		{"Tor sold his old van", "Tor drives a van", false},
		{"Tor is childless", "Tor has a daughter", true},
		{"Tor quit the choir", "Tor sings in the choir", true},
		{"Tor quit the choir", "Tor sings in the bath", false},
		{"We ditched Trello", "Sprints are kept in Trello", true},
		{"We ditched Trello", "We used Trello until May", false},
		{"Ann ditched Trello", "Ben keeps his notes in Trello", false},
		{"The quartet disbanded", "The quartet plays in Trieste every winter", true},
		{"The quartet disbanded", "The quartet played in Trieste", false},
		{"My grandparents are dead", "My grandfather teaches the violin", true},
		{"I grew up without brothers", "My brother lives in Bath", true},
		{"I left without my phone", "My phone is a Fairphone", false},
		{"We live without a car", "Our car is in the garage", true},
		{"Jens is an only child", "Jens has a sister", true},
		{"I'm unemployed", "I got a job in the museum", true},
	}.check(t)
}

// What need not be done contradicts what must be done.
func TestNecessity(t *testing.T) {
	verdicts{
		{"Pump 3 must be stopped before opening the hatch.", "Pump 3 need not be stopped before opening the hatch.", true},
		{"Pump 3 must be stopped before opening the hatch.", "Pump 3 doesn't need to be stopped before opening the hatch.", true},
		{"Pump 3 must be stopped before opening the hatch.", "Pump 3 needs to be stopped before opening the hatch.", false},
		{"Visitors must wear a helmet.", "Visitors need not wear a helmet.", true},
		{"Visitors must wear a helmet.", "Visitors needn't wear a helmet.", true},
		{"Visitors must wear a helmet.", "Visitors need not bring a ticket.", false},
		{"Visitors must wear a helmet.", "Visitors need a locker.", false},
	}.check(t)
}

// Preferences are of many kinds.
func TestPreferencesAsTriples(t *testing.T) {
	for object, want := range map[string]bool{"aisle seats": true, "trains": false, "red wine": false} {
		a := Statement{Subject: "Ana", Predicate: "prefers", Object: "window seats"}
		b := Statement{Subject: "Ana", Predicate: "prefers", Object: object}
		if got := Compare(Analyse(a), Analyse(b)).Score > 0; got != want {
			t.Errorf("window seats, %s: %v", object, got)
		}
	}
}

func TestChoices(t *testing.T) {
	verdicts{
		{"Sten would sooner sail than fly", "Sten would rather take the plane than sail", true},
		{"Sten would sooner sail than fly", "Mara would rather fly than sail", false},
		{"I'd pick the aisle over the window", "I like the window better than the aisle", true},
		{"I'd pick the aisle over the window", "I like the window seat", false},
		{"I prefer light roast", "I have switched to dark roast", true},
		{"Rye suits me more than wheat", "I like wheat more than rye", true},
		{"Rye suits me more than wheat", "I like wheat more than oats", false},
	}.check(t)
}

func TestJourneys(t *testing.T) {
	verdicts{
		{"Enno gets to the yard by ferry", "Enno cycles to the yard", true},
		{"Enno gets to the yard by ferry", "Enno cycles to the beach", false},
		{"Enno gets to the yard by ferry", "Enno cycled to the yard on Monday", false},
		{"I take the tram to school", "I walk to school", true},
		{"I take the tram to school", "At weekends I walk to the school", false},
		{"I commute by train", "I go to work by car", true},
	}.check(t)
}

func TestInstruments(t *testing.T) {
	verdicts{
		{"Invoices are sent through Xero", "We use Lexware for sending invoices", false},
		{"Traces are collected by Tempo", "We use Jaeger for traces", true},
		{"Traces are collected by Tempo", "We use Jaeger for traces, too", false},
		{"Klarna handles our payments", "Our payments are processed by Mollie", true},
		{"We get our power from Vattenfall", "Naturstrom is our power supplier", true},
		{"I edit photos in Darktable", "Ann edits photos in Lightroom", false},
		{"The docs are written in Asciidoc", "The docs are hosted on Fly", false},
		{"The ledger uses Redis", "The ledger uses Kafka", false},
		{"We plan trips in Rome", "We plan trips in Tripit", false},
	}.check(t)
}

func TestPermits(t *testing.T) {
	verdicts{
		{"Guests may park in the yard", "Parking is forbidden in the yard", true},
		{"Guests may park in the yard", "Parking is forbidden in the lane", false},
		{"The pool bans radios", "Radios are allowed in the pool", true},
		{"Radios are not allowed in the pool", "The pool bans radios", false},
		{"It may rain in the yard", "Rain is forbidden in the yard", false},
	}.check(t)
}

// A price of nothing is a price. Amounts of different years do not contradict each other.
func TestPricesOfNothing(t *testing.T) {
	verdicts{
		{"The ferry is free", "The ferry costs 4 euros", true},
		{"The ferry costs nothing", "The ferry costs 4 euros a day", true},
		{"The ferry is free on Sundays", "The ferry costs 4 euros on Mondays", false},
		{"The ferry cost 3 euros in 2011", "The ferry costs 4 euros", false},
		{"I'm free", "I cost 4 euros", false},
		{"Release 5.1 is out", "Release 5.2 is out", false},
	}.check(t)
}

// Reports of reliable sources are read as statements; hearsay is not.
func TestReporters(t *testing.T) {
	verdicts{
		{"The vet says that Juno weighs 9 kg", "Juno weighs 13 kg", true},
		{"My neighbour says that Juno weighs 9 kg", "Juno weighs 13 kg", false},
	}.check(t)
}

// Frequencies are read from days of the week and of the month; verbs for making a backup are
// synonyms.
func TestFrequencies(t *testing.T) {
	verdicts{
		{"The ledger is saved every Friday", "A copy of the ledger is made nightly", true},
		{"The ledger is saved every Friday", "A backup of the ledger is made weekly", false},
		{"The ledger is saved every Friday", "A copy of the roster is made nightly", false},
		{"The seminar runs weekly", "The seminar takes place once a month", true},
		{"The ledger is copied on the second of the month", "We back up the ledger daily", true},
	}.check(t)
}

// Texts without rare facts use no memory for them.
func TestTextsWithoutRareFacts(t *testing.T) {
	for _, text := range []string{"The roof was mended", "Ann met Ben in Rome", "It rains"} {
		if a := Analyse(Statement{Text: text}); a.rare != nil {
			t.Errorf("%s: %+v", text, *a.rare)
		}
	}
}

// "is what" clauses and generic statements are read in plain word order.
func TestPlainOrder(t *testing.T) {
	verdicts{
		{"Herring is what I eat on Fridays", "I'm allergic to fish", true},
		{"What I drink is wine", "I'm teetotal", true},
		{"What I drink is water", "I'm teetotal", false},
		{"A petition needs three signatures", "Petitions need two signatures", true},
		{"A guest needs three towels", "The guest needed two towels", false},
		{"Vera hasn't been to the sauna for years", "Vera goes to the sauna on Thursdays", true},
		{"Vera hasn't been to the sauna for years", "Vera goes to the market on Thursdays", false},
		{"The kiosk is closed on Tuesdays", "The kiosk is open every day", true},
	}.check(t)
}
