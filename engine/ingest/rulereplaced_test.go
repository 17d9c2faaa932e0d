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
