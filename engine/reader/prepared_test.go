package reader

import "testing"

func TestFirstPerson(t *testing.T) {
	for text, want := range map[string]bool{
		"I live in Oslo.": true, "It's my car.": true, "We've moved.": true, "They told us.": true, "i'm here": true, "I’ve moved": true,
		"The deploy target is staging.": false, "Ana lives in Oslo.": false, "Use tabs.": false, "You live in Oslo.": false,
	} {
		if got := Prepare(Statement{Text: text}).FirstPerson(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestFacts(t *testing.T) {
	for text, want := range map[string]int{
		"I live in Oslo.": 1, "I live in Oslo, close to the river.": 1, "My dog is called Biscuit and I hate olives.": 2,
		"Use tabs. Never use emojis.": 2, "Should I move to Porto?": 0, "The log level is debug.": 1,
	} {
		if got := Prepare(Statement{Text: text}).Facts(); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if got := Prepare(Statement{Text: "Ana moved. She likes it.", Subject: "Ana", Predicate: "lives_in", Object: "Oslo"}).Facts(); got != 1 {
		t.Errorf("a triple: %d", got)
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string]int{
		"I live in Oslo.": 1, "I live in Oslo, and I work at Kestrel.": 1, "No, my dog is called Pretzel!": 1,
		"I moved. The flat is smaller.": 2, "I moved!\nThe flat is smaller": 2, "Dr. Weber is my dentist.": 1,
	} {
		if got := Prepare(Statement{Text: text}).Sentences(); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if got := Prepare(Statement{Text: "Ana moved. She likes it.", Subject: "Ana", Predicate: "lives_in", Object: "Oslo"}).Sentences(); got != 1 {
		t.Errorf("a triple: %d", got)
	}
}

// Statements about two matters are no rivals, whatever the trees say.
func TestUnrelatedStatements(t *testing.T) {
	for earlier, later := range map[string]string{
		"I take photos of birds.":                                                          "Oops, the plumber charges 60 an hour, I misread the bill.",
		"We keep the wine in the kitchen.":                                                 "I haven't touched a cigarette since March.",
		"Bram keeps a paper log of every launch and trusts it over any screen.":            "Bram is allergic to shellfish, which on Orrin is a running joke.",
		"The kite talks to the ground over LoRa; the ferry forwards it over its own link.": "The sail cloth is ripstop nylon in signal orange, so that fishermen see it from two miles away.",
	} {
		if r := Relate(Statement{Text: earlier, Speaker: "ana"}, Statement{Text: later, Speaker: "ana"}); r.Certainty >= Rivals {
			t.Errorf("%q, %q: %+v", earlier, later, r)
		}
	}
	triple := func(p, o string) Statement {
		return Statement{Text: "Skylark " + p + " " + o, Subject: "Skylark", Predicate: p, Object: o}
	}
	if r := Relate(triple("keeps readings for", "90 days"), triple("packet loss", "4 percent")); r.Certainty >= Rivals {
		t.Errorf("two predicates: %+v", r)
	}
	if r := Relate(triple("runs on", "Debian 11"), triple("runs_on", "Debian 12")); r.Certainty < Rivals {
		t.Errorf("one predicate: %+v", r)
	}
}

// A triple is compared with a text by the words that it came with.
func TestATripleAgainstAText(t *testing.T) {
	given := Statement{Text: "Heron may fly in winds up to 12 metres per second.", Subject: "Heron", Predicate: "wind limit", Object: "12"}
	if r := Relate(given, Statement{Text: "Heron may fly in winds up to 14 metres per second."}); r.Certainty < Revises {
		t.Errorf("the text: %+v", r)
	}
	if r := Relate(given, Statement{Text: "Bram stopped all flights until we know why."}); r.Certainty >= Rivals {
		t.Errorf("another text: %+v", r)
	}
}
