package dgraphstore

import (
	"context"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"
)

//go:embed schema.dql
var firstSchema string

//go:embed schema2.dql
var secondSchema string

//go:embed schema3.dql
var thirdSchema string

// migrations are the schemas in order; each only adds to those before it, so that
// servers of two versions can work on one cluster while it is brought up to date. What
// was released is never changed.
var migrations = []string{firstSchema, secondSchema, thirdSchema}

// lockSchema is what the lock around migrations needs. It is altered before the lock
// can be held, which is safe because it is always the same.
const lockSchema = `
schema.name: string @index(exact) @upsert .
schema.version: int .
schema.holder: string .
schema.until: int .
`

const (
	schemaName  = "somnograph"
	nobody      = "-"         // holds the lock when it is free
	migratesFor = time.Minute // after it the lock of a server that fell silent is taken over
)

// schemaState is the node that says how far the schema is.
type schemaState struct {
	UID     string `json:"uid"`
	Name    string `json:"name"`
	Version int    `json:"version"`
	Holder  string `json:"holder"`
	Until   int64  `json:"until"` // milliseconds since 1970
}

// schemaQuery must do on a cluster that knows no predicate of ours yet: has needs no index.
const schemaQuery = `{ q(func: has(schema.name)) { uid name: schema.name version: schema.version holder: schema.holder until: schema.until } }`

// migrate brings the schema to the version of this program. One server at a time does
// so. The lock runs out, so that a server that died in the middle stops nobody; that
// two do the same after all is harmless, since a migration only adds.
func (s *Store) migrate(ctx context.Context) error {
	var random [16]byte
	if _, err := io.ReadFull(s.opts.Rand, random[:]); err != nil {
		return fmt.Errorf("dgraphstore: randomness for the lock of the schema: %w", err)
	}
	me := hex.EncodeToString(random[:])
	for n := 1; ; n++ {
		state, err := s.schemaState(ctx)
		if err != nil {
			return err
		}
		switch {
		case state.Version > len(migrations):
			return fmt.Errorf("dgraphstore: the schema of the cluster has version %d, this program knows %d: it is too old", state.Version, len(migrations))
		case state.Version == len(migrations):
			return nil
		}
		if state.UID == "" {
			if err := s.alter(ctx, lockSchema); err != nil {
				return err
			}
		}
		mine, err := s.lockSchema(ctx, state, me)
		if err != nil {
			return err
		}
		if mine {
			return s.migrateFrom(ctx, state.Version, me)
		}
		if err := pause(ctx, s.opts.Backoff(min(n, 8))); err != nil {
			return err
		}
	}
}

// schemaState reads how far the schema is; the zero state is that of a new cluster.
func (s *Store) schemaState(ctx context.Context) (schemaState, error) {
	var answer struct{ Q []schemaState }
	err := s.snapshot().ask(ctx, schemaQuery, nil, &answer)
	return s.mine(answer.Q), err
}

// mine is the state of this store's schema among all.
func (s *Store) mine(states []schemaState) schemaState {
	for _, state := range states {
		if state.Name == s.schema {
			return state
		}
	}
	return schemaState{}
}

// alter adds to the schema. Dgraph refuses while it builds an index, so it is tried again.
func (s *Store) alter(ctx context.Context, schema string) error {
	err := s.retry(ctx, func(ctx context.Context) error {
		return s.client(ctx).Alter(ctx, &api.Operation{Schema: schema})
	})
	if err != nil {
		return fmt.Errorf("dgraphstore: alter the schema: %w", err)
	}
	return nil
}

// lockSchema takes the lock where nobody holds it, or who held it fell silent.
func (s *Store) lockSchema(ctx context.Context, seen schemaState, me string) (bool, error) {
	now := s.opts.Now()
	if seen.Holder != "" && seen.Holder != nobody && now.UnixMilli() < seen.Until {
		return false, nil
	}
	return s.writeSchema(ctx, seen.Holder, schemaState{Version: seen.Version, Holder: me, Until: now.Add(migratesFor).UnixMilli()})
}

// writeSchema puts the state in place if the lock is still held by whom it is expected
// to be; "" stands for no state at all.
func (s *Store) writeSchema(ctx context.Context, holder string, next schemaState) (bool, error) {
	written := false
	err := s.retry(ctx, func(ctx context.Context) error {
		txn := s.client(ctx).NewTxn()
		defer func() { _ = txn.Discard(ctx) }() // it has ended, or the server ends it
		res, err := txn.Query(ctx, schemaQuery)
		if err != nil {
			return err
		}
		var answer struct{ Q []schemaState }
		if err := json.Unmarshal(res.GetJson(), &answer); err != nil {
			return fmt.Errorf("dgraphstore: read an answer: %w", err)
		}
		node := "_:schema"
		switch stands := s.mine(answer.Q); {
		case stands.Holder == next.Holder: // an earlier try came through
			written = true
			return nil
		case stands.Holder != holder:
			return nil
		case stands.UID != "":
			node = stands.UID
		}
		_, err = txn.Mutate(ctx, &api.Mutation{CommitNow: true, Set: []*api.NQuad{
			quad(node, "schema.name", s.schema), quad(node, "schema.holder", next.Holder),
			quad(node, "schema.version", int64(next.Version)), quad(node, "schema.until", next.Until),
		}})
		if aborted(err) {
			return nil
		}
		written = err == nil
		return err
	})
	return written, err
}

// migrateFrom runs the migrations behind a version and gives the lock back.
func (s *Store) migrateFrom(ctx context.Context, version int, me string) error {
	for ; version < len(migrations); version++ {
		if err := s.alter(ctx, migrations[version]); err != nil {
			return err
		}
	}
	mine, err := s.writeSchema(ctx, me, schemaState{Version: version, Holder: nobody})
	if err == nil && !mine {
		err = errors.New("dgraphstore: another server took over the migration of the schema; start again")
	}
	return err
}
