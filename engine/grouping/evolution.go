package grouping

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

const (
	// maxEvents is the largest number of events that a settlement keeps.
	maxEvents = 1000
	// keepEvents is how long events are kept.
	keepEvents = 365 * 24 * time.Hour
)

// Event is a change of a cluster in a sleep.
type Event struct {
	Kind    cluster.EventKind `json:"k"`
	Cluster graph.ID          `json:"c"`
	From    []graph.ID        `json:"f,omitempty"` // clusters that merged into it, or from which it was split
	Size    int               `json:"n"`           // members
	Medoid  graph.ID          `json:"m"`           // a memory of the cluster: who sees it sees the event
}

// eventsRecord is the Data of a note of events. Its id is that of the settlement.
type eventsRecord struct {
	Sleep  graph.ID `json:"sleep"`
	Events []Event  `json:"events"`
	Undone graph.ID `json:"undone,omitempty"` // the settlement that a rollback removed; empty: the sleep made the changes
}

// putEvents stores the events of a settlement, at most maxEvents, and removes some that are older
// than keepEvents.
func putEvents(tx graph.Tx, s *Settlement) error {
	old, err := tx.Notes(graph.NoteClusterEvents, "", false, workspace.MaxBatch)
	if err != nil {
		return err
	}
	for _, n := range old {
		if s.At.Sub(n.At) <= keepEvents {
			break
		}
		if err := tx.DeleteNote(n.Kind, n.ID); err != nil {
			return err
		}
	}
	if len(s.Events) == 0 {
		return nil
	}
	data, err := json.Marshal(eventsRecord{Sleep: s.Sleep, Events: s.Events[:min(len(s.Events), maxEvents)]})
	if err != nil {
		return err
	}
	return tx.PutNote(graph.Note{Kind: graph.NoteClusterEvents, ID: s.ID, Namespace: s.Namespace, At: s.At, Data: data})
}

// EventView is an event as a caller sees it.
type EventView struct {
	ID graph.ID // of the note, and the number of the event in it
	At time.Time
	Event
	Number int
	Owner  Owner
	Sleep  graph.ID
	Undone graph.ID // the note of the sleep whose changes a rollback took back; empty: it is a change of a sleep
}

// EventFilter selects events.
type EventFilter struct {
	Namespaces   []string // any of; empty: all that the caller sees
	User         string   // of this user and of nobody; empty: of all that the caller sees
	Cluster      graph.ID // that concern this cluster; empty: any
	Sleep        graph.ID // of this sleep; empty: any
	Since, Until time.Time
	Rollbacks    bool // those of rollbacks; false: those of sleeps
}

// Position is the place of an event in the list of all, newest first.
type Position struct {
	Note   graph.ID
	Number int
}

// Follows reports whether an event comes after a place in the order of a stream: the oldest sleep first, and
// the events of one note from the last to the first.
func (e EventView) Follows(p Position) bool {
	return e.ID > p.Note || e.ID == p.Note && e.Number < p.Number
}

// Events lists the events that pass, newest first, after a position, at most limit (0: 50), and reports
// whether there are more. The size of an event is that of all members; a sight that limits
// consent or sensitivity gets the number of members that it sees now.
func (svc *Service) Events(ctx context.Context, c workspace.Caller, f EventFilter, after Position, limit int) (page []EventView, more bool, err error) {
	if limit, err = workspace.PageSize("first", limit, 50); err != nil {
		return nil, false, err
	}
	spaces, err := c.AllowedNamespaces(f.Namespaces)
	if err != nil {
		return nil, false, err
	}
	users, err := c.AllowedUsers(f.User)
	if err != nil {
		return nil, false, err
	}
	if len(users) == 1 {
		users = append(users, "") // what belongs to nobody is for every user
	}
	t, err := svc.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, false, err
	}
	v, err := svc.View(ctx, t)
	if err != nil {
		return nil, false, svc.PublicError(err)
	}
	x := &eventPage{v: v, filter: f, spaces: spaces, users: users, after: after, limit: limit}
	err = svc.Store.View(ctx, t.Scope.Whole(), func(r graph.Reader) error { x.page, x.more = nil, false; return x.read(ctx, r) })
	if err != nil {
		return nil, false, svc.PublicError(err)
	}
	return x.page, x.more, nil
}

// eventPage reads a page of events.
type eventPage struct {
	v             *View
	filter        EventFilter
	spaces, users []string
	after         Position
	limit         int
	page          []EventView
	more          bool
}

func (x *eventPage) read(ctx context.Context, r graph.Reader) error {
	if x.after.Note != "" {
		if n, err := r.Note(graph.NoteClusterEvents, x.after.Note); err == nil {
			if full, err := x.add(n, x.after.Number+1); full || err != nil {
				return err
			}
		} else if known, err := graph.Found(err); known || err != nil {
			return err
		}
	}
	for n, err := range graph.AllNotes(r, graph.NoteClusterEvents, x.after.Note, true) {
		if err != nil {
			return err
		}
		if n.At.Before(x.filter.Since) {
			return nil
		}
		if full, err := x.add(n, 0); full || err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// add adds the events of a note from a number on, and reports whether the page is full.
func (x *eventPage) add(n *graph.Note, from int) (full bool, err error) {
	if !x.filter.Until.IsZero() && n.At.After(x.filter.Until) || !x.v.scope.Sight.Namespace(n.Namespace) || len(x.spaces) > 0 && !slices.Contains(x.spaces, n.Namespace) {
		return false, nil
	}
	var record eventsRecord
	if err := json.Unmarshal(n.Data, &record); err != nil {
		return false, fmt.Errorf("%w: events of clusters: %w", graph.ErrIntegrity, err)
	}
	if x.filter.Sleep != "" && x.filter.Sleep != record.Sleep || x.filter.Rollbacks != (record.Undone != "") {
		return false, nil
	}
	for number := from; number < len(record.Events); number++ {
		e := record.Events[number]
		if x.filter.Cluster != "" && e.Cluster != x.filter.Cluster && !slices.Contains(e.From, x.filter.Cluster) {
			continue
		}
		d, ok := x.v.svc.Index.Doc(x.v.scope, e.Medoid)
		if !ok || x.users != nil && !slices.Contains(x.users, d.User) {
			continue
		}
		if len(x.page) == x.limit {
			x.more = true
			return true, nil
		}
		if x.v.settledOnly {
			c, _ := x.v.Cluster(e.Cluster)
			e.Size = c.Size
		}
		x.page = append(x.page, EventView{ID: n.ID, Number: number, At: n.At, Event: e, Owner: Owner{d.Namespace, d.User}, Sleep: record.Sleep, Undone: record.Undone})
	}
	return false, nil
}
