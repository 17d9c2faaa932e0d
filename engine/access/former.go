package access

import (
	"context"
	"crypto/hmac"
	"fmt"

	"github.com/somnograph/somnograph/graph"
)

// AcceptFormer accepts keys that were made under a former pepper too. Each is hashed under the present
// one when it is used. It must be called before the first use of k.
func (k *Keys) AcceptFormer(pepper []byte) error {
	if len(pepper) < MinPepper {
		return fmt.Errorf("access: the former pepper must have at least %d bytes", MinPepper)
	}
	k.former = pepper
	return nil
}

// renew replaces the hash of a key under the former pepper by that under the present one, and adds the
// mark of the pepper to a key without one.
func (k *Keys) renew(ctx context.Context, id graph.ID, text string) error {
	_, err := k.store.Update(ctx, graph.ServerScope(), func(tx graph.Tx) error {
		n, err := tx.Note(graph.NoteAPIKey, id)
		if err != nil {
			return absent(err)
		}
		key, sum, err := decode(n)
		if err != nil {
			return err
		}
		unmarked := len(key.mark) == 0 && hmac.Equal(sum, hash(k.pepper, text))
		if !unmarked && !(len(k.former) > 0 && hmac.Equal(sum, hash(k.former, text))) {
			return nil // another server has done it
		}
		key.mark = markOf(k.pepper)
		if n.Data, err = encode(key, hash(k.pepper, text)); err != nil {
			return err
		}
		return tx.PutNote(*n)
	})
	return err
}
