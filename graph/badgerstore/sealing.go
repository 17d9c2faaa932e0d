package badgerstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
)

// Rows with content are sealed if the store has keys. Each row has a key of its own for all its
// versions, so that an earlier copy of the data can be opened with the present keys. A transaction
// that deletes a row, or that replaces its text for an erasure, retires the key. The next erasure
// destroys what was retired before: then neither Badger's files nor any copy of them can be read
// for it. Without an erasure retired keys are kept for a time, for copies that are put back.

// formSealed is added to the form of a sealed row. The payload, with its parts, is then
//
//	number of the key (8 bytes) ∥ AES-256-GCM under that key; the key of the row is authenticated
const formSealed = 0x80

// sealedRows are the rows with content. The others hold ids, numbers, instants and hashes.
var sealedRows = [256]bool{
	rowMemory: true, rowEmbedding: true, rowEntity: true, rowRelation: true, rowNote: true, rowRequest: true, rowSetting: true,
	rowRelationKeyed: true, rowRequestKeyed: true, rowSettingKeyed: true,
}

// keyNumberSize is the size of the number of a key.
const keyNumberSize = 8

// errShredded is the error of a read that began before an erasure and reaches what was erased.
var errShredded = fmt.Errorf("%w: what this read began with was erased meanwhile; read again", graph.ErrUnavailable)

// sealable reports whether the row at k is one with content.
func (r rowReader) sealable(k key) bool {
	return len(r.ks) > 0 && len(k) > len(r.ks) && sealedRows[k[len(r.ks)]]
}

// ringMark is what the store knows of the keys of a tenant. A ring with less is an older copy.
type ringMark struct {
	generation uint64 // how often keys were destroyed, or the tenant's key was replaced
	highest    uint64 // number of a key
	first      uint64 // no row has a key with a lower number, because the keys were replaced; 0: they never were
}

// join returns the highest of all parts.
func (m ringMark) join(o ringMark) ringMark {
	return ringMark{max(m.generation, o.generation), max(m.highest, o.highest), max(m.first, o.first)}
}

// payload is the payload of the row.
func (m ringMark) payload() []byte {
	return slices.Concat(be64(m.generation), be64(m.highest), be64(m.first))
}

// readRingMark reads the row. Earlier versions wrote two numbers.
func readRingMark(r rowReader) (m ringMark, err error) {
	k := r.ks.rowKey(rowGeneration)
	err = r.getRow(k, func(b []byte) error {
		if len(b) != 16 && len(b) != 24 {
			return integrityError(k, fmt.Sprintf("has %d bytes, not 24", len(b)))
		}
		m.generation, m.highest = binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
		if len(b) == 24 {
			m.first = binary.BigEndian.Uint64(b[16:])
		}
		return nil
	})
	return m, noneIfMissing(err)
}

// noteRing records that a key with a number was used, or that keys were destroyed.
func (w *txWriter) noteRing(m ringMark) {
	if w.rings == nil {
		w.rings = map[graph.Tenant]ringMark{}
	}
	w.rings[w.tenant] = w.rings[w.tenant].join(m)
}

// sealPayload seals a payload for the row at k, under the key with a number; 0: a new one.
func (w *txWriter) sealPayload(k key, payload []byte, number uint64) ([]byte, error) {
	var with keyring.Key
	var err error
	if number == 0 {
		with, err = w.ring.Next()
	} else {
		with, err = w.ring.Key(number)
	}
	if errors.Is(err, keyring.ErrDestroyed) { // the row is of a copy that was put back
		with, err = w.ring.Next()
	}
	if err != nil {
		return nil, err
	}
	w.noteRing(ringMark{highest: with.Number})
	b := make([]byte, keyNumberSize, keyNumberSize+len(payload)+keyring.Overhead)
	binary.BigEndian.PutUint64(b, with.Number)
	return with.Seal(b, payload, k)
}

// renewOdds is how many texts a data key seals on average until it is replaced. That it seals 2³⁰, a
// quarter of what NIST SP 800-38D allows with random nonces, has the probability e⁻⁶⁴.
const renewOdds = 1 << 24

// renewsKey reports whether the next version of a row with a key gets another one: the keys are being
// replaced, or it is time for this one.
func (w *txWriter) renewsKey(number uint64) bool {
	return w.ring != nil && (number < w.ring.Renewing() || rand.Uint32N(w.store.renewOdds) == 0)
}

// openPayload opens the payload of a sealed row.
func (r rowReader) openPayload(k key, sealed []byte) ([]byte, error) {
	number, err := keyNumber(k, sealed)
	if err != nil {
		return nil, err
	}
	if r.ring == nil {
		return nil, integrityError(k, "is sealed, and the store was opened without keys")
	}
	once, err := r.ring.Key(number)
	if errors.Is(err, keyring.ErrDestroyed) {
		return nil, errShredded
	}
	if err != nil {
		return nil, err
	}
	payload, err := once.Open(make([]byte, 0, len(sealed)), sealed[keyNumberSize:], k)
	if err != nil {
		return nil, integrityError(k, "can't be opened with its key")
	}
	return payload, nil
}

// keyNumber is the number of the key of a sealed payload, or of its beginning.
func keyNumber(k key, sealed []byte) (uint64, error) {
	if len(sealed) < keyNumberSize {
		return 0, integrityError(k, "no number of a key")
	}
	return binary.BigEndian.Uint64(sealed), nil
}

// retiredKey is the row of the keys that a transaction retired: a key is retired once.
func (s keyspace) retiredKey(numbers []uint64) key { return s.rowKey(rowRetired, be64(numbers[0])) }

// retiredPayload is the instant and the numbers of keys.
func retiredPayload(at time.Time, numbers []uint64) []byte {
	b := be64(uint64(at.UnixMilli()))
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return b
}

func parseRetired(k key, payload []byte) (at time.Time, numbers []uint64, err error) {
	if len(payload) <= keyNumberSize || len(payload)%keyNumberSize != 0 {
		return at, nil, integrityError(k, "not a list of keys")
	}
	at = time.UnixMilli(int64(binary.BigEndian.Uint64(payload)))
	for payload = payload[keyNumberSize:]; len(payload) > 0; payload = payload[keyNumberSize:] {
		numbers = append(numbers, binary.BigEndian.Uint64(payload))
	}
	return at, numbers, nil
}
