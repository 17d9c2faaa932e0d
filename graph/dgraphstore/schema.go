package dgraphstore

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph/calls"
	"github.com/somnograph/somnograph/graph/dgraphstore/reach"
)

//go:embed schema.dql
var firstSchema string

//go:embed schema2.dql
var secondSchema string

//go:embed schema3.dql
var thirdSchema string

//go:embed schema4.dql
var fourthSchema string

//go:embed schema5.dql
var fifthSchema string

//go:embed sealed.dql
var sealedSchema string

// sealedVersions is added to the version of the schema of a sealed cluster, so that programs that know of no seal refuse it.
const sealedVersions = 1000

// migrations are the schemas in order. Each only adds to the previous ones, so that servers
// of two versions can work on one cluster during an upgrade. A released migration is never
// changed.
var migrations = []string{firstSchema, secondSchema, thirdSchema, fourthSchema, fifthSchema}

// schemaOfLock is the schema of the lock around migrations. It is set before the lock can
// be held, which is safe because it never changes.
const schemaOfLock = `
schema.name: string @index(exact) @upsert .
schema.version: int .
schema.holder: string .
schema.until: int .
`

const (
	defaultSchemaName = "somnograph"
	noHolder          = "-"         // holder of a free lock
	schemaLockTTL     = time.Minute // after which the lock of a silent server is taken over
)

// schemaState is the node with the version of the schema and the lock.
type schemaState struct {
	UID     string `json:"uid"`
	Name    string `json:"name"`
	Version int    `json:"version"`
	Holder  string `json:"holder"`
	Until   int64  `json:"until"` // milliseconds since 1970
	Seal    string `json:"seal"`  // of a sealed cluster
}

// migrations is how many migrations the cluster has had.
func (state schemaState) migrations() int { return state.Version % sealedVersions }

// schemaQuery must work on a cluster without our predicates: has needs no index.
const schemaQuery = `{ q(func: has(schema.name)) { uid name: schema.name version: schema.version holder: schema.holder until: schema.until seal: schema.seal } }`

// migrate brings the schema to the version of this program. One server at a time does so.
// The lock expires, so that a server that died stops nobody. Two servers that migrate at
// once do no harm, since a migration only adds.
func (s *Store) migrate(ctx context.Context) error {
	me, err := s.randomToken()
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		state, err := s.schemaState(ctx)
		if err != nil {
			return err
		}
		switch {
		case state.migrations() > len(migrations):
			return fmt.Errorf("dgraphstore: the schema of the cluster has version %d, newer than %d: this program is too old", state.migrations(), len(migrations))
		case state.migrations() == len(migrations):
			return nil
		}
		if state.UID == "" {
			if err := s.alterSchema(ctx, schemaOfLock); err != nil {
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
		if err := calls.Pause(ctx, s.options.Backoff(min(n, 8))); err != nil {
			return err
		}
	}
}

// schemaState reads the state of the schema; it is zero for a new cluster.
func (s *Store) schemaState(ctx context.Context) (schemaState, error) {
	var answer struct{ Q []schemaState }
	err := s.newSnapshot().runQuery(ctx, schemaQuery, nil, &answer)
	return s.ownState(answer.Q), err
}

// ownState is the state of this store's schema among all.
func (s *Store) ownState(states []schemaState) schemaState {
	for _, state := range states {
		if state.Name == s.schemaName {
			return state
		}
	}
	return schemaState{}
}

// alterSchema adds to the schema. Dgraph refuses while it builds an index, so it is retried.
func (s *Store) alterSchema(ctx context.Context, schema string) error {
	err := s.retry(ctx, func(ctx context.Context) error {
		return s.clientFor(ctx).Alter(ctx, &api.Operation{Schema: schema})
	})
	if err != nil {
		return fmt.Errorf("dgraphstore: alter the schema: %w", err)
	}
	return nil
}

// lockSchema takes the lock if it is free or its holder is silent.
func (s *Store) lockSchema(ctx context.Context, seen schemaState, me string) (bool, error) {
	now := s.options.Now()
	if seen.Holder != "" && seen.Holder != noHolder && now.UnixMilli() < seen.Until {
		return false, nil
	}
	return s.writeSchema(ctx, seen.Holder, schemaState{Version: seen.Version, Holder: me, Until: now.Add(schemaLockTTL).UnixMilli()})
}

// writeSchema writes the state if the lock still has the expected holder; "" means that
// there is no state yet.
func (s *Store) writeSchema(ctx context.Context, holder string, next schemaState) (bool, error) {
	written := false
	err := s.retry(ctx, func(ctx context.Context) error {
		txn := s.clientFor(ctx).NewTxn()
		defer func() { _ = txn.Discard(ctx) }() // it has ended, or the server ends it
		res, err := txn.Query(ctx, schemaQuery)
		if err != nil {
			return err
		}
		var answer struct{ Q []schemaState }
		if err := json.Unmarshal(res.GetJson(), &answer); err != nil {
			return fmt.Errorf("dgraphstore: decode a response: %w", err)
		}
		node := "_:schema"
		switch state := s.ownState(answer.Q); {
		case state.Holder == next.Holder: // an earlier try succeeded
			written = true
			return nil
		case state.Holder != holder:
			return nil
		case state.UID != "":
			node = state.UID
		}
		_, err = txn.Mutate(ctx, &api.Mutation{CommitNow: true, Set: []*api.NQuad{
			quad(node, "schema.name", s.schemaName), quad(node, "schema.holder", next.Holder),
			quad(node, "schema.version", int64(next.Version)), quad(node, "schema.until", next.Until),
		}})
		if reach.IsAborted(err) {
			return nil
		}
		written = err == nil
		return err
	})
	return written, err
}

// migrateFrom runs the migrations after a version and releases the lock.
func (s *Store) migrateFrom(ctx context.Context, version int, me string) error {
	for ; version%sealedVersions < len(migrations); version++ {
		if err := s.alterSchema(ctx, migrations[version%sealedVersions]); err != nil {
			return err
		}
	}
	mine, err := s.writeSchema(ctx, me, schemaState{Version: version, Holder: noHolder})
	if err == nil && !mine {
		err = errors.New("dgraphstore: another server took over the migration of the schema; start again")
	}
	return err
}

// SchemaVersion is the version of the schema of the cluster that this program uses, from 1.
func (s *Store) SchemaVersion() int { return len(migrations) }
