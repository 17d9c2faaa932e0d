package dgraphstore

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
)

// commit gives a draft that was made on a snapshot with the head base its place and makes
// it durable. It answers errConflict where a commit in between wrote what the draft has
// read.
//
// The request counts only while the tenant stands where it is expected to. Where the
// answer is lost the outcome is found out: the number either carries the token of the
// draft, or another's, or nobody's yet; then the same is sent again, and since both
// touch the tenant's node Dgraph lets one of them through at most.
func (s *Store) commit(ctx context.Context, tenant graph.Tenant, base head, d *draft) (graph.Cursor, error) {
	var random [16]byte
	if _, err := io.ReadFull(s.opts.Rand, random[:]); err != nil {
		return 0, fmt.Errorf("dgraphstore: randomness for the token of a commit: %w", err)
	}
	token := hex.EncodeToString(random[:])
	ks := newKeyspace(tenant)
	l := s.ledgers.of(tenant)
	if err := l.take(ctx); err != nil {
		return 0, err
	}
	defer l.give()
	ctx = context.WithoutCancel(ctx) // from here on the outcome must be known
	until := s.opts.Now().Add(s.opts.Patience)
	sent := uint64(0) // number under which an earlier try may have come through
	var why error
	if l.head.Commit < base.Commit { // another process committed since this one did
		l.head, l.fresh = base, true
	}
	for n := 1; ; n++ {
		if !l.fresh {
			h, err := s.snapshot().head(ctx, tenant)
			if err != nil {
				return 0, uncertain(sent, err)
			}
			l.head, l.fresh = h, true
		}
		if sent > 0 && l.head.Commit >= sent {
			ours, err := s.carries(ctx, ks, sent, token)
			if err != nil {
				return 0, uncertain(sent, err)
			}
			if ours {
				return s.committed(tenant, l, sent, d), nil
			}
			sent = 0
		}
		if s.opts.Now().After(until) {
			return 0, uncertain(sent, why)
		}
		lost, err := s.lost(ctx, l, ks, base.Commit, l.head.Commit, d.reads)
		if err != nil {
			return 0, uncertain(sent, err)
		}
		if lost {
			return 0, errConflict
		}
		applied, err := s.send(ctx, tenant, l.head, d, token)
		switch {
		case err == nil && applied:
			return s.committed(tenant, l, l.head.Commit+1, d), nil
		case err == nil, aborted(err): // another process was first
			why = graph.ErrConflict
		default:
			sent, why = l.head.Commit+1, err
			s.opts.Logger.Warn("[WRITE] the answer to a commit was lost, finding out", "tenant", tenant, "error", err)
		}
		l.fresh = false
		if err := pause(ctx, s.opts.Backoff(n)); err != nil {
			return 0, uncertain(sent, err)
		}
	}
}

// uncertain is the error of a commit that ends without an answer: where one was sent
// nobody knows whether it happened.
func uncertain(sent uint64, err error) error {
	if sent == 0 {
		return err
	}
	return fmt.Errorf("%w: %w", graph.ErrUncertain, err)
}

// send tries to commit a draft behind a head. It reports whether the head still stood.
func (s *Store) send(ctx context.Context, tenant graph.Tenant, h head, d *draft, token string) (applied bool, err error) {
	req, err := d.request(tenant, h, token)
	if err != nil {
		return false, err
	}
	err = s.once(ctx, func(ctx context.Context) error {
		res, err := s.dg.NewTxn().Do(ctx, req)
		_, applied = res.GetUids()["commit"]
		return err
	})
	return applied, err
}

// Where a tenant has a commit its node must still be at the one expected; where it has
// none there must be no node.
const (
	behindQuery = `query q($at: string) { t as var(func: eq(tenant.at, $at)) q(func: uid(t)) { uid } }`
	firstQuery  = `query q($name: string) { t as var(func: eq(tenant.name, $name)) q(func: uid(t)) { uid } }`
)

// request is a draft as the commit behind a head.
func (d *draft) request(tenant graph.Tenant, h head, token string) (*api.Request, error) {
	ks := newKeyspace(tenant)
	next := d.behind(h)
	changes, err := d.sealChanges(ks.commit(next.Commit), next.Recorded)
	if err != nil {
		return nil, err
	}
	req := &api.Request{CommitNow: true}
	m := &api.Mutation{Del: d.gone}
	node := h.UID
	if h.Commit == 0 {
		node = "_:tenant"
		req.Query, req.Vars, m.Cond = firstQuery, map[string]string{"$name": string(tenant)}, "@if(eq(len(t), 0))"
		m.Set = append(m.Set, quad(node, "tenant.name", string(tenant)))
	} else {
		req.Query, req.Vars, m.Cond = behindQuery, map[string]string{"$at": ks.commit(h.Commit)}, "@if(eq(len(t), 1))"
	}
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
	req.Mutations = []*api.Mutation{m}
	return req, nil
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

// committed takes note of a commit of this process and answers its cursor.
func (s *Store) committed(tenant graph.Tenant, l *ledger, n uint64, d *draft) graph.Cursor {
	_, wrote := marks(d.wrote)
	l.add(n, wrote)
	if l.fresh = l.fresh && l.head.Commit+1 == n && l.head.UID != ""; l.fresh {
		l.head = d.behind(l.head)
	}
	if len(d.changes) == 0 {
		return 0
	}
	cursor := cursorOf(n, len(d.changes)-1)
	s.feeds.committed(tenant, cursor)
	if s.opts.Committed != nil {
		s.opts.Committed(tenant)
	}
	return cursor
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
