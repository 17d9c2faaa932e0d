package ingest_test

import (
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// What the user puts in place of a rule is a rule. What is said of something else is none.
func TestTheReplacementOfARuleIsARule(t *testing.T) {
	w := enginetest.New(t)
	by := func(in *engine.RememberInput) { in.User = "ana" }
	w.Remember("Don't use emojis.", by)
	if r := w.Remember("Emojis are fine now.", by); len(r.Revised) != 1 || r.Memory.Type != graph.Procedural {
		t.Errorf("revised %d, %s", len(r.Revised), r.Memory.Type)
	}
	if r := w.Remember("The soup is fine now.", by); r.Memory.Type == graph.Procedural {
		t.Errorf("the soup is a rule")
	}
}

// What lifts a rule ends it and is none. What lifts no rule that is there changes nothing.
func TestRulesAreLifted(t *testing.T) {
	w := enginetest.New(t)
	by := func(in *engine.RememberInput) { in.User = "ana" }
	for _, p := range [][2]string{
		{"Always answer in Dutch.", "You can stop answering in Dutch."},
		{"Always explain every step.", "Forget the rule about explaining."},
		{"Never deploy on Fridays.", "We may deploy on Fridays again."},
		{"I need you to ask before deleting files", "No need to ask before deleting any more"},
		{"Don't use emojis.", "Feel free to use emojis."},
	} {
		rule := w.Remember(p[0], by).Memory
		if rule.Type != graph.Procedural {
			t.Errorf("%q is %s", p[0], rule.Type)
		}
		r := w.Remember(p[1], by)
		if len(r.Revised) != 1 || r.Revised[0] != rule.ID || r.Memory.Type == graph.Procedural {
			t.Errorf("%q revised %d, type %s", p[1], len(r.Revised), r.Memory.Type)
		}
	}
	w.Remember("Never push to main.", by)
	for _, text := range []string{"You can stop answering in French.", "Forget the German rule.", "Feel free to push to the fork.", "We may deploy on Mondays again."} {
		if r := w.Remember(text, by); len(r.Revised) > 0 {
			t.Errorf("%q revised %d", text, len(r.Revised))
		}
	}
	if r := w.Remember("Run tests with `make test` before you push.", by); r.Memory.Type != graph.Procedural {
		t.Errorf("the rule to replace is %s", r.Memory.Type)
	}
	if r := w.Remember("Use `just test` instead of `make test`.", by); len(r.Revised) != 1 || r.Memory.Type != graph.Procedural {
		t.Errorf("the replacement revised %d, type %s", len(r.Revised), r.Memory.Type)
	}
}
