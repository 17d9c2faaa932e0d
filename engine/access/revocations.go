package access

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Revocations is the record of revoked keys outside the store, so that an older copy of the store, or a
// restore of a backup, does not bring a key back. *ledger.Ledger implements it.
type Revocations interface {
	// Revoke records that the key with a public id was revoked. It is durable on return. A key that is
	// recorded already is skipped.
	Revoke(id string, at time.Time) error
	// Revoked returns the recorded keys, with the instants of their revocations.
	Revoked() map[string]time.Time
}

// Record makes Revoke record what it revokes, and brings the store and the record together: keys that
// are revoked in one of them are revoked in both. It returns how many keys of the store it revoked.
func (k *Keys) Record(ctx context.Context, r Revocations) (again int, err error) {
	k.record = r
	if again, err = RevokeAgain(ctx, k.store, r); err != nil {
		return again, err
	}
	all, err := k.List(ctx)
	if err != nil {
		return again, err
	}
	for _, key := range all {
		if !key.RevokedAt.IsZero() {
			if err := r.Revoke(key.ID, key.RevokedAt); err != nil {
				return again, err
			}
		}
	}
	return again, nil
}

// RevokeAgain revokes the keys of a store that are recorded as revoked and are valid there. It returns
// their number.
func RevokeAgain(ctx context.Context, store Store, r Revocations) (again int, err error) {
	for id, at := range r.Revoked() {
		note, ok := parseID(id)
		if !ok {
			continue
		}
		var valid bool
		err := store.View(ctx, graph.ServerScope(), func(r graph.Reader) error {
			n, err := r.Note(graph.NoteAPIKey, note)
			if known, err := graph.Found(err); !known || err != nil {
				return err
			}
			key, _, err := decode(n)
			valid = err == nil && key.RevokedAt.IsZero()
			return err
		})
		if err != nil {
			return again, err
		}
		if !valid {
			continue
		}
		if _, err := revoke(ctx, store, note, at); err != nil {
			return again, err
		}
		again++
	}
	return again, nil
}

// revoke ends a key at an instant, unless it has ended already.
func revoke(ctx context.Context, store Store, id graph.ID, at time.Time) (key *Key, err error) {
	_, err = store.Update(ctx, graph.ServerScope(), func(tx graph.Tx) error {
		n, err := tx.Note(graph.NoteAPIKey, id)
		if err != nil {
			return absent(err)
		}
		var sum []byte
		if key, sum, err = decode(n); err != nil || !key.RevokedAt.IsZero() {
			return err
		}
		key.RevokedAt = at
		if n.Data, err = encode(key, sum); err != nil {
			return err
		}
		return tx.PutNote(*n)
	})
	return key, err
}
