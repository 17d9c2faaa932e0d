package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var randomTests = map[string]func(*bench){
	"a store and the model agree": func(b *bench) {
		p := newPlayer(b, b.s, NewModel())
		for range 6 {
			p.play(120)
			p.compare()
		}
	},
	"a list equals brute force": func(b *bench) {
		p := newPlayer(b, b.s, NewModel())
		p.play(400)
		for range 300 {
			p.list(p.query())
		}
	},
}

// player does the same random things to a store and to the model and expects the
// same answers. The draws are few enough that things meet.
type player struct {
	*bench
	s        graph.Store
	twin     *Model
	memories []graph.ID
	entities []graph.ID
	rels     []graph.ID
	requests []string
}

func newPlayer(b *bench, s graph.Store, twin *Model) *player {
	return &player{bench: b, s: s, twin: twin}
}

// both runs fn on either store. An error must be the same kind on both.
func (p *player) both(what string, fn func(graph.Tx) error) {
	p.Helper()
	_, err := p.s.Update(p.ctx(), p.scope, fn)
	_, want := p.twin.Update(p.ctx(), p.scope, fn)
	if !alike(err, want) {
		p.Fatalf("%s: store answers %v, model %v", what, err, want)
	}
}

func alike(a, b error) bool {
	for _, s := range []error{graph.ErrNotFound, graph.ErrConflict, graph.ErrTooLarge} {
		if errors.Is(a, s) != errors.Is(b, s) {
			return false
		}
	}
	return (a == nil) == (b == nil) && (a == nil || graph.CodeOf(a) == graph.CodeOf(b))
}

func pick[T any](p *player, from []T) T {
	return from[p.rnd.IntN(len(from))]
}

// some is an id that is known, or not.
func (p *player) some(ids []graph.ID) graph.ID {
	if len(ids) == 0 || p.rnd.IntN(20) == 0 {
		return p.id(p.now())
	}
	return pick(p, ids)
}

// play takes random steps.
func (p *player) play(steps int) {
	p.Helper()
	for range steps {
		switch n := p.rnd.IntN(100); {
		case n < 30:
			m := p.draw()
			p.both("new memory", func(tx graph.Tx) error {
				if err := tx.PutMemory(m, graph.EventCreated); err != nil || p.clock.Unix()%3 == 0 {
					return err
				}
				return tx.PutEmbedding(m.ID, []float32{float32(p.clock.Unix()), 1})
			})
			p.memories = append(p.memories, m.ID)
		case n < 45:
			p.rewrite()
		case n < 50:
			id, v := p.some(p.memories), []float32{p.rnd.Float32()}
			p.both("vector", func(tx graph.Tx) error { return tx.PutEmbedding(id, v) })
		case n < 58:
			e := graph.Edge{From: p.some(p.memories), Kind: p.edgeKind(), To: p.some(p.memories), Weight: p.rnd.Float64(), At: p.now()}
			p.both("edge", func(tx graph.Tx) error { return tx.PutEdge(e) })
		case n < 61:
			from, kind, to := p.some(p.memories), p.edgeKind(), p.some(p.memories)
			p.both("delete edge", func(tx graph.Tx) error { return tx.DeleteEdge(from, kind, to) })
		case n < 69:
			e := p.entity(p.namespace(), p.user(), fmt.Sprint("e", p.rnd.IntN(8)))
			e.Type = pick(p, graph.EntityTypes)
			p.both("entity", func(tx graph.Tx) error { return tx.PutEntity(e) })
			p.entities = append(p.entities, e.ID)
		case n < 71:
			id := p.some(p.entities)
			p.both("delete entity", func(tx graph.Tx) error { return tx.DeleteEntity(id) })
		case n < 79:
			r := p.relation(p.some(p.entities), fmt.Sprint("p", p.rnd.IntN(3)), p.some(p.entities), p.some(p.memories), p.some(p.memories))
			p.both("relation", func(tx graph.Tx) error {
				old, err := tx.Relation(r.Source, r.Predicate, r.Target)
				if err == nil {
					r.ID = old.ID
				} else if !errors.Is(err, graph.ErrNotFound) {
					return err
				}
				return tx.PutRelation(r)
			})
			p.rels = append(p.rels, r.ID)
		case n < 81:
			s, pred, o := p.some(p.entities), fmt.Sprint("p", p.rnd.IntN(3)), p.some(p.entities)
			p.both("delete relation", func(tx graph.Tx) error { return tx.DeleteRelation(s, pred, o) })
		case n < 86:
			id, at := p.some(p.memories), p.now()
			p.both("erase", func(tx graph.Tx) error { return tx.Erase(id, at) })
		case n < 90:
			q := graph.Request{Key: fmt.Sprint("k", p.rnd.IntN(40)), Result: p.some(p.memories), At: p.now(), Answer: json.RawMessage(`{}`)}
			p.both("request", func(tx graph.Tx) error { return tx.PutRequest(q) })
			p.requests = append(p.requests, q.Key)
		case n < 95:
			ids, at := []graph.ID{p.some(p.memories), p.some(p.memories)}, p.now().Add(time.Duration(p.rnd.IntN(90))*time.Hour)
			p.ok(p.s.CountUses(p.ctx(), p.scope, ids, at))
			p.ok(p.twin.CountUses(p.ctx(), p.scope, ids, at))
		default:
			p.list(p.query())
		}
	}
}

