package storetest

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/somnograph/somnograph/graph"
)

// journalTests check graph.Journal. The model has no journal, since nothing is backed up from it.
var journalTests = map[string]func(*fixture){
	"a commit touches what it writes": func(f *fixture) {
		if _, model := f.store.(*Model); model {
			return
		}
		a, b, e := f.newMemory(), f.newMemory(), f.newEntity("main", "", "ada")
		rel := f.newRelation(e.ID, "is", e.ID, a.ID)
		note := graph.Note{Kind: graph.NoteDecision, ID: f.newID(f.tick()), Namespace: "main", Memories: []graph.ID{a.ID}, At: a.CreatedAt, Data: json.RawMessage(`{}`)}
		receipt := graph.Receipt{ID: f.newID(f.tick()), Status: graph.DeletionPending, RequestedAt: a.CreatedAt}
		edge := graph.Edge{From: b.ID, Kind: graph.EvidenceFor, To: a.ID, Weight: 1, At: start}
		mem, other := graph.Row{Kind: graph.RowMemory, ID: a.ID}, graph.Row{Kind: graph.RowMemory, ID: b.ID}
		noted, setting := graph.Row{Kind: graph.RowNote, ID: note.ID, Name: string(note.Kind)}, graph.Row{Kind: graph.RowSetting, Name: "policy.main"}
		erased := graph.Row{Kind: graph.RowReceipt, ID: receipt.ID}
		person, says := graph.Row{Kind: graph.RowEntity, ID: e.ID}, graph.Row{Kind: graph.RowRelation, ID: rel.ID}
		for _, step := range []struct {
			name  string
			write func(graph.Tx) error
			want  []graph.Row
		}{
			{"memories", func(tx graph.Tx) error {
				return errors.Join(tx.PutEntity(e), tx.PutMemory(a, graph.EventCreated), tx.PutMemory(b, graph.EventCreated))
			}, []graph.Row{mem, other, person}},
			{"a vector", func(tx graph.Tx) error { return tx.PutEmbedding(a.ID, []float32{1, 2}) }, []graph.Row{mem}},
			{"an edge", func(tx graph.Tx) error { return tx.PutEdge(edge) }, []graph.Row{other}},
			{"a relation", func(tx graph.Tx) error { return tx.PutRelation(rel) }, []graph.Row{says}},
			{"a note", func(tx graph.Tx) error { return tx.PutNote(note) }, []graph.Row{noted}},
			{"a setting", func(tx graph.Tx) error { return tx.PutSetting("policy.main", []byte("{}")) }, []graph.Row{setting}},
			{"a receipt", func(tx graph.Tx) error { return tx.PutReceipt(receipt) }, []graph.Row{erased}},
			{"ids of a receipt", func(tx graph.Tx) error { return tx.PutReceiptIDs(receipt.ID, []graph.ID{a.ID}) }, []graph.Row{erased}},
			{"an erasure", func(tx graph.Tx) error { return tx.Erase(a.ID, f.tick()) }, []graph.Row{mem, other, says, noted}},
			{"another edge", func(tx graph.Tx) error {
				return tx.PutEdge(graph.Edge{From: b.ID, Kind: graph.EvidenceFor, To: b.ID, At: start})
			}, []graph.Row{other}},
			{"a removed edge", func(tx graph.Tx) error { return tx.DeleteEdge(b.ID, graph.EvidenceFor, b.ID) }, []graph.Row{other}},
			{"a removed note", func(tx graph.Tx) error { return tx.DeleteNote(note.Kind, note.ID) }, []graph.Row{noted}},
			{"a removed setting", func(tx graph.Tx) error { return tx.PutSetting("policy.main", nil) }, []graph.Row{setting}},
			{"a removed entity", func(tx graph.Tx) error { return tx.DeleteEntity(e.ID) }, []graph.Row{person}},
		} {
			from := f.position()
			f.mustUpdate(step.write)
			got := f.touched(from)
			for _, want := range step.want {
				if !got[want] {
					f.Errorf("%s: %+v is not touched, but %+v", step.name, want, got)
				}
			}
			if to := f.position(); to == from {
				f.Errorf("%s: the position stays %+v", step.name, to)
			}
			if rest := f.touched(f.position()); len(rest) > 0 {
				f.Errorf("%s: after the position %+v are touched", step.name, rest)
			}
		}
		all := f.touched(graph.Position{})
		for _, want := range []graph.Row{mem, other, person, says, noted, setting, erased} {
			if !all[want] {
				f.Errorf("%+v is not touched by any commit", want)
			}
		}
	},
	"counted uses touch their memory": func(f *fixture) {
		if _, model := f.store.(*Model); model {
			return
		}
		m := f.newMemory()
		f.mustPut(m)
		from := f.position()
		f.noError(f.store.CountUses(f.ctx(), f.scope, []graph.ID{m.ID}, graph.Use{At: f.tick()}))
		f.noError(graph.FlushUses(f.ctx(), f.store))
		if len(f.touched(from)) == 0 { // a store may fold them later
			ctx, cancel := context.WithTimeout(f.ctx(), deadline)
			defer cancel()
			f.noError(f.store.Wait(ctx, f.scope, from.Cursor))
		}
		if got := f.touched(from); !got[graph.Row{Kind: graph.RowMemory, ID: m.ID}] {
			f.Errorf("touched %+v", got)
		}
	},
	"a snapshot does not show later commits": func(f *fixture) {
		if _, model := f.store.(*Model); model {
			return
		}
		f.mustPut(f.newMemory())
		f.mustView(func(r graph.Reader) {
			j := r.(graph.Journal)
			before := must[graph.Position](f)(j.Position())
			m := f.newMemory()
			f.mustPut(m)
			f.noError(j.Touched(graph.Position{}, func(row graph.Row) error {
				if row.ID == m.ID {
					f.Error("a later commit is touched")
				}
				return nil
			}))
			mustEqual(f, "position", must[graph.Position](f)(j.Position()), before)
		})
	},
}

// position is the present position of the scope.
func (f *fixture) position() (p graph.Position) {
	f.Helper()
	f.mustView(func(r graph.Reader) { p = must[graph.Position](f)(r.(graph.Journal).Position()) })
	return p
}

// touched lists the rows that were touched after a position.
func (f *fixture) touched(after graph.Position) map[graph.Row]bool {
	f.Helper()
	rows := map[graph.Row]bool{}
	f.mustView(func(r graph.Reader) {
		f.noError(r.(graph.Journal).Touched(after, func(row graph.Row) error { rows[row] = true; return nil }))
	})
	return rows
}
