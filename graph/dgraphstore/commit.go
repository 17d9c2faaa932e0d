package dgraphstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/calls"
	"github.com/somnograph/somnograph/graph/dgraphstore/reach"
)

// maxConflictWait limits the wait after a conflict with another process: a process that
// writes all the time leaves short gaps, and a longer wait would miss them.
const maxConflictWait = 30 * time.Millisecond

// commitDraft commits a draft that was made on a snapshot with the head base. It returns
// errConflict if a commit after base wrote what the draft has read, and errRowExists if a
// node exists that the draft assumed to be missing.
//
// The waiting drafts of a tenant are committed in one request: the call that gets the send
// slot sends all of them.
func (s *Store) commitDraft(ctx context.Context, tenant graph.Tenant, base tenantHead, d *draft) (graph.Cursor, error) {
	ledger := s.ledgers.get(tenant)
	waiting := &waitingDraft{baseHead: base, draft: d, done: make(chan struct{})}
	ledger.enqueue(waiting)
	alive := s.aliveFor(ctx)
	for {
		select {
		case <-waiting.done:
			return waiting.cursor, waiting.err
		case ledger.sendSlot <- struct{}{}:
			done := make(chan struct{})
			s.goroutines.Go(func() { // a caller whose deadline passes does not wait for the outcome
				defer close(done)
				s.commitWaiting(ctx, tenant, ledger)
				<-ledger.sendSlot
			})
			select {
			case <-done:
			case <-alive.Done():
			}
		case <-alive.Done():
			if ledger.withdraw(waiting) {
				return 0, errNoAlpha()
			}
			return 0, fmt.Errorf("%w: %w", graph.ErrUncertain, errNoAlpha()) // the outcome is found out in the background
		case <-ctx.Done():
			if ledger.withdraw(waiting) {
				return 0, ctx.Err()
			}
			<-waiting.done // it was sent: wait for the outcome
			return waiting.cursor, waiting.err
		}
	}
}

// commitWaiting commits the waiting drafts that fit into one request, and sets their results.
func (s *Store) commitWaiting(ctx context.Context, tenant graph.Tenant, ledger *commitLedger) {
	group := ledger.dequeue()
	if len(group) == 0 {
		return // an earlier holder of the slot sent it
	}
	ctx = context.WithoutCancel(ctx) // from here on the outcome must be known
	for _, waiting := range group {
		if ledger.head.Commit < waiting.baseHead.Commit { // another process committed after this one
			if ledger.headFresh {
				ledger.noteForeignCommit(s.options.Now())
			}
			ledger.head, ledger.headFresh = waiting.baseHead, true
		}
	}
	g := &groupCommit{store: s, tenant: tenant, ks: newKeyspace(tenant), ledger: ledger, pending: group}
	if err := g.run(ctx); err != nil {
		g.failPending(err)
	}
	for _, waiting := range group {
		close(waiting.done)
	}
}

// groupCommit is a commit of several drafts.
type groupCommit struct {
	store         *Store
	tenant        graph.Tenant
	ks            keyspace
	ledger        *commitLedger
	pending       []*waitingDraft // drafts without a result
	unknownCommit uint64          // number that an earlier try may have committed

	refused bool // Dgraph refused the request
}

// commitEach commits the pending drafts one by one: if Dgraph refuses the request because of
// one draft, the others still commit.
func (g *groupCommit) commitEach(ctx context.Context) error {
	left := g.pending
	g.pending, g.unknownCommit = nil, 0
	for _, waiting := range left {
		one := &groupCommit{store: g.store, tenant: g.tenant, ks: g.ks, ledger: g.ledger, pending: []*waitingDraft{waiting}}
		if err := one.run(ctx); err != nil {
			one.failPending(err)
		}
	}
	return nil
}

// failPending sets err as the result of all pending drafts.
func (g *groupCommit) failPending(err error) {
	if g.unknownCommit != 0 { // one was sent, and its outcome is unknown
		err = fmt.Errorf("%w: %w", graph.ErrUncertain, err)
	}
	for _, waiting := range g.pending {
		waiting.err = err
	}
	g.pending = nil
}

