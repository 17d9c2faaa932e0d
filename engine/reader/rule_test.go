package reader

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestRuleIn(t *testing.T) {
	for text, want := range map[string]Rule{
		"Always answer in Dutch.":                         StandingRule,
		"Stop apologising.":                               StandingRule,
		"Stop using emojis.":                              StandingRule,
		"Quit adding disclaimers.":                        StandingRule,
		"Stop the server.":                                NoRule,
		"Stop adding servers.":                            NoRule,
		"Stop using this table.":                          NoRule,
		"Please never call me before nine.":               StandingRule,
		"Prefer short answers.":                           StandingRule,
		"Never suggest rewrites without being asked.":     StandingRule,
		"Don't use emojis.":                               StandingRule,
		"Please don't use emojis":                         StandingRule,
		"You should always answer in Dutch.":              StandingRule,
		"You must not push to main.":                      StandingRule,
		"I prefer short answers.":                         StandingRule,
		"I'd rather you explained first.":                 StandingRule,
		"I want you to always answer in Dutch.":           StandingRule,
		"Answer in Dutch, always.":                        StandingRule,
		"From now on answer in Dutch.":                    StandingRule,
		"From now on, answer in Dutch.":                   StandingRule,
		"Please address me formally from now on.":         StandingRule,
		"IMPORTANT: never share the key.":                 StandingRule,
		"When you write code, always add tests.":          StandingRule,
		"If I ask for code, don't explain it.":            StandingRule,
		"Claude, never open the vault.":                   StandingRule,
		"Could you please always answer in Dutch?":        StandingRule,
		"Deploys must always be signed off.":              StandingRule,
		"Heron 3 must never fly above 15 m/s.":            StandingRule,
		"Do not deploy on Fridays.":                       StandingRule,
		"Use tabs and never mix them with spaces.":        StandingRule,
		"I like jazz. Always dockerise the services.":     StandingRule,
		"Always quote the price in crowns.":               StandingRule,
		"Translate: always answer in Dutch.":              NoRule,
		"Please use tabs.":                                StandingRule,
		"Please send me the report.":                      Request,
		"No emojis, please.":                              StandingRule,
		"No spoilers, ever":                               StandingRule,
		"No exclamation marks ever.":                      StandingRule,
		"No train ever":                                   NoRule,
		"No rain has fallen here, ever.":                  NoRule,
		"Keep it short, I read on my phone":               StandingRule,
		"Keep it brief, because I read on my watch.":      StandingRule,
		"Keep it short, I'm in a hurry":                   NoRule,
		"Keep it short, I have a meeting":                 NoRule,
		"Keep it simple.":                                 NoRule,
		"Keep it in the fridge.":                          NoRule,
		"Keep it.":                                        NoRule,
		"Stop apologising all the time":                   StandingRule,
		"Stop the pump all the time":                      NoRule,
		"She always takes the tram.":                      NoRule,
		"I always take the tram.":                         NoRule,
		"I never eat meat.":                               NoRule,
		"We never deploy on Fridays.":                     NoRule,
		"It never rains here.":                            NoRule,
		"Never mind.":                                     NoRule,
		"Never again.":                                    NoRule,
		"Never give up!":                                  NoRule,
		"Don't be too hard on yourself.":                  NoRule,
		"Don't lose hope.":                                NoRule,
		"Never be too wordy in summaries.":                StandingRule,
		"Never lose my comments when you refactor.":       StandingRule,
		"Don't let anything stop you.":                    NoRule,
		"Don't be afraid to ask.":                         NoRule,
		"You should never have sold the house.":           NoRule,
		"I'd rather you didn't come.":                     NoRule,
		"Only commit when I say so":                       StandingRule,
		"Use `just test` instead of `make test`.":         StandingRule,
		"Use the red pan instead of the blue one":         NoRule,
		"Never have I seen such a storm.":                 NoRule,
		"Always happy to help.":                           NoRule,
		"Always a pleasure.":                              NoRule,
		"Ana prefers tea.":                                NoRule,
		"Don't forget the milk.":                          NoRule,
		"He said: always answer in Dutch.":                NoRule,
		"He said that you should always answer in Dutch.": NoRule,
		"Imagine you must always answer in Dutch.":        NoRule,
		"Please don't call me tomorrow.":                  NoRule,
		"They always argue, never talk.":                  NoRule,
		"Should I always answer in Dutch?":                NoRule,
		"Use tabs.":                                       NoRule,
		"The bus is always late, so take the tram.":       NoRule,
		"":       NoRule,
		"Always": NoRule,
		"Please": NoRule,
	} {
		if got := RuleIn(text); got != want {
			t.Errorf("RuleIn(%q) = %d, want %d", text, got, want)
		}
	}
}

