package audit

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/strictjson"
)

// Verification is the result of a check of a tenant's audit.
type Verification struct {
	Chains []ChainCheck
}

// ChainCheck is the result for one chain.
type ChainCheck struct {
	Chain       string
	Rows        int    // sealed
	First, Last uint64 // numbers of the first and last row; 0: there is none
	Waiting     int    // rows that are not sealed yet
	Roots       int    // signed roots
	Keys        bool   // the keys are here; without them only the signatures of the roots were checked
	Problems    []Problem
	Restores    []Restore // rows that restores of the store took away
}

// Problem is a change that was found.
type Problem struct {
	Seq  uint64 // number of the row; 0: no row of the chain
	What string
}

// Intact reports whether no change was found.
func (v *Verification) Intact() bool {
	return !slices.ContainsFunc(v.Chains, func(c ChainCheck) bool { return len(c.Problems) > 0 })
}

// Verify checks the audit of a tenant. It needs no server, only a reader of the store and the keys.
// Call Log.Seal before, if a server runs. A changed, removed, added or swapped row is named by its
// number; missing rows at the end are known by the number in the keys and by the last root. A block that can't
// be read, because it was altered or is damaged, is named with the rows between those around it.
func Verify(r graph.Reader, keys Keys, scope graph.Scope) (*Verification, error) {
	own, err := readChain(keys, scope)
	if err != nil {
		return nil, err
	}
	if own != nil {
		if _, err := own.catchUp(r); err != nil {
			return nil, err
		}
	}
	v, err := verify(r, own)
	if err != nil {
		return nil, err
	}
	return v.result(), nil
}

// verify reads the audit of a tenant. own is nil without keys.
func verify(r graph.Reader, own *chain) (*verifier, error) {
	v := &verifier{own: own, chains: map[string]*checked{}}
	if own != nil {
		lost, ok, err := readRestores(r, own)
		if err != nil {
			return nil, err
		}
		if v.lost = lost; !ok {
			v.stray = append(v.stray, Problem{What: "the record of what restores took away was changed"})
		}
		v.of(own.Chain)
	}
	for n, err := range notes(r, graph.NoteAuditRoot, "", false) {
		if id := graph.DamagedNote(err); id != "" {
			v.stray = append(v.stray, Problem{What: fmt.Sprintf("the root %s%s", id, unreadable)})
			continue
		}
		if err != nil {
			return nil, err
		}
		v.root(n)
	}
	for n, err := range notes(r, graph.NoteAuditBlock, "", false) {
		if id := graph.DamagedNote(err); id != "" {
			v.unread = append(v.unread, &unreadBlock{id: id})
			continue
		}
		if err != nil {
			return nil, err
		}
		v.block(n)
	}
	for n, err := range notes(r, graph.NoteAudit, "", false) {
		if id := graph.DamagedNote(err); id != "" {
			v.stray = append(v.stray, Problem{What: fmt.Sprintf("the row %s, which is not sealed yet,%s", id, unreadable)})
			continue
		}
		if err != nil {
			return nil, err
		}
		v.waiting(n)
	}
	return v, nil
}

// Verify seals what can be sealed and checks the audit of a tenant.
func (l *Log) Verify(ctx context.Context, scope graph.Scope) (v *Verification, err error) {
	if l == nil {
		return nil, graph.Errorf(graph.CodeInvalidRequest, "this server keeps no audit")
	}
	if _, err := l.Seal(ctx, scope); err != nil {
		return nil, err
	}
	t := l.tenant(scope)
	t.sealing.Lock()
	defer t.sealing.Unlock()
	err = l.Store.View(ctx, scope.Whole(), func(r graph.Reader) (err error) { v, err = Verify(r, l.Keys, scope); return err })
	return v, err
}

type verifier struct {
	own    *chain   // nil: no keys
	lost   restores // of the own chain
	chains map[string]*checked
	stray  []Problem // of no chain
	unread []*unreadBlock
}

