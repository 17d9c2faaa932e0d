package storetest

import (
	"encoding/json"

	"github.com/somnograph/somnograph/graph"
)

var sightTests = map[string]func(*fixture){
	"a reader shows a world without what its sight does not show": func(f *fixture) {
		p := newRandomPlayer(f, f.store, NewModel())
		for range 2 {
			p.play(150)
			p.addNotes(20)
			for range 8 {
				p.scope.Sight = p.drawSight()
				p.compareAll()
				p.compareNotes()
				for range 40 {
					p.compareList(p.drawQuery())
				}
			}
			p.scope.Sight = graph.Sight{}
		}
	},
	"an invisible id is answered like an unknown one": func(f *fixture) {
		theirs := f.newMemory(ofUser("bo"))
		e := f.newEntity("main", "bo", "heron")
		theirs.Entities = []graph.ID{e.ID}
		rel, receipt := f.newRelation(e.ID, "is", e.ID, theirs.ID), f.newID(f.tick())
		f.mustUpdate(func(tx graph.Tx) error {
			f.noError(tx.PutEntity(e))
			f.noError(tx.PutMemory(theirs, graph.EventCreated))
			f.noError(tx.PutEmbedding(theirs.ID, []float32{1}))
			f.noError(tx.PutEdge(graph.Edge{From: theirs.ID, Kind: graph.EvidenceFor, To: theirs.ID}))
			f.noError(tx.PutRelation(rel))
			f.noError(tx.PutReceipt(graph.Receipt{ID: receipt, Owner: graph.PrincipalMark(string(receipt), "bo")}))
			f.noError(tx.PutReceiptIDs(receipt, []graph.ID{theirs.ID}))
			return nil
		})
		for _, s := range []graph.Sight{{User: "ada", Receipts: "ada"}, {Namespaces: []string{"side"}, Receipts: "ada"}} {
			scope := f.scope
			scope.Sight = s
			f.noError(f.store.View(f.ctx(), scope, func(r graph.Reader) error {
				f.missing(r.Memory(theirs.ID))
				f.missing(r.Embedding(theirs.ID))
				f.missing(r.Edge(theirs.ID, graph.EvidenceFor, theirs.ID))
				f.missing(r.Entity(e.ID))
				f.missing(r.EntityByName("main", "bo", "heron"))
				f.missing(r.Relation(e.ID, "is", e.ID))
				f.missing(r.RelationByID(rel.ID))
				f.missing(r.Receipt(receipt))
				mustEqual(f, "memories", must[[]*graph.Memory](f)(r.Memories([]graph.ID{theirs.ID})), []*graph.Memory{nil})
				mustEqual(f, "mentions", len(must[[]graph.ID](f)(r.Mentions(e.ID, "", 0))), 0)
				mustEqual(f, "edges", len(must[[]graph.Edge](f)(r.Edges(theirs.ID, graph.Both))), 0)
				mustEqual(f, "ids of the receipt", len(must[[]graph.ID](f)(r.ReceiptIDs(receipt, "", 0))), 0)
				return nil
			}))
			mustEqual(f, "changes", len(must[[]graph.Change](f)(f.store.Changes(f.ctx(), scope, 0, 0))), 0)
		}
	},
	"notes of clusters are visible to every sight that shows their namespace": func(f *fixture) {
		note := graph.Note{Namespace: "main", ID: f.newID(f.tick()), At: f.tick(), Data: json.RawMessage(`{"sleep":"none"}`)}
		f.mustUpdate(func(tx graph.Tx) error {
			for _, note.Kind = range clusterNotes {
				f.noError(tx.PutNote(note))
			}
			return nil
		})
		for _, x := range []struct {
			sight   graph.Sight
			visible bool
		}{
			{graph.Sight{User: "ada"}, true},
			{graph.Sight{Namespaces: []string{"main"}, Consents: []graph.Consent{graph.ConsentExplicit}}, true},
			{graph.Sight{Sensitivity: graph.Public}, true},
			{graph.Sight{Namespaces: []string{"side"}}, false},
		} {
			scope := f.scope
			scope.Sight = x.sight
			f.noError(f.store.View(f.ctx(), scope, func(r graph.Reader) error {
				for _, kind := range clusterNotes {
					mustEqual(f, "notes", len(must[[]*graph.Note](f)(r.Notes(kind, "", false, 0))) == 1, x.visible)
					if x.visible {
						mustEqual(f, "note", must[*graph.Note](f)(r.Note(kind, note.ID)).ID, note.ID)
					} else {
						f.missing(r.Note(kind, note.ID))
					}
				}
				return nil
			}))
		}
	},
	"a transaction sees all of its tenant": func(f *fixture) {
		theirs := f.newMemory(ofUser("bo"))
		f.mustPut(theirs)
		f.scope.Sight = graph.Sight{User: "ada"}
		f.mustUpdate(func(tx graph.Tx) error {
			mustEqual(f, "memory", must[*graph.Memory](f)(tx.Memory(theirs.ID)).ID, theirs.ID)
			f.missing(graph.See(tx, f.scope.Sight).Memory(theirs.ID))
			return nil
		})
	},
}

