package recess

import (
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// dataKey seals the content of one subject, or of one record without a subject, or one file
// as a whole.
type dataKey struct {
	id   keyID
	name [16]byte // of the subject or record; zero for a file key
	key  [keySize]byte
	aead cipher.AEAD
}

// keyRow is a record of the key ring. The tenant's key seals it, which wraps the data key.
type keyRow struct {
	ID   []byte `cbor:"1,keyasint"`
	Name []byte `cbor:"2,keyasint,omitempty"`
	Key  []byte `cbor:"3,keyasint"`
}

// keyRing holds the data keys of a tenant, outside the archive files.
type keyRing struct {
	mu     sync.RWMutex // guards the maps; write serialises changes
	write  sync.Mutex
	log    *ledger
	random io.Reader
	byID   map[keyID]*dataKey
	byName map[[16]byte]*dataKey // the newest key of a name
}

func openKeyRing(log *ledger, records [][]byte, random io.Reader) (*keyRing, error) {
	r := &keyRing{log: log, random: random, byID: map[keyID]*dataKey{}, byName: map[[16]byte]*dataKey{}}
	for _, b := range records {
		var row keyRow
		if err := cborDecoder.Unmarshal(b, &row); err != nil || len(row.ID) != 16 || len(row.Key) != keySize {
			return nil, fmt.Errorf("%w: a row of the key ring", graph.ErrIntegrity)
		}
		k := &dataKey{id: keyID(row.ID)}
		copy(k.name[:], row.Name)
		copy(k.key[:], row.Key)
		clear(row.Key)
		clear(b)
		if err := r.add(k); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *keyRing) add(k *dataKey) (err error) {
	if k.aead, err = newAEAD(k.key[:]); err != nil {
		return err
	}
	r.byID[k.id] = k
	if k.name != ([16]byte{}) {
		r.byName[k.name] = k
	}
	return nil
}

func (k *dataKey) row() ([]byte, error) {
	row := keyRow{ID: k.id[:], Key: k.key[:]}
	if k.name != ([16]byte{}) {
		row.Name = k.name[:]
	}
	return cborEncoder.Marshal(row)
}

// get returns a key, or nil if it was destroyed.
func (r *keyRing) get(id keyID) *dataKey {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.byID[id]
}

// newKey makes a random key; it is not in the ring yet.
func (r *keyRing) newKey(name [16]byte) (*dataKey, error) {
	k := &dataKey{name: name}
	if _, err := io.ReadFull(r.random, k.id[:]); err != nil {
		return nil, fmt.Errorf("recess: randomness: %w", err)
	}
	if _, err := io.ReadFull(r.random, k.key[:]); err != nil {
		return nil, fmt.Errorf("recess: randomness: %w", err)
	}
	return k, nil
}

// keysFor returns the key of each name, and makes missing ones: durably, in one write.
func (r *keyRing) keysFor(names [][16]byte, retired map[keyID]bool) (map[[16]byte]*dataKey, error) {
	r.write.Lock()
	defer r.write.Unlock()
	keys := make(map[[16]byte]*dataKey, len(names))
	var fresh []*dataKey
	for _, n := range names {
		if keys[n] != nil {
			continue
		}
		r.mu.RLock()
		k := r.byName[n]
		r.mu.RUnlock()
		if k == nil || retired[k.id] {
			var err error
			if k, err = r.newKey(n); err != nil {
				return nil, err
			}
			fresh = append(fresh, k)
		}
		keys[n] = k
	}
	return keys, r.storeKeys(fresh)
}

// forFiles makes the keys of n files.
func (r *keyRing) forFiles(n int) ([]*dataKey, error) {
	r.write.Lock()
	defer r.write.Unlock()
	keys := make([]*dataKey, n)
	for i := range keys {
		var err error
		if keys[i], err = r.newKey([16]byte{}); err != nil {
			return nil, err
		}
	}
	return keys, r.storeKeys(keys)
}

// storeKeys writes new keys durably and then adds them to the ring.
func (r *keyRing) storeKeys(keys []*dataKey) error {
	if len(keys) == 0 {
		return nil
	}
	rows := make([][]byte, len(keys))
	for i, k := range keys {
		var err error
		if rows[i], err = k.row(); err != nil {
			return err
		}
	}
	var err error
	if r.log.broken != nil { // an earlier write left its files in an unknown state
		err = r.rewrite(nil)
	}
	if err == nil {
		err = r.log.append(rows...)
	}
	for _, row := range rows {
		clear(row)
	}
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range keys {
		if err := r.add(k); err != nil {
			return err
		}
	}
	return nil
}

// destroy removes keys for good: the ring is rewritten without them, and the old bytes are
// overwritten. It returns how many it removed. A missing key is no error.
func (r *keyRing) destroy(ids map[keyID]bool) (int, error) {
	r.write.Lock()
	defer r.write.Unlock()
	gone := 0
	for id := range ids {
		if r.get(id) != nil {
			gone++
		}
	}
	if gone == 0 {
		return 0, nil
	}
	if err := r.rewrite(ids); err != nil {
		return 0, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range ids {
		if k := r.byID[id]; k != nil {
			delete(r.byID, id)
			if r.byName[k.name] == k {
				delete(r.byName, k.name)
			}
			clear(k.key[:])
		}
	}
	return gone, nil
}

// rewrite writes the ring without some keys. The newest key of a name comes last.
func (r *keyRing) rewrite(without map[keyID]bool) error {
	r.mu.RLock()
	var older, newest [][]byte
	var err error
	for id, k := range r.byID {
		if without[id] {
			continue
		}
		row, rerr := k.row()
		err = errors.Join(err, rerr)
		if r.byName[k.name] == k {
			newest = append(newest, row)
		} else {
			older = append(older, row)
		}
	}
	r.mu.RUnlock()
	rows := append(older, newest...)
	if err == nil {
		err = r.log.rewrite(rows)
	}
	for _, row := range rows {
		clear(row)
	}
	return err
}

// keyCount is the number of keys.
func (r *keyRing) keyCount() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.byID)
}

// keyName is the name of a memory's data key: its namespace, user and subject, or else the
// record alone.
func keyName(m *graph.Memory) [16]byte {
	if m.Subject != "" {
		return hashOf("subject", m.Namespace, m.User, m.Subject)
	}
	return hashOf("record", string(m.ID))
}
