package badgerstore

import (
	"encoding/binary"
	"errors"
	"fmt"
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

// errShredded is the error of a read that began before an erasure and reaches what was erased.
var errShredded = fmt.Errorf("%w: what this read began with was erased meanwhile; read again", graph.ErrUnavailable)

// sealable reports whether the row at k is one with content.
func (r rowReader) sealable(k key) bool {
	return len(r.ks) > 0 && len(k) > len(r.ks) && sealedRows[k[len(r.ks)]]
}

// markPayload is the payload of the row of a mark.
func markPayload(m keyring.Mark) []byte {
	return slices.Concat(be64(m.Generation), be64(m.Highest), be64(m.First))
}

// readRingMark reads the row. Earlier versions wrote two numbers.
func readRingMark(r rowReader) (m keyring.Mark, err error) {
	k := r.ks.rowKey(rowGeneration)
	err = r.getRow(k, func(b []byte) error {
		if len(b) != 16 && len(b) != 24 {
			return integrityError(k, fmt.Sprintf("has %d bytes, not 24", len(b)))
		}
		m.Generation, m.Highest = binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
		if len(b) == 24 {
			m.First = binary.BigEndian.Uint64(b[16:])
		}
		return nil
	})
	return m, noneIfMissing(err)
}

// noteRing records that a key with a number was used, or that keys were destroyed.
func (w *txWriter) noteRing(m keyring.Mark) {
	if w.rings == nil {
		w.rings = map[graph.Tenant]keyring.Mark{}
	}
	w.rings[w.tenant] = w.rings[w.tenant].Join(m)
}

// sealPayload seals a payload for the row at k, under the key with a number; 0: a new one.
func (w *txWriter) sealPayload(k key, payload []byte, number uint64) ([]byte, error) {
	sealed, used, err := w.ring.SealNumbered(payload, k, number)
	if err == nil {
		w.noteRing(keyring.Mark{Highest: used})
	}
	return sealed, err
}

// renewsKey reports whether the next version of a row with a key gets another one: the keys are being
// replaced, or it is time for this one.
func (w *txWriter) renewsKey(number uint64) bool {
	return w.ring != nil && w.ring.Renews(number, w.store.renewOdds)
}

// openPayload opens the payload of a sealed row.
func (r rowReader) openPayload(k key, sealed []byte) ([]byte, error) {
	if _, err := keyNumber(k, sealed); err != nil {
		return nil, err
	}
	if r.ring == nil {
		return nil, integrityError(k, "is sealed, and the store was opened without keys")
	}
	payload, err := r.ring.OpenNumbered(sealed, k)
	switch {
	case errors.Is(err, keyring.ErrDestroyed):
		return nil, errShredded
	case errors.Is(err, keyring.ErrUnopened):
		return nil, integrityError(k, "can't be opened with its key")
	}
	return payload, err
}

// keyNumber is the number of the key of a sealed payload, or of its beginning.
func keyNumber(k key, sealed []byte) (uint64, error) {
	number, ok := keyring.NumberOf(sealed)
	if !ok {
		return 0, integrityError(k, "no number of a key")
	}
	return number, nil
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
	if len(payload) <= keyring.NumberSize || len(payload)%keyring.NumberSize != 0 {
		return at, nil, integrityError(k, "not a list of keys")
	}
	at = time.UnixMilli(int64(binary.BigEndian.Uint64(payload)))
	for payload = payload[keyring.NumberSize:]; len(payload) > 0; payload = payload[keyring.NumberSize:] {
		numbers = append(numbers, binary.BigEndian.Uint64(payload))
	}
	return at, numbers, nil
}
