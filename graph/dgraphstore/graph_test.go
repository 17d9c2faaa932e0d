package dgraphstore

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
)

// The test runs the DQL queries that docs/formats/dgraphstore.md documents.
func TestGraphCanBeQueriedWithDQL(t *testing.T) {
	s, sc := open(t, Options{}), scope(t)
	e := &graph.Entity{ID: memory(t, 0).ID, Namespace: "main", Name: "Ada", Canonical: "ada", Type: graph.Person, FirstSeen: start}
	first := memory(t, time.Second, func(m *graph.Memory) { m.Entities = []graph.ID{e.ID} })
	next := memory(t, 2*time.Second, func(m *graph.Memory) { m.Supersedes, m.Type = first.ID, graph.Semantic })
	rel := &graph.Relation{ID: memory(t, 3*time.Second).ID, Namespace: "main", Source: e.ID, Target: e.ID, Predicate: "is", Strength: 2.5, RecordedAt: start, ValidFrom: start, Memories: []graph.ID{next.ID}}
	_, err := s.Update(t.Context(), sc, func(tx graph.Tx) error {
		return errors.Join(tx.PutEntity(e), put(first, next)(tx), tx.PutEmbedding(first.ID, []float32{0.5, 0.25}), tx.PutRelation(rel),
			tx.PutEdge(graph.Edge{From: next.ID, Kind: graph.DerivedFrom, To: first.ID, Weight: 0.5, At: start}))
	})
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ Q []map[string]any }
	query := `query q($k: string) { q(func: eq(node.key, $k)) @cascade {
		dgraph.type memory.type memory.status memory.namespace memory.embedding memory.created
		mentions: memory.mentions { entity.type ~relation.source { relation.strength relation.says { memory.type memory.supersedes { memory.key } } } }
		from: ~edge.to @filter(eq(edge.kind, "DERIVED_FROM")) { edge.weight edge.from { memory.key } }
	} }`
	ks := newKeyspace(sc.Tenant)
	if err := s.newSnapshot().runQuery(t.Context(), query, map[string]string{"$k": ks.nodeKey(first.ID)}, &answer); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(answer.Q)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`[{"dgraph.type":["Memory"],"from":[{"edge.from":{"memory.key":%q},"edge.weight":0.5}],"memory.created":"2026-03-01T09:00:01Z",`+
		`"memory.embedding":[0.5,0.25],"memory.namespace":"main","memory.status":"ACTIVE","memory.type":"EPISODIC",`+
		`"mentions":[{"entity.type":"PERSON","~relation.source":[{"relation.says":[{"memory.supersedes":{"memory.key":%q},"memory.type":"SEMANTIC"}],"relation.strength":2.5}]}]}]`,
		ks.nodeKey(next.ID), ks.nodeKey(first.ID))
	if string(got) != want {
		t.Errorf("DQL answers\n%s\nwant\n%s", got, want)
	}
}

// everything is what the cluster holds of a tenant, predicate by predicate, with the
// records decoded.
func everything(t *testing.T, s *Store, ks keyspace) string {
	t.Helper()
	var all strings.Builder
	for _, m := range regexp.MustCompile(`(?m)^([a-z]+\.[a-z_]+): (\[?)([a-z0-9]+)`).FindAllStringSubmatch(firstSchema, -1) {
		fields := m[1]
		if m[3] == "uid" {
			fields += " { node.key }"
		}
		for _, key := range []string{"node.key", "edge.key", "request.key", "note.key", "commit.key", "setting.key", "use.tenant"} {
			if key != m[1] { // one of these names the tenant
				fields += " " + key
			}
		}
		var answer struct{ Q []map[string]any }
		text := "{ q(func: has(" + m[1] + ")) { " + fields + " } }"
		if err := s.newSnapshot().runQuery(t.Context(), text, nil, &answer); err != nil {
			t.Fatal(err)
		}
		for _, q := range answer.Q {
			raw, err := json.Marshal(q)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(raw), ks.prefix) {
				continue
			}
			all.Write(raw)
			for _, v := range q {
				if text, ok := v.(string); ok {
					if b, err := base64.StdEncoding.DecodeString(text); err == nil {
						all.Write(b)
					}
				}
			}
		}
	}
	return all.String()
}