// unreadBlock is a block that can't be read. Its chain and rows are known from the blocks around it.
type unreadBlock struct {
	id    graph.ID
	named bool // a problem of a chain names it
}

// unreadable says of a note that its bytes are not those that were written.
const unreadable = " can't be read: it was altered or is damaged"

// checked is the progress in one chain.
type checked struct {
	ChainCheck
	own    *chain // nil: without keys
	lost   restores
	before []byte  // MAC of the row before the next; nil: unknown, after a gap
	next   uint64  // number of the next row
	roots  []*Root // by epoch; nil: a restore took it away
	public []byte  // key of the next root
	ends   map[uint64]*Root
	last   graph.ID       // of the last block that was read
	gap    []*unreadBlock // blocks that can't be read, in the place of the rows that are being looked for
	// Of what restores took away, that which is missing.
	lostRows  []lostRows
	lostRoots []lostRoots
}

func (v *verifier) of(name string) *checked {
	c := v.chains[name]
	if c == nil {
		c = &checked{ChainCheck: ChainCheck{Chain: name}, next: 1, before: make([]byte, 32), ends: map[uint64]*Root{}}
		if v.own != nil && v.own.Chain == name {
			c.own, c.lost, c.Keys = v.own, v.lost, true
			if c.next = v.own.Pruned + 1; v.own.Pruned > 0 {
				c.before = v.own.PrunedMAC
			}
		}
		v.chains[name] = c
	}
	return c
}

func (c *checked) problem(seq uint64, format string, args ...any) {
	c.Problems = append(c.Problems, Problem{Seq: seq, What: fmt.Sprintf(format, args...)})
}

func (v *verifier) root(n *graph.Note) {
	var signed root
	if err := strictjson.DecodeExact(n.Data, &signed); err != nil {
		v.stray = append(v.stray, Problem{What: fmt.Sprintf("the root %s can't be read", n.ID)})
		return
	}
	x, err := signed.parse()
	if err != nil {
		v.stray = append(v.stray, Problem{What: fmt.Sprintf("the root %s is not valid: %v", n.ID, err)})
		return
	}
	c := v.of(x.Chain)
	switch {
	case x.Epoch == 0 && len(c.roots) == 0 && chainName(signed.Public) != x.Chain:
		c.problem(x.Seq, "the first root is not signed with the key of the chain")
	case c.skipRoots(x.Epoch) != x.Epoch:
		if x.Epoch < len(c.roots) && c.roots[x.Epoch] != nil && c.roots[x.Epoch].Seq == x.Seq && equal(c.roots[x.Epoch].MAC, x.MAC) {
			return // written twice around a crash
		}
		c.problem(x.Seq, "a root before that of %s is missing", x.Day.Format("2006-01-02"))
	case x.Epoch > 0 && !equal(c.public, signed.Public):
		c.problem(x.Seq, "the root of %s is not signed with the key that the root before names", x.Day.Format("2006-01-02"))
	}
	if c.own != nil {
		if key, known := c.own.past[x.Epoch]; known {
			if sum := sha256.Sum256(key); !equal(sum[:], x.macKey) {
				c.problem(x.Seq, "the root of %s names another key of the rows", x.Day.Format("2006-01-02"))
			}
		}
	}
	c.roots = append(c.roots, x)
	c.public = x.next
	c.ends[x.Seq] = x
}

// key is the MAC key of an epoch, nil if it is not here.
func (c *checked) key(epoch int) []byte {
	if c.own == nil {
		return nil
	}
	if epoch == c.own.Epoch {
		return c.own.macKey()
	}
	return c.own.past[epoch]
}

