package reader

import (
	"strings"
	"testing"
)

// TestClaimsOfJoinedClauses reads what one clause leaves out because another one says it.
func TestClaimsOfJoinedClauses(t *testing.T) {
	for text, want := range map[string]string{
		// A verb after "and" has the subject before it.
		"I gave up coffee in January and drink rooibos now.":           "Ana|gave up|coffee; Ana|drinks|rooibos",
		"We use trunk-based development and deploy on Fridays":         "Ana|uses|trunk-based development; Ana|deploys on|Fridays",
		"The cache lives in memory and expires after an hour.":         "cache|lives in|memory; cache|expires after|hour",
		"My shift starts at 6 and ends at 2.":                          "My shift|starts at|6; My shift|ends at|2",
		"The rent is due on the first and includes water.":             "rent|is|due; rent|includes|water",
		"My brother Tom moved to Lyon last spring and loves it there.": "My brother Tom|lives in|Lyon; My brother Tom|loves|it there",
		"The pass costs 60 euros and covers two people.":               "pass|costs|60 euros; pass|covers|two people",
		"The bus leaves at 7:40 and arrives at 8:05.":                  "bus|leaves at|7:40; bus|arrives at|8:05",
		"The lead, who sits in Oulu, approves the holidays.":           "lead|sits in|Oulu; lead|approves|holidays",
		"Elias owns billing and also looks after search.":              "billing|is owned by|Elias; search|is owned by|Elias",
		// Nouns after "and" are no verbs, and an order stays one.
		"He sells books and records in Oslo.":                  "He|sells|books and records",
		"I live in Oslo, and use bullet points.":               "Ana|lives in|Oslo; |use|bullet points (IMPERATIVE)",
		"I like short answers and keep it brief.":              "Ana|likes|short answers; |keep|it brief (IMPERATIVE)",
		"I think the deadline is the 14th, but ask Mara first": "deadline|is|14th; |ask|Mara first (IMPERATIVE)",
		// Pronouns stand for what the clause before names.
		"My daughter started school; her teacher is Mr Okoro.": "My daughter|started|school; My daughter's teacher|is|Mr Okoro",
		"My sister's name is Ida and she works at Kone.":       "My sister's name|is|Ida; My sister|works at|Kone",
		"The keynote is by Amara, who runs our Lagos office.":  "keynote|is by|Amara; our Lagos office|is led by|Amara",
		"Jonas, who runs the bakery, is my landlord.":          "bakery|is led by|Jonas; Jonas|is|my landlord",
		"Marta's number is 555-0101 and Luis's is 555-0102.":   "Marta's number|is|555-0101; Luis's number|is|555-0102",
		"The garage code changed: it's 7741 now.":              "garage code|changed|; garage code|is|7741",
		// Parts of a subject.
		"Neither of my kids eats mushrooms.":             "not my kids|eats|mushrooms",
		"Both of my parents live in Porto.":              "my parents|lives in|Porto",
		"Nobody on the team speaks French.":              "Nobody|speaks|French",
		"The project known as Falcon is called Kestrel.": "project known|is called|Kestrel",
		// What a change leads to.
		"I switched from Vim to Helix.":                       "Ana|switched to|Helix",
		"The budget for the kitchen went up to 18,000 euros.": "budget|is|18,000 euros",
		"We adopted a second cat.":                            "Ana|adopted|second cat",
		"I go to the dentist twice a year.":                   "Ana|goes to|dentist",
		"My daughter goes to Lincoln High.":                   "My daughter|attends|Lincoln High",
		"I teach piano.":                                      "Ana|teaches|piano",
		"Our dog Pepper is twelve and nearly blind.":          "Our dog Pepper|is|twelve and nearly blind",
		"The migration is almost done.":                       "migration|is done| (ATTEMPT)",
		"Please book window seats for me.":                    "|book|window seats (IMPERATIVE)",
		"Please send the weekly report to Ines.":              "|send|weekly report (IMPERATIVE)",
	} {
		var got []string
		for _, c := range Read(text, Hints{Speaker: "Ana"}) {
			s := strings.Join([]string{c.Subject, c.Predicate, c.Object}, "|")
			if c.Negated {
				s = "not " + s
			}
			if c.Modality != Asserted {
				s += " (" + c.Modality.String() + ")"
			}
			got = append(got, s)
		}
		if got := strings.Join(got, "; "); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}