func TestErasureLeavesNothingInCluster(t *testing.T) {
	const canary = "canary-91c2"
	s, sc := open(t, Options{}), scope(t)
	other := memory(t, 0)
	m := memory(t, time.Second, func(m *graph.Memory) {
		m.Content, m.Summary, m.User, m.Session, m.Subject, m.Project = canary, canary, canary, canary, canary, canary
		m.Source, m.Reason, m.Tags, m.Checksum = canary, canary, []string{canary}, canary
	})
	_, err := s.Update(t.Context(), sc, func(tx graph.Tx) error {
		return errors.Join(put(other, m)(tx), tx.PutEmbedding(m.ID, []float32{0.123456, 1}),
			tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.EvidenceFor, To: other.ID}),
			tx.PutRequest(graph.Request{Key: canary, Result: m.ID, Answer: json.RawMessage(`"` + canary + `"`)}),
			tx.PutNote(graph.Note{Kind: graph.NoteDecision, ID: other.ID, Memories: []graph.ID{m.ID}, Data: json.RawMessage(`"` + canary + `"`)}))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CountUses(t.Context(), sc, []graph.ID{m.ID}, graph.Use{At: start}); err != nil {
		t.Fatal(err)
	}
	ks := newKeyspace(sc.Tenant)
	marks := []string{canary, "0.123456", ks.hashedKey(bySession, canary), ks.hashedKey(byUser, canary)}
	before := everything(t, s, ks)
	for _, mark := range marks {
		if !strings.Contains(before, mark) {
			t.Fatalf("%s can't be found before the erasure: the test would see nothing", mark)
		}
	}
	if _, err := s.Update(t.Context(), sc, func(tx graph.Tx) error { return tx.Erase(m.ID, start.Add(time.Hour)) }); err != nil {
		t.Fatal(err)
	}
	if err := s.foldTenant(t.Context(), sc.Tenant); err != nil {
		t.Fatal(err)
	}
	after := everything(t, s, ks)
	for _, mark := range append(marks, `"use.at"`, `"memory.usage"`, `"edge.kind"`) {
		if strings.Contains(after, mark) {
			t.Errorf("%s is still there", mark)
		}
	}
	if !strings.Contains(after, string(m.ID)) {
		t.Error("the stub is missing too")
	}
}

func TestDamagedRowIsNeverServed(t *testing.T) {
	s, sc := open(t, Options{}), scope(t)
	one, two := memory(t, 0), memory(t, time.Second)
	if _, err := s.Update(t.Context(), sc, put(one, two)); err != nil {
		t.Fatal(err)
	}
	ks := newKeyspace(sc.Tenant)
	rows := must[map[string]row](t)(newReader(t.Context(), s.newSnapshot(), sc.Tenant).fetchRows(memories, []string{ks.nodeKey(one.ID), ks.nodeKey(two.ID)}))
	good := rows[ks.nodeKey(one.ID)]
	for what, text := range map[string]string{
		"another memory's": rows[ks.nodeKey(two.ID)].Record, "cut": good.Record[:len(good.Record)-8], "not base64": "?", "flipped": "A" + good.Record[1:len(good.Record)-1] + "A",
	} {
		if _, err := s.clientFor(t.Context()).NewTxn().Mutate(t.Context(), &api.Mutation{CommitNow: true, Set: []*api.NQuad{quad(good.UID, "memory.record", text)}}); err != nil {
			t.Fatal(err)
		}
		for name, read := range map[string]func(graph.Reader) error{
			"by id":   func(r graph.Reader) error { _, err := r.Memory(one.ID); return err },
			"of many": func(r graph.Reader) error { _, err := r.Memories([]graph.ID{two.ID, one.ID}); return err },
			"listed":  func(r graph.Reader) error { _, err := r.ListMemories(graph.MemoryQuery{}); return err },
		} {
			if err := s.View(t.Context(), sc, read); !errors.Is(err, graph.ErrIntegrity) {
				t.Errorf("%s, read %s: %v", what, name, err)
			}
		}
	}
}

// Text that would end a string and begin another query is treated as text everywhere.
func TestTextThatLooksLikeDQLIsText(t *testing.T) {
	s, sc := open(t, Options{}), scope(t)
	evil := `") } evil(func: has(memory.record)) { memory.record } q2(func: eq(node.key, "`
	m := memory(t, 0, func(m *graph.Memory) {
		m.Content, m.User, m.Session, m.Subject, m.Source = evil, evil, evil, evil, evil
	})
	_, err := s.Update(t.Context(), sc, func(tx graph.Tx) error {
		return errors.Join(put(m)(tx), tx.PutSetting(evil, []byte("v")), tx.PutRequest(graph.Request{Key: evil}))
	})
	if err != nil {
		t.Fatal(err)
	}
	err = s.View(t.Context(), sc, func(r graph.Reader) error {
		for _, q := range []graph.MemoryQuery{{Users: []string{evil}}, {Session: evil}, {Subject: evil}} {
			ms, err := r.ListMemories(q)
			if err != nil || len(ms) != 1 || ms[0].Content != evil {
				t.Errorf("%+v finds %d memories, %v", q, len(ms), err)
			}
		}
		for _, q := range []graph.MemoryQuery{{Namespaces: []string{evil}}, {Chain: graph.ID(evil)}} {
			if ms, err := r.ListMemories(q); err != nil || len(ms) != 0 {
				t.Errorf("%+v finds %d memories, %v", q, len(ms), err)
			}
		}
		_, err := r.Memory(graph.ID(evil))
		if !errors.Is(err, graph.ErrNotFound) {
			t.Errorf("by id: %v", err)
		}
		_, err = r.Request(evil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
