package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var randomTests = map[string]func(*fixture){
	"the store and the model agree": func(f *fixture) {
		p := newRandomPlayer(f, f.store, NewModel())
		for range 6 {
			p.play(120)
			p.compareAll()
		}
	},
	"a list equals brute force": func(f *fixture) {
		p := newRandomPlayer(f, f.store, NewModel())
		p.play(400)
		for range 300 {
			p.compareList(p.drawQuery())
		}
	},
}

// randomPlayer does the same random things to a store and to the model and expects the
// same results. It draws from few values, so that operations affect the same nodes.
type randomPlayer struct {
	*fixture
	store     graph.Store
	model     *Model
	memories  []graph.ID
	entities  []graph.ID
	relations []graph.ID
	requests  []string
	notes     []graph.ID
}

func newRandomPlayer(f *fixture, s graph.Store, model *Model) *randomPlayer {
	return &randomPlayer{fixture: f, store: s, model: model}
}

// updateBoth runs fn on both stores. An error must be of the same kind on both.
func (p *randomPlayer) updateBoth(what string, fn func(graph.Tx) error) {
	p.Helper()
	_, err := p.store.Update(p.ctx(), p.scope, fn)
	_, want := p.model.Update(p.ctx(), p.scope, fn)
	if !sameKindOfError(err, want) {
		p.Fatalf("%s: store answers %v, model %v", what, err, want)
	}
}

func sameKindOfError(a, b error) bool {
	for _, s := range []error{graph.ErrNotFound, graph.ErrConflict, graph.ErrTooLarge} {
		if errors.Is(a, s) != errors.Is(b, s) {
			return false
		}
	}
	return (a == nil) == (b == nil) && (a == nil || graph.CodeOf(a) == graph.CodeOf(b))
}

func pick[T any](p *randomPlayer, from []T) T {
	return from[p.random.IntN(len(from))]
}

// knownOrNewID is an id that exists, or sometimes one that does not.
func (p *randomPlayer) knownOrNewID(ids []graph.ID) graph.ID {
	if len(ids) == 0 || p.random.IntN(20) == 0 {
		return p.newID(p.tick())
	}
	return pick(p, ids)
}

// play takes random steps.
func (p *randomPlayer) play(steps int) {
	p.Helper()
	for range steps {
		switch n := p.random.IntN(100); {
		case n < 30:
			m := p.drawMemory()
			p.updateBoth("new memory", func(tx graph.Tx) error {
				if err := tx.PutMemory(m, graph.EventCreated); err != nil || p.clock.Unix()%3 == 0 {
					return err
				}
				return tx.PutEmbedding(m.ID, []float32{float32(p.clock.Unix()), 1})
			})
			p.memories = append(p.memories, m.ID)
		case n < 45:
			p.rewriteMemory()
		case n < 50:
			id, v := p.knownOrNewID(p.memories), []float32{p.random.Float32()}
			p.updateBoth("vector", func(tx graph.Tx) error { return tx.PutEmbedding(id, v) })
		case n < 58:
			e := graph.Edge{From: p.knownOrNewID(p.memories), Kind: p.drawEdgeKind(), To: p.knownOrNewID(p.memories), Weight: p.random.Float64(), At: p.tick()}
			p.updateBoth("edge", func(tx graph.Tx) error { return tx.PutEdge(e) })
		case n < 61:
			from, kind, to := p.knownOrNewID(p.memories), p.drawEdgeKind(), p.knownOrNewID(p.memories)
			p.updateBoth("delete edge", func(tx graph.Tx) error { return tx.DeleteEdge(from, kind, to) })
		case n < 69:
			e := p.newEntity(p.drawNamespace(), p.drawUser(), fmt.Sprint("e", p.random.IntN(8)))
			e.Type = pick(p, graph.EntityTypes)
			p.updateBoth("entity", func(tx graph.Tx) error { return tx.PutEntity(e) })
			p.entities = append(p.entities, e.ID)
		case n < 71:
			id := p.knownOrNewID(p.entities)
			p.updateBoth("delete entity", func(tx graph.Tx) error { return tx.DeleteEntity(id) })
		case n < 79:
			r := p.newRelation(p.knownOrNewID(p.entities), fmt.Sprint("p", p.random.IntN(3)), p.knownOrNewID(p.entities), p.knownOrNewID(p.memories), p.knownOrNewID(p.memories))
			p.updateBoth("relation", func(tx graph.Tx) error {
				old, err := tx.Relation(r.Source, r.Predicate, r.Target)
				if err == nil {
					r.ID = old.ID
				} else if !errors.Is(err, graph.ErrNotFound) {
					return err
				}
				return tx.PutRelation(r)
			})
			p.relations = append(p.relations, r.ID)
		case n < 81:
			s, pred, o := p.knownOrNewID(p.entities), fmt.Sprint("p", p.random.IntN(3)), p.knownOrNewID(p.entities)
			p.updateBoth("delete relation", func(tx graph.Tx) error { return tx.DeleteRelation(s, pred, o) })
		case n < 86:
			id, at := p.knownOrNewID(p.memories), p.tick()
			p.updateBoth("erase", func(tx graph.Tx) error { return tx.Erase(id, at) })
		case n < 90:
			q := graph.Request{Key: fmt.Sprint("k", p.random.IntN(40)), Result: p.knownOrNewID(p.memories), At: p.tick(), Answer: json.RawMessage(`{}`)}
			p.updateBoth("request", func(tx graph.Tx) error { return tx.PutRequest(q) })
			p.requests = append(p.requests, q.Key)
		case n < 95:
			ids, at := []graph.ID{p.knownOrNewID(p.memories), p.knownOrNewID(p.memories)}, p.tick().Add(time.Duration(p.random.IntN(90))*time.Hour)
			use := graph.Use{At: at}
			for range p.random.IntN(3) {
				use.Sessions = use.Sessions.Union(graph.Sessions{p.random.Uint64N(20)})
			}
			p.noError(p.store.CountUses(p.ctx(), p.scope, ids, use))
			p.noError(p.model.CountUses(p.ctx(), p.scope, ids, use))
		default:
			p.compareList(p.drawQuery())
		}
	}
}

