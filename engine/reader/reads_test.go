package reader

import (
	"strings"
	"testing"
	"time"
)

// What single statements say: who does what, and what is asserted.
func TestReadingsOfStatements(t *testing.T) {
	at := time.Date(2026, 6, 1, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		// What the speaker does not assert.
		"Maybe I should open a second shop in Amersfoort.": "PLAN ana|should open|second shop",
		"Perhaps we should move to Ghent.":                 "PLAN ana|lives in|Ghent",
		"Possibly Kim should run the shop.":                "PLAN shop|is led by|Kim",
		// Orders about what was said.
		"Forget what I said about Amersfoort.":                             "IMPERATIVE |forget|what I said",
		"Ignore what I said about invoices: invoices in English too.":      "IMPERATIVE |ignore|what I said",
		"Scratch that, I never supported Leeds United, that's my brother.": "EVENT ana|not supported|Leeds United; ASSERTED that|is|my brother",
		"Yara quit, Femke starts on Monday.":                               "ASSERTED Yara|quit|; ASSERTED Femke|starts on|Monday",
		"Forget what I told you about the trip.":                           "IMPERATIVE |forget|what I told you",
		"I no longer work late.":                                           "ASSERTED ana|not works|late",
		"Yara quit smoking.":                                               "ASSERTED Yara|not does smoking|",
		"Actually Helga gave the key back, Karin has it now.":              "ASSERTED Helga|gave|key; ASSERTED Karin|has|key",
		"The doctor took me off metoprolol, I'm on bisoprolol now.":        "ASSERTED ana|is off|metoprolol; ASSERTED ana|is on|bisoprolol",
		"The boss put me on Mondays.":                                      "ASSERTED boss|puts|me",
		"no, I'm in Bristol not Bath":                                      "ASSERTED ana|is in|Bristol",
		"The talk is on Monday not on Tuesday.":                            "ASSERTED talk|is on|Monday",
		"The cook left, so we're three now.":                               "ASSERTED cook|left|; ASSERTED ana|number|three",
		"My friends are Ada, Bo and Cy.":                                   "ASSERTED My friends|is|Ada, Bo and Cy",
		"I like tea, coffee and milk.":                                     "ASSERTED ana|likes|tea, coffee and milk",
		"I live in Bath, a town in Somerset.":                              "ASSERTED ana|lives in|Bath",
		"I own a kayak.":                                                   "ASSERTED ana|owns|kayak",
		"Bo owns the shop.":                                                "ASSERTED shop|is owned by|Bo",
		"I've got a new dentist, Dr. Hay.":                                 "ASSERTED my dentist|is|Dr. Hay",
		"I have a cat, Miso.":                                              "ASSERTED ana|has|cat",
		"Nadia got a job at Aldi.":                                         "EVENT Nadia|works at|Aldi",
		"Nadia got a job as a cook.":                                       "EVENT Nadia|works as|cook",
		"They terminated the contract early, it ends on 31 August 2027.":   "EVENT They|terminated|contract; ASSERTED contract|ends on|31 August 2027",
		"The meeting is early.":                                            "ASSERTED meeting|is|early",
		"My daughter Silke lives in Hamburg and works as a midwife.":       "ASSERTED My daughter Silke|lives in|Hamburg; ASSERTED My daughter Silke|works as|midwife",
		"Tom loves walks and runs in the park.":                            "ASSERTED Tom|loves|walks and runs",
		"The meeting is not on Tuesday but on Wednesday.":                  "ASSERTED meeting|is on|Wednesday",
		"I know what I said.":                                              "ASSERTED ana|knows|what I said",
	} {
		var got []string
		for _, c := range Read(text, Hints{Speaker: "ana", User: "ana", At: at}) {
			predicate := c.Predicate
			if c.Negated {
				predicate = "not " + predicate
			}
			got = append(got, c.Modality.String()+" "+c.Subject+"|"+predicate+"|"+c.Object)
		}
		if all := strings.Join(got, "; "); all != want {
			t.Errorf("%s: %s, want %s", text, all, want)
		}
	}
}
