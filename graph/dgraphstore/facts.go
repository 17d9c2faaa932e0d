package dgraphstore

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// fact is one value or edge of a node. A row is a set of facts, so that a change of the row
// is the difference of two sets.
type fact struct {
	predicate string
	value     any      // string, float64 or time.Time
	link      graph.ID // the target node of an edge
	multi     bool     // the predicate may have several values
}

// factCollector adds facts whose value is not empty.
type factCollector []fact

func (c *factCollector) text(predicate, value string) {
	if value != "" {
		*c = append(*c, fact{predicate: predicate, value: value})
	}
}

func (c *factCollector) number(predicate string, value float64) {
	*c = append(*c, fact{predicate: predicate, value: value})
}

func (c *factCollector) instant(predicate string, at time.Time) {
	if !at.IsZero() {
		*c = append(*c, fact{predicate: predicate, value: at})
	}
}

func (c *factCollector) link(predicate string, id graph.ID) {
	if id != "" {
		*c = append(*c, fact{predicate: predicate, link: id})
	}
}

func (c *factCollector) texts(predicate string, values ...string) {
	for _, v := range values {
		*c = append(*c, fact{predicate: predicate, value: v, multi: true})
	}
}

func (c *factCollector) links(predicate string, ids []graph.ID) {
	for i, id := range ids {
		if !slices.Contains(ids[:i], id) {
			*c = append(*c, fact{predicate: predicate, link: id, multi: true})
		}
	}
}

const dgraphType = "dgraph.type"

// factsOf makes the function that turns a record of a kind into facts: those that add
// collects, and the record itself.
func factsOf[T any](name string, decode decoder[T], add func(c *factCollector, ks keyspace, key string, v T)) func(ks keyspace, key, record string) ([]fact, error) {
	return func(ks keyspace, key, record string) ([]fact, error) {
		v, err := decode(ks, key, record)
		if err != nil {
			return nil, err
		}
		var c factCollector
		add(&c, ks, key, v)
		c.text(name+".record", record)
		return c, nil
	}
}

func memoryFacts(c *factCollector, ks keyspace, key string, m *graph.Memory) {
	c.texts(dgraphType, "Memory")
	c.text("memory.key", key)
	c.texts("memory.by", indexKeys(ks, m)...)
	if !m.ExpiresAt.IsZero() {
		c.text("memory.expiry", ks.expiryKey(m.ExpiresAt))
	}
	c.text("memory.namespace", m.Namespace)
	c.text("memory.type", string(m.Type))
	c.text("memory.status", string(m.Status()))
	c.text("memory.tier", string(m.State().Tier))
	c.instant("memory.created", m.CreatedAt)
	if ks.secret == nil { // it would confirm a guess of the content
		c.text("memory.checksum", m.Checksum)
	}
	c.links("memory.mentions", m.Entities)
	c.link("memory.supersedes", m.Supersedes)
	c.link("memory.consolidated", m.Consolidated)
}

// indexKeys returns the keys by which lists find a memory.
func indexKeys(ks keyspace, m *graph.Memory) []string {
	by := []string{ks.hashedKey(byNamespace, m.Namespace), ks.hashedKey(byUser, m.User)}
	for _, f := range []struct{ what, value string }{
		{byChain, string(m.Chain)}, {bySession, m.Session}, {bySubject, m.Subject}, {byProject, m.Project},
		{byExternal, m.ExternalID},
	} {
		if f.value != "" {
			by = append(by, ks.hashedKey(f.what, f.value))
		}
	}
	if m.EmbeddingPending() {
		by = append(by, ks.hashedKey(byPending))
	}
	return by
}

func entityFacts(c *factCollector, ks keyspace, key string, e *graph.Entity) {
	c.texts(dgraphType, "Entity")
	c.text("entity.key", key)
	c.text("entity.name", entityName(ks, e))
	c.texts("entity.by", ks.hashedKey(byNamespace, e.Namespace))
	c.text("entity.type", string(e.Type))
}

// entityName is the key of the unique name of an entity.
func entityName(ks keyspace, e *graph.Entity) string {
	return ks.hashedKey("entity", e.Namespace, e.User, e.Canonical)
}

func relationFacts(c *factCollector, ks keyspace, _ string, r *graph.Relation) {
	c.texts(dgraphType, "Relation")
	c.text("relation.triple", tripleKey(ks, r.Source, r.Predicate, r.Target))
	c.number("relation.strength", r.Strength)
	c.number("relation.confidence", r.Confidence)
	c.instant("relation.valid_from", r.ValidFrom)
	c.instant("relation.valid_to", r.ValidTo)
	c.instant("relation.recorded", r.RecordedAt)
	c.link("relation.source", r.Source)
	c.link("relation.target", r.Target)
	c.links("relation.says", r.Memories)
}

func edgeFacts(c *factCollector, _ keyspace, key string, e *graph.Edge) {
	c.texts(dgraphType, "Edge")
	c.text("edge.key", key)
	c.text("edge.kind", string(e.Kind))
	c.number("edge.weight", e.Weight)
	c.instant("edge.at", e.At)
	c.link("edge.from", e.From)
	c.link("edge.to", e.To)
}

func requestFacts(c *factCollector, _ keyspace, key string, q *graph.Request) {
	c.text("request.key", key)
	c.link("request.result", q.Result)
}

func receiptFacts(c *factCollector, _ keyspace, key string, _ *graph.Receipt) {
	c.text("receipt.key", key)
}

func noteFacts(c *factCollector, _ keyspace, key string, n *graph.Note) {
	c.text("note.key", key)
	c.links("note.memories", n.Memories)
}

func settingFacts(c *factCollector, _ keyspace, key string, _ []byte) {
	c.text("setting.key", key)
}

// diffFacts returns what must be set and removed so that old becomes next. The new value
// of a single-valued predicate replaces the old one.
func diffFacts(old, next []fact) (set, deleted []fact) {
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
		kept := func(n fact) bool { return same(n, f) || !f.multi && n.predicate == f.predicate }
		if !slices.ContainsFunc(next, kept) {
			deleted = append(deleted, f)
		}
	}
	return set, deleted
}

// vectorText is the text form of a vector for Dgraph. The shortest form of each number is exact.
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