func (v *verifier) block(n *graph.Note) {
	b, err := decodeBlock(n)
	if err != nil {
		v.unread = append(v.unread, &unreadBlock{id: n.ID})
		return
	}
	c := v.of(b.Chain)
	defer func() { c.last = n.ID }()
	if c.own != nil && b.Epoch < c.own.PrunedEpoch { // about to be removed, where no row is kept before it
		if c.Rows > 0 || b.First+uint64(len(b.Rows)) > c.own.Pruned+1 {
			c.problem(b.First, "the block %s was added: the rows of its day were removed because of their age", n.ID)
		}
		return
	}
	if b.First > c.next {
		v.nameGap(c, n.ID)
	} else if c.last == "" && c.own != nil && c.own.Pruned > 0 {
		v.dropUnread(n.ID)
	}
	key := c.key(b.Epoch)
	for i, x := range b.Rows {
		c.row(b.First+uint64(i), x, key)
	}
}

// nameGap takes the blocks that can't be read between the last block of a chain and that before which the next
// rows are not there for those of the rows. before is empty at the end of the chain.
func (v *verifier) nameGap(c *checked, before graph.ID) {
	c.gap = nil
	for _, x := range v.unread {
		if !x.named && x.id > c.last && (before == "" || x.id < before) {
			c.gap = append(c.gap, x)
		}
	}
}

// dropUnread forgets the blocks that can't be read before the first block of a chain whose rows are all there:
// their rows are so old that they were about to be removed.
func (v *verifier) dropUnread(first graph.ID) {
	v.unread = slices.DeleteFunc(v.unread, func(x *unreadBlock) bool { return x.id < first })
}

// row checks the next row of a chain.
func (c *checked) row(seq uint64, x sealedRow, key []byte) {
	if c.Rows++; c.First == 0 {
		c.First = seq
	}
	c.Last = max(c.Last, seq)
	switch {
	case seq < c.next:
		c.problem(seq, "the number is used twice: a row was added")
		return
	case seq > c.next:
		c.before = c.missing(c.next, seq-1, "")
	}
	if c.own != nil && key == nil {
		c.problem(seq, "the row claims to be of a day that has no key")
	}
	if key != nil && c.before != nil {
		if want, err := rowMAC(key, c.before, seq, x.Row); err != nil || !equal(want, x.MAC) {
			c.problem(seq, "the row was changed")
		}
	}
	if end := c.ends[seq]; end != nil && !equal(end.MAC, x.MAC) {
		c.problem(seq, "the row is not the one that the signed root of %s names", end.Day.Format("2006-01-02"))
	}
	c.next, c.before = seq+1, x.MAC
}

func (v *verifier) waiting(n *graph.Note) {
	var p pending
	if err := strictjson.DecodeExact(n.Data, &p); err != nil {
		v.stray = append(v.stray, Problem{What: fmt.Sprintf("the row %s, which is not sealed yet, can't be read", n.ID)})
		return
	}
	c := v.of(p.Chain)
	c.Waiting++
	if c.own != nil && !p.authentic(c.own.Pending, n.ID) {
		c.problem(0, "the row %s, which is not sealed yet, was changed or added", n.ID)
	}
}

func (v *verifier) result() *Verification {
	out := &Verification{}
	for _, c := range v.chains {
		last := uint64(0)
		if n := len(c.roots); n > 0 {
			last = c.roots[n-1].Seq
		}
		for _, x := range c.roots {
			if x != nil {
				c.Roots++
			}
		}
		if c.own != nil {
			last = max(last, c.own.Seq)
			if n := c.skipRoots(c.own.Epoch); n < c.own.Epoch {
				c.problem(0, "%d of %d signed roots are missing", c.own.Epoch-n, c.own.Epoch)
			}
		}
		if c.next <= last {
			v.nameGap(c, "")
			c.missing(c.next, last, " at the end")
		}
		out.Chains = append(out.Chains, c.ChainCheck)
	}
	slices.SortFunc(out.Chains, func(a, b ChainCheck) int { return strings.Compare(a.Chain, b.Chain) })
	for _, x := range v.unread {
		if !x.named {
			v.stray = append(v.stray, Problem{What: "the block " + string(x.id) + unreadable})
		}
	}
	if len(v.stray) > 0 {
		out.Chains = append(out.Chains, ChainCheck{Problems: v.stray})
	}
	return out
}
