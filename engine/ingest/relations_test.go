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
	if readAlike(one, two) || !readAlike(one, read("I live in Porto.")) {
		t.Error("a text of two sentences is compared, or one of one is not")
	}
	if readAlike(two, long) {
		t.Error("two texts of many sentences are compared")
	}
}
