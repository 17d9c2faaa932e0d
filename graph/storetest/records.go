package storetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var recordTests = map[string]func(*fixture){
	"requests": func(f *fixture) {
		q := graph.Request{
			Key: "remember/" + strings.Repeat("k", 291), Digest: "d", Result: f.newID(f.tick()), Before: f.newID(f.tick()),
			Answer: json.RawMessage(`{"x":[1]}`), At: f.tick().Add(1),
		}
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutRequest(q) })
		q.At = graph.Millis(q.At)
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "request", must[*graph.Request](f)(r.Request(q.Key)), &q)
			for _, key := range []string{"", "remember/", q.Key + "k"} {
				f.missing(r.Request(key))
			}
		})
		for _, again := range []graph.Request{q, {Key: q.Key}} {
			f.mustFail(graph.ErrConflict, func(tx graph.Tx) error { return tx.PutRequest(again) })
		}
		f.mustRefuse(func(tx graph.Tx) error { return tx.PutRequest(graph.Request{}) })
		f.mustRefuse(func(tx graph.Tx) error { return tx.PutRequest(graph.Request{Key: strings.Repeat("k", 301)}) })
	},
	"a large result": func(f *fixture) {
		q := graph.Request{Key: "batch", Answer: json.RawMessage(`"` + strings.Repeat("a", 400<<10) + `"`)}
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutRequest(q) })
		f.mustView(func(r graph.Reader) { mustEqual(f, "request", must[*graph.Request](f)(r.Request("batch")), &q) })
	},
	"receipts": func(f *fixture) {
		rec := graph.Receipt{ID: f.newID(f.tick()), Status: graph.DeletionPending, RequestedAt: f.tick(), Owner: "mark"}
		var ids []graph.ID
		for range 9 {
			ids = append(ids, f.newID(f.tick()))
		}
		f.mustUpdate(func(tx graph.Tx) error {
			f.noError(tx.PutReceiptIDs(rec.ID, []graph.ID{ids[8], ids[0], ids[3]}))
			return tx.PutReceipt(rec)
		})
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutReceiptIDs(rec.ID, ids) })
		rec.Status, rec.Count, rec.Hash, rec.CompletedAt, rec.Anonymised = graph.DeletionComplete, 9, "h", f.tick(), 2
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutReceipt(rec) })
		f.mustView(func(r graph.Reader) {
			read := must[[]graph.ID](f)
			mustEqual(f, "receipt", must[*graph.Receipt](f)(r.Receipt(rec.ID)), &rec)
			mustEqual(f, "ids", read(r.ReceiptIDs(rec.ID, "", 0)), ids)
			mustEqual(f, "page", read(r.ReceiptIDs(rec.ID, ids[3], 2)), ids[4:6])
			mustEqual(f, "another one's", len(read(r.ReceiptIDs(ids[0], "", 0))), 0)
			f.missing(r.Receipt(ids[0]))
		})
	},
	"notes": func(f *fixture) {
		m, other := f.newMemory(), f.newMemory()
		f.mustPut(m)
		f.mustPut(other)
		var all []graph.Note
		for i := range 5 {
			n := graph.Note{Kind: graph.NoteDecision, ID: f.newID(f.tick()), Namespace: "default", At: f.tick(), Data: json.RawMessage(`{"i":1}`)}
			if i%2 == 0 {
				n.Memories = []graph.ID{m.ID, other.ID}
			}
			all = append(all, n)
		}
		f.mustUpdate(func(tx graph.Tx) error {
			for _, n := range all {
				f.noError(tx.PutNote(n))
			}
			return tx.PutNote(graph.Note{Kind: "OTHER", ID: all[0].ID, At: f.tick()})
		})
		notesOf := func(tx graph.Tx, memory graph.ID, kind graph.NoteKind) (ids []graph.ID) {
			for _, n := range must[[]*graph.Note](f)(tx.NotesOf(memory, kind)) {
				ids = append(ids, n.ID)
			}
			return ids
		}
		f.mustUpdate(func(tx graph.Tx) error {
			mustEqual(f, "of a memory", notesOf(tx, m.ID, graph.NoteDecision), []graph.ID{all[0].ID, all[2].ID, all[4].ID})
			mustEqual(f, "of a memory", must[[]*graph.Note](f)(tx.NotesOf(other.ID, graph.NoteDecision))[1], &all[2])
			mustEqual(f, "of another kind", len(notesOf(tx, m.ID, "OTHER")), 0)
			mustEqual(f, "of an unknown memory", len(notesOf(tx, f.newID(f.tick()), graph.NoteDecision)), 0)
			mustEqual(f, "of no memory", len(notesOf(tx, "x", graph.NoteDecision)), 0)
			late := graph.Note{Kind: "OTHER", ID: f.newID(f.tick()), At: f.tick(), Memories: []graph.ID{m.ID}, Data: json.RawMessage(`{}`)}
			f.noError(tx.PutNote(late))
			mustEqual(f, "written in the transaction", notesOf(tx, m.ID, "OTHER"), []graph.ID{late.ID})
			f.noError(tx.DeleteNote("OTHER", late.ID))
			mustEqual(f, "deleted in the transaction", len(notesOf(tx, m.ID, "OTHER")), 0)
			return nil
		})
		read := func(r graph.Reader, after graph.ID, down bool, limit int) (ids []graph.ID) {
			for _, n := range must[[]*graph.Note](f)(r.Notes(graph.NoteDecision, after, down, limit)) {
				ids = append(ids, n.ID)
			}
			return ids
		}
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "note", must[*graph.Note](f)(r.Note(graph.NoteDecision, all[2].ID)), &all[2])
			mustEqual(f, "page", read(r, all[0].ID, false, 2), []graph.ID{all[1].ID, all[2].ID})
			mustEqual(f, "down", read(r, "", true, 2), []graph.ID{all[4].ID, all[3].ID})
			mustEqual(f, "down after", read(r, all[3].ID, true, 2), []graph.ID{all[2].ID, all[1].ID})
			f.missing(r.Note(graph.NoteDecision, m.ID))
		})
		all[1].Data = json.RawMessage(`{"i":2}`)
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutNote(all[1]) })
		f.mustRefuse(func(tx graph.Tx) error { return tx.PutNote(graph.Note{Kind: graph.NoteDecision}) })
		f.mustRefuse(func(tx graph.Tx) error { return tx.PutNote(graph.Note{ID: f.newID(f.tick())}) })
		f.mustRefuse(func(tx graph.Tx) error {
			return tx.PutNote(graph.Note{Kind: graph.NoteDecision, ID: f.newID(f.tick()), Data: json.RawMessage(`{`)})
		})
		f.mustRefuse(func(tx graph.Tx) error {
			n := all[0]
			n.Memories = nil
			return tx.PutNote(n)
		})
		f.mustUpdate(func(tx graph.Tx) error { return tx.Erase(m.ID, f.tick()) })
		f.mustView(func(r graph.Reader) {
			for i, n := range all {
				if i%2 == 0 {
					n.Data = nil
				}
				mustEqual(f, "after the erasure", must[*graph.Note](f)(r.Note(n.Kind, n.ID)), &n)
			}
		})
		f.mustUpdate(func(tx graph.Tx) error {
			mustEqual(f, "of an erased memory", len(notesOf(tx, m.ID, graph.NoteDecision)), 0)
			mustEqual(f, "without Data", len(notesOf(tx, other.ID, graph.NoteDecision)), 0)
			return nil
		})
		f.mustRefuse(func(tx graph.Tx) error {
			return tx.PutNote(graph.Note{Kind: graph.NoteDecision, ID: f.newID(f.tick()), Memories: []graph.ID{m.ID}})
		})
		_, err := f.store.Update(f.ctx(), f.scope, func(tx graph.Tx) error {
			return tx.PutNote(graph.Note{Kind: graph.NoteDecision, ID: f.newID(f.tick()), Memories: []graph.ID{f.newID(f.tick())}})
		})
		f.errorIs(err, graph.ErrNotFound)
		// A deleted note stays deleted when a memory that it names is erased.
		named := graph.Note{Kind: graph.NoteUndo, ID: f.newID(f.tick()), At: f.tick(), Memories: []graph.ID{other.ID}, Data: json.RawMessage(`{}`)}
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutNote(named) })
		f.mustUpdate(func(tx graph.Tx) error {
			f.noError(tx.DeleteNote(named.Kind, named.ID))
			f.missing(tx.Note(named.Kind, named.ID))
			f.noError(tx.DeleteNote(named.Kind, named.ID)) // deleting a missing note is no error
			return tx.DeleteNote(graph.NoteDecision, all[1].ID)
		})
		f.mustRefuse(func(tx graph.Tx) error { return tx.DeleteNote(graph.NoteDecision, "x") })
		f.mustUpdate(func(tx graph.Tx) error { return tx.Erase(other.ID, f.tick()) })
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "after a deletion", read(r, "", false, 0), []graph.ID{all[0].ID, all[2].ID, all[3].ID, all[4].ID})
			mustEqual(f, "deleted", len(must[[]*graph.Note](f)(r.Notes(graph.NoteUndo, "", false, 0))), 0)
		})
	},
	"requests that made decisions": func(f *fixture) {
		m, other := f.newMemory(), f.newMemory()
		f.mustPut(m)
		f.mustPut(other)
		made := map[string]graph.Note{}
		made["deleted"] = graph.Note{Kind: graph.NoteDecision, ID: f.newID(f.tick()), At: f.tick(), Memories: []graph.ID{m.ID}, Data: json.RawMessage(`{}`)}
		made["cleared"] = graph.Note{Kind: graph.NoteDecision, ID: f.newID(f.tick()), At: f.tick(), Memories: []graph.ID{m.ID, other.ID}, Data: json.RawMessage(`{}`)}
		made["left"] = graph.Note{Kind: graph.NoteDecision, ID: f.newID(f.tick()), At: f.tick(), Memories: []graph.ID{m.ID}, Data: json.RawMessage(`{}`)}
		f.mustUpdate(func(tx graph.Tx) error {
			for key, n := range made {
				f.noError(tx.PutNote(n))
				f.noError(tx.PutRequest(graph.Request{Key: key, Result: n.ID, Before: m.ID, At: f.tick()}))
			}
			return tx.PutRequest(graph.Request{Key: "the memory", Result: m.ID, At: f.tick()})
		})
		f.mustUpdate(func(tx graph.Tx) error {
			f.noError(tx.DeleteNote(graph.NoteDecision, made["deleted"].ID))
			f.missing(tx.Request("deleted"))
			return tx.Erase(other.ID, f.tick())
		})
		f.mustView(func(r graph.Reader) {
			f.missing(r.Request("deleted"))
			f.missing(r.Request("cleared"))
			for key, result := range map[string]graph.ID{"left": made["left"].ID, "the memory": m.ID} {
				mustEqual(f, key, must[*graph.Request](f)(r.Request(key)).Result, result)
			}
		})
	},
	"settings": func(f *fixture) {
		large := bytes.Repeat([]byte{0, 1, 2, 255}, 16<<10)
		f.mustUpdate(func(tx graph.Tx) error {
			f.noError(tx.PutSetting("a", []byte("1")))
			f.noError(tx.PutSetting("empty", []byte{}))
			return tx.PutSetting("large", large)
		})
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "a", string(must[[]byte](f)(r.Setting("a"))), "1")
			mustEqual(f, "large", must[[]byte](f)(r.Setting("large")), large)
			mustEqual(f, "empty", len(must[[]byte](f)(r.Setting("empty"))), 0)
			f.missing(r.Setting("b"))
		})
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutSetting("a", nil) })
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutSetting("never", nil) })
		f.mustView(func(r graph.Reader) {
			f.missing(r.Setting("a"))
		})
		f.mustFail(graph.ErrTooLarge, func(tx graph.Tx) error { return tx.PutSetting("b", make([]byte, 64<<10+1)) })
	},
	"the last recorded instant": func(f *fixture) {
		last := func() (at time.Time) {
			f.mustView(func(r graph.Reader) { at = must[time.Time](f)(r.LastRecorded()) })
			return at
		}
		m := f.newMemory()
		f.mustPut(m)
		mustEqual(f, "a memory", last(), m.UpdatedAt)
		early := f.newMemory(func(e *graph.Memory) { e.UpdatedAt = start.Add(-time.Hour) })
		f.mustPut(early)
		mustEqual(f, "an earlier one", last(), m.UpdatedAt)
		at := f.tick().Add(time.Hour)
		f.mustUpdate(func(tx graph.Tx) error {
			f.noError(tx.Erase(m.ID, at))
			mustEqual(f, "in the transaction", must[time.Time](f)(tx.LastRecorded()), at)
			return nil
		})
		mustEqual(f, "an erasure", last(), at)
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutRequest(graph.Request{Key: "k", At: at.Add(time.Hour)}) })
		mustEqual(f, "a request", last(), at.Add(time.Hour))
		f.noError(f.store.CountUses(f.ctx(), f.scope, []graph.ID{early.ID}, graph.Use{At: at.Add(2 * time.Hour)}))
		mustEqual(f, "a use", last(), at.Add(2*time.Hour))
	},
	"audit": func(f *fixture) {
		row := func(tx graph.Tx, kind graph.NoteKind) graph.ID {
			id := f.newID(f.tick())
			f.noError(tx.PutNote(graph.Note{Kind: kind, ID: id, At: f.tick(), Data: json.RawMessage(`{"verb":"remember"}`)}))
			return id
		}
		count := func(kind graph.NoteKind) (n int) {
			f.mustView(func(r graph.Reader) { n = len(must[[]*graph.Note](f)(r.Notes(kind, "", false, 0))) })
			return n
		}
		// A tenant with rows of the audit alone is as one in which nothing was recorded.
		var first, second graph.ID // of the attempt that committed: an update may run again
		f.mustUpdate(func(tx graph.Tx) error { first = row(tx, graph.NoteAudit); row(tx, graph.NoteAuditRoot); return nil })
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "last recorded", must[time.Time](f)(r.LastRecorded()), time.Time{})
		})
		mustEqual(f, "head", must[graph.Cursor](f)(f.store.Head(f.ctx(), f.scope)), 0)
		// A row commits with the write that it describes, or not at all.
		m := f.newMemory()
		f.mustUpdate(func(tx graph.Tx) error { second = row(tx, graph.NoteAudit); return tx.PutMemory(m, graph.EventCreated) })
		mustEqual(f, "with a write", count(graph.NoteAudit), 2)
		failed := errors.New("failed")
		f.mustFail(failed, func(tx graph.Tx) error { row(tx, graph.NoteAudit); return failed })
		mustEqual(f, "with a failed write", count(graph.NoteAudit), 2)
		// Rows move into a block at once, and an erasure leaves them.
		f.mustUpdate(func(tx graph.Tx) error {
			row(tx, graph.NoteAuditBlock)
			return errors.Join(tx.DeleteNote(graph.NoteAudit, first), tx.DeleteNote(graph.NoteAudit, second))
		})
		f.mustUpdate(func(tx graph.Tx) error { return tx.Erase(m.ID, f.tick()) })
		mustEqual(f, "moved", count(graph.NoteAudit), 0)
		mustEqual(f, "blocks", count(graph.NoteAuditBlock), 1)
		mustEqual(f, "roots", count(graph.NoteAuditRoot), 1)
	},
}
