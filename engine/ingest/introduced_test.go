package ingest_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/graph"
)

// TestIntroducedNames states the texts of each line of testdata/introduced.txt a day apart, as one user. In lines with a plus sign the last text
// ends what the text before it or the first one says of the same one, in lines with a minus sign it ends nothing.
func TestIntroducedNames(t *testing.T) {
	file, err := os.ReadFile("testdata/introduced.txt")
	if err != nil {
		t.Fatal(err)
	}
	w := enginetest.New(t)
	ended, lines, n := 0, 0, 0
	for line := range lexicon.Lines(string(file)) {
		n++
		user := "u" + strings.Repeat("x", n) // a name without a capital or a digit
		texts := strings.Split(line[2:], " | ")
		var ids []graph.ID
		for i, text := range texts {
			ids = append(ids, says(w, text, by(user, fmt.Sprint(user, i))).Memory.ID)
			w.Clock.Advance(24 * time.Hour)
		}
		last, ends := ids[len(ids)-1], false
		for _, id := range ids[:len(ids)-1] {
			for i := range view(w, id).Memory.Claims {
				ends = ends || view(w, id).Memory.Claims[i].State().RevisedBy == last
			}
			ends = ends || view(w, id).Memory.SupersededBy == last
		}
		switch {
		case line[0] == '+':
			lines++
			if ends {
				ended++
			} else {
				t.Logf("%s: nothing ended", line)
			}
		case ends:
			t.Errorf("%s: something ended", line)
		}
	}
	if t.Logf("%d of %d ended", ended, lines); ended < 27 {
		t.Errorf("%d of %d ended, want 27", ended, lines)
	}
}