// draw makes a memory out of few values.
func (p *player) draw() *graph.Memory {
	return p.memory(func(m *graph.Memory) {
		m.Namespace, m.User = p.namespace(), p.user()
		m.Type = pick(p, graph.Types)
		m.Session, m.Project, m.Subject = p.word("s"), p.word("p"), p.word("b")
		if p.rnd.IntN(3) == 0 {
			m.EmbeddingModel = ""
		}
		if p.rnd.IntN(3) == 0 {
			m.ExpiresAt = start.Add(time.Duration(p.rnd.IntN(5)) * time.Hour)
		}
		for range p.rnd.IntN(3) {
			m.Tags = append(m.Tags, fmt.Sprint("t", p.rnd.IntN(3)))
			m.Entities = append(m.Entities, p.some(p.entities))
		}
		if len(p.memories) > 0 && p.rnd.IntN(3) == 0 {
			m.Chain, m.Version = pick(p, p.memories), 2
		}
	})
}

// rewrite changes a memory that is there in some ways.
func (p *player) rewrite() {
	p.Helper()
	id, fresh := p.some(p.memories), p.draw()
	status, tier, kind := pick(p, graph.Statuses), pick(p, graph.Tiers), pick(p, graph.EventKinds)
	keepState := p.rnd.IntN(2) == 0
	p.both("rewrite", func(tx graph.Tx) error {
		old, err := tx.Memory(id)
		if err != nil {
			return err
		}
		next := copyMemory(fresh)
		next.ID, next.CreatedAt, next.History = old.ID, old.CreatedAt, old.History
		if !keepState {
			next.UpdatedAt = next.SetState(fresh.UpdatedAt, func(s *graph.State) { s.Status, s.Tier = status, tier })
		}
		return tx.PutMemory(next, kind)
	})
}

func (p *player) namespace() string { return fmt.Sprint("n", p.rnd.IntN(3)) }
func (p *player) user() string      { return []string{"", "ada", "bo", "cy"}[p.rnd.IntN(4)] }
func (p *player) edgeKind() graph.EdgeKind {
	return pick(p, []graph.EdgeKind{graph.DerivedFrom, graph.ConsolidatedInto, graph.EvidenceFor, graph.Contradicts})
}

func (p *player) word(of string) string {
	if p.rnd.IntN(2) == 0 {
		return ""
	}
	return fmt.Sprint(of, p.rnd.IntN(4))
}

// query asks for a random combination.
func (p *player) query() graph.MemoryQuery {
	var q graph.MemoryQuery
	maybe := func(n int) bool { return p.rnd.IntN(n) == 0 }
	if maybe(3) {
		for range 1 + p.rnd.IntN(2) {
			q.Namespaces = append(q.Namespaces, p.namespace())
		}
	}
	if maybe(3) {
		for range 1 + p.rnd.IntN(3) {
			q.Users = append(q.Users, p.user())
		}
	}
	if maybe(6) {
		q.Session = p.word("s")
	}
	if maybe(6) {
		q.Project = p.word("p")
	}
	if maybe(6) {
		q.Subject = p.word("b")
	}
	if maybe(10) && len(p.memories) > 0 {
		q.Chain = pick(p, p.memories)
	}
	if maybe(4) {
		q.Types = []graph.Type{pick(p, graph.Types), pick(p, graph.Types)}
	}
	if maybe(3) {
		q.Statuses = []graph.Status{pick(p, graph.Statuses), graph.Active}
	}
	if maybe(6) {
		q.Tags = []string{fmt.Sprint("t", p.rnd.IntN(3))}
	}
	q.Pending = maybe(6)
	if maybe(6) {
		q.ExpiresBy = start.Add(time.Duration(p.rnd.IntN(6))*time.Hour - time.Minute)
	}
	if maybe(3) {
		q.After = p.some(p.memories)
	}
	q.Descending = maybe(3)
	q.Limit = []int{0, 0, 1, 2, 3, 10, 5000}[p.rnd.IntN(7)]
	return q
}

