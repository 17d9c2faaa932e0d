package dgraphstore

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// CountUses adds one use at the instant to each memory; unknown and FORGOTTEN ids are
// passed over. A call is one small node beside the memories, so that counting waits for
// no commit and no commit for it; fold.go counts it into the memories later.
func (s *Store) CountUses(ctx context.Context, scope graph.Scope, ids []graph.ID, at time.Time) error {
	if at.IsZero() {
		return graph.FieldError(graph.CodeInvalidRequest, "at", "is required")
	}
	if err := s.admit(ctx, scope); err != nil {
		return err
	}
	defer s.leave()
	ks := newKeyspace(scope.Tenant)
	var keys []string
	for _, id := range ids {
		if key := ks.node(id); id.Valid() && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for some := range slices.Chunk(keys, chunk) {
		if err := s.countUses(ctx, ks, some, graph.Millis(at)); err != nil {
			return err
		}
	}
	if len(keys) > 0 {
		s.folds.want(scope.Tenant)
	}
	return nil
}

// countUses writes the node of one call. Its token makes it safe to send again.
func (s *Store) countUses(ctx context.Context, ks keyspace, keys []string, at time.Time) error {
	var random [16]byte
	if _, err := io.ReadFull(s.opts.Rand, random[:]); err != nil {
		return fmt.Errorf("dgraphstore: randomness for the token of a use: %w", err)
	}
	token := string(ks) + hex.EncodeToString(random[:])
	vars := map[string]string{"$token": token}
	declared, named := list("k", keys, vars)
	req := func() *api.Request {
		return &api.Request{
			CommitNow: true, Vars: vars,
			Query: "query q($token: string, " + declared + `) { d as var(func: eq(use.token, $token))
				m as var(func: eq(node.key, ` + named + `)) @filter(has(memory.record) AND NOT eq(memory.status, "FORGOTTEN")) }`,
			Mutations: []*api.Mutation{{
				Cond: "@if(eq(len(d), 0) AND gt(len(m), 0))",
				Set: []*api.NQuad{
					quad("_:use", "use.token", token), quad("_:use", "use.tenant", string(ks)), quad("_:use", "use.at", int64(wire.StampOf(at))),
					{Subject: "_:use", Predicate: "use.of", ObjectId: "uid(m)"},
				},
			}},
		}
	}
	for n := 1; ; n++ {
		err := s.retry(ctx, func(ctx context.Context) error {
			_, err := s.dg.NewTxn().Do(ctx, req())
			return err
		})
		if !aborted(err) {
			return err
		}
		if n > retries {
			return graph.ErrConflict
		}
		if err := pause(ctx, s.opts.Backoff(n)); err != nil {
			return err
		}
	}
}

// folds are the tenants with uses that wait to be folded.
type folds struct {
	mu      sync.Mutex
	waiting map[graph.Tenant]bool
}

func (f *folds) init() { f.waiting = map[graph.Tenant]bool{} }

func (f *folds) want(t graph.Tenant) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting[t] = true
}

// take answers the tenants and forgets them.
func (f *folds) take() []graph.Tenant {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []graph.Tenant
	for t := range f.waiting {
		all = append(all, t)
	}
	f.waiting = map[graph.Tenant]bool{}
	slices.Sort(all)
	return all
}

// findUses finds what a process left that ended before it folded.
func (s *Store) findUses(ctx context.Context) error {
	var answer struct{ Q []struct{ Tenant string } }
	if err := s.snapshot().ask(ctx, `{ q(func: has(use.tenant), first: 10000) { tenant: use.tenant } }`, nil, &answer); err != nil {
		return err
	}
	for _, q := range answer.Q {
		s.folds.want(graph.Tenant(q.Tenant[:len(q.Tenant)-1]))
	}
	return nil
}

// foldInTime folds what was counted, until the store is closed.
func (s *Store) foldInTime() {
	ticker := time.NewTicker(s.opts.FoldEvery)
	defer ticker.Stop()
	for {
		select {
		case <-s.background.Done():
			return
		case <-ticker.C:
		}
		if err := s.foldAll(s.background); err != nil && s.background.Err() == nil {
			s.opts.Logger.Warn("[WRITE] usage counts wait to be folded", "error", err)
		}
	}
}

// foldAll folds what every tenant counted. What can't be folded now waits.
func (s *Store) foldAll(ctx context.Context) error {
	var errs []error
	for _, t := range s.folds.take() {
		if err := s.fold(ctx, t); err != nil {
			s.folds.want(t)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
