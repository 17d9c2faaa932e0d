package transfer

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/graph"
)

// maxUses is the largest number of uses of one memory that is imported.
const maxUses = 1 << 20

// checker checks the lines of an export, each by itself and against the others, so that no store refuses one
// when others are written.
type checker struct {
	recorded   time.Time // nothing was recorded later
	dimensions map[string]int
	versions   map[graph.ID]place
	clusters   grouping.Imported
	model      string               // of the server; empty: any
	known      map[uint64]struct{}  // hashes of the ids of memories and entities
	missing    map[uint64]reference // hashes of ids that were named before they came
	seed       maphash.Seed
}

// reference is where an id is named.
type reference struct {
	field string
	in    string
}

// place is the position of a memory in its chain.
type place struct {
	version    int
	supersedes graph.ID
}

// newChecker makes a checker for the lines after a header.
func newChecker(h Header) *checker {
	return &checker{recorded: h.Recorded, dimensions: map[string]int{}, versions: map[graph.ID]place{},
		known: map[uint64]struct{}{}, missing: map[uint64]reference{}, seed: maphash.MakeSeed()}
}

// line returns what is wrong with a line, or nil.
func (c *checker) line(l line) error {
	if fields(l) != 1 {
		return errUnknown
	}
	switch {
	case l.Entity != nil && l.Entity.Entity != nil:
		e := *l.Entity.Entity
		e.Properties = raw(l.Entity.Properties)
		if err := e.Validate(); err != nil {
			return fmt.Errorf("in an entity: %w", err)
		}
		c.add(e.ID)
	case l.Memory != nil && l.Memory.Memory != nil:
		return c.memory(l.Memory)
	case l.Setting != nil:
		return checkSetting(l.Setting.Name, l.Setting.Value)
	case l.Relation != nil && l.Relation.Relation != nil:
		if err := l.Relation.Validate(); err != nil {
			return fmt.Errorf("in a relation: %w", err)
		}
		return c.past("RecordedAt", l.Relation.RecordedAt)
	case l.Note != nil && l.Note.Note != nil:
		return cmp.Or(c.past("At", l.Note.At), c.note(l.Note))
	default:
		return errUnknown
	}
	return nil
}

// fields is the number of fields of a line that are set. A line with several would be checked as one and written as another.
func fields(l line) (n int) {
	for _, set := range []bool{l.Entity != nil, l.Memory != nil, l.Relation != nil, l.Note != nil, l.Setting != nil, l.Receipt != nil} {
		if set {
			n++
		}
	}
	return n
}

// note returns what is wrong with a note, or nil.
func (c *checker) note(l *noteLine) error {
	n := *l.Note
	n.Data = raw(l.Data)
	named, err := checkNote(&n)
	if err != nil {
		return err
	}
	// The next sleep is ordered after the last one.
	if n.Kind == graph.NoteSleep && n.ID.Time().After(c.recorded.Add(time.Minute)) {
		return fmt.Errorf("in a note of kind %s: in ID: it was made after the last instant of the export, %s", n.Kind, c.recorded.Format(time.RFC3339))
	}
	where := "note " + string(n.Kind) + " " + string(n.ID)
	c.refer("Memories", where, n.Memories...)
	c.refer("Data", where, named...)
	if err := c.clusters.Add(&n); err != nil {
		return fmt.Errorf("in a note of kind %s: %w", n.Kind, err)
	}
	return nil
}

