package storetest

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// The copies are what a store answers for what was put: deep, with instants cut to
// the millisecond and empty lists gone.

func copyMemory(m *graph.Memory) *graph.Memory {
	c := *m
	c.Tags, c.Meta, c.Entities = list(m.Tags), list(m.Meta), list(m.Entities)
	c.CreatedAt, c.UpdatedAt, c.RecordedAt = graph.Millis(m.CreatedAt), graph.Millis(m.UpdatedAt), graph.Millis(m.RecordedAt)
	c.OccurredAt, c.ValidFrom, c.ExpiresAt = graph.Millis(m.OccurredAt), graph.Millis(m.ValidFrom), graph.Millis(m.ExpiresAt)
	c.AnchorAt, c.DeletedAt = graph.Millis(m.AnchorAt), graph.Millis(m.DeletedAt)
	c.History = list(m.History)
	for i := range c.History {
		c.History[i].From, c.History[i].ValidTo = graph.Millis(c.History[i].From), graph.Millis(c.History[i].ValidTo)
	}
	if m.Position != nil {
		p := *m.Position
		c.Position = &p
	}
	c.Usage = graph.Usage{}
	return &c
}

func copyEntity(e *graph.Entity) *graph.Entity {
	c := *e
	c.Properties, c.FirstSeen = list(e.Properties), graph.Millis(e.FirstSeen)
	return &c
}

func copyRelation(r *graph.Relation) *graph.Relation {
	c := *r
	c.StrengthAt, c.ValidFrom, c.ValidTo = graph.Millis(r.StrengthAt), graph.Millis(r.ValidFrom), graph.Millis(r.ValidTo)
	c.EventTime, c.RecordedAt, c.Memories = graph.Millis(r.EventTime), graph.Millis(r.RecordedAt), list(r.Memories)
	return &c
}

func list[S ~[]E, E any](s S) S {
	if len(s) == 0 {
		return nil
	}
	return slices.Clone(s)
}
