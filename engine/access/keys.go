package access

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// MinPepper is the smallest size of a pepper in bytes.
const MinPepper = 32

// Store is the part of a store that keeps keys.
type Store interface {
	graph.Viewer
	graph.Updater
}

// Keys makes, lists, revokes and checks the API keys of a server. It is safe for concurrent
// use.
type Keys struct {
	store  Store
	pepper []byte
	former []byte // empty: there is none
	now    func() time.Time
	record Revocations // nil: revocations are in the store alone

	mu     sync.Mutex // protects random
	random io.Reader
}

// NewKeys makes a Keys over an open store. Keys that were made under another pepper are not
// accepted. now is the clock by which keys expire.
func NewKeys(store Store, pepper []byte, now func() time.Time, random io.Reader) (*Keys, error) {
	if len(pepper) < MinPepper {
		return nil, fmt.Errorf("access: the pepper must have at least %d bytes", MinPepper)
	}
	return &Keys{store: store, pepper: pepper, now: now, random: random}, nil
}

// Create makes a key and returns it with its text, which is stored nowhere. The key is durable
// when Create returns. The first key of a tenant makes its entry, see [Tenants]; a tenant that was
// deleted gets none.
func (k *Keys) Create(ctx context.Context, in Input) (*Key, string, error) {
	at := k.now()
	key, err := in.key(at)
	if err != nil {
		return nil, "", err
	}
	id, text, err := k.draw(at)
	if err != nil {
		return nil, "", err
	}
	key.ID, key.mark = PublicID(id), markOf(k.pepper)
	data, err := encode(key, hash(k.pepper, text))
	if err != nil {
		return nil, "", err
	}
	_, err = k.store.Update(ctx, graph.ServerScope(), func(tx graph.Tx) error {
		if err := admitTenant(tx, id, key.Tenant, at); err != nil {
			return err
		}
		return tx.PutNote(graph.Note{Kind: graph.NoteAPIKey, ID: id, At: key.CreatedAt, Data: data})
	})
	if err != nil {
		return nil, "", err
	}
	return key, text, nil
}

// draw makes an id and the text of a key.
func (k *Keys) draw(at time.Time) (graph.ID, string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	id, err := graph.NewID(at, k.random)
	if err != nil {
		return "", "", err
	}
	text, err := makeText(id, k.random)
	return id, text, err
}

// List returns all keys, oldest first, with those that are revoked or expired.
func (k *Keys) List(ctx context.Context) ([]*Key, error) {
	keys := []*Key{}
	err := k.store.View(ctx, graph.ServerScope(), func(r graph.Reader) error {
		keys = keys[:0]
		return eachKey(r, func(_ graph.ID, key *Key) { keys = append(keys, key) })
	})
	return keys, err
}

// eachKey calls fn for the note of every key, oldest first.
func eachKey(r graph.Reader, fn func(note graph.ID, key *Key)) error {
	for after := graph.ID(""); ; {
		notes, err := r.Notes(graph.NoteAPIKey, after, false, graph.MaxPage)
		if err != nil || len(notes) == 0 {
			return err
		}
		for _, n := range notes {
			key, _, err := decode(n)
			if err != nil {
				return err
			}
			fn(n.ID, key)
		}
		after = notes[len(notes)-1].ID
	}
}

// Get returns a key by its public id. An unknown id is MEMORY_NOT_FOUND.
func (k *Keys) Get(ctx context.Context, id string) (*Key, error) {
	at, ok := parseID(id)
	if !ok {
		return nil, unknown()
	}
	key, _, err := k.read(ctx, at)
	return key, err
}

// Revoke ends a key at once and returns it. A revoked key stays revoked, and an unknown id is
// MEMORY_NOT_FOUND.
func (k *Keys) Revoke(ctx context.Context, id string) (*Key, error) {
	at, ok := parseID(id)
	if !ok {
		return nil, unknown()
	}
	key, err := revoke(ctx, k.store, at, graph.Millis(k.now()))
	if err != nil {
		return nil, err
	}
	if k.record != nil {
		if err := k.record.Revoke(key.ID, key.RevokedAt); err != nil {
			return nil, fmt.Errorf("the key is revoked, and a restore would not know it: %w", err)
		}
	}
	return key, nil
}

// Check returns the key with the text if it is valid now. The error is UNAUTHENTICATED if it is
// not, in the same words for every reason, or another one if the store can't be read.
func (k *Keys) Check(ctx context.Context, text string) (*Key, error) {
	id, ok := parseText(text)
	if !ok {
		return nil, refused()
	}
	key, sum, err := k.read(ctx, id)
	switch {
	case graph.CodeOf(err) == graph.CodeMemoryNotFound && err != nil:
		return nil, refused()
	case err != nil:
		return nil, err
	case !key.Valid(k.now()):
		return nil, refused()
	case hmac.Equal(sum, hash(k.pepper, text)):
		if len(key.mark) == 0 {
			_ = k.renew(ctx, id, text) // the key is of an earlier version
		}
		return key, nil
	case len(k.former) > 0 && hmac.Equal(sum, hash(k.former, text)):
		_ = k.renew(ctx, id, text) // the next use tries again, for example when the disk has room
		return key, nil
	}
	return nil, refused()
}

// Now is the clock by which keys expire.
func (k *Keys) Now() time.Time { return k.now() }

func (k *Keys) read(ctx context.Context, id graph.ID) (key *Key, sum []byte, err error) {
	err = k.store.View(ctx, graph.ServerScope(), func(r graph.Reader) error {
		n, err := r.Note(graph.NoteAPIKey, id)
		if err == nil {
			key, sum, err = decode(n)
		}
		return absent(err)
	})
	return key, sum, err
}

// absent replaces ErrNotFound.
func absent(err error) error {
	if errors.Is(err, graph.ErrNotFound) {
		return unknown()
	}
	return err
}

func unknown() error {
	return graph.FieldError(graph.CodeMemoryNotFound, "id", "there is no such key")
}

func refused() error {
	return graph.Errorf(graph.CodeUnauthenticated, "the credentials are missing or not accepted")
}
