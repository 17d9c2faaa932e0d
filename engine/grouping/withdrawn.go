package grouping

import (
	"encoding/json"
	"time"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/graph"
)

// putUndone stores what the removal of a settlement at an instant changes: the clusters that it made are gone, and those that it
// ended are there again. It keeps the order of all changes: the note is later than every other one.
func putUndone(tx graph.Tx, n *graph.Note, at time.Time) error {
	s, err := readSettlement(tx, n)
	if err != nil {
		return err
	}
	made, ended := map[graph.ID]bool{}, map[graph.ID]bool{}
	for _, c := range s.Clusters {
		made[c.ID] = true
	}
	former := &Settlement{}
	before, err := tx.Note(graph.NoteClusters, s.Before)
	if known, err := graph.Found(err); err != nil {
		return err
	} else if known {
		if former, err = readSettlement(tx, before); err != nil {
			return err
		}
	}
	var events []Event
	for _, c := range former.Clusters {
		if ended[c.ID] = !made[c.ID]; ended[c.ID] {
			events = append(events, Event{Kind: cluster.Born, Cluster: c.ID, Size: len(c.Members), Medoid: c.Medoid})
		}
	}
	for _, c := range s.Clusters {
		if _, stays := ended[c.ID]; !stays {
			events = append(events, Event{Kind: cluster.Died, Cluster: c.ID, Size: len(c.Members), Medoid: c.Medoid})
		}
	}
	newest, err := tx.Notes(graph.NoteClusterEvents, "", true, 1)
	if err != nil || len(events) == 0 {
		return err
	}
	if at = at.Truncate(time.Millisecond); len(newest) > 0 && !at.After(newest[0].At) {
		at = newest[0].At.Truncate(time.Millisecond).Add(time.Millisecond)
	}
	id, err := graph.DerivedID(at, string(s.ID), "rollback")
	if err != nil {
		return err
	}
	data, err := json.Marshal(eventsRecord{Sleep: s.Sleep, Undone: s.ID, Events: events[:min(len(events), maxEvents)]})
	if err != nil {
		return err
	}
	return tx.PutNote(graph.Note{Kind: graph.NoteClusterEvents, ID: id, Namespace: s.Namespace, At: at, Data: data})
}
