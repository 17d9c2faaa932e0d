package dgraphstore

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
)

// A sealed store keeps its keys outside of the cluster (Options.OpenKeys). Rows with content and vectors
// have a key of their own each. A transaction sees them opened: they are sealed when its draft is made, and
// opened when a query returns them. A commit that removes a row, or replaces its text for an erasure, lists the
// number of its key; Shred destroys what is listed. ADR 130.

// sealedMark begins a sealed text. No record that is not sealed begins with it. It is followed by base64 of
//
//	number of the key (8 bytes) ∥ AES-256-GCM under that key
//
// The kind and the key of the row are authenticated.
const sealedMark = "~"

// What stands in a row that was read for a record that can't be opened.
const (
	shreddedRecord = "!" // its key was destroyed
	unopenedRecord = "?"
)

// errShredded is the error of a read that began before an erasure and reaches what was erased.
var errShredded = fmt.Errorf("%w: what this read began with was erased meanwhile; read again", graph.ErrUnavailable)

// contentKinds are the names of the kinds of rows with content. The others hold ids, numbers and instants.
var contentKinds = map[string]bool{"memory": true, "entity": true, "relation": true, "request": true, "note": true, "setting": true}

// ringMark is what the node of a tenant says of its keys.
type ringMark struct {
	Highest    uint64 `json:"sealed"`
	Generation uint64 `json:"generation"`
	First      uint64 `json:"first"`
}

func (m ringMark) mark() keyring.Mark {
	return keyring.Mark{Generation: m.Generation, Highest: m.Highest, First: m.First}
}

// macOf is the HMAC-SHA-256 of parts, each after its length.
func macOf(secret []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, secret)
	for _, p := range parts {
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(p))))
		h.Write(p)
	}
	return h.Sum(nil)
}

// keyspace is that of a tenant. In a sealed store the names in its keys are HMACs.
func (s *Store) keyspace(t graph.Tenant) keyspace {
	ks := newKeyspace(t)
	if s.secret != nil {
		ks.secret = macOf(s.secret, []byte("tenant"), []byte(t))
	}
	return ks
}

// Ring returns the keys of a tenant; nil: the store is not sealed.
func (s *Store) Ring(t graph.Tenant) (*keyring.Ring, error) {
	if s.keys == nil {
		return nil, nil
	}
	return s.keys.Ring(t)
}

// sealedWith is what a sealed text of a row authenticates. The number is that of the form.
func sealedWith(kind, key string) []byte { return []byte("dgraphstore 1 " + sealKey(kind, key)) }

// sealBytes seals bytes of a row, under the key with a number; 0: a new one.
func (r *reader) sealBytes(d *draft, kind, key string, b []byte, number uint64) (text string, used uint64, err error) {
	ring, err := r.store.Ring(r.tenant)
	if err != nil {
		return "", 0, err
	}
	sealed, used, err := ring.SealNumbered(b, sealedWith(kind, key), number)
	if err != nil {
		return "", 0, err
	}
	d.mark.Highest = max(d.mark.Highest, used)
	d.newRing = max(d.newRing, ring.First())
	return sealedMark + base64.StdEncoding.EncodeToString(sealed), used, nil
}

// openBytes opens a sealed text, and returns the number of its key.
func (r *reader) openBytes(kind, key, text string) (b []byte, number uint64, err error) {
	ring, err := r.store.Ring(r.tenant)
	if err != nil {
		return nil, 0, err
	}
	sealed, err := base64.StdEncoding.DecodeString(text[len(sealedMark):])
	if err != nil || ring == nil {
		return nil, 0, keyring.ErrUnopened
	}
	b, err = ring.OpenNumbered(sealed, sealedWith(kind, key))
	number, _ = keyring.NumberOf(sealed)
	return b, number, err
}

