package storetest

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// The copies are what a store must return for what was put: deep, with instants
// truncated to milliseconds and empty lists nil.

func copyMemory(m *graph.Memory) *graph.Memory {
	c := *m
	c.Tags, c.Meta, c.Entities = cloneOrNil(m.Tags), cloneOrNil(m.Meta), cloneOrNil(m.Entities)
	c.CreatedAt, c.UpdatedAt, c.RecordedAt = graph.Millis(m.CreatedAt), graph.Millis(m.UpdatedAt), graph.Millis(m.RecordedAt)
	c.OccurredAt, c.ValidFrom, c.ExpiresAt = graph.Millis(m.OccurredAt), graph.Millis(m.ValidFrom), graph.Millis(m.ExpiresAt)
	c.AnchorAt, c.DeletedAt = graph.Millis(m.AnchorAt), graph.Millis(m.DeletedAt)
	c.History, c.ToolCalls = cloneOrNil(m.History), cloneOrNil(m.ToolCalls)
	for i := range c.History {
		c.History[i].From, c.History[i].ValidTo = graph.Millis(c.History[i].From), graph.Millis(c.History[i].ValidTo)
	}
	if m.Position != nil {
		p := *m.Position
		c.Position = &p
	}
	if m.Chunk != nil {
		x := *m.Chunk
		x.Headings = cloneOrNil(m.Chunk.Headings)
		c.Chunk = &x
	}
	if m.Procedure != nil {
		x := *m.Procedure
		x.Steps, x.LearnedFrom = cloneOrNil(m.Procedure.Steps), cloneOrNil(m.Procedure.LearnedFrom)
		c.Procedure = &x
	}
	if m.Pattern != nil {
		x := *m.Pattern
		x.Conditions, x.Actions, x.Clusters = cloneOrNil(m.Pattern.Conditions), cloneOrNil(m.Pattern.Actions), cloneOrNil(m.Pattern.Clusters)
		x.ValidatedAt = graph.Millis(m.Pattern.ValidatedAt)
		c.Pattern = &x
	}
	c.Usage = graph.Usage{}
	return &c
}

func copyEntity(e *graph.Entity) *graph.Entity {
	c := *e
	c.Properties, c.FirstSeen = cloneOrNil(e.Properties), graph.Millis(e.FirstSeen)
	return &c
}

func copyRelation(r *graph.Relation) *graph.Relation {
	c := *r
	c.StrengthAt, c.ValidFrom, c.ValidTo = graph.Millis(r.StrengthAt), graph.Millis(r.ValidFrom), graph.Millis(r.ValidTo)
	c.EventTime, c.RecordedAt, c.Memories = graph.Millis(r.EventTime), graph.Millis(r.RecordedAt), cloneOrNil(r.Memories)
	return &c
}

func copyRequest(q graph.Request) *graph.Request {
	q.Answer = slices.Clone(q.Answer)
	return &q
}

func copyNote(n graph.Note) *graph.Note {
	n.Memories, n.Data = slices.Clone(n.Memories), slices.Clone(n.Data)
	return &n
}

func cloneOrNil[S ~[]E, E any](s S) S {
	if len(s) == 0 {
		return nil
	}
	return slices.Clone(s)
}
