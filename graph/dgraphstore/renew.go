package dgraphstore

import (
	"context"
	"errors"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
)

// errNotSealed is returned for a store without keys.
var errNotSealed = graph.Errorf(graph.CodeInvalidRequest, "the store is not sealed: it has no keys to replace")

// renewBatch is how many rows one transaction seals again.
const renewBatch = 100

// RotateMaster replaces the key that seals the keys of all tenants.
func (s *Store) RotateMaster(ctx context.Context) error {
	if err := s.calls.Begin(ctx); err != nil {
		return err
	}
	defer s.calls.End()
	if s.keys == nil {
		return errNotSealed
	}
	return s.keys.RotateMaster()
}

// RotateKey replaces the key that seals the data keys of a tenant.
func (s *Store) RotateKey(ctx context.Context, scope graph.Scope) error {
	ring, end, err := s.beginRotation(ctx, scope)
	if err != nil {
		return err
	}
	defer end()
	if err := ring.RotateKey(); err != nil {
		return err
	}
	return s.noteMark(ctx, scope.Tenant, keyring.Mark{Generation: ring.Generation()})
}

// beginRotation begins a call that replaces keys of a tenant.
func (s *Store) beginRotation(ctx context.Context, scope graph.Scope) (*keyring.Ring, func(), error) {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return nil, nil, err
	}
	ring, err := s.Ring(scope.Tenant)
	if err == nil && ring == nil {
		err = errNotSealed
	}
	if err != nil {
		s.calls.End()
		return nil, nil, err
	}
	return ring, s.calls.End, nil
}

// noteMark commits what the cluster has to know of the keys of a tenant. A tenant without a commit needs to know nothing.
func (s *Store) noteMark(ctx context.Context, t graph.Tenant, m keyring.Mark) error {
	_, err := s.update(ctx, t, func(t tx) error {
		head, err := t.tenantHead()
		if err != nil || head.Commit == 0 {
			return err
		}
		t.writes.mark = m
		return t.guardKey(onShred)
	})
	return err
}

// RenewRows seals every row and vector of a tenant again, under new data keys, and reports how many of about how many rows are
// done. It returns the number of the first new key, for EndRenewal; 0: the tenant has no keys. Reads and writes go
// on. A call after an interruption goes on.
func (s *Store) RenewRows(ctx context.Context, scope graph.Scope, progress func(done, total int)) (first uint64, err error) {
	ring, end, err := s.beginRotation(ctx, scope)
	if err != nil {
		return 0, err
	}
	defer end()
	if first, err = ring.BeginRenewal(); err != nil || first == 0 {
		return 0, err
	}
	// A transaction that began before may still write a row under a former key, also one whose outcome is unknown yet: it
	// holds the send slot.
	if err := s.reads.Wait(ctx, 0); err != nil {
		return 0, err
	}
	if err := s.checkHead(ctx, scope.Tenant, 0); err != nil {
		return 0, err
	}
	done := 0
	for _, kind := range []*rowKind{memories, entities, relations, requests, notes, settings} {
		var old []string
		seen := 0
		err := s.eachSealed(ctx, newKeyspace(scope.Tenant), kind, func(row storedSeal) error {
			seen++
			number, err := vectorKeyNumber(row.Key, row.VectorKey)
			if err != nil {
				return err
			}
			if n := row.number(); n != 0 && n < first || number != 0 && number < first {
				old = append(old, row.Key)
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
		done += seen - len(old)
		for some := range slices.Chunk(old, renewBatch) {
			if _, err := s.update(ctx, scope.Tenant, func(t tx) error { return t.renewRows(kind, some) }); err != nil {
				return 0, err
			}
			done += len(some)
			progress(done, done)
		}
	}
	return first, s.noteMark(ctx, scope.Tenant, keyring.Mark{First: first})
}

// renewRows writes rows unchanged, so that they are sealed again. The draft gives them new keys.
func (t tx) renewRows(kind *rowKind, keys []string) error {
	if _, err := t.readRows(kind, keys...); err != nil { // all at once
		return err
	}
	for _, key := range keys {
		if err := t.renewRow(kind, key); err != nil {
			return err
		}
	}
	return nil
}

func (t tx) renewRow(kind *rowKind, key string) error {
	record, stored, err := t.readRecord(kind, key)
	if err != nil || record == "" {
		return err
	}
	// The keys on which the writes of the kind conflict; a draft also conflicts on that of what it deletes.
	switch kind.name {
	case "request":
		err = t.guardKey(onRequest, key)
	case "note":
		err = t.guardKey(onNote, key)
	case "setting":
		err = t.guardKey(onSetting, key)
	default:
		var id graph.ID
		if id, err = t.ks.parseID(key); err != nil {
			return err
		}
		what := map[string]string{"memory": onMemory, "entity": onEntity, "relation": onRelation}[kind.name]
		if err = t.guardKey(what, string(id)); err == nil && stored.VectorKey != "" {
			err = t.renewVector(id)
		}
	}
	if err != nil {
		return err
	}
	return t.putRow(kind, key, record)
}

// renewVector writes a vector unchanged.
func (t tx) renewVector(id graph.ID) error {
	v, err := t.Embedding(id)
	if known, err := graph.Found(err); !known || err != nil {
		return err
	}
	if err := t.guardKey(onEmbedding, string(id)); err != nil {
		return err
	}
	t.writes.vectors[id] = v
	return t.writes.addBytes(4 * len(v))
}

// EndRenewal destroys the data keys of a tenant below the first new one, when no read needs them any more. Earlier
// copies of the cluster can't be read afterwards.
func (s *Store) EndRenewal(ctx context.Context, scope graph.Scope, first uint64) error {
	ring, end, err := s.beginRotation(ctx, scope)
	if err != nil {
		return err
	}
	defer end()
	if err := s.checkRenewed(ctx, scope.Tenant, first); err != nil {
		return err
	}
	if err := s.reads.Wait(ctx, 0); err != nil {
		return err
	}
	if _, err := s.shred(ctx, scope.Tenant, shredGrace, func(retiredList) bool { return true }); err != nil {
		return err
	}
	if err := ring.EndRenewal(first); err != nil {
		return err
	}
	return s.noteMark(ctx, scope.Tenant, keyring.Mark{Generation: ring.Generation()})
}

// checkRenewed returns an error if a row needs a key below the first new one.
func (s *Store) checkRenewed(ctx context.Context, t graph.Tenant, first uint64) error {
	for _, kind := range []*rowKind{memories, entities, relations, requests, notes, settings} {
		err := s.eachSealed(ctx, newKeyspace(t), kind, func(row storedSeal) error {
			number, err := vectorKeyNumber(row.Key, row.VectorKey)
			if n := row.number(); err == nil && (n != 0 && n < first || number != 0 && number < first) {
				err = errors.New("dgraphstore: rows are still sealed with former keys; replace the keys again")
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
