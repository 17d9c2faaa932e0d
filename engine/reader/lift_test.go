package reader

import "testing"

// TestRulesAreLiftedAndReplaced checks what ends an earlier rule, and what only stands beside it.
func TestRulesAreLiftedAndReplaced(t *testing.T) {
	for _, p := range [][2]string{
		{"Always answer in Dutch.", "You can stop answering in Dutch."},
		{"Always answer in Dutch.", "Stop answering in Dutch."},
		{"Always answer in Dutch.", "Forget the Dutch rule."},
		{"Always answer in Dutch.", "You don't need to answer in Dutch any more."},
		{"Always answer in Dutch.", "The Dutch rule no longer applies."},
		{"I'd like you to answer in German", "You can stop answering in German now."},
		{"Don't use emojis.", "Feel free to use emojis."},
		{"Don't use emojis.", "You can use emojis again."},
		{"No emojis, please.", "Feel free to use emojis again."},
		{"Never deploy on Fridays.", "We may deploy on Fridays again."},
		{"Never deploy on Fridays.", "We can deploy on Fridays again."},
		{"I need you to ask before deleting files", "No need to ask before deleting any more"},
		{"Ask me before you delete files", "You no longer need to ask before deleting files."},
		{"Run tests with `make test` before you push.", "Use `just test` instead of `make test`."},
		{"Would you mind not using jargon?", "Feel free to use jargon again"},
		{"No jokes, please.", "You may make jokes again."},
		{"Ask me before you install packages.", "You don't have to ask before installing packages any more."},
		{"Prefer short answers.", "The short answers rule is off."},
		{"Always use npm.", "Use pnpm instead of npm."},
	} {
		if r := Relate(Statement{Text: p[0], Speaker: "ana"}, Statement{Text: p[1], Speaker: "ana"}); r.Certainty < Revises {
			t.Errorf("%q does not end %q: %.2f %s", p[1], p[0], r.Certainty, r.Veto)
		}
	}
	for _, p := range [][2]string{
		{"Always answer in Dutch.", "You can stop answering in German."},
		{"Always answer in Dutch.", "Forget the German rule."},
		{"Always answer in Dutch.", "Stop answering."},
		{"Always answer in Dutch.", "You can stop answering in Dutch in mails to Kim."},
		{"Don't use emojis.", "Feel free to use tables."},
		{"Don't use emojis.", "Feel free to use emojis in chats."},
		{"Don't use emojis.", "You may use emojis only in chats."},
		{"Always use emojis.", "Feel free to use emojis."},
		{"Never deploy on Fridays.", "We may deploy on Mondays."},
		{"Never deploy on Fridays.", "You don't need to deploy on Fridays any more."},
		{"Ask before deleting files.", "No need to ask any more."},
		{"Use metric units.", "Use imperial for cooking though."},
		{"Put spaces around operators.", "Use tabs instead of spaces."},
		{"Run the benchmarks with `make bench`.", "Use `just test` instead of `make test`."},
		{"Please call me Dr. Weber.", "You don't need to call Dr. Weber."},
		{"Ask me before you install packages.", "You don't have to ask before running tests any more."},
		{"You must not use external libraries.", "You're free to go."},
		{"Run the linter with `flake8`.", "Use `just lint` instead of `make lint`."},
		{"Never deploy on Fridays.", "You can stop deploying on Fridays."},
		{"Never answer my boss in Dutch.", "Forget the Dutch rule."},
		{"Never delete test data.", "Forget the test rule."},
		{"Answer in Dutch.", "Ben no longer needs to answer in Dutch."},
		{"We use npm for the old site.", "Forget the npm rule."},
		{"I answer my mother in Dutch.", "You can stop answering in Dutch."},
	} {
		if r := Relate(Statement{Text: p[0], Speaker: "ana"}, Statement{Text: p[1], Speaker: "ana"}); r.Certainty >= Revises {
			t.Errorf("%q ends %q: %.2f %d", p[1], p[0], r.Certainty, r.Ground)
		}
	}
}

// TestOrdersWithoutASubject checks the claims of a request with "let's", and of one with two adjectives.
func TestOrdersWithoutASubject(t *testing.T) {
	for text, want := range map[string]string{
		"Let's use tabs":                 "use tabs",
		"Let's meet on Friday.":          "meet on Friday",
		"Give me long, detailed answers": "give me long, detailed answers",
	} {
		claims := Read(text, Hints{Speaker: "ana"})
		if len(claims) != 1 || claims[0].Subject != "" || claims[0].Predicate+" "+claims[0].Object != want || claims[0].Modality != Imperative {
			t.Errorf("%q: %+v", text, claims)
		}
	}
}

// TestBansAreRules checks that what forbids what an earlier rule asks for ends that rule and is one itself.
func TestBansAreRules(t *testing.T) {
	for text, only := range map[string]bool{
		"You can stop answering in Dutch.": true, "Feel free to use emojis.": true,
		"Please stop using bullet points in answers.": false, "Don't mention my salary any more.": false, "Don't push to main any more.": false,
	} {
		if Lifts(text) != only {
			t.Errorf("%q only lifts a rule: %v", text, !only)
		}
	}
}