// answer reads the same from both and compares.
func (p *player) answer(what string, read func(graph.Reader) (any, error)) {
	p.Helper()
	var mine, theirs any
	var err, want error
	p.ok(p.s.View(p.ctx(), p.scope, func(r graph.Reader) error { mine, err = read(r); return nil }))
	p.ok(p.twin.View(p.ctx(), p.scope, func(r graph.Reader) error { theirs, want = read(r); return nil }))
	if !alike(err, want) {
		p.Fatalf("%s: store answers %v, model %v", what, err, want)
	}
	if !reflect.DeepEqual(mine, theirs) {
		p.Fatalf("%s:\nstore %s\nmodel %s", what, show(mine), show(theirs))
	}
}

func (p *player) list(q graph.MemoryQuery) {
	p.Helper()
	p.answer(fmt.Sprintf("%+v", q), func(r graph.Reader) (any, error) {
		ms, err := r.ListMemories(q)
		return values(ms), err
	})
}

// values are what pointers point to, so that a difference can be printed.
func values[T any](ps []*T) []T {
	var vs []T
	for _, v := range ps {
		vs = append(vs, *v)
	}
	return vs
}

// compare reads everything there is from both.
func (p *player) compare() {
	p.Helper()
	p.answer("all memories", func(r graph.Reader) (any, error) {
		var all []graph.Memory
		for q := (graph.MemoryQuery{Limit: 50}); ; {
			ms, err := r.ListMemories(q)
			if len(ms) == 0 || err != nil {
				return all, err
			}
			all = append(all, values(ms)...)
			q.After = ms[len(ms)-1].ID
		}
	})
	for _, id := range p.memories {
		p.answer("vector", func(r graph.Reader) (any, error) { return r.Embedding(id) })
		p.answer("memory", func(r graph.Reader) (any, error) { return r.Memory(id) })
		for _, dir := range []graph.Direction{graph.Out, graph.In, graph.Both} {
			p.answer("edges", func(r graph.Reader) (any, error) { es, err := r.Edges(id, dir); return list(es), err })
		}
	}
	p.answer("entities", func(r graph.Reader) (any, error) {
		es, err := r.ListEntities(graph.EntityQuery{})
		return values(es), err
	})
	for _, id := range p.entities {
		p.answer("entity", func(r graph.Reader) (any, error) { return r.Entity(id) })
		p.answer("mentions", func(r graph.Reader) (any, error) { ids, err := r.Mentions(id, "", 0); return list(ids), err })
		p.answer("relations", func(r graph.Reader) (any, error) {
			rs, err := r.Relations(id, graph.Both, "", 0)
			return values(rs), err
		})
	}
	for _, id := range p.rels {
		p.answer("relation", func(r graph.Reader) (any, error) { return r.RelationByID(id) })
	}
	for _, key := range p.requests {
		p.answer("request", func(r graph.Reader) (any, error) { return r.Request(key) })
	}
	p.answer("last recorded", func(r graph.Reader) (any, error) { return r.LastRecorded() })
	p.compareFeeds()
}

// compareFeeds reads both feeds. Usage is left out: when it is folded is the
// store's business. So are the cursors, and the order inside one transaction.
func (p *player) compareFeeds() {
	p.Helper()
	feed := func(s graph.Store) (all []graph.Change) {
		for after := graph.Cursor(0); ; {
			cs, err := s.Changes(p.ctx(), p.scope, after, 0)
			p.ok(err)
			if len(cs) == 0 {
				break
			}
			after = cs[len(cs)-1].Cursor
			for _, c := range cs {
				c.Cursor = 0
				if c.Node != graph.NodeUsage {
					all = append(all, c)
				}
			}
		}
		slices.SortFunc(all, func(a, b graph.Change) int { return compareText(show(a), show(b)) })
		return all
	}
	mine, theirs := feed(p.s), feed(p.twin)
	if !reflect.DeepEqual(mine, theirs) {
		p.Fatalf("feeds differ: store has %d changes, model %d\nstore %s\nmodel %s", len(mine), len(theirs), show(mine), show(theirs))
	}
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
