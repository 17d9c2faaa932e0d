package ingest

import (
	"testing"

	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
)

func TestLongTextsAreNotCompared(t *testing.T) {
	read := func(text string) *reader.Prepared {
		return reader.Prepare(reader.Statement{Text: text, Speaker: "ana"})
	}
	one := read("I live in Lisbon now.")
	two := read("I live in Bergen. My boat is called Petrel.")
	three := read("I live in Oslo. I sing. I row.")
	if !readAlike(one, read("I live in Porto.")) || !readAlike(two, two) || !readAlike(one, three) {
		t.Error("short texts are not compared")
	}
	if readAlike(two, three) || readAlike(three, three) {
		t.Error("texts of many sentences are compared")
	}
}

// A turn of a chat with several sentences takes more certainty to revise.
func TestTurnsOfSeveralSentencesReviseLessSurely(t *testing.T) {
	read := func(text string, tier graph.Tier) statement {
		return statement{memory: &graph.Memory{History: []graph.State{{Tier: tier}}}, said: reader.Prepare(reader.Statement{Text: text, Speaker: "ana"})}
	}
	one, two := "I live in Lisbon now.", "I live in Bergen. My boat is called Petrel."
	for _, c := range []struct {
		a, b statement
		want float64
	}{
		{read(one, graph.L1), read(two, graph.L1), reader.Revises},
		{read(one, graph.L0), read(one, graph.L0), reader.Revises},
		{read(one, graph.L0), read(two, graph.L1), severalRevise},
		{read(two, graph.L1), read(one, graph.L0), severalRevise},
	} {
		if got := revisesFrom(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %.2f, want %.2f", c.a.said.Text(), c.b.said.Text(), got, c.want)
		}
	}
}
