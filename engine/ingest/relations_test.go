package ingest

import (
	"testing"

	"github.com/somnograph/somnograph/engine/reader"
)

func TestLongTextsAreNotCompared(t *testing.T) {
	read := func(text string) *reader.Prepared {
		return reader.Prepare(reader.Statement{Text: text, Speaker: "ana"})
	}
	one, other := read("I live in Lisbon now."), read("I live in Porto.")
	long, german := read("I live in Bergen. My boat is called Petrel."), read("Ich wohne in Graz. Mein Boot heisst Petrel.")

	if r := relationOf(one, other, false); r.Certainty < reader.Rivals {
		t.Errorf("two sentences about one slot relate with %v, below %v", r.Certainty, reader.Rivals)
	}
	// The model gives every pair of clauses a certainty above 0.
	for _, pair := range [][2]*reader.Prepared{{one, long}, {long, one}, {long, read("I live in Oslo. I sing.")}, {german, long}, {read("Ich wohne in Wien."), german}} {
		if r := relationOf(pair[0], pair[1], false); r != (reader.Relation{Kind: reader.Compatible}) {
			t.Errorf("%q and %q were compared: %+v", pair[0].Text(), pair[1].Text(), r)
		}
	}
}
