package audit

import (
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// part is what a transaction wrote for one call.
type part struct {
	call       *Call
	ids        []graph.ID
	known      map[graph.ID]bool
	namespaces []string
	decisions  []string
}

// recorder is a transaction that notes what it writes.
type recorder struct {
	graph.Tx
	call  *Call
	parts []*part
}

// expecting is a recorder over a transaction with slow reads.
type expecting struct {
	*recorder
	graph.Expecter
}

// Attribute makes the following writes of a transaction belong to a call. It is for transactions
// that serve several calls.
func Attribute(tx graph.Tx, c *Call) {
	if r, ok := tx.(interface{ attribute(*Call) }); ok && c != nil {
		r.attribute(c)
	}
}

func (r *recorder) attribute(c *Call) { r.call = c }

// part returns the part of the present call.
func (r *recorder) part() *part {
	for _, p := range r.parts {
		if p.call == r.call {
			return p
		}
	}
	p := &part{call: r.call, known: map[graph.ID]bool{}}
	r.parts = append(r.parts, p)
	return p
}

func (p *part) memory(id graph.ID, namespace, decision string) {
	if !p.known[id] {
		p.known[id] = true
		p.ids = append(p.ids, id)
	}
	p.decide(decision)
	p.in(namespace)
}

func (p *part) in(namespace string) {
	if at, found := slices.BinarySearch(p.namespaces, namespace); !found && namespace != "" {
		p.namespaces = slices.Insert(p.namespaces, at, namespace)
	}
}

func (p *part) decide(decision string) {
	if at, found := slices.BinarySearch(p.decisions, decision); !found {
		p.decisions = slices.Insert(p.decisions, at, decision)
	}
}

// row is the row of the part.
func (p *part) row(at time.Time) Row {
	named := p.ids[:min(len(p.ids), MaxIDs)]
	return Row{
		At: at, Principal: p.call.Principal, Verb: p.call.Verb, Namespaces: p.namespaces, IDs: named, More: len(p.ids) - len(named),
		Outcome: OK, Decision: strings.Join(p.decisions, "+"), Count: 1, Millis: p.call.millis(),
	}
}

func (r *recorder) PutMemory(m *graph.Memory, kind graph.EventKind) error {
	r.part().memory(m.ID, m.Namespace, string(kind))
	return r.Tx.PutMemory(m, kind)
}

func (r *recorder) Erase(id graph.ID, at time.Time) error {
	r.part().memory(id, "", string(graph.EventForgotten))
	return r.Tx.Erase(id, at)
}

func (r *recorder) PutEmbedding(id graph.ID, vector []float32) error {
	r.part().memory(id, "", "EMBEDDED")
	return r.Tx.PutEmbedding(id, vector)
}

func (r *recorder) PutEdge(e graph.Edge) error {
	if p := r.part(); e.Kind == graph.Contradicts {
		p.decide("CONTRADICTED")
	}
	return r.Tx.PutEdge(e)
}

func (r *recorder) DeleteEdge(from graph.ID, kind graph.EdgeKind, to graph.ID) error {
	r.part()
	return r.Tx.DeleteEdge(from, kind, to)
}

func (r *recorder) PutEntity(e *graph.Entity) error {
	r.part().in(e.Namespace)
	return r.Tx.PutEntity(e)
}

func (r *recorder) DeleteEntity(id graph.ID) error {
	r.part()
	return r.Tx.DeleteEntity(id)
}

func (r *recorder) PutRelation(x *graph.Relation) error {
	r.part()
	return r.Tx.PutRelation(x)
}

func (r *recorder) DeleteRelation(source graph.ID, predicate string, target graph.ID) error {
	r.part()
	return r.Tx.DeleteRelation(source, predicate, target)
}

func (r *recorder) PutRequest(x graph.Request) error {
	r.part()
	return r.Tx.PutRequest(x)
}

func (r *recorder) PutReceipt(x graph.Receipt) error {
	r.part().decide("RECEIPT " + string(x.Status))
	return r.Tx.PutReceipt(x)
}

func (r *recorder) PutReceiptIDs(receipt graph.ID, ids []graph.ID) error {
	r.part()
	return r.Tx.PutReceiptIDs(receipt, ids)
}

func (r *recorder) PutNote(n graph.Note) error {
	p := r.part()
	p.in(n.Namespace)
	p.decide("NOTE " + string(n.Kind))
	return r.Tx.PutNote(n)
}

func (r *recorder) DeleteNote(kind graph.NoteKind, id graph.ID) error {
	r.part().decide("NOTE " + string(kind) + " DELETED")
	return r.Tx.DeleteNote(kind, id)
}

func (r *recorder) PutSetting(name string, value []byte) error {
	r.part().decide("SETTING")
	return r.Tx.PutSetting(name, value)
}