// drawMemory makes a memory from a few values.
func (p *randomPlayer) drawMemory() *graph.Memory {
	return p.newMemory(func(m *graph.Memory) {
		m.Namespace, m.User = p.drawNamespace(), p.drawUser()
		m.Consent, m.Sensitivity = pick(p, graph.Consents), pick(p, graph.Sensitivities)
		m.Type = pick(p, graph.Types)
		m.Session, m.Project, m.Subject = p.drawWord("s"), p.drawWord("p"), p.drawWord("b")
		m.ExternalID = p.drawWord("x")
		if p.random.IntN(3) == 0 {
			m.EmbeddingModel = ""
		}
		if p.random.IntN(3) == 0 {
			m.ExpiresAt = start.Add(time.Duration(p.random.IntN(5)) * time.Hour)
		}
		for range p.random.IntN(3) {
			m.Tags = append(m.Tags, fmt.Sprint("t", p.random.IntN(3)))
			m.Entities = append(m.Entities, p.knownOrNewID(p.entities))
		}
		if len(p.memories) > 0 && p.random.IntN(3) == 0 {
			m.Chain, m.Version = pick(p, p.memories), 2
		}
	})
}

// rewriteMemory changes an existing memory.
func (p *randomPlayer) rewriteMemory() {
	p.Helper()
	id, fresh := p.knownOrNewID(p.memories), p.drawMemory()
	status, tier, kind := pick(p, graph.Statuses), pick(p, graph.Tiers), pick(p, graph.EventKinds)
	keepState := p.random.IntN(2) == 0
	p.updateBoth("rewrite", func(tx graph.Tx) error {
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

func (p *randomPlayer) drawNamespace() string {
	return pick(p, []string{"n0", "n0/dev", "ada@mail.example:7"})
}
func (p *randomPlayer) drawUser() string {
	return []string{"", "ada", "bo", "cy", "ada\x1fbot", "\x1fbot", "bo\x1fagent"}[p.random.IntN(7)]
}
func (p *randomPlayer) drawEdgeKind() graph.EdgeKind {
	return pick(p, []graph.EdgeKind{graph.DerivedFrom, graph.ConsolidatedInto, graph.EvidenceFor, graph.Contradicts})
}

func (p *randomPlayer) drawWord(of string) string {
	if p.random.IntN(2) == 0 {
		return ""
	}
	return fmt.Sprint(of, p.random.IntN(4))
}

// drawQuery makes a random query.
func (p *randomPlayer) drawQuery() graph.MemoryQuery {
	var q graph.MemoryQuery
	maybe := func(n int) bool { return p.random.IntN(n) == 0 }
	if maybe(3) {
		for range 1 + p.random.IntN(2) {
			q.Namespaces = append(q.Namespaces, p.drawNamespace())
		}
	}
	if maybe(3) {
		for range 1 + p.random.IntN(3) {
			q.Users = append(q.Users, p.drawUser())
		}
	}
	if maybe(6) {
		q.Session = p.drawWord("s")
	}
	if maybe(6) {
		q.Project = p.drawWord("p")
	}
	if maybe(6) {
		q.Subject = p.drawWord("b")
	}
	if maybe(6) {
		q.ExternalID = p.drawWord("x")
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
		q.Tags = []string{fmt.Sprint("t", p.random.IntN(3))}
	}
	q.Pending = maybe(6)
	if maybe(6) {
		q.ExpiresBy = start.Add(time.Duration(p.random.IntN(6))*time.Hour - time.Minute)
	}
	if maybe(3) {
		q.After = p.knownOrNewID(p.memories)
	}
	q.Descending = maybe(3)
	q.Limit = []int{0, 0, 1, 2, 3, 10, 5000}[p.random.IntN(7)]
	return q
}

// compareRead reads the same from both and compares.
func (p *randomPlayer) compareRead(what string, read func(graph.Reader) (any, error)) {
	p.Helper()
	var mine, theirs any
	var err, want error
	p.noError(p.store.View(p.ctx(), p.scope, func(r graph.Reader) error { mine, err = read(r); return nil }))
	p.noError(p.model.View(p.ctx(), p.scope, func(r graph.Reader) error { theirs, want = read(r); return nil }))
	if !sameKindOfError(err, want) {
		p.Fatalf("%s: store answers %v, model %v", what, err, want)
	}
	if !reflect.DeepEqual(mine, theirs) {
		p.Fatalf("%s:\nstore %s\nmodel %s", what, format(mine), format(theirs))
	}
}

func (p *randomPlayer) compareList(q graph.MemoryQuery) {
	p.Helper()
	p.compareRead(fmt.Sprintf("%+v", q), func(r graph.Reader) (any, error) {
		ms, err := r.ListMemories(q)
		return dereference(ms), err
	})
}

// dereference returns the values of pointers, so that a difference can be printed.
func dereference[T any](ps []*T) []T {
	var vs []T
	for _, v := range ps {
		vs = append(vs, *v)
	}
	return vs
}

// compareAll reads everything from both and compares.
func (p *randomPlayer) compareAll() {
	p.Helper()
	p.compareRead("all memories", func(r graph.Reader) (any, error) {
		var all []graph.Memory
		for q := (graph.MemoryQuery{Limit: 50}); ; {
			ms, err := r.ListMemories(q)
			if len(ms) == 0 || err != nil {
				return all, err
			}
			all = append(all, dereference(ms)...)
			q.After = ms[len(ms)-1].ID
		}
	})
	for _, id := range p.memories {
		p.compareRead("vector", func(r graph.Reader) (any, error) { return r.Embedding(id) })
		p.compareRead("memory", func(r graph.Reader) (any, error) { return r.Memory(id) })
		for _, dir := range []graph.Direction{graph.Out, graph.In, graph.Both} {
			p.compareRead("edges", func(r graph.Reader) (any, error) { es, err := r.Edges(id, dir); return cloneOrNil(es), err })
		}
	}
	p.compareRead("entities", func(r graph.Reader) (any, error) {
		es, err := r.ListEntities(graph.EntityQuery{})
		return dereference(es), err
	})
	for _, id := range p.entities {
		p.compareRead("entity", func(r graph.Reader) (any, error) { return r.Entity(id) })
		p.compareRead("mentions", func(r graph.Reader) (any, error) { ids, err := r.Mentions(id, "", 0); return cloneOrNil(ids), err })
		p.compareRead("relations", func(r graph.Reader) (any, error) {
			rs, err := r.Relations(id, graph.Both, "", 0)
			return dereference(rs), err
		})
	}
	for _, id := range p.relations {
		p.compareRead("relation", func(r graph.Reader) (any, error) { return r.RelationByID(id) })
	}
	for _, key := range p.requests {
		p.compareRead("request", func(r graph.Reader) (any, error) { return r.Request(key) })
	}
	p.compareRead("last recorded", func(r graph.Reader) (any, error) { return r.LastRecorded() })
	p.compareFeeds()
}

// compareFeeds reads both feeds. It ignores usage, which a store folds when it likes,
// the cursors, and the order inside one transaction.
func (p *randomPlayer) compareFeeds() {
	p.Helper()
	feed := func(s graph.Store) (all []graph.Change) {
		for after := graph.Cursor(0); ; {
			cs, err := s.Changes(p.ctx(), p.scope, after, 0)
			p.noError(err)
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
		slices.SortFunc(all, func(a, b graph.Change) int { return strings.Compare(format(a), format(b)) })
		return all
	}
	mine, theirs := feed(p.store), feed(p.model)
	if !reflect.DeepEqual(mine, theirs) {
		p.Fatalf("feeds differ: store has %d changes, model %d\nstore %s\nmodel %s", len(mine), len(theirs), format(mine), format(theirs))
	}
}