// run commits the pending drafts until each has a result.
//
// A request takes effect only if the tenant is at the expected commit. If the answer is
// lost, run reads the commit with that number. It has either the token of this group, or
// that of another one, or it does not exist; in the last case the same request is sent
// again. Both requests write the tenant's node, so Dgraph lets at most one of them commit.
func (g *groupCommit) run(ctx context.Context) error {
	s, ledger := g.store, g.ledger
	token, err := s.commitToken()
	if err != nil {
		return err
	}
	until := s.options.Now().Add(s.options.RetryFor)
	var lastErr error
	for n := 1; ; n++ {
		if !ledger.headFresh {
			head, err := s.newSnapshot().readHead(ctx, g.tenant)
			if err != nil {
				return err
			}
			ledger.head, ledger.headFresh = head, true
		}
		if g.unknownCommit > 0 && ledger.head.Commit >= g.unknownCommit {
			ours, err := s.hasToken(ctx, g.ks, g.unknownCommit, token)
			if err != nil {
				return err
			}
			if ours {
				g.recordCommit(g.unknownCommit, 0)
				return nil
			}
			g.unknownCommit = 0
		}
		if err := s.checkOwn(ctx, g.ks, ledger, ledger.head.Commit); err != nil {
			return err
		}
		if g.refused && len(g.pending) > 1 {
			return g.commitEach(ctx)
		}
		if n > 1 && s.options.Now().After(until) {
			return lastErr // of the last try
		}
		// After a lost answer the head is the same, and so are the drafts that can commit.
		if err := g.failConflicts(ctx); err != nil || len(g.pending) == 0 {
			return err
		}
		req, err := mergeDrafts(g.pending).commitRequest(g.tenant, ledger.head, token)
		if err != nil {
			return err
		}
		wait := s.options.Backoff(n)
		out, err := s.sendCommit(ctx, n, req)
		switch {
		case err == nil && out.applied:
			g.recordCommit(ledger.head.Commit+1, out.commitTs)
			return nil
		case err == nil && g.failExisting(out.existing):
			continue // with the remaining drafts
		case err == nil, reach.IsAborted(err): // another process committed first
			lastErr, wait = graph.ErrConflict, min(wait, maxConflictWait)
			ledger.noteForeignCommit(s.options.Now())
		default:
			g.unknownCommit, g.refused, lastErr = ledger.head.Commit+1, !reach.IsTransient(err), err
			s.options.Logger.Warn("[WRITE] the answer to a commit was lost; checking whether the commit succeeded", "tenant", g.tenant, "error", err)
		}
		ledger.headFresh = false
		if err := calls.Pause(ctx, wait); err != nil {
			return err
		}
	}
}

// failConflicts sets errConflict for the drafts that lost against a commit after their
// snapshot, or against an earlier draft of the group.
func (g *groupCommit) failConflicts(ctx context.Context) error {
	written := map[keyHash]struct{}{}
	var remaining []*waitingDraft
	for i, waiting := range g.pending {
		lost, err := g.store.conflicts(ctx, g.ledger, g.ks, waiting.baseHead.Commit, g.ledger.head.Commit, waiting.draft.readKeys)
		if err != nil {
			g.pending = append(remaining, g.pending[i:]...)
			return err
		}
		if lost || keysIntersect(waiting.draft.readKeys, written) {
			waiting.err = errConflict
			continue
		}
		for m := range waiting.draft.writtenKeys {
			written[m] = struct{}{}
		}
		remaining = append(remaining, waiting)
	}
	g.pending = remaining
	return nil
}