// openRows opens the sealed records of rows that were read.
func (r *reader) openRows(kind *rowKind, rows []row) error {
	for i := range rows {
		if err := r.openRow(kind, &rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// openRow opens the sealed record of a row that was read. One that can't be opened fails when it is decoded, so that it does
// not keep others from being read.
func (r *reader) openRow(kind *rowKind, storedRow *row) error {
	if !strings.HasPrefix(storedRow.Record, sealedMark) {
		return nil
	}
	b, number, err := r.openBytes(kind.name, storedRow.Key, storedRow.Record)
	switch {
	case err == nil:
		storedRow.Record, storedRow.number = base64.StdEncoding.EncodeToString(b), number
	case errors.Is(err, keyring.ErrDestroyed):
		storedRow.Record = shreddedRecord
	case graph.DamagedRow(err):
		storedRow.Record = unopenedRecord
	default:
		return err
	}
	return nil
}

// rowChange is what changes in a row.
type rowChange struct {
	id        rowID
	set, gone []fact
}

// sealChange seals what a change writes of a row with content. It retires the key of a row that is removed, or
// whose text is erased.
func (r *reader) sealChange(d *draft, c *rowChange, e *edit) error {
	if r.store.keys == nil || !contentKinds[c.id.kind.name] {
		return nil
	}
	number := e.stored.number
	if r.writes.dropped[c.id] { // a damaged row may name the key of another one
		number = 0
	}
	stub, err := r.isStub(c.id, e.record)
	if err != nil {
		return err
	}
	if e.record == "" || stub {
		d.retire(number)
		return nil
	}
	ring, err := r.store.Ring(r.tenant)
	if err != nil {
		return err
	}
	renews := number != 0 && (r.writes.erases[c.id] || ring.Renews(number, r.store.renewOdds))
	predicate := c.id.kind.name + ".record"
	at := slices.IndexFunc(c.set, func(f fact) bool { return f.predicate == predicate })
	switch {
	case at < 0 && !renews:
		return nil
	case at < 0:
		at = len(c.set)
		c.set = append(c.set, fact{predicate: predicate})
	}
	if renews {
		d.retire(number)
		number = 0
	}
	b, err := base64.StdEncoding.DecodeString(e.record)
	if err != nil {
		return integrityError(sealKey(c.id.kind.name, c.id.key), "not a record")
	}
	c.set[at].value, _, err = r.sealBytes(d, c.id.kind.name, c.id.key, b, number)
	return err
}

// isStub reports whether a record is what is left of an erased memory. It has no content and is not sealed.
func (r *reader) isStub(id rowID, record string) (bool, error) {
	if id.kind.name != "memory" || record == "" {
		return false, nil
	}
	m, err := decodeMemory(r.ks, id.key, record)
	return err == nil && m.Status() == graph.Forgotten, err
}

// retire lists the number of a key that nothing in the store needs any more.
func (d *draft) retire(number uint64) {
	if number != 0 {
		d.retired = append(d.retired, number)
	}
}

// addVector adds a vector of a memory to the draft; nil removes it. A sealed one has a key of its own, since a new text of
// the memory retires that of the memory. Its number is beside it, so that an erasure need not read the vector.
func (r *reader) addVector(d *draft, id graph.ID, node string, v []float32) error {
	if r.store.keys == nil {
		if v == nil {
			d.deleted = append(d.deleted, deleteValues(node, "memory.embedding"))
		} else {
			d.set = append(d.set, quad(node, "memory.embedding", vectorText(v)))
		}
		return nil
	}
	key := r.ks.nodeKey(id)
	number, err := vectorKeyNumber(key, r.writes.seen[rowID{memories, key}].VectorKey)
	if err != nil {
		return err
	}
	if v == nil {
		d.retire(number)
		d.deleted = append(d.deleted, deleteValues(node, "memory.vector"), deleteValues(node, "memory.vector_key"))
		return nil
	}
	ring, err := r.store.Ring(r.tenant)
	if err != nil {
		return err
	}
	if number != 0 && ring.Renews(number, r.store.renewOdds) {
		d.retire(number)
		number = 0
	}
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	text, used, err := r.sealBytes(d, "vector", key, b, number)
	if err != nil {
		return err
	}
	d.set = append(d.set, quad(node, "memory.vector", text))
	if used != number {
		d.set = append(d.set, quad(node, "memory.vector_key", seal(sealKey("vector key", key), binary.BigEndian.AppendUint64(nil, used))))
	}
	return nil
}

// vectorKeyNumber is the number of the key of a vector from its text; 0: there is no vector.
func vectorKeyNumber(key, text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	b, err := unseal(sealKey("vector key", key), text)
	if err == nil && len(b) != keyring.NumberSize {
		err = integrityError(sealKey("vector key", key), "not a number")
	}
	if err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint64(b), nil
}

// openVector opens a sealed vector.
func (r *reader) openVector(key, text string) ([]float32, error) {
	if !strings.HasPrefix(text, sealedMark) {
		return nil, integrityError(sealKey("vector", key), "not sealed")
	}
	b, _, err := r.openBytes("vector", key, text)
	switch {
	case errors.Is(err, keyring.ErrDestroyed):
		return nil, errShredded
	case errors.Is(err, keyring.ErrUnopened), err == nil && (len(b) == 0 || len(b)%4 != 0):
		return nil, integrityError(sealKey("vector", key), "can't be opened with its key")
	case err != nil:
		return nil, err
	}
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v, nil
}

// externalKey is what transactions that give a memory an external id conflict on.
func (t tx) externalKey(id string) string {
	if t.ks.secret == nil {
		return id
	}
	return t.ks.hashedKey(byExternal, id) // what a commit wrote is not sealed
}

// afterMark is the mark of a tenant after the draft.
func (d *draft) afterMark(before ringMark) ringMark {
	m := before.mark().Join(d.mark)
	if before.Highest == 0 && d.mark.Highest > 0 { // nothing was sealed before, as in a cluster that is being restored
		m.First = max(m.First, d.newRing)
	}
	return ringMark{Highest: m.Highest, Generation: m.Generation, First: m.First}
}
