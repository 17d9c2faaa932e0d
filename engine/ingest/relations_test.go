package ingest

import (
	"testing"

	"github.com/somnograph/somnograph/engine/reader"
)

func TestLongTextsAreNotCompared(t *testing.T) {
	read := func(text string) *reader.Prepared {
		return reader.Prepare(reader.Statement{Text: text, Speaker: "ana"})
	}
	one := read("I live in Lisbon now.")
	two := read("I live in Bergen. My boat is called Petrel.")
	long := read("I live in Oslo. I sing. I row. I cook. I read. I knit. I jog.")
	if r := relationOf(one, two, false); r.Certainty < reader.Revises || r.Earlier != 0 || !readAlike(one, two) {
		t.Errorf("a sentence and the one of two that it revises relate with %+v", r)
	}
	if readAlike(two, long) {
		t.Error("two texts of many sentences are compared")
	}
}
