package conflict

import (
	"reflect"
	"testing"
)

// TestRolesOfTexts runs pairs about the holders of posts, and about channels. The rules were written
// with them in view.
func TestRolesOfTexts(t *testing.T) { confusion(t, "testdata/holders.json", 41, bars{0.9, 1}) }

func TestRoleIsReadInAnyWordOrder(t *testing.T) {
	want := []role{{post: "lead", of: []string{lemma("design"), lemma("team")}, holder: "hans"}}
	for _, text := range []string{
		"Hans leads the design team", "Hans now heads the design team", "The lead of the design team is Hans", "The design team is led by Hans",
		"Hans is the new head of the design team", "Hans was appointed manager of the design team", "The design team's manager is Hans",
	} {
		if got := Analyse(Statement{Text: text}).roles; !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v", text, got)
		}
	}
	for _, text := range []string{"Hans is a manager", "Hans led the design team", "Is Hans the CEO?", "Hans likes the CEO", "The team leads by 3", "Lead is a metal"} {
		if got := Analyse(Statement{Text: text}).roles; len(got) != 0 {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestChannelIsReadInActiveAndPassive(t *testing.T) {
	for text, want := range map[string]channel{
		"The app is written in Java":             {words: []string{"app"}, way: 'a', name: "java", made: true, keys: []string{"java"}},
		"We rewrote the app in Kotlin":           {words: []string{"app"}, way: 'a', name: "kotlin", made: true, keys: []string{"kotlin"}},
		"The app was ported from Java to Kotlin": {words: []string{"app"}, way: 'a', name: "kotlin", keys: []string{"kotlin"}},
		"Letters are now sent via Posti":         {words: []string{lemma("letters")}, way: 'v', name: "posti", keys: []string{lemma("posti")}},
		"Our backups are stored on Glacier Deep": {words: []string{"backup"}, way: 'a', name: "glacier deep", kept: true, keys: []string{lemma("glacier"), lemma("deep")}},
	} {
		got := Analyse(Statement{Text: text}).channels
		if len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
	for _, text := range []string{"I met Ada in Bergen", "Ada lives in Bergen", "We might write it in Java", "A note was sent to Bo", "The app was moved to Azure in 2019"} {
		if got := Analyse(Statement{Text: text}).channels; len(got) != 0 {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