// keysIntersect reports whether two sets have a key in common.
func keysIntersect(a, b map[keyHash]struct{}) bool {
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

// failExisting sets errRowExists for the drafts that assumed one of the nodes to be missing.
// It reports whether there was any.
func (g *groupCommit) failExisting(existing []string) bool {
	var remaining []*waitingDraft
	for _, waiting := range g.pending {
		for _, key := range existing {
			if _, ok := waiting.draft.missing[key]; ok {
				waiting.err = errRowExists
			}
		}
		if waiting.err == nil {
			remaining = append(remaining, waiting)
		}
	}
	some := len(remaining) < len(g.pending)
	g.pending = remaining
	return some
}

// commitOutcome is the result of a request.
type commitOutcome struct {
	applied  bool
	commitTs uint64   // Dgraph's timestamp of the commit
	existing []string // nodes and notes that were assumed to be missing
}

// sendCommit sends a request that tries to commit, for the n-th time.
func (s *Store) sendCommit(ctx context.Context, n int, req *api.Request) (out commitOutcome, err error) {
	err = s.tryOnce(ctx, n, func(ctx context.Context) error {
		res, err := s.clientFor(ctx).NewTxn().Do(ctx, req)
		if err != nil {
			return err
		}
		_, out.applied = res.GetUids()["commit"]
		out.commitTs = res.GetTxn().GetCommitTs()
		var answer struct {
			Nodes []struct{ Key string } `json:"node_there"`
			Notes []struct{ Key string } `json:"note_there"`
		}
		if err := json.Unmarshal(res.GetJson(), &answer); err != nil {
			return fmt.Errorf("dgraphstore: decode a response: %w", err)
		}
		for _, n := range append(answer.Nodes, answer.Notes...) {
			out.existing = append(out.existing, n.Key)
		}
		return nil
	})
	return out, err
}

// commitRequest is the request for a draft as the commit after a head. The tenant's node
// must be at the expected commit, and must not exist if the tenant has no commit.
func (d *draft) commitRequest(tenant graph.Tenant, head tenantHead, token string) (*api.Request, error) {
	ks := newKeyspace(tenant)
	next := d.headAfter(head)
	changes, err := d.encodeChanges(ks.commitKey(next.Commit), next.Recorded)
	if err != nil {
		return nil, err
	}
	rows, err := d.encodeRows(ks.commitKey(next.Commit))
	if err != nil {
		return nil, err
	}
	vars := map[string]string{}
	mutation := &api.Mutation{Del: d.deleted}
	node, find, cond := head.UID, "tenant.at", "eq(len(t), 1)"
	if head.Commit == 0 {
		node, find, cond = "_:tenant", "tenant.name", "eq(len(t), 0)"
		vars["$t"] = string(tenant)
		mutation.Set = append(mutation.Set, quad(node, "tenant.name", string(tenant)))
	} else {
		vars["$t"] = ks.commitKey(head.Commit)
	}
	declared, existing := "", ""
	var nodes, others []string
	for key := range d.missing {
		if ks.isNodeKey(key) {
			nodes = append(nodes, key)
		} else {
			others = append(others, key)
		}
	}
	absent := func(name, predicate string, keys []string) {
		if len(keys) == 0 {
			return
		}
		names, named := variables(name, keys, vars)
		declared += ", " + names
		existing += " " + name + " as var(func: eq(" + predicate + ", " + named + ")) " + name + "_there(func: uid(" + name + ")) { key: " + predicate + " }"
		cond += " AND eq(len(" + name + "), 0)"
	}
	absent("node", bareNodes.key, nodes)
	absent("note", notes.key, others)
	mutation.Cond = "@if(" + cond + ")"
	wrote, _ := encodeKeyHashes(d.writtenKeys)
	mutation.Set = append(mutation.Set,
		quad(node, "tenant.at", ks.commitKey(next.Commit)),
		quad(node, "tenant.cursor", int64(next.Cursor)), quad(node, "tenant.recorded", int64(next.Recorded)),
		quad(node, "tenant.oldest", next.Oldest), quad(node, "tenant.newest", next.Newest),
		quad(node, "tenant.memories", next.Memories), quad(node, "tenant.entities", next.Entities), quad(node, "tenant.notes", next.Notes),
		quad("_:commit", "commit.key", ks.commitKey(next.Commit)), quad("_:commit", "commit.token", token),
		quad("_:commit", "commit.wrote", wrote),
	)
	if changes != "" {
		mutation.Set = append(mutation.Set, quad("_:commit", "commit.changes", changes))
	}
	if rows != "" {
		mutation.Set = append(mutation.Set, quad("_:commit", "commit.rows", rows))
	}
	if next.ringMark != head.ringMark {
		mutation.Set = append(mutation.Set, quad(node, "tenant.sealed", int64(next.Highest)), quad(node, "tenant.generation", int64(next.Generation)), quad(node, "tenant.first", int64(next.First)))
	}
	d.addRetired(mutation, ks, ks.commitKey(next.Commit))
	mutation.Set = append(mutation.Set, d.set...)
	d.vectorIndex.addTo(mutation, node, head)
	return &api.Request{
		CommitNow: true, Vars: vars, Mutations: []*api.Mutation{mutation},
		Query: "query q($t: string" + declared + ") { t as var(func: eq(" + find + ", $t)) q(func: uid(t)) { uid }" + existing + " }",
	}, nil
}

// headAfter is the head of the tenant after the draft.
func (d *draft) headAfter(head tenantHead) tenantHead {
	next := head
	next.Commit++
	next.Recorded = max(head.Recorded, d.recorded)
	if n := len(d.changes); n > 0 {
		next.Cursor = cursorOf(next.Commit, n-1)
	}
	if d.hasIDs {
		next.Newest = max(head.Newest, d.newest)
		// Ids of sessions begin with 0, so that the head of a tenant with ids may be 0.
		if next.Oldest = d.oldest; head.Newest != 0 || head.Memories+head.Entities+head.Notes > 0 {
			next.Oldest = min(head.Oldest, d.oldest)
		}
	}
	next.vectorIndexState = d.vectorIndex.stateAfter(head)
	next.ringMark = d.afterMark(head.ringMark)
	next.Memories, next.Entities, next.Notes = head.Memories+d.memoriesAdded, head.Entities+d.entitiesAdded, head.Notes+d.notesAdded
	return next
}

// recordCommit records a commit of this process and sets the cursors of the group.
// The timestamp is 0 if the answer was lost.
func (g *groupCommit) recordCommit(n, at uint64) {
	s, ledger, d := g.store, g.ledger, mergeDrafts(g.pending)
	_, wrote := encodeKeyHashes(d.writtenKeys)
	ledger.addWrites(n, wrote)
	if ledger.ownUntil == n-1 {
		ledger.ownUntil = n
	}
	recorded := d.headAfter(ledger.head).Recorded
	if ledger.headFresh = ledger.headFresh && ledger.head.Commit+1 == n && ledger.head.UID != ""; ledger.headFresh {
		ledger.head = d.headAfter(ledger.head)
		ledger.setLastCommit(knownCommit{head: ledger.head, readTs: at, seenAt: s.options.Now()})
		ledger.addOwnChanges(n, d.withCursors(n, recorded))
	} else { // the head before the commit is not known for sure
		ledger.setLastCommit(knownCommit{})
		ledger.forgetChanges()
	}
	place := 0
	for _, waiting := range g.pending {
		if place += len(waiting.draft.changes); len(waiting.draft.changes) > 0 {
			waiting.cursor = cursorOf(n, place-1)
		}
	}
	g.pending = nil
	if len(d.changes) == 0 {
		return
	}
	s.feeds.get(g.tenant).advance(cursorOf(n, len(d.changes)-1))
	if s.options.OnCommit != nil {
		s.options.OnCommit(g.tenant)
	}
}

// hasToken reports whether the n-th commit of a tenant has the token.
func (s *Store) hasToken(ctx context.Context, ks keyspace, n uint64, token string) (bool, error) {
	cs, err := s.newSnapshot().readCommits(ctx, ks, n, n)
	if err != nil {
		return false, err
	}
	if len(cs) != 1 {
		return false, integrityError(ks.commitKey(n), "a commit is missing")
	}
	return cs[0].Token == token, nil
}
