package patterns_test

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/ingest"
)

// A safety-critical pattern names whom it is about while its sources live, and has no label of theirs.
func TestASafetyCriticalPatternNamesWhomItIsAbout(t *testing.T) {
	w := newWorld(t)
	critical := func(in *ingest.RememberInput) { in.SafetyCritical = true }
	w.chatter(14, "kitchen")
	for _, text := range []string{"Leo must not eat peanuts.", "Reminder: Leo must not eat peanuts.", "Leo must never eat peanuts.", "Leo must not eat any peanuts.", "Please note: Leo must not eat peanuts.", "Leo must not eat peanuts at school.", "Leo must not eat peanuts, ever."} {
		w.remember("kitchen", text, critical)
	}
	w.night()
	p := w.one()
	if !strings.HasPrefix(p.Content, "Leo must") || strings.Contains(strings.ToLower(p.Content), "name]") || !p.Memory.Pattern.SafetyCritical {
		t.Errorf("%q, %+v", p.Content, p.Memory.Pattern)
	}
}
