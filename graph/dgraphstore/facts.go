package dgraphstore

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// fact is one value or edge of a node. What a row says is a set of facts, so that a
// change of the row is what is in one set and not in the other.
type fact struct {
	predicate string
	value     any      // string, float64 or time.Time
	link      graph.ID // the node that an edge leads to
	many      bool     // the predicate may have several at once
}

// collector adds facts that are there.
type collector []fact

func (c *collector) text(predicate, value string) {
	if value != "" {
		*c = append(*c, fact{predicate: predicate, value: value})
	}
}

func (c *collector) number(predicate string, value float64) {
	*c = append(*c, fact{predicate: predicate, value: value})
}

func (c *collector) instant(predicate string, at time.Time) {
	if !at.IsZero() {
		*c = append(*c, fact{predicate: predicate, value: at})
	}
}

func (c *collector) link(predicate string, id graph.ID) {
	if id != "" {
		*c = append(*c, fact{predicate: predicate, link: id})
	}
}

func (c *collector) every(predicate string, values ...string) {
	for _, v := range values {
		*c = append(*c, fact{predicate: predicate, value: v, many: true})
	}
}

func (c *collector) links(predicate string, ids []graph.ID) {
	for i, id := range ids {
		if !slices.Contains(ids[:i], id) {
			*c = append(*c, fact{predicate: predicate, link: id, many: true})
		}
	}
}

const dgraphType = "dgraph.type"

func memoryFacts(ks keyspace, key, record string) ([]fact, error) {
	id, err := ks.id(key)
	if err != nil {
		return nil, err
	}
	m, err := decodeMemory(sealed("memory", key), id, record)
	if err != nil {
		return nil, err
	}
	var c collector
	c.every(dgraphType, "Memory")
	c.text("memory.key", key)
	c.text("memory.record", record)
	c.every("memory.by", indexed(ks, m)...)
	if !m.ExpiresAt.IsZero() {
		c.text("memory.expiry", ks.expiry(m.ExpiresAt))
	}
	c.text("memory.namespace", m.Namespace)
	c.text("memory.type", string(m.Type))
	c.text("memory.status", string(m.Status()))
	c.text("memory.tier", string(m.State().Tier))
	c.instant("memory.created", m.CreatedAt)
	c.text("memory.checksum", m.Checksum)
	c.links("memory.mentions", m.Entities)
	c.link("memory.supersedes", m.Supersedes)
	c.link("memory.consolidated", m.Consolidated)
	return c, nil
}

// indexed answers what lists can ask for of a memory.
func indexed(ks keyspace, m *graph.Memory) []string {
	by := []string{ks.name(byNamespace, m.Namespace), ks.name(byUser, m.User)}
	for _, f := range []struct{ what, value string }{
		{byChain, string(m.Chain)}, {bySession, m.Session}, {bySubject, m.Subject}, {byProject, m.Project},
	} {
		if f.value != "" {
			by = append(by, ks.name(f.what, f.value))
		}
	}
	if pending(m) {
		by = append(by, ks.name(byPending))
	}
	return by
}

// pending reports whether a memory waits for its embedding.
func pending(m *graph.Memory) bool { return m.EmbeddingModel == "" && m.Status() != graph.Forgotten }

func entityFacts(ks keyspace, key, record string) ([]fact, error) {
	e, err := decodeEntity(ks, key, record)
	if err != nil {
		return nil, err
	}
	var c collector
	c.every(dgraphType, "Entity")
	c.text("entity.key", key)
	c.text("entity.record", record)
	c.text("entity.name", ks.name("entity", e.Namespace, e.User, e.Canonical))
	c.every("entity.by", ks.name(byNamespace, e.Namespace))
	c.text("entity.type", string(e.Type))
	return c, nil
}

func relationFacts(ks keyspace, key, record string) ([]fact, error) {
	r, err := decodeRelation(ks, key, record)
	if err != nil {
		return nil, err
	}
	var c collector
	c.every(dgraphType, "Relation")
	c.text("relation.record", record)
	c.text("relation.triple", tripleKey(ks, r.Source, r.Predicate, r.Target))
	c.number("relation.strength", r.Strength)
	c.number("relation.confidence", r.Confidence)
	c.instant("relation.valid_from", r.ValidFrom)
	c.instant("relation.valid_to", r.ValidTo)
	c.instant("relation.recorded", r.RecordedAt)
	c.link("relation.source", r.Source)
	c.link("relation.target", r.Target)
	c.links("relation.says", r.Memories)
	return c, nil
}

func edgeFacts(_ keyspace, key, record string) ([]fact, error) {
	e, err := decodeEdge(key, record)
	if err != nil {
		return nil, err
	}
	var c collector
	c.every(dgraphType, "Edge")
	c.text("edge.key", key)
	c.text("edge.record", record)
	c.text("edge.kind", string(e.Kind))
	c.number("edge.weight", e.Weight)
	c.instant("edge.at", e.At)
	c.link("edge.from", e.From)
	c.link("edge.to", e.To)
	return c, nil
}

func requestFacts(_ keyspace, key, record string) ([]fact, error) {
	q, err := decodeRequest(key, record)
	if err != nil {
		return nil, err
	}
	var c collector
	c.text("request.key", key)
	c.text("request.record", record)
	c.link("request.result", q.Result)
	return c, nil
}

func receiptFacts(_ keyspace, key, record string) ([]fact, error) {
	var c collector
	c.text("receipt.key", key)
	c.text("receipt.record", record)
	return c, nil
}

func noteFacts(_ keyspace, key, record string) ([]fact, error) {
	n, err := decodeNote(key, record)
	if err != nil {
		return nil, err
	}
	var c collector
	c.text("note.key", key)
	c.text("note.record", record)
	c.links("note.memories", n.Memories)
	return c, nil
}

func settingFacts(_ keyspace, key, record string) ([]fact, error) {
	var c collector
	c.text("setting.key", key)
	c.text("setting.record", record)
	return c, nil
}

// differ answers what has to be set and what has to go so that old becomes next. A
// value of a predicate that has one only is replaced by its successor.
func differ(old, next []fact) (set, gone []fact) {
	same := func(a, b fact) bool {
		at, ok1 := a.value.(time.Time)
		bt, ok2 := b.value.(time.Time)
		if ok1 && ok2 {
			return a.predicate == b.predicate && at.Equal(bt)
		}
		return a.predicate == b.predicate && a.value == b.value && a.link == b.link
	}
	for _, f := range next {
		if !slices.ContainsFunc(old, func(o fact) bool { return same(o, f) }) {
			set = append(set, f)
		}
	}
	for _, f := range old {
		kept := func(n fact) bool { return same(n, f) || !f.many && n.predicate == f.predicate }
		if !slices.ContainsFunc(next, kept) {
			gone = append(gone, f)
		}
	}
	return set, gone
}

// vectorText is a vector as Dgraph reads it. The shortest form of each number is exact.
func vectorText(v []float32) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, x := range v {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatFloat(float64(x), 'g', -1, 32))
	}
	b.WriteByte(']')
	return b.String()
}
