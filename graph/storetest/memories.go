package storetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var memoryTests = map[string]func(*fixture){
	"a transaction that panics writes nothing": func(f *fixture) {
		kept, lost := f.newMemory(), f.newMemory()
		_, err := f.store.Update(f.ctx(), f.scope, func(tx graph.Tx) error {
			if err := tx.PutMemory(lost, graph.EventCreated); err != nil {
				return err
			}
			var none []graph.ID
			return tx.PutMemory(&graph.Memory{ID: none[0]}, graph.EventCreated)
		})
		if !errors.Is(err, graph.ErrPanic) || graph.CodeOf(err) != graph.CodeInternal {
			f.Errorf("a panic: %v", err)
		}
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutMemory(kept, graph.EventCreated) })
		f.mustView(func(r graph.Reader) {
			if _, err := r.Memory(lost.ID); !errors.Is(err, graph.ErrNotFound) {
				f.Errorf("what was put before the panic: %v", err)
			}
			mustEqual(f, "written afterwards", must[*graph.Memory](f)(r.Memory(kept.ID)).ID, kept.ID)
		})
	},
	"what is not damaged is not dropped": func(f *fixture) {
		m := f.newMemory()
		f.mustUpdate(func(tx graph.Tx) error {
			return errors.Join(tx.PutMemory(m, graph.EventCreated), tx.PutEmbedding(m.ID, []float32{1, 2}))
		})
		drop := func(id graph.ID) error {
			_, err := f.store.Update(f.ctx(), f.scope, func(tx graph.Tx) error {
				damage, err := tx.(graph.Mender).DropDamaged(id)
				if damage != (graph.Damage{}) {
					f.Errorf("%s: %+v", id, damage)
				}
				return err
			})
			return err
		}
		f.noError(drop(m.ID))
		f.noError(drop(f.newID(f.tick()))) // there is none
		if err := drop("no id"); graph.CodeOf(err) != graph.CodeInvalidRequest {
			f.Errorf("not an id: %v", err)
		}
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "memory", must[*graph.Memory](f)(r.Memory(m.ID)), copyMemory(m))
			mustEqual(f, "vector", must[[]float32](f)(r.Embedding(m.ID)), []float32{1, 2})
		})
	},
	"every field that is put is read": func(f *fixture) {
		entity, prior := f.newID(f.tick()), f.newID(f.tick())
		m := f.newMemory(func(m *graph.Memory) {
			at := m.CreatedAt
			m.User, m.Agent, m.Session, m.Project = "ada", "scribe", "s-1", "kite"
			m.ExternalID = "crm/42"
			m.Type, m.Summary = graph.Semantic, "short"
			m.Subject, m.Predicate, m.Object = "ada", "likes", "tea"
			m.Conflict, m.Surprise, m.DecayK, m.OwnDecay = 0.125, 0.25, 0.0625, true
			m.Priority, m.Important, m.SafetyCritical, m.ConsentDefaulted = graph.High, true, true, true
			m.Principal, m.Stated, m.Typed = "key 7", true, true
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
			m.ReadBy = 3
			m.Chunk = &graph.Chunk{Document: prior, Path: "docs/guide.md", Index: 4, Hash: strings.Repeat("ab", 32), Headings: []string{"Guide", "Setup"}, Line: 12}
			m.Procedure = &graph.Procedure{Trigger: "when the wind rises", Steps: []string{"land", "fold"}, LearnedFrom: []graph.ID{prior, entity}}
			m.Pattern = &graph.Pattern{
				Kind: graph.FailureSignature, Conditions: []string{"after a restart"}, Actions: []string{"the relay fails", "it is reset"}, Confidence: 0.75, Occurrences: 9,
				HeldOut: 0.875, Clusters: []graph.ID{entity, prior}, Successes: 3, Failures: 1, ValidatedAt: at.Add(time.Second), SafetyCritical: true,
			}
			m.ToolCalls = []graph.ToolCall{{Name: "read_file", Arguments: `{ "path" : "a.txt" }`, Result: "empty"}, {Name: "list"}}
			m.Claims = []graph.Claim{
				{
					N: 2, Qualifiers: []graph.Qualifier{{Kind: "place", Text: "the harbour"}}, Modality: "PLAN", Single: true, Speaker: "lina", Certainty: 0.75, Start: 3, End: 9,
					History: []graph.ClaimState{
						{From: at, Subject: "ada", Predicate: "likes", Object: "tea", ValidFrom: at},
						{From: at.Add(time.Millisecond), Subject: "ada", Predicate: "likes", Negated: true, ValidTo: at.Add(time.Hour), RevisedBy: prior, Withdrawn: true, Corrected: true, Confirmed: true},
					},
				},
				{N: 3, History: []graph.ClaimState{{From: at, Predicate: "leave"}}},
			}
		})
		f.mustPut(m)
		f.mustView(func(r graph.Reader) { mustEqual(f, "memory", must[*graph.Memory](f)(r.Memory(m.ID)), copyMemory(m)) })
	},
	"a missing memory": func(f *fixture) {
		f.mustPut(f.newMemory())
		f.mustView(func(r graph.Reader) {
			for _, id := range []graph.ID{f.newID(f.tick()), "", "not an id", graph.ID(strings.ToUpper(string(f.newID(f.tick()))))} {
				f.missing(r.Memory(id))
				f.missing(r.Embedding(id))
			}
		})
	},
	"many at once, in the requested order": func(f *fixture) {
		one, two := f.newMemory(), f.newMemory()
		f.mustPut(one, two)
		f.mustView(func(r graph.Reader) {
			ms := must[[]*graph.Memory](f)(r.Memories([]graph.ID{two.ID, f.newID(f.tick()), one.ID, two.ID}))
			mustEqual(f, "memories", ms, []*graph.Memory{copyMemory(two), nil, copyMemory(one), copyMemory(two)})
			mustEqual(f, "no ids", len(must[[]*graph.Memory](f)(r.Memories(nil))), 0)
		})
	},
	"text of every script": func(f *fixture) {
		text := "naïve 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 日本語 \x00 null \u202e עברית 👩‍🚀 \"quotes\" \\ }) { drop }"
		m := f.newMemory(func(m *graph.Memory) {
			m.Content, m.Summary, m.User, m.Subject, m.Session, m.Project, m.Source = text, text, text, text, text, text, text
			m.Tags = []string{text, "\x00"}
		})
		f.mustPut(m)
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "memory", must[*graph.Memory](f)(r.Memory(m.ID)), copyMemory(m))
			for _, q := range []graph.MemoryQuery{{Users: []string{text}}, {Subject: text}, {Session: text}, {Project: text}, {Tags: []string{"\x00"}}} {
				mustEqual(f, "found by it", idsOf(must[[]*graph.Memory](f)(r.ListMemories(q))), []graph.ID{m.ID})
			}
		})
	},
	"the largest memory, and a smaller one after it": func(f *fixture) {
		m := f.newMemory(func(m *graph.Memory) {
			m.Content, m.Summary = strings.Repeat("c", graph.MaxContent), strings.Repeat("s", graph.MaxContent)
			m.Meta = json.RawMessage(`"` + strings.Repeat("m", graph.MaxMeta-2) + `"`)
			for i := range graph.MaxTags {
				m.Tags = append(m.Tags, strings.Repeat(string(rune('a'+i%26)), graph.MaxName))
			}
			for range graph.MaxEntities {
				m.Entities = append(m.Entities, f.newID(f.tick()))
			}
			for i := range 2000 {
				m.History = append(m.History, graph.State{From: m.CreatedAt.Add(time.Duration(i+1) * time.Millisecond), Status: graph.Active, Tier: graph.L1})
			}
		})
		vector := make([]float32, graph.MaxVector)
		for i := range vector {
			vector[i] = float32(i) / 3
		}
		f.mustUpdate(func(tx graph.Tx) error {
			f.noError(tx.PutMemory(m, graph.EventCreated))
			return tx.PutEmbedding(m.ID, vector)
		})
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "memory", must[*graph.Memory](f)(r.Memory(m.ID)), copyMemory(m))
			mustEqual(f, "vector", must[[]float32](f)(r.Embedding(m.ID)), vector)
		})
		m.Content, m.Summary, m.Meta, m.Tags, m.Entities, m.History = "c", "", nil, nil, nil, m.History[:1]
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventUpdated) })
		f.mustView(func(r graph.Reader) { mustEqual(f, "memory", must[*graph.Memory](f)(r.Memory(m.ID)), copyMemory(m)) })
	},
	"invalid memories are refused and leave no trace": func(f *fixture) {
		for what, spoil := range map[string]func(*graph.Memory){
			"no id":             func(m *graph.Memory) { m.ID = "" },
			"no content":        func(m *graph.Memory) { m.Content = "" },
			"too much content":  func(m *graph.Memory) { m.Content = strings.Repeat("x", graph.MaxContent+1) },
			"not UTF-8":         func(m *graph.Memory) { m.Content = "\xff" },
			"external id":       func(m *graph.Memory) { m.ExternalID = strings.Repeat("x", graph.MaxName+1) },
			"namespace":         func(m *graph.Memory) { m.Namespace = "a/../b" },
			"no history":        func(m *graph.Memory) { m.History = nil },
			"NaN salience":      func(m *graph.Memory) { m.Salience = math.NaN() },
			"NaN importance":    func(m *graph.Memory) { m.Importance = math.NaN() },
			"NaN decay":         func(m *graph.Memory) { m.DecayK = math.NaN() },
			"NaN position":      func(m *graph.Memory) { m.Position = &[3]float32{0, float32(math.NaN()), 0} },
			"infinite position": func(m *graph.Memory) { m.Position = &[3]float32{float32(math.Inf(1)), 0, 0} },
			"entity":            func(m *graph.Memory) { m.Entities = []graph.ID{"x"} },
			"chunk":             func(m *graph.Memory) { m.Chunk = &graph.Chunk{Path: "a.md", Hash: strings.Repeat("ab", 32)} },
			"procedure":         func(m *graph.Memory) { m.Procedure = &graph.Procedure{Steps: []string{""}} },
			"pattern": func(m *graph.Memory) {
				m.Pattern = &graph.Pattern{Kind: "HABIT", Actions: []string{"land"}, Occurrences: 1, ValidatedAt: m.CreatedAt}
			},
			"supersedes": func(m *graph.Memory) { m.Supersedes = "x" },
			"forgotten":  func(m *graph.Memory) { m.SetState(f.tick(), func(s *graph.State) { s.Status = graph.Forgotten }) },
		} {
			m := f.newMemory(spoil)
			f.Log(what)
			f.mustRefuse(func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventCreated) })
		}
		m := f.newMemory()
		for _, kind := range []graph.EventKind{"", "SEEN", graph.EventForgotten, graph.EventLagged} {
			f.mustRefuse(func(tx graph.Tx) error { return tx.PutMemory(m, kind) })
		}
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "memories", len(must[[]*graph.Memory](f)(r.ListMemories(graph.MemoryQuery{}))), 0)
		})
	},
	"vectors": func(f *fixture) {
		m := f.newMemory()
		f.mustPut(m)
		f.mustView(func(r graph.Reader) {
			f.missing(r.Embedding(m.ID))
		})
		vector := []float32{0, -1, math.MaxFloat32, math.SmallestNonzeroFloat32, 1.0 / 3}
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutEmbedding(m.ID, vector) })
		f.mustView(func(r graph.Reader) { mustEqual(f, "vector", must[[]float32](f)(r.Embedding(m.ID)), vector) })
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutEmbedding(m.ID, []float32{7}) })
		f.mustView(func(r graph.Reader) { mustEqual(f, "vector", must[[]float32](f)(r.Embedding(m.ID)), []float32{7}) })
		for _, v := range [][]float32{nil, {}, {float32(math.NaN())}, {1, float32(math.Inf(-1))}, make([]float32, graph.MaxVector+1)} {
			f.mustRefuse(func(tx graph.Tx) error { return tx.PutEmbedding(m.ID, v) })
		}
		f.missing(f.store.Update(f.ctx(), f.scope, func(tx graph.Tx) error { return tx.PutEmbedding(f.newID(f.tick()), vector) }))
	},
	"returned and passed values belong to the caller": func(f *fixture) {
		m := f.newMemory(func(m *graph.Memory) {
			m.Tags, m.Meta, m.Position = []string{"kept"}, json.RawMessage(`{"kept":1}`), &[3]float32{1, 2, 3}
			m.Entities = []graph.ID{f.newID(f.tick())}
		})
		want := copyMemory(m)
		f.mustUpdate(func(tx graph.Tx) error {
			passed, vector := copyMemory(m), []float32{1, 2}
			f.noError(tx.PutMemory(passed, graph.EventCreated))
			f.noError(tx.PutEmbedding(m.ID, vector))
			f.noError(tx.PutSetting("kept", passed.Meta))
			spoilMemory(passed)
			vector[0] = 9
			return nil
		})
		for range 2 {
			f.mustView(func(r graph.Reader) {
				read := must[*graph.Memory](f)(r.Memory(m.ID))
				mustEqual(f, "memory", read, want)
				spoilMemory(read)
				v := must[[]float32](f)(r.Embedding(m.ID))
				mustEqual(f, "vector", v, []float32{1, 2})
				v[0] = 8
				s := must[[]byte](f)(r.Setting("kept"))
				mustEqual(f, "setting", string(s), string(want.Meta))
				s[0] = 'x'
			})
		}
	},
	"instants are cut to the millisecond and come back in UTC": func(f *fixture) {
		zone := time.FixedZone("east", 3*3600)
		m := f.newMemory(func(m *graph.Memory) {
			m.ValidFrom = time.Date(1969, 12, 31, 23, 59, 59, 999_999_999, time.UTC).In(zone)
			m.OccurredAt = time.UnixMilli(0).In(zone)
			m.ExpiresAt = m.ExpiresAt.Add(0)
			m.AnchorAt = m.CreatedAt.Add(1_999_999).In(zone)
		})
		f.mustPut(m)
		f.mustView(func(r graph.Reader) {
			read := must[*graph.Memory](f)(r.Memory(m.ID))
			mustEqual(f, "memory", read, copyMemory(m))
			if read.OccurredAt.IsZero() || read.OccurredAt.Location() != time.UTC {
				f.Fatalf("1970 reads as %v", read.OccurredAt)
			}
		})
	},
}

// spoilMemory overwrites what a store might share with the caller by mistake.
func spoilMemory(m *graph.Memory) {
	m.Tags[0], m.Entities[0], m.Position[0], m.History[0].Status = "spoiled", "spoiled", 99, graph.Expired
	copy(m.Meta, bytes.Repeat([]byte("x"), len(m.Meta)))
}