// memory returns what is wrong with a memory, or nil.
func (c *checker) memory(l *memoryLine) error {
	for _, s := range l.History {
		if err := c.past("History.From", s.From); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		name string
		at   time.Time
	}{
		{"RecordedAt", l.RecordedAt}, {"CreatedAt", l.CreatedAt}, {"UpdatedAt", l.UpdatedAt}, {"AnchorAt", l.AnchorAt},
		{"DeletedAt", l.DeletedAt}, {"Usage.Last", l.Usage.Last},
	} {
		if err := c.past(f.name, f.at); err != nil {
			return err
		}
	}
	if u := l.Usage; u.Count < 0 || u.Count > maxUses || len(u.Days) > u.Count || !slices.IsSorted(u.Days) {
		return fmt.Errorf("in Usage: it must have from %d to %d uses, on ascending days", len(u.Days), maxUses)
	}
	c.add(l.ID)
	if len(l.History) == 0 {
		return fmt.Errorf("in History: it is empty")
	}
	m := *l.Memory
	m.Meta = raw(l.Meta)
	written := &m
	if m.Status() == graph.Forgotten {
		if len(m.History) < 2 {
			return errForgotten
		}
		written = placeholder(&m)
	}
	if err := written.ValidatePut(graph.EventCreated); err != nil {
		return fmt.Errorf("in a memory: %w", err)
	}
	if m.Status() == graph.Forgotten {
		return nil
	}
	where := "memory " + string(l.ID)
	c.refer("Supersedes", where, l.Supersedes)
	c.refer("SupersededBy", where, l.SupersededBy)
	c.refer("Entities", where, l.Entities...)
	for _, e := range l.Edges {
		if e.From != l.ID {
			return fmt.Errorf("in Edges: one begins at %s, another memory", e.From)
		}
		c.refer("Edges", where, e.To)
	}
	if l.Checksum != "" && l.Checksum != graph.Sum(l.Content, l.CreatedAt, l.SourceKind, l.Source) {
		return fmt.Errorf("in Checksum: it is not that of Content, CreatedAt, SourceKind and Source")
	}
	if l.Supersedes != "" {
		c.versions[l.ID] = place{l.Version, l.Supersedes}
	}
	return c.vector(l)
}

// hash is a key of the sets of ids. An id that is missing stays unseen with a chance of 1 in 10¹²
// even among millions, and the store refuses it then.
func (c *checker) hash(id graph.ID) uint64 { return maphash.String(c.seed, string(id)) }

// add records that the export has a memory or an entity.
func (c *checker) add(id graph.ID) {
	h := c.hash(id)
	c.known[h] = struct{}{}
	delete(c.missing, h)
}

// refer records that a field of a memory or a note names others.
func (c *checker) refer(field, in string, ids ...graph.ID) {
	for _, id := range ids {
		h := c.hash(id)
		if _, known := c.known[h]; !known && id != "" {
			c.missing[h] = reference{field, in}
		}
	}
}

// vector checks that vectors of one model have one dimension.
func (c *checker) vector(l *memoryLine) error {
	if len(l.Vector) == 0 {
		return nil
	}
	if c.model != "" && l.EmbeddingModel != c.model {
		return fmt.Errorf("in EmbeddingModel: %q; this server uses %q, and vectors of two models can't be compared: start it with that model, import, and then run reembed", l.EmbeddingModel, c.model)
	}
	if len(l.Vector)%4 != 0 {
		return fmt.Errorf("in Vector: it has %d bytes, not 4 for each number", len(l.Vector))
	}
	known, found := c.dimensions[l.EmbeddingModel]
	if found && known != len(l.Vector)/4 {
		return fmt.Errorf("in Vector: it has %d numbers, and others of model %q have %d", len(l.Vector)/4, l.EmbeddingModel, known)
	}
	c.dimensions[l.EmbeddingModel] = len(l.Vector) / 4
	return nil
}

// past checks that something was not recorded after the last instant of the export.
func (c *checker) past(field string, at time.Time) error {
	if at.After(c.recorded) {
		return fmt.Errorf("in %s: %s is after the last instant of the export, %s", field, at.Format(time.RFC3339), c.recorded.Format(time.RFC3339))
	}
	return nil
}

// end returns what is wrong with the references, the chains or the clusters, or nil: each named id is there, each version follows an earlier
// one, so that no chain is a ring, and each settlement has its parts.
func (c *checker) end() error {
	for _, r := range c.missing {
		return fmt.Errorf("%s: in %s: it names an id that the export does not have", r.in, r.field)
	}
	for id, v := range c.versions {
		if before, known := c.versions[v.supersedes]; v.version < 2 || known && before.version >= v.version {
			return fmt.Errorf("memory %s: has version %d and supersedes %s, which is no earlier version", id, v.version, v.supersedes)
		}
	}
	return c.clusters.End()
}
