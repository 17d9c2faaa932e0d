package dgraphstore

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
)

// raceAgain is how long who lost against another process waits at most: one that writes all
// the time leaves short gaps, and who waits ever longer would not come upon one.
const raceAgain = 30 * time.Millisecond

// commit gives a draft that was made on a snapshot with the head base its place and makes
// it durable. It answers errConflict where a commit in between wrote what the draft has
// read, and errThere where a node is there that the draft took for missing.
//
// Drafts of a tenant that wait at the same time are committed in one request: whoever has
// the turn takes all of them along.
func (s *Store) commit(ctx context.Context, tenant graph.Tenant, base head, d *draft) (graph.Cursor, error) {
	l := s.ledgers.of(tenant)
	p := &waiter{base: base, draft: d, done: make(chan struct{})}
	l.enqueue(p)
	reach := s.hurried(ctx)
	for {
		select {
		case <-p.done:
			return p.cursor, p.err
		case l.turn <- struct{}{}:
			ended := make(chan struct{})
			s.tasks.Go(func() { // who is in a hurry need not wait for the outcome
				defer close(ended)
				s.commitSome(ctx, tenant, l)
				<-l.turn
			})
			select {
			case <-ended:
			case <-reach.Done():
			}
		case <-reach.Done():
			if l.withdraw(p) {
				return 0, errAway()
			}
			return 0, fmt.Errorf("%w: %w", graph.ErrUncertain, errAway()) // it is found out without us
		case <-ctx.Done():
			if l.withdraw(p) {
				return 0, ctx.Err()
			}
			<-p.done // it is on its way: the outcome must be known
			return p.cursor, p.err
		}
	}
}

// commitSome commits what waits, as far as it fits into one request, and answers it.
func (s *Store) commitSome(ctx context.Context, tenant graph.Tenant, l *ledger) {
	group := l.dequeue()
	if len(group) == 0 {
		return // whoever had the turn before took it along
	}
	ctx = context.WithoutCancel(ctx) // from here on the outcome must be known
	for _, p := range group {
		if l.head.Commit < p.base.Commit { // another process committed since this one did
			if l.fresh {
				l.overtaken(s.opts.Now())
			}
			l.head, l.fresh = p.base, true
		}
	}
	g := &grouping{store: s, tenant: tenant, ks: newKeyspace(tenant), ledger: l, left: group}
	if err := g.run(ctx); err != nil {
		g.refuse(err)
	}
	for _, p := range group {
		close(p.done)
	}
}

// grouping is a commit of several drafts in the making.
type grouping struct {
	store  *Store
	tenant graph.Tenant
	ks     keyspace
	ledger *ledger
	left   []*waiter // drafts without an answer
	sent   uint64    // number under which an earlier try may have come through

	refused bool // Dgraph would not take the request
}

// each commits what is left one by one: where a request is refused for the sake of one
// draft, the others need not suffer.
func (g *grouping) each(ctx context.Context) error {
	left := g.left
	g.left, g.sent = nil, 0
	for _, p := range left {
		one := &grouping{store: g.store, tenant: g.tenant, ks: g.ks, ledger: g.ledger, left: []*waiter{p}}
		if err := one.run(ctx); err != nil {
			one.refuse(err)
		}
	}
	return nil
}

// refuse answers err to all that is left.
func (g *grouping) refuse(err error) {
	if g.sent != 0 { // one was sent, and nobody knows whether it happened
		err = fmt.Errorf("%w: %w", graph.ErrUncertain, err)
	}
	for _, p := range g.left {
		p.err = err
	}
	g.left = nil
}

