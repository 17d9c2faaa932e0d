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
