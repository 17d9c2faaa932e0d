package main

import (
	"context"
	"encoding/binary"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// ours is graph/index over a store in memory. Each text is a memory without session, vector and
// entities, so that only words decide. Searches use the same filter as in production.
type ours struct {
	store *shelf
	index *index.Index
}

var world = graph.Scope{Tenant: "bench"}

func (*ours) name() string { return "graph/index" }

func (o *ours) build(texts []string) (err error) {
	o.store = &shelf{texts: texts}
	o.index, err = index.Open(context.Background(), o.store, index.Options{})
	return err
}

func (o *ours) ask(questions []string) (hits [][]int, took time.Duration, err error) {
	began := time.Now()
	for _, text := range questions {
		r, err := o.index.Recall(context.Background(), world, index.Query{Texts: []string{text}, Limit: limit, Now: day})
		if err != nil {
			return nil, 0, err
		}
		slices.SortFunc(r.Candidates, func(a, b index.Candidate) int { return a.Ranks.Keyword - b.Ranks.Keyword })
		var ids []int
		for _, c := range r.Candidates {
			ids = append(ids, number(c.Doc.ID))
		}
		hits = append(hits, ids)
	}
	return hits, time.Since(began), nil
}

func (o *ours) close() error {
	if o.index == nil {
		return nil
	}
	return o.index.Close(context.Background())
}

// day is the time of all memories and searches.
var day = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// shelf is an unchanging store of texts, with the methods that an index uses.
type shelf struct{ texts []string }

func (s *shelf) Tenants(context.Context) ([]graph.Tenant, error) {
	return []graph.Tenant{world.Tenant}, nil
}

func (s *shelf) View(_ context.Context, _ graph.Scope, fn func(graph.Reader) error) error {
	return fn(reader{shelf: s})
}

func (s *shelf) Head(context.Context, graph.Scope) (graph.Cursor, error) { return 0, nil }

func (s *shelf) Changes(context.Context, graph.Scope, graph.Cursor, int) ([]graph.Change, error) {
	return nil, nil
}

func (s *shelf) Wait(ctx context.Context, _ graph.Scope, _ graph.Cursor) error {
	<-ctx.Done()
	return ctx.Err()
}

// reader returns lists; an index needs nothing else when it loads.
type reader struct {
	graph.Reader
	shelf *shelf
}

func (r reader) ListMemories(q graph.MemoryQuery) ([]*graph.Memory, error) {
	from := 0
	if q.After != "" {
		from = number(q.After) + 1
	}
	var page []*graph.Memory
	for i := from; i < min(from+q.Limit, len(r.shelf.texts)); i++ {
		id := idOf(i)
		page = append(page, &graph.Memory{
			ID: id, Chain: id, Namespace: "main", Type: graph.Episodic, Content: r.shelf.texts[i], Consent: graph.ConsentExplicit,
			CreatedAt: day, RecordedAt: day, OccurredAt: day, ValidFrom: day, AnchorAt: day,
			History: []graph.State{{From: day, Status: graph.Active, Tier: graph.L1}},
		})
	}
	return page, nil
}

func (reader) ListEntities(graph.EntityQuery) ([]*graph.Entity, error) { return nil, nil }

// idOf returns the id of a text; ids ascend with the numbers.
func idOf(i int) graph.ID {
	var b [16]byte
	binary.BigEndian.PutUint32(b[:], uint32(i))
	return graph.IDFromBytes(b)
}

func number(id graph.ID) int {
	b, err := id.Bytes()
	if err != nil {
		panic(err) // idOf made the id
	}
	return int(binary.BigEndian.Uint32(b[:]))
}
