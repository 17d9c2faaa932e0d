package usejournal

import (
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A torn line at the end of the journal belongs to a call that was not acknowledged.
func TestTornJournalKeepsAcknowledgedUses(t *testing.T) {
	id := graph.ID("019ca8a0-5208-7038-9351-be7b34b4f571")
	whole := "ana 1000 " + string(id) + " .\n"
	for cut := range len(whole) {
		b := parseBatch(7, []byte(whole+whole[:cut]))
		if b.Total != 1 || b.Number != 7 || b.Days[0].Uses[id].Count != 1 || b.Days[0].Tenant != "ana" {
			t.Fatalf("cut at %d: %+v", cut, b)
		}
	}
	if b := parseBatch(7, []byte(whole+whole)); b.Total != 2 || b.Days[0].Uses[id].Count != 2 {
		t.Errorf("%+v", b)
	}
}