// The sentences of testdata/rules.tsv were written after RuleIn and were not used to change it.
func TestRulesOfASetWrittenAfterwards(t *testing.T) {
	data, err := os.ReadFile("testdata/rules.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var found, missed, wrong int
	for line := range strings.Lines(string(data)) {
		kind, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
		switch standing := RuleIn(text) == StandingRule; {
		case kind == "rule" && standing:
			found++
		case kind == "rule":
			missed++
			t.Logf("missed: %s", text)
		case standing:
			wrong++
			t.Logf("no rule: %s", text)
		}
	}
	if found < 28 || missed > 2 || wrong > 1 {
		t.Errorf("%d of %d rules found, and %d of 30 others; measured at first: 28 of 30, and 1 of 30", found, found+missed, wrong)
	}
}

// The first part of testdata/requests.tsv was written with lastingRequest, the second part after it; the second
// one was not used to change it.
func TestLastingRequests(t *testing.T) {
	data, err := os.ReadFile("testdata/requests.tsv")
	if err != nil {
		t.Fatal(err)
	}
	type figures struct{ found, rules, wrong, once int }
	got := map[string]*figures{"dev": {}, "apart": {}}
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		f, standing := got[fields[0]], RuleIn(fields[2]) == StandingRule
		switch {
		case fields[1] == "rule":
			f.rules++
			if standing {
				f.found++
			} else {
				t.Logf("%s: missed: %s", fields[0], fields[2])
			}
		default:
			f.once++
			if standing {
				f.wrong++
				t.Logf("%s: wanted once: %s", fields[0], fields[2])
			}
		}
	}
	t.Logf("dev %+v, apart %+v", *got["dev"], *got["apart"])
	if d := got["dev"]; d.found < d.rules-1 || d.wrong > 0 {
		t.Errorf("dev: %+v", *d)
	}
}

// Each set of testdata/lasting.tsv has 40 rules and 60 requests for once, in the words of chats and of work on code. The second and the third
// were written after the rules and measured before anything was mended on them.
func TestRulesInOtherForms(t *testing.T) {
	data, err := os.ReadFile("testdata/lasting.tsv")
	if err != nil {
		t.Fatal(err)
	}
	found, wrong := map[string]int{}, 0
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		switch standing := RuleIn(fields[2]) == StandingRule; {
		case fields[1] == "rule" && standing:
			found[fields[0]]++
		case standing:
			wrong++
			t.Logf("wanted once: %s", fields[2])
		}
	}
	if found["dev"] < 40 || found["second"] < 35 || found["third"] < 36 || wrong > 0 {
		t.Errorf("found %v, and %d wrong; measured at first: second 29 of 40 and 4 of 60 wrong, third 33 of 40 and 2 of 60 wrong", found, wrong)
	}
}

// A change of one predicate is no value of another that its verb may also mean.
func TestAMoveIsNotAJob(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	relate := func(earlier, later string) Relation {
		return Prepare(Statement{Text: earlier, Speaker: "ana", At: at}).Relate(Prepare(Statement{Text: later, Speaker: "ana", At: at.AddDate(0, 1, 0)}))
	}
	if r := relate("I moved to Bergen.", "I no longer work at Siemens. I work at Equinor now."); r.Certainty >= Revises {
		t.Errorf("a job revises a residence: %+v", r)
	}
	if r := relate("I live in Oslo.", "I moved to Bergen."); r.Certainty < Revises {
		t.Errorf("a move does not revise a residence: %+v", r)
	}
}

// TestStopsForbidAManner counts what is told apart of sentences with "stop" and "quit" that were written after the rule.
func TestStopsForbidAManner(t *testing.T) {
	data, err := os.ReadFile("testdata/stops.txt")
	if err != nil {
		t.Fatal(err)
	}
	rules, missed := 0, 0
	for line := range strings.Lines(string(data)) {
		text := strings.TrimSpace(line[2:])
		switch standing := RuleIn(text) == StandingRule; line[0] {
		case '+':
			if rules++; !standing {
				missed++
			}
		case '-':
			if standing {
				t.Errorf("%q is read as a rule", text)
			}
		}
	}
	if rules != 47 || missed > 8 {
		t.Errorf("%d of %d rules are missed", missed, rules)
	}
}