// run commits what is left of the group until all of it has an answer.
//
// A request counts only while the tenant stands where it is expected to. Where the answer
// is lost the outcome is found out: the number either carries the token of the group, or
// another's, or nobody's yet; then the same is sent again, and since both touch the
// tenant's node Dgraph lets one of them through at most.
func (g *grouping) run(ctx context.Context) error {
	s, l := g.store, g.ledger
	var random [16]byte
	if _, err := io.ReadFull(s.opts.Rand, random[:]); err != nil {
		return fmt.Errorf("dgraphstore: randomness for the token of a commit: %w", err)
	}
	token := hex.EncodeToString(random[:])
	until := s.opts.Now().Add(s.opts.Patience)
	var why error
	for n := 1; ; n++ {
		if !l.fresh {
			h, err := s.snapshot().head(ctx, g.tenant)
			if err != nil {
				return err
			}
			l.head, l.fresh = h, true
		}
		if g.sent > 0 && l.head.Commit >= g.sent {
			ours, err := s.carries(ctx, g.ks, g.sent, token)
			if err != nil {
				return err
			}
			if ours {
				g.committed(g.sent, 0)
				return nil
			}
			g.sent = 0
		}
		if g.refused && len(g.left) > 1 {
			return g.each(ctx)
		}
		if n > 1 && s.opts.Now().After(until) {
			return why // of the last try; without one there is no answer to give
		}
		// Behind a lost answer the head is the same, and so is what can be committed.
		if err := g.drop(ctx); err != nil || len(g.left) == 0 {
			return err
		}
		req, err := merge(g.left).request(g.tenant, l.head, token)
		if err != nil {
			return err
		}
		wait := s.opts.Backoff(n)
		out, err := s.send(ctx, n, req)
		switch {
		case err == nil && out.applied:
			g.committed(l.head.Commit+1, out.at)
			return nil
		case err == nil && g.found(out.there):
			continue // with what is left
		case err == nil, aborted(err): // another process was first
			why, wait = graph.ErrConflict, min(wait, raceAgain)
			l.overtaken(s.opts.Now())
		default:
			g.sent, g.refused, why = l.head.Commit+1, !transient(err), err
			s.opts.Logger.Warn("[WRITE] the answer to a commit was lost, finding out", "tenant", g.tenant, "error", err)
		}
		l.fresh = false
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// drop answers errConflict to what of the group lost against a commit behind its
// snapshot, or against what stands before it in the group.
func (g *grouping) drop(ctx context.Context) error {
	wrote := map[mark]struct{}{}
	var kept []*waiter
	for i, p := range g.left {
		lost, err := g.store.lost(ctx, g.ledger, g.ks, p.base.Commit, g.ledger.head.Commit, p.draft.reads)
		if err != nil {
			g.left = append(kept, g.left[i:]...)
			return err
		}
		if lost || meet(p.draft.reads, wrote) {
			p.err = errConflict
			continue
		}
		for m := range p.draft.wrote {
			wrote[m] = struct{}{}
		}
		kept = append(kept, p)
	}
	g.left = kept
	return nil
}

// meet reports whether two sets have a mark in common.
func meet(a, b map[mark]struct{}) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for m := range a {
		if _, ok := b[m]; ok {
			return true
		}
	}
	return false
}

// found answers errThere to what took one of the nodes for missing. It reports whether
// there was any.
func (g *grouping) found(there []string) bool {
	var kept []*waiter
	for _, p := range g.left {
		for _, key := range there {
			if _, ok := p.draft.missing[key]; ok {
				p.err = errThere
			}
		}
		if p.err == nil {
			kept = append(kept, p)
		}
	}
	some := len(kept) < len(g.left)
	g.left = kept
	return some
}

// outcome is what came of a request.
type outcome struct {
	applied bool
	at      uint64   // timestamp of Dgraph's at which it did
	there   []string // nodes and notes that were taken for missing
}

// send sends a request that tries to commit, for the n-th time.
func (s *Store) send(ctx context.Context, n int, req *api.Request) (out outcome, err error) {
	err = s.once(ctx, n, func(ctx context.Context) error {
		res, err := s.client(ctx).NewTxn().Do(ctx, req)
		if err != nil {
			return err
		}
		_, out.applied = res.GetUids()["commit"]
		out.at = res.GetTxn().GetCommitTs()
		var answer struct {
			Nodes []struct{ Key string } `json:"node_there"`
			Notes []struct{ Key string } `json:"note_there"`
		}
		if err := json.Unmarshal(res.GetJson(), &answer); err != nil {
			return fmt.Errorf("dgraphstore: read an answer: %w", err)
		}
		for _, n := range append(answer.Nodes, answer.Notes...) {
			out.there = append(out.there, n.Key)
		}
		return nil
	})
	return out, err
}

// request is a draft as the commit behind a head. Where a tenant has a commit its node
// must still be at the one expected; where it has none there must be no node.
func (d *draft) request(tenant graph.Tenant, h head, token string) (*api.Request, error) {
	ks := newKeyspace(tenant)
	next := d.behind(h)
	changes, err := d.sealChanges(ks.commit(next.Commit), next.Recorded)
	if err != nil {
		return nil, err
	}
	vars := map[string]string{}
	m := &api.Mutation{Del: d.gone}
	node, find, cond := h.UID, "tenant.at", "eq(len(t), 1)"
	if h.Commit == 0 {
		node, find, cond = "_:tenant", "tenant.name", "eq(len(t), 0)"
		vars["$t"] = string(tenant)
		m.Set = append(m.Set, quad(node, "tenant.name", string(tenant)))
	} else {
		vars["$t"] = ks.commit(h.Commit)
	}
	declared, there := "", ""
	var nodes, others []string
	for key := range d.missing {
		if ks.ofNode(key) {
			nodes = append(nodes, key)
		} else {
			others = append(others, key)
		}
	}
	absent := func(name, predicate string, keys []string) {
		if len(keys) == 0 {
			return
		}
		names, named := list(name, keys, vars)
		declared += ", " + names
		there += " " + name + " as var(func: eq(" + predicate + ", " + named + ")) " + name + "_there(func: uid(" + name + ")) { key: " + predicate + " }"
		cond += " AND eq(len(" + name + "), 0)"
	}
	absent("node", places.key, nodes)
	absent("note", notes.key, others)
	m.Cond = "@if(" + cond + ")"
	wrote, _ := marks(d.wrote)
	m.Set = append(m.Set,
		quad(node, "tenant.at", ks.commit(next.Commit)),
		quad(node, "tenant.cursor", int64(next.Cursor)), quad(node, "tenant.recorded", int64(next.Recorded)),
		quad(node, "tenant.oldest", next.Oldest), quad(node, "tenant.newest", next.Newest),
		quad(node, "tenant.memories", next.Memories), quad(node, "tenant.entities", next.Entities), quad(node, "tenant.notes", next.Notes),
		quad("_:commit", "commit.key", ks.commit(next.Commit)), quad("_:commit", "commit.token", token),
		quad("_:commit", "commit.wrote", wrote),
	)
	if changes != "" {
		m.Set = append(m.Set, quad("_:commit", "commit.changes", changes))
	}
	m.Set = append(m.Set, d.set...)
	d.near.add(m, node, h)
	return &api.Request{
		CommitNow: true, Vars: vars, Mutations: []*api.Mutation{m},
		Query: "query q($t: string" + declared + ") { t as var(func: eq(" + find + ", $t)) q(func: uid(t)) { uid }" + there + " }",
	}, nil
}

// behind is where the tenant stands behind the draft.
func (d *draft) behind(h head) head {
	next := h
	next.Commit++
	next.Recorded = max(h.Recorded, d.recorded)
	if n := len(d.changes); n > 0 {
		next.Cursor = cursorOf(next.Commit, n-1)
	}
	if d.oldest != 0 || d.newest != 0 {
		next.Newest = max(h.Newest, d.newest)
		if next.Oldest = d.oldest; h.Newest != 0 {
			next.Oldest = min(h.Oldest, d.oldest)
		}
	}
	next.nearState = d.near.behind(h)
	next.Memories, next.Entities, next.Notes = h.Memories+d.memories, h.Entities+d.entities, h.Notes+d.notes
	return next
}

// committed takes note of a commit of this process and answers the group its cursors.
// The timestamp is 0 where the answer was lost.
func (g *grouping) committed(n, at uint64) {
	s, l, d := g.store, g.ledger, merge(g.left)
	_, wrote := marks(d.wrote)
	l.add(n, wrote)
	recorded := d.behind(l.head).Recorded
	if l.fresh = l.fresh && l.head.Commit+1 == n && l.head.UID != ""; l.fresh {
		l.head = d.behind(l.head)
		l.stands(standing{head: l.head, at: at, since: s.opts.Now()})
		l.remember(n, d.numbered(n, recorded))
	} else { // what stood before the commit is not known for sure
		l.stands(standing{})
		l.forget()
	}
	place := 0
	for _, p := range g.left {
		if place += len(p.draft.changes); len(p.draft.changes) > 0 {
			p.cursor = cursorOf(n, place-1)
		}
	}
	g.left = nil
	if len(d.changes) == 0 {
		return
	}
	s.feeds.committed(g.tenant, cursorOf(n, len(d.changes)-1))
	if s.opts.Committed != nil {
		s.opts.Committed(g.tenant)
	}
}

// carries reports whether the n-th commit of a tenant has the token.
func (s *Store) carries(ctx context.Context, ks keyspace, n uint64, token string) (bool, error) {
	cs, err := s.snapshot().commits(ctx, ks, n, n)
	if err != nil {
		return false, err
	}
	if len(cs) != 1 {
		return false, broken(ks.commit(n), "a commit is missing")
	}
	return cs[0].Token == token, nil
}
