package dgraphstore

import (
	"context"
	"crypto/hmac"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
)

// ErrPlain is the error for a cluster that is to be sealed and has data already.
var ErrPlain = errors.New("dgraphstore: the cluster holds data that is not sealed")

// namesSecret is the name of the secret of the names in the directory of keys.
const namesSecret = "names"

// sealIDSize is the length of the identity of a sealed cluster in hexadecimal digits.
const sealIDSize = 32

// openSeal opens the keys of a sealed cluster, and seals an empty one if Options.Seal is set. It refuses keys that do not
// belong to the cluster.
func (s *Store) openSeal(ctx context.Context) error {
	state, err := s.schemaState(ctx)
	if err != nil {
		return err
	}
	tenants, err := s.allTenants(ctx)
	switch sealed := state.Seal != ""; {
	case err != nil:
		return err
	case !sealed && !s.options.Seal && (!s.options.SealNew || len(tenants) > 0):
		return nil
	case !sealed && len(tenants) > 0:
		return ErrPlain
	case s.options.OpenKeys == nil:
		return fmt.Errorf("dgraphstore: %w: the cluster is sealed, and no keys are given", keyring.ErrWrong)
	case s.options.IndexVectors:
		return errors.New("dgraphstore: a sealed cluster has no vector index: its vectors are sealed too")
	case s.options.WriteLeases != nil:
		return errors.New("dgraphstore: a sealed cluster has one server: leave redis out")
	}
	if s.keys, err = s.options.OpenKeys(state.Seal != ""); err != nil {
		return err
	}
	if s.runName, err = s.randomToken(); err != nil {
		return err
	}
	if state.Seal == "" {
		err = s.sealCluster(ctx)
	} else {
		err = s.checkSeal(state.Seal)
	}
	if err != nil {
		return err
	}
	for _, t := range tenants {
		if err := s.checkRing(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// sealText is what the cluster says of its seal: its identity and a fingerprint of the secret of the names.
func sealText(id string, secret []byte) string {
	return id + hex.EncodeToString(macOf(secret, []byte("check"), []byte(id))[:16])
}

// checkSeal refuses another directory of keys.
func (s *Store) checkSeal(text string) (err error) {
	if len(text) <= sealIDSize {
		return integrityError("schema.seal", "it is cut short")
	}
	s.secret, err = s.keys.Secret(namesSecret)
	if errors.Is(err, graph.ErrNotFound) {
		return fmt.Errorf("dgraphstore: %w: those of names are missing (secrets/%s)", keyring.ErrWrong, namesSecret)
	}
	if err != nil {
		return err
	}
	s.sealID = text[:sealIDSize]
	if !hmac.Equal([]byte(text), []byte(sealText(s.sealID, s.secret))) {
		return fmt.Errorf("dgraphstore: %w: they belong to another store (secrets/%s)", keyring.ErrWrong, namesSecret)
	}
	return nil
}

// sealCluster makes an empty cluster a sealed one.
func (s *Store) sealCluster(ctx context.Context) (err error) {
	if s.secret, err = s.keys.SecretOrNew(namesSecret); err != nil {
		return err
	}
	if s.sealID, err = s.randomToken(); err != nil {
		return err
	}
	if err := s.alterSchema(ctx, sealedSchema); err != nil {
		return err
	}
	text := sealText(s.sealID, s.secret)
	return s.retry(ctx, func(ctx context.Context) error {
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
		state := s.ownState(answer.Q)
		switch state.Seal {
		case text: // an earlier try succeeded
			return nil
		case "":
			_, err = txn.Mutate(ctx, &api.Mutation{CommitNow: true, Set: []*api.NQuad{
				quad(state.UID, "schema.seal", text), quad(state.UID, "schema.version", int64(sealedVersions+state.migrations())),
			}})
			return err
		}
		return fmt.Errorf("dgraphstore: %w: another server has just sealed the cluster with others", keyring.ErrWrong)
	})
}

// checkRing compares the keys of a tenant with what the cluster knows of them, and removes what an older copy of the
// cluster has under destroyed keys.
func (s *Store) checkRing(ctx context.Context, t graph.Tenant) error {
	head, err := s.newSnapshot().readHead(ctx, t)
	if err != nil {
		return err
	}
	ring, err := s.Ring(t)
	if err != nil {
		return err
	}
	if err := ring.Check(t, head.mark()); err != nil {
		return fmt.Errorf("dgraphstore: %w", err)
	}
	s.ledgers.get(t).ownUntil = head.Commit
	older, err := s.isOlderCopy(ctx, t, head.Commit)
	if err != nil || !older {
		return err
	}
	return s.sweep(ctx, t, ring)
}

// allTenants are the tenants with data, and that of the server if it has any.
func (s *Store) allTenants(ctx context.Context) ([]graph.Tenant, error) {
	var answer struct{ Q []struct{ Name graph.Tenant } }
	if err := s.newSnapshot().runQuery(ctx, `{ q(func: has(tenant.name)) { name: tenant.name } }`, nil, &answer); err != nil {
		return nil, err
	}
	all := make([]graph.Tenant, len(answer.Q))
	for i, t := range answer.Q {
		all[i] = t.Name
	}
	return all, nil
}
