package storetest

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var memoryTests = map[string]func(*bench){
	"what is put is read, every field": func(b *bench) {
		entity, prior := b.id(b.now()), b.id(b.now())
		m := b.memory(func(m *graph.Memory) {
			at := m.CreatedAt
			m.User, m.Agent, m.Session, m.Project = "ada", "scribe", "s-1", "kite"
			m.Type, m.Summary = graph.Semantic, "short"
			m.Subject, m.Predicate, m.Object = "ada", "likes", "tea"
			m.Conflict, m.Surprise, m.DecayK, m.OwnDecay = 0.125, 0.25, 0.0625, true
			m.Priority, m.Important, m.SafetyCritical = graph.High, true, true
			m.Source, m.Tags, m.Meta = "mail 7", []string{"b", "a", "b"}, json.RawMessage(`{"z":[1,2.5,null]}`)
			m.Entities = []graph.ID{entity, prior}
			m.Chain, m.Version, m.Supersedes, m.SupersededBy, m.Reason, m.Consolidated = prior, 2, prior, entity, "moved", entity
			m.ExpiresAt, m.AnchorAt = at.Add(time.Hour), at.Add(time.Minute)
			m.History = []graph.State{
				{From: at, Status: graph.Active, Tier: graph.L0, Core: true},
				{From: at.Add(time.Millisecond), Status: graph.Superseded, Tier: graph.L2, ValidTo: at.Add(time.Second)},
			}
			m.Position = &[3]float32{1.5, -2, 0}
			m.ConfidenceDay = 20_149
		})
		b.put(m)
		b.view(func(r graph.Reader) { same(b, "memory", got[*graph.Memory](b)(r.Memory(m.ID)), copyMemory(m)) })
	},
	"a missing one": func(b *bench) {
		b.put(b.memory())
		b.view(func(r graph.Reader) {
			for _, id := range []graph.ID{b.id(b.now()), "", "not an id", graph.ID(strings.ToUpper(string(b.id(b.now()))))} {
				_, err := r.Memory(id)
				b.is(err, graph.ErrNotFound)
				_, err = r.Embedding(id)
				b.is(err, graph.ErrNotFound)
			}
		})
	},
	"many at once, in the order asked for": func(b *bench) {
		one, two := b.memory(), b.memory()
		b.put(one, two)
		b.view(func(r graph.Reader) {
			ms := got[[]*graph.Memory](b)(r.Memories([]graph.ID{two.ID, b.id(b.now()), one.ID, two.ID}))
			same(b, "memories", ms, []*graph.Memory{copyMemory(two), nil, copyMemory(one), copyMemory(two)})
			same(b, "no ids", len(got[[]*graph.Memory](b)(r.Memories(nil))), 0)
		})
	},
	"text of every script": func(b *bench) {
		text := "naïve 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 日本語 \x00 null \u202e עברית 👩‍🚀 \"quotes\" \\ }) { drop }"
		m := b.memory(func(m *graph.Memory) {
			m.Content, m.Summary, m.User, m.Subject, m.Session, m.Project, m.Source = text, text, text, text, text, text, text
			m.Tags = []string{text, "\x00"}
		})
		b.put(m)
		b.view(func(r graph.Reader) {
			same(b, "memory", got[*graph.Memory](b)(r.Memory(m.ID)), copyMemory(m))
			for _, q := range []graph.MemoryQuery{{Users: []string{text}}, {Subject: text}, {Session: text}, {Project: text}, {Tags: []string{"\x00"}}} {
				same(b, "found by it", idsOf(got[[]*graph.Memory](b)(r.ListMemories(q))), []graph.ID{m.ID})
			}
		})
	},
	"the largest one, and smaller again": func(b *bench) {
		m := b.memory(func(m *graph.Memory) {
			m.Content, m.Summary = strings.Repeat("c", graph.MaxContent), strings.Repeat("s", graph.MaxContent)
			m.Meta = json.RawMessage(`"` + strings.Repeat("m", graph.MaxMeta-2) + `"`)
			for i := range graph.MaxTags {
				m.Tags = append(m.Tags, strings.Repeat(string(rune('a'+i%26)), graph.MaxName))
			}
			for range graph.MaxEntities {
				m.Entities = append(m.Entities, b.id(b.now()))
			}
			for i := range 2000 {
				m.History = append(m.History, graph.State{From: m.CreatedAt.Add(time.Duration(i+1) * time.Millisecond), Status: graph.Active, Tier: graph.L1})
			}
		})
		vector := make([]float32, graph.MaxVector)
		for i := range vector {
			vector[i] = float32(i) / 3
		}
		b.update(func(tx graph.Tx) error {
			b.ok(tx.PutMemory(m, graph.EventCreated))
			return tx.PutEmbedding(m.ID, vector)
		})
		b.view(func(r graph.Reader) {
			same(b, "memory", got[*graph.Memory](b)(r.Memory(m.ID)), copyMemory(m))
			same(b, "vector", got[[]float32](b)(r.Embedding(m.ID)), vector)
		})
		m.Content, m.Summary, m.Meta, m.Tags, m.Entities, m.History = "c", "", nil, nil, nil, m.History[:1]
		b.update(func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventUpdated) })
		b.view(func(r graph.Reader) { same(b, "memory", got[*graph.Memory](b)(r.Memory(m.ID)), copyMemory(m)) })
	},
	"invalid ones are refused and leave no trace": func(b *bench) {
		for what, spoil := range map[string]func(*graph.Memory){
			"no id":             func(m *graph.Memory) { m.ID = "" },
			"no content":        func(m *graph.Memory) { m.Content = "" },
			"too much content":  func(m *graph.Memory) { m.Content = strings.Repeat("x", graph.MaxContent+1) },
			"not UTF-8":         func(m *graph.Memory) { m.Content = "\xff" },
			"namespace":         func(m *graph.Memory) { m.Namespace = "a/b" },
			"no history":        func(m *graph.Memory) { m.History = nil },
			"NaN salience":      func(m *graph.Memory) { m.Salience = math.NaN() },
			"NaN importance":    func(m *graph.Memory) { m.Importance = math.NaN() },
			"NaN decay":         func(m *graph.Memory) { m.DecayK = math.NaN() },
			"NaN position":      func(m *graph.Memory) { m.Position = &[3]float32{0, float32(math.NaN()), 0} },
			"infinite position": func(m *graph.Memory) { m.Position = &[3]float32{float32(math.Inf(1)), 0, 0} },
			"entity":            func(m *graph.Memory) { m.Entities = []graph.ID{"x"} },
			"supersedes":        func(m *graph.Memory) { m.Supersedes = "x" },
			"forgotten":         func(m *graph.Memory) { m.SetState(b.now(), func(s *graph.State) { s.Status = graph.Forgotten }) },
		} {
			m := b.memory(spoil)
			b.Log(what)
			b.refused(func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventCreated) })
		}
		m := b.memory()
		for _, kind := range []graph.EventKind{"", "SEEN", graph.EventForgotten, graph.EventLagged} {
			b.refused(func(tx graph.Tx) error { return tx.PutMemory(m, kind) })
		}
		b.view(func(r graph.Reader) {
			same(b, "memories", len(got[[]*graph.Memory](b)(r.ListMemories(graph.MemoryQuery{}))), 0)
		})
	},
	"vectors": func(b *bench) {
		m := b.memory()
		b.put(m)
		b.view(func(r graph.Reader) {
			_, err := r.Embedding(m.ID)
			b.is(err, graph.ErrNotFound)
		})
		vector := []float32{0, -1, math.MaxFloat32, math.SmallestNonzeroFloat32, 1.0 / 3}
		b.update(func(tx graph.Tx) error { return tx.PutEmbedding(m.ID, vector) })
		b.view(func(r graph.Reader) { same(b, "vector", got[[]float32](b)(r.Embedding(m.ID)), vector) })
		b.update(func(tx graph.Tx) error { return tx.PutEmbedding(m.ID, []float32{7}) })
		b.view(func(r graph.Reader) { same(b, "vector", got[[]float32](b)(r.Embedding(m.ID)), []float32{7}) })
		for _, v := range [][]float32{nil, {}, {float32(math.NaN())}, {1, float32(math.Inf(-1))}, make([]float32, graph.MaxVector+1)} {
			b.refused(func(tx graph.Tx) error { return tx.PutEmbedding(m.ID, v) })
		}
		_, err := b.s.Update(b.ctx(), b.scope, func(tx graph.Tx) error { return tx.PutEmbedding(b.id(b.now()), vector) })
		b.is(err, graph.ErrNotFound)
	},
	"what is returned and passed in belongs to the caller": func(b *bench) {
		m := b.memory(func(m *graph.Memory) {
			m.Tags, m.Meta, m.Position = []string{"kept"}, json.RawMessage(`{"kept":1}`), &[3]float32{1, 2, 3}
			m.Entities = []graph.ID{b.id(b.now())}
		})
		want := copyMemory(m)
		vector := []float32{1, 2}
		b.update(func(tx graph.Tx) error {
			b.ok(tx.PutMemory(m, graph.EventCreated))
			b.ok(tx.PutEmbedding(m.ID, vector))
			b.ok(tx.PutSetting("kept", m.Meta))
			spoilMemory(m)
			vector[0] = 9
			return nil
		})
		for range 2 {
			b.view(func(r graph.Reader) {
				read := got[*graph.Memory](b)(r.Memory(m.ID))
				same(b, "memory", read, want)
				spoilMemory(read)
				v := got[[]float32](b)(r.Embedding(m.ID))
				same(b, "vector", v, []float32{1, 2})
				v[0] = 8
				s := got[[]byte](b)(r.Setting("kept"))
				same(b, "setting", string(s), string(want.Meta))
				s[0] = 'x'
			})
		}
	},
	"instants are cut to the millisecond and come back in UTC": func(b *bench) {
		zone := time.FixedZone("east", 3*3600)
		m := b.memory(func(m *graph.Memory) {
			m.ValidFrom = time.Date(1969, 12, 31, 23, 59, 59, 999_999_999, time.UTC).In(zone)
			m.OccurredAt = time.UnixMilli(0).In(zone)
			m.ExpiresAt = m.ExpiresAt.Add(0)
			m.AnchorAt = m.CreatedAt.Add(1_999_999).In(zone)
		})
		b.put(m)
		b.view(func(r graph.Reader) {
			read := got[*graph.Memory](b)(r.Memory(m.ID))
			same(b, "memory", read, copyMemory(m))
			if read.OccurredAt.IsZero() || read.OccurredAt.Location() != time.UTC {
				b.Fatalf("1970 reads as %v", read.OccurredAt)
			}
		})
	},
}

// spoilMemory overwrites what a careless store would share.
func spoilMemory(m *graph.Memory) {
	m.Tags[0], m.Entities[0], m.Position[0], m.History[0].Status = "spoiled", "spoiled", 99, graph.Expired
	copy(m.Meta, bytes.Repeat([]byte("x"), len(m.Meta)))
}
