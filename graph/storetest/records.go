package storetest

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var recordTests = map[string]func(*bench){
	"requests": func(b *bench) {
		q := graph.Request{
			Key: "remember/" + strings.Repeat("k", 291), Digest: "d", Result: b.id(b.now()), Before: b.id(b.now()),
			Answer: json.RawMessage(`{"x":[1]}`), At: b.now().Add(1),
		}
		b.update(func(tx graph.Tx) error { return tx.PutRequest(q) })
		q.At = graph.Millis(q.At)
		b.view(func(r graph.Reader) {
			same(b, "request", got[*graph.Request](b)(r.Request(q.Key)), &q)
			for _, key := range []string{"", "remember/", q.Key + "k"} {
				_, err := r.Request(key)
				b.is(err, graph.ErrNotFound)
			}
		})
		for _, again := range []graph.Request{q, {Key: q.Key}} {
			_, err := b.s.Update(b.ctx(), b.scope, func(tx graph.Tx) error { return tx.PutRequest(again) })
			b.is(err, graph.ErrConflict)
		}
		b.refused(func(tx graph.Tx) error { return tx.PutRequest(graph.Request{}) })
		b.refused(func(tx graph.Tx) error { return tx.PutRequest(graph.Request{Key: strings.Repeat("k", 301)}) })
	},
	"a large answer": func(b *bench) {
		q := graph.Request{Key: "batch", Answer: json.RawMessage(`"` + strings.Repeat("a", 400<<10) + `"`)}
		b.update(func(tx graph.Tx) error { return tx.PutRequest(q) })
		b.view(func(r graph.Reader) { same(b, "request", got[*graph.Request](b)(r.Request("batch")), &q) })
	},
	"receipts": func(b *bench) {
		rec := graph.Receipt{ID: b.id(b.now()), Status: graph.DeletionPending, RequestedAt: b.now()}
		var ids []graph.ID
		for range 9 {
			ids = append(ids, b.id(b.now()))
		}
		b.update(func(tx graph.Tx) error {
			b.ok(tx.PutReceiptIDs(rec.ID, []graph.ID{ids[8], ids[0], ids[3]}))
			return tx.PutReceipt(rec)
		})
		b.update(func(tx graph.Tx) error { return tx.PutReceiptIDs(rec.ID, ids) })
		rec.Status, rec.Count, rec.Hash, rec.CompletedAt, rec.Anonymised = graph.DeletionComplete, 9, "h", b.now(), 2
		b.update(func(tx graph.Tx) error { return tx.PutReceipt(rec) })
		b.view(func(r graph.Reader) {
			read := got[[]graph.ID](b)
			same(b, "receipt", got[*graph.Receipt](b)(r.Receipt(rec.ID)), &rec)
			same(b, "ids", read(r.ReceiptIDs(rec.ID, "", 0)), ids)
			same(b, "page", read(r.ReceiptIDs(rec.ID, ids[3], 2)), ids[4:6])
			same(b, "another one's", len(read(r.ReceiptIDs(ids[0], "", 0))), 0)
			_, err := r.Receipt(ids[0])
			b.is(err, graph.ErrNotFound)
		})
	},
	"notes": func(b *bench) {
		m, other := b.memory(), b.memory()
		b.put(m)
		b.put(other)
		var all []graph.Note
		for i := range 5 {
			n := graph.Note{Kind: graph.NoteDecision, ID: b.id(b.now()), Namespace: "default", At: b.now(), Data: json.RawMessage(`{"i":1}`)}
			if i%2 == 0 {
				n.Memories = []graph.ID{m.ID, other.ID}
			}
			all = append(all, n)
		}
		b.update(func(tx graph.Tx) error {
			for _, n := range all {
				b.ok(tx.PutNote(n))
			}
			return tx.PutNote(graph.Note{Kind: "OTHER", ID: all[0].ID, At: b.now()})
		})
		read := func(r graph.Reader, after graph.ID, down bool, limit int) (ids []graph.ID) {
			for _, n := range got[[]*graph.Note](b)(r.Notes(graph.NoteDecision, after, down, limit)) {
				ids = append(ids, n.ID)
			}
			return ids
		}
		b.view(func(r graph.Reader) {
			same(b, "note", got[*graph.Note](b)(r.Note(graph.NoteDecision, all[2].ID)), &all[2])
			same(b, "page", read(r, all[0].ID, false, 2), []graph.ID{all[1].ID, all[2].ID})
			same(b, "down", read(r, "", true, 2), []graph.ID{all[4].ID, all[3].ID})
			same(b, "down behind", read(r, all[3].ID, true, 2), []graph.ID{all[2].ID, all[1].ID})
			_, err := r.Note(graph.NoteDecision, m.ID)
			b.is(err, graph.ErrNotFound)
		})
		all[1].Data = json.RawMessage(`{"i":2}`)
		b.update(func(tx graph.Tx) error { return tx.PutNote(all[1]) })
		b.refused(func(tx graph.Tx) error { return tx.PutNote(graph.Note{Kind: graph.NoteDecision}) })
		b.refused(func(tx graph.Tx) error { return tx.PutNote(graph.Note{ID: b.id(b.now())}) })
		b.refused(func(tx graph.Tx) error {
			return tx.PutNote(graph.Note{Kind: graph.NoteDecision, ID: b.id(b.now()), Data: json.RawMessage(`{`)})
		})
		b.refused(func(tx graph.Tx) error {
			n := all[0]
			n.Memories = nil
			return tx.PutNote(n)
		})
		b.update(func(tx graph.Tx) error { return tx.Erase(m.ID, b.now()) })
		b.view(func(r graph.Reader) {
			for i, n := range all {
				if i%2 == 0 {
					n.Data = nil
				}
				same(b, "after the erasure", got[*graph.Note](b)(r.Note(n.Kind, n.ID)), &n)
			}
		})
		b.refused(func(tx graph.Tx) error {
			return tx.PutNote(graph.Note{Kind: graph.NoteDecision, ID: b.id(b.now()), Memories: []graph.ID{m.ID}})
		})
		_, err := b.s.Update(b.ctx(), b.scope, func(tx graph.Tx) error {
			return tx.PutNote(graph.Note{Kind: graph.NoteDecision, ID: b.id(b.now()), Memories: []graph.ID{b.id(b.now())}})
		})
		b.is(err, graph.ErrNotFound)
		// A note that is gone stays gone when a memory that it named is erased.
		named := graph.Note{Kind: graph.NoteUndo, ID: b.id(b.now()), At: b.now(), Memories: []graph.ID{other.ID}, Data: json.RawMessage(`{}`)}
		b.update(func(tx graph.Tx) error { return tx.PutNote(named) })
		b.update(func(tx graph.Tx) error {
			b.ok(tx.DeleteNote(named.Kind, named.ID))
			_, err := tx.Note(named.Kind, named.ID)
			b.is(err, graph.ErrNotFound)
			b.ok(tx.DeleteNote(named.Kind, named.ID)) // a missing one is no error
			return tx.DeleteNote(graph.NoteDecision, all[1].ID)
		})
		b.refused(func(tx graph.Tx) error { return tx.DeleteNote(graph.NoteDecision, "x") })
		b.update(func(tx graph.Tx) error { return tx.Erase(other.ID, b.now()) })
		b.view(func(r graph.Reader) {
			same(b, "after a deletion", read(r, "", false, 0), []graph.ID{all[0].ID, all[2].ID, all[3].ID, all[4].ID})
			same(b, "deleted", len(got[[]*graph.Note](b)(r.Notes(graph.NoteUndo, "", false, 0))), 0)
		})
	},
	"settings": func(b *bench) {
		large := bytes.Repeat([]byte{0, 1, 2, 255}, 16<<10)
		b.update(func(tx graph.Tx) error {
			b.ok(tx.PutSetting("a", []byte("1")))
			b.ok(tx.PutSetting("empty", []byte{}))
			return tx.PutSetting("large", large)
		})
		b.view(func(r graph.Reader) {
			same(b, "a", string(got[[]byte](b)(r.Setting("a"))), "1")
			same(b, "large", got[[]byte](b)(r.Setting("large")), large)
			same(b, "empty", len(got[[]byte](b)(r.Setting("empty"))), 0)
			_, err := r.Setting("b")
			b.is(err, graph.ErrNotFound)
		})
		b.update(func(tx graph.Tx) error { return tx.PutSetting("a", nil) })
		b.update(func(tx graph.Tx) error { return tx.PutSetting("never", nil) })
		b.view(func(r graph.Reader) {
			_, err := r.Setting("a")
			b.is(err, graph.ErrNotFound)
		})
		_, err := b.s.Update(b.ctx(), b.scope, func(tx graph.Tx) error { return tx.PutSetting("b", make([]byte, 64<<10+1)) })
		b.is(err, graph.ErrTooLarge)
	},
	"the last recorded instant": func(b *bench) {
		last := func() (at time.Time) {
			b.view(func(r graph.Reader) { at = got[time.Time](b)(r.LastRecorded()) })
			return at
		}
		m := b.memory()
		b.put(m)
		same(b, "a memory", last(), m.UpdatedAt)
		early := b.memory(func(e *graph.Memory) { e.UpdatedAt = start.Add(-time.Hour) })
		b.put(early)
		same(b, "an earlier one", last(), m.UpdatedAt)
		at := b.now().Add(time.Hour)
		b.update(func(tx graph.Tx) error {
			b.ok(tx.Erase(m.ID, at))
			same(b, "in the transaction", got[time.Time](b)(tx.LastRecorded()), at)
			return nil
		})
		same(b, "an erasure", last(), at)
		b.update(func(tx graph.Tx) error { return tx.PutRequest(graph.Request{Key: "k", At: at.Add(time.Hour)}) })
		same(b, "a request", last(), at.Add(time.Hour))
		b.ok(b.s.CountUses(b.ctx(), b.scope, []graph.ID{early.ID}, at.Add(2*time.Hour)))
		same(b, "a use", last(), at.Add(2*time.Hour))
	},
}
