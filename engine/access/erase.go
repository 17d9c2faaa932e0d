package access

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

// KeysOf lists the notes of the keys of a tenant that match, with those that are revoked or expired.
func KeysOf(ctx context.Context, store graph.Viewer, tenant graph.Tenant, match func(*Key) bool) (ids []graph.ID, err error) {
	err = store.View(ctx, graph.ServerScope(), func(r graph.Reader) error {
		ids = nil
		return eachKey(r, func(note graph.ID, key *Key) {
			if key.Tenant == tenant && match(key) {
				ids = append(ids, note)
			}
		})
	})
	return ids, err
}

// DeleteKeys removes the notes of keys, with the names in them, and returns how many there were. Nobody is
// accepted with such a key from then on. In a sealed store [graph.Shred] of graph.ServerScope destroys
// what is left of them in files.
func DeleteKeys(ctx context.Context, store Store, ids []graph.ID) (deleted int, err error) {
	if len(ids) == 0 {
		return 0, nil
	}
	_, err = store.Update(ctx, graph.ServerScope(), func(tx graph.Tx) error {
		deleted = 0
		for _, id := range ids {
			_, err := tx.Note(graph.NoteAPIKey, id)
			known, err := graph.Found(err)
			if err != nil {
				return err
			}
			if !known {
				continue
			}
			if err := tx.DeleteNote(graph.NoteAPIKey, id); err != nil {
				return err
			}
			deleted++
		}
		return nil
	})
	return deleted, err
}
