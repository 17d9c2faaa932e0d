package ingest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/gate"
)

// TestGatePairs puts facts of two principals beside beliefs, and counts those that replace the belief and those that wrongly do.
func TestGatePairs(t *testing.T) {
	for _, x := range []struct {
		file             string
		least, mostWrong int
	}{{"gate_dev.txt", 23, 6}, {"gate_heldout.txt", 8, 2}, {"gate_heldout2.txt", 6, 3}} {
		text, err := os.ReadFile("testdata/" + x.file)
		if err != nil {
			t.Fatal(err)
		}
		replaced, right, wrong, stand := 0, 0, 0, 0
		for line := range strings.Lines(string(text)) {
			p := strings.Split(strings.TrimSpace(line), "|")
			if strings.HasPrefix(line, "#") || len(p) != 4 {
				continue
			}
			w := enginetest.New(t)
			belief := w.Remember(p[2], func(in *engine.RememberInput) { in.User = "nora" }).Memory
			a := fixture.Adjudicate(t, w, p[3], p[1], fixture.Evidence("a", 0.5), fixture.Evidence("b", 0.5))
			does := a.Decision == gate.Replaced && a.Previous.ID == belief.ID
			switch {
			case p[0] == "R" && does:
				right++
			case p[0] == "S" && a.Decision == gate.Replaced:
				wrong++
				t.Logf("wrongly replaced: %s", line)
			case p[0] == "R":
				t.Logf("%s: %s", a.Decision, line)
			}
			if p[0] == "R" {
				replaced++
			} else {
				stand++
			}
		}
		t.Logf("%s: replaced %d of %d, wrongly %d of %d", x.file, right, replaced, wrong, stand)
		if right < x.least || wrong > x.mostWrong {
			t.Errorf("%s: at least %d and at most %d", x.file, x.least, x.mostWrong)
		}
	}
}
