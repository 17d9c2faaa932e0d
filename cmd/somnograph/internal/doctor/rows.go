package doctor

import (
	"errors"
	"fmt"

	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/graph"
)

// page is the number of rows per read.
const page = 200

// rows checks the rows of a tenant on one snapshot.
type rows struct {
	*checker
	scope      graph.Scope
	r          graph.Reader
	dimensions map[string]int // of the vectors of a model
}

func (x *rows) wrong(format string, args ...any) {
	x.found(Finding{Part: "STORE", Tenant: string(x.scope.Tenant), What: fmt.Sprintf(format, args...), Do: restoreIt})
}

// memories checks every memory with its vector, its edges and what it refers to.
func (x *rows) memories() error {
	for after := graph.ID(""); ; {
		some, err := x.r.ListMemories(graph.MemoryQuery{After: after, Limit: page})
		if err != nil {
			return x.broken("STORE", x.scope, fmt.Sprintf("memories after %q can't be read", after), err)
		}
		var refers []reference
		for _, m := range some {
			x.report.Checked.Memories++
			more, err := x.memory(m)
			if err != nil {
				if err := x.broken("STORE", x.scope, fmt.Sprintf("memory %s can't be read", m.ID), err); err != nil {
					return err
				}
			}
			refers = append(refers, more...)
		}
		if err := x.references(refers); err != nil {
			return err
		}
		if len(some) < page {
			return nil
		}
		after = some[len(some)-1].ID
	}
}

// reference says that a row names a memory that must exist.
type reference struct {
	from string
	to   graph.ID
}

func (x *rows) memory(m *graph.Memory) (refers []reference, err error) {
	if m.Status() == graph.Forgotten {
		return nil, nil
	}
	if m.Checksum != "" && m.Checksum != graph.Sum(m.Content, m.CreatedAt, m.SourceKind, m.Source) {
		x.wrong("memory %s: its content does not have its checksum", m.ID)
	}
	if m.Supersedes != "" {
		refers = append(refers, reference{fmt.Sprintf("memory %s supersedes", m.ID), m.Supersedes})
	}
	for _, e := range m.Entities {
		if _, err := x.r.Entity(e); errors.Is(err, graph.ErrNotFound) {
			x.wrong("memory %s mentions entity %s, which does not exist", m.ID, e)
		} else if err != nil {
			return refers, err
		}
	}
	v, err := x.r.Embedding(m.ID)
	switch {
	case errors.Is(err, graph.ErrNotFound):
	case err != nil:
		return refers, err
	default:
		x.report.Checked.Vectors++
		if known, ok := x.dimensions[m.EmbeddingModel]; ok && known != len(v) {
			x.wrong("memory %s: its vector has %d numbers, and others of model %s have %d", m.ID, len(v), m.EmbeddingModel, known)
		} else {
			x.dimensions[m.EmbeddingModel] = len(v)
		}
	}
	edges, err := x.r.Edges(m.ID, graph.Out)
	x.report.Checked.Edges += len(edges)
	for _, e := range edges {
		refers = append(refers, reference{fmt.Sprintf("an edge %s of memory %s leads to", e.Kind, m.ID), e.To})
	}
	return refers, err
}

// references checks that the memories exist.
func (x *rows) references(all []reference) error {
	for len(all) > 0 {
		some := all[:min(len(all), page)]
		all = all[len(some):]
		ids := make([]graph.ID, len(some))
		for i, f := range some {
			ids[i] = f.to
		}
		found, err := x.r.Memories(ids)
		if err != nil {
			return x.broken("STORE", x.scope, "memories that others refer to can't be read", err)
		}
		for i, m := range found {
			if m == nil {
				x.wrong("%s memory %s, which does not exist", some[i].from, some[i].to)
			}
		}
	}
	return nil
}

// entities checks every entity with the relations that begin at it.
func (x *rows) entities() error {
	for e, err := range graph.AllEntities(x.r) {
		if err != nil {
			return x.broken("STORE", x.scope, "entities can't be read", err)
		}
		x.report.Checked.Entities++
		var refers []reference
		for rel, err := range graph.AllRelations(x.r, e.ID) {
			if err != nil {
				return x.broken("STORE", x.scope, fmt.Sprintf("the relations of entity %s can't be read", e.ID), err)
			}
			x.report.Checked.Relations++
			if _, err := x.r.Entity(rel.Target); errors.Is(err, graph.ErrNotFound) {
				x.wrong("relation %s leads to entity %s, which does not exist", rel.ID, rel.Target)
			} else if err != nil {
				return x.broken("STORE", x.scope, fmt.Sprintf("entity %s can't be read", rel.Target), err)
			}
			for _, m := range rel.Memories {
				refers = append(refers, reference{fmt.Sprintf("relation %s is stated by", rel.ID), m})
			}
		}
		if err := x.references(refers); err != nil {
			return err
		}
	}
	return nil
}

// notes checks every note.
func (x *rows) notes() error {
	for _, kind := range graph.NoteKinds {
		for n, err := range graph.AllNotes(x.r, kind, "", false) {
			if err != nil {
				if err := x.broken("STORE", x.scope, fmt.Sprintf("notes of kind %s can't be read", kind), err); err != nil {
					return err
				}
				break
			}
			x.report.Checked.Notes++
			if kind == graph.NoteAlarm {
				x.alarm(n)
			}
			var refers []reference
			for _, m := range n.Memories {
				refers = append(refers, reference{fmt.Sprintf("note %s %s is about", kind, n.ID), m})
			}
			if err := x.references(refers); err != nil {
				return err
			}
		}
	}
	return nil
}

// alarm checks that a stored alarm can be read.
func (x *rows) alarm(n *graph.Note) {
	if _, err := alarm.FromNote(n); err != nil {
		x.found(Finding{Part: "STORE", Tenant: string(x.scope.Tenant), What: fmt.Sprintf("alarm %s can't be read: %v", n.ID, err),
			Do: "start the server: it leaves this alarm out, and raises another one if there is still a reason; to be rid of it, restore a backup from before"})
	}
}

// serverAlarms checks the alarms of the server.
func (c *checker) serverAlarms() error {
	scope := graph.ServerScope()
	return c.Store.View(c.ctx, scope, func(r graph.Reader) error {
		x := &rows{checker: c, scope: scope, r: r}
		for n, err := range graph.NotesBesideDamaged(r, graph.NoteAlarm, "", false, graph.MaxPage) {
			if err == nil {
				x.alarm(n)
			} else if err := c.broken("STORE", scope, "an alarm of the server can't be read", err); err != nil {
				return err
			}
		}
		return nil
	})
}

// erased checks that the store has no content of what the ledger names.
func (x *rows) erased() error {
	ids := x.Ledger.IDs(x.scope)
	x.report.Checked.Erased += len(ids)
	for len(ids) > 0 {
		some := ids[:min(len(ids), page)]
		ids = ids[len(some):]
		found, err := x.r.Memories(some)
		if err != nil {
			return x.broken("STORE", x.scope, "erased memories can't be read", err)
		}
		for _, m := range found {
			if m != nil && m.Status() != graph.Forgotten {
				x.found(Finding{Part: "LEDGER", Tenant: string(x.scope.Tenant), What: fmt.Sprintf("memory %s was erased, and an older copy of the store brought it back", m.ID),
					Do: "start the server: it erases it again before it answers", Minor: true})
			}
		}
	}
	return nil
}