// drawSight makes a random sight.
func (p *randomPlayer) drawSight() (s graph.Sight) {
	if p.random.IntN(2) == 0 {
		for range 1 + p.random.IntN(2) {
			s.Namespaces = append(s.Namespaces, p.drawNamespace())
		}
	}
	if p.random.IntN(2) == 0 {
		s.User = pick(p, []string{"", "ada", "bo", "cy"})
	}
	if p.random.IntN(3) == 0 {
		s.Agent = pick(p, []string{"bot", "agent", "other"})
	}
	if p.random.IntN(3) == 0 {
		s.Consents = []graph.Consent{pick(p, graph.Consents), graph.ConsentExplicit}
	}
	if p.random.IntN(3) == 0 {
		s.Sensitivity = pick(p, graph.Sensitivities)
	}
	return s
}

// clusterNotes are the kinds of notes whose reader shows of them what the sight shows of the memories.
var clusterNotes = []graph.NoteKind{graph.NoteClusters, graph.NoteClusterPart, graph.NoteClusterEvents}

// addNotes writes notes about random memories and of random users, and notes of clusters.
func (p *randomPlayer) addNotes(n int) {
	for range n {
		note := graph.Note{Kind: graph.NoteDecision, ID: p.newID(p.tick()), At: p.tick()}
		if p.random.IntN(4) > 0 {
			note.Namespace = p.drawNamespace()
		}
		for range p.random.IntN(3) {
			note.Memories = append(note.Memories, p.knownOrNewID(p.memories))
		}
		if user := p.drawUser(); user != "" || p.random.IntN(2) == 0 { // those without Data are as after an erasure
			note.Data, _ = json.Marshal(map[string]string{"user": user}) // texts
		}
		p.notes = append(p.notes, note.ID)
		p.updateBoth("note", func(tx graph.Tx) error { return tx.PutNote(note) })
		settled := graph.Note{Kind: pick(p, clusterNotes), ID: p.newID(p.tick()), At: p.tick(), Namespace: p.drawNamespace(), Data: json.RawMessage(`{"sleep":"none"}`)}
		p.notes = append(p.notes, settled.ID)
		p.updateBoth("note of clusters", func(tx graph.Tx) error { return tx.PutNote(settled) })
	}
}

// compareNotes reads the notes from both and compares.
func (p *randomPlayer) compareNotes() {
	p.Helper()
	for _, kind := range append([]graph.NoteKind{graph.NoteDecision}, clusterNotes...) {
		for _, id := range p.notes {
			p.compareRead("note", func(r graph.Reader) (any, error) { return r.Note(kind, id) })
		}
		for _, limit := range []int{0, 3} {
			for _, down := range []bool{false, true} {
				p.compareRead("notes", func(r graph.Reader) (any, error) {
					ns, err := r.Notes(kind, "", down, limit)
					return dereference(ns), err
				})
			}
		}
	}
}
