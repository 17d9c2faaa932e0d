package ingest

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// decisionTx has decisions about memories.
type decisionTx struct {
	graph.Tx
	about map[graph.ID][]*graph.Note
	gone  []graph.ID
}

func (tx *decisionTx) NotesOf(id graph.ID, _ graph.NoteKind) ([]*graph.Note, error) {
	return tx.about[id], nil
}

func (tx *decisionTx) DeleteNote(_ graph.NoteKind, id graph.ID) error {
	tx.gone = append(tx.gone, id)
	return nil
}

// A decision that can't be read keeps none of the others from being erased.
func TestAnUnreadableDecisionKeepsNoOthers(t *testing.T) {
	refused, err := json.Marshal(verdict{Decision: gate.Rejected, User: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	tx := &decisionTx{about: map[graph.ID][]*graph.Note{
		"m1": {{ID: "d1", Data: []byte("{")}, {ID: "d2", Data: refused}},
		"m2": {{ID: "d3", Data: refused}},
	}}
	var recorded []graph.ID
	err = new(Service).EraseDecisionsOf(tx, []graph.ID{"m1", "m2"}, workspace.Selection{User: "ana"}, nil, func(ids []graph.ID) error {
		recorded = append(recorded, ids...)
		return nil
	})
	if want := []graph.ID{"d2", "d3"}; !errors.Is(err, graph.ErrIntegrity) || !slices.Equal(tx.gone, want) || !slices.Equal(recorded, want) {
		t.Errorf("%v, deleted %v, recorded %v, want %v", err, tx.gone, recorded, want)
	}
}
