package badgerstore

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
)

// Names in the keys of a sealed store are HMACs under a key of the tenant, which is derived from a
// secret in the directory of keys: who has the files alone can't confirm a guessed name. A name is
// the HMAC of its hash, so that a key of an earlier version is converted without knowing the name.
//
// Rows with names have a kind for each form, and a transaction reads one form, by the phase of the
// tenant at its snapshot. While rows are copied to the keyed form, reads use the former one and
// writes go to both. A transaction that may write conflicts with a change of the phase.

// namePhase is how far the names of a tenant are converted. It only grows.
type namePhase uint8

const (
	namesHashed namePhase = iota // hashes without a key
	namesBoth                    // reads use hashes; writes go to both forms; rows are being copied
	namesLeft                    // HMACs; former rows are being removed
	namesKeyed                   // HMACs alone, in the files too
)

// namesSecret is the name of the secret in the directory of keys.
const namesSecret = "names"

// nameKey makes the keyed form of names.
type nameKey [sha256.Size]byte

// tenantNameKey derives the key of a tenant from the secret.
func tenantNameKey(secret []byte, t graph.Tenant) *nameKey {
	return (*nameKey)(macOf(secret, "tenant", string(t)))
}

// namesCheck is what the store keeps of the secret, to refuse another one.
func namesCheck(secret []byte) []byte { return macOf(secret, "check")[:16] }

func macOf(secret []byte, words ...string) []byte {
	h := hmac.New(sha256.New, secret)
	n := nameHash(words...)
	h.Write(n[:])
	return h.Sum(nil)
}

// of returns the keyed form of a hashed name.
func (n *nameKey) of(hashed [16]byte) [16]byte {
	h := hmac.New(sha256.New, n[:])
	h.Write(hashed[:])
	return [16]byte(h.Sum(nil)[:16])
}

// session returns the keyed form of a hashed session of uses.
func (n *nameKey) session(hashed uint64) uint64 {
	keyed := n.of([16]byte(append(make([]byte, 8), be64(hashed)...)))
	return binary.BigEndian.Uint64(keyed[:])
}

// KeyedSessions returns the form in which a sealed store counts uses in sessions: HMACs under the key of the
// names of the tenant, so that its files confirm no guessed session, nor who asked in it.
func (s *Store) KeyedSessions(t graph.Tenant, hashed graph.Sessions) graph.Sessions {
	return s.nameForm(t, s.order.last()).sessions(hashed, nil)
}

// nameForm is the form of names in the keys of a tenant at a snapshot.
type nameForm struct {
	key   *nameKey // nil: the store is not sealed
	phase namePhase
}

// keyed reports whether names are HMACs.
func (f nameForm) keyed() bool { return f.key != nil && f.phase >= namesLeft }

// sessions joins sessions without a key, which a sealed store has of earlier versions, with keyed ones.
func (f nameForm) sessions(plain, keyed graph.Sessions) graph.Sessions {
	if len(plain) == 0 {
		return keyed
	}
	for _, x := range plain {
		if f.key != nil {
			x = f.key.session(x)
		}
		keyed = keyed.Union(graph.Sessions{x})
	}
	return keyed
}

// name is the form of strings in a key.
func (f nameForm) name(words ...string) [16]byte {
	n := nameHash(words...)
	if f.keyed() {
		n = f.key.of(n)
	}
	return n
}

// names is the form of each word, once.
func (f nameForm) names(words []string) [][16]byte {
	var out [][16]byte
	seen := map[string]bool{}
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			out = append(out, f.name(w))
		}
	}
	return out
}

// nameInValue is the place of a name in the payload of a row, not in its key.
const nameInValue = -1

// nameRow says how a row of a kind with a name is converted.
type nameRow struct {
	kind   byte // of the keyed form; 0: keys of this kind have no name
	at     int  // where the name begins after the kind
	marker bool // the row has no payload
}

// nameRows are the kinds of rows with names.
var nameRows = [256]nameRow{
	rowNamed:       {kind: rowNamedKeyed},
	rowRelation:    {kind: rowRelationKeyed, at: 16},
	rowTriple:      {kind: rowTripleKeyed, at: nameInValue},
	rowRequest:     {kind: rowRequestKeyed},
	rowRequestOf:   {kind: rowRequestOfKeyed, at: 16, marker: true},
	rowExternal:    {kind: rowExternalKeyed, marker: true},
	rowSetting:     {kind: rowSettingKeyed},
	rowIndex:       {kind: rowIndexKeyed, at: 1, marker: true},
	rowEntityIndex: {kind: rowEntityIndexKeyed, marker: true},
}

// namedIndexes are the indexes whose value is a name.
var namedIndexes = [256]bool{bySession: true, bySubject: true, byProject: true, byUser: true, byNamespace: true, byExternal: true}

// namedKey is the key of a row with names, in the form of the snapshot.
func (r rowReader) namedKey(row byte, parts ...[]byte) key {
	if r.names.keyed() {
		row = nameRows[row].kind
	}
	return r.ks.rowKey(row, parts...)
}

// indexKey is the prefix of one value of an index, or with an id one row of it.
func (r rowReader) indexKey(index byte, value [16]byte, id ...byte) key {
	return r.namedKey(rowIndex, []byte{index}, value[:], id)
}

// keyedKey is the keyed form of a key of an earlier version; nil: it has no name, or the keyed form
// already.
func (r rowReader) keyedKey(k key) key {
	if len(k) <= len(r.ks) {
		return nil
	}
	row := nameRows[k[len(r.ks)]]
	if row.kind == 0 {
		return nil
	}
	to := bytes.Clone(k)
	to[len(r.ks)] = row.kind
	at := len(r.ks) + 1 + row.at
	if row.at == nameInValue || len(k) < at+16 || row.kind == rowIndexKeyed && !namedIndexes[k[at-1]] {
		return to
	}
	n := r.names.key.of([16]byte(k[at:]))
	copy(to[at:], n[:])
	return to
}

// keyedPayload is the payload of the keyed form of the row at k.
func (r rowReader) keyedPayload(k key, payload []byte) []byte {
	if nameRows[k[len(r.ks)]].at != nameInValue || len(payload) != len(triple{}) {
		return payload
	}
	to := bytes.Clone(payload)
	n := r.names.key.of([16]byte(payload[16:]))
	copy(to[16:], n[:])
	return to
}

// otherForm is the key of the second form of a row that is written in both; nil: there is none.
func (w *txWriter) otherForm(k key) key {
	if w.names.key == nil || w.names.phase != namesBoth {
		return nil
	}
	return w.keyedKey(k)
}

// nameForm is the form of names of a tenant in a snapshot.
func (s *Store) nameForm(t graph.Tenant, base uint64) nameForm {
	if s.keys == nil {
		return nameForm{}
	}
	known, ok := s.nameKeys.Load(t)
	if !ok {
		known, _ = s.nameKeys.LoadOrStore(t, tenantNameKey(s.namesSecret, t))
	}
	return nameForm{key: known.(*nameKey), phase: s.order.namePhase(t, base)}
}

// openNames opens the secret of the names, or makes it, for data of a version of the layout.
func (s *Store) openNames(version uint32) (err error) {
	if s.keys == nil {
		return nil
	}
	keyed, readOnly := version >= layoutKeyed, s.diskGuard != nil && s.diskGuard.readOnly
	if keyed || readOnly {
		s.namesSecret, err = s.keys.Secret(namesSecret)
	} else {
		s.namesSecret, err = s.keys.SecretOrNew(namesSecret)
	}
	missing := errors.Is(err, graph.ErrNotFound)
	if missing && !keyed {
		return nil // nothing is written, and nothing was under it
	}
	if missing {
		return fmt.Errorf("badgerstore: %w: those of names are missing (secrets/%s)", keyring.ErrWrong, namesSecret)
	}
	if err != nil || !keyed {
		return err
	}
	var check [16]byte
	k := storeKey(rowNamesCheck)
	err = s.viewRows("", func(r rowReader) error { return mustExist(r.fixedRow(k, check[:]), rowNamesCheck, "it is missing") })
	if err == nil && !hmac.Equal(check[:], namesCheck(s.namesSecret)) {
		err = fmt.Errorf("badgerstore: %w: that of names (secrets/%s) is another one", keyring.ErrWrong, namesSecret)
	}
	return err
}

// loadNames reads how far the names of each tenant are converted.
func (s *Store) loadNames() error {
	if s.keys == nil {
		return nil
	}
	return s.viewTenants(func(t graph.Tenant, r rowReader) error {
		phase, err := readNamePhase(r)
		if phase < namesKeyed {
			s.order.setNamePhase(t, phase, s.order.lastCommit.Commit)
		}
		return err
	})
}

// readNamePhase reads how far the names of a tenant are converted.
func readNamePhase(r rowReader) (namePhase, error) {
	var b [1]byte
	k := r.ks.rowKey(rowNames)
	err := noneIfMissing(r.fixedRow(k, b[:]))
	if err == nil && namePhase(b[0]) > namesKeyed {
		err = integrityError(k, "not a phase of the names")
	}
	return namePhase(b[0]), err
}

// viewTenants calls fn with a reader of each tenant's rows as of the last commit.
func (s *Store) viewTenants(fn func(t graph.Tenant, r rowReader) error) error {
	base := s.order.beginSnapshot(s.order.viewSnapshots)
	defer s.order.endSnapshot(s.order.viewSnapshots, base)
	return eachTenant(s.db, base, fn)
}

// putNamePhase writes the phase of the tenant's names.
func (w *txWriter) putNamePhase(phase namePhase) {
	k := w.ks.rowKey(rowNames)
	w.setValue(k, seal(k, formWhole, []byte{byte(phase)}), 0)
	w.namePhase = phase
}

// nextNamePhase commits the next phase of a tenant's names.
func (s *Store) nextNamePhase(t graph.Tenant, phase namePhase) error {
	for {
		w := s.beginWriter(t)
		w.putNamePhase(phase)
		_, err := s.commitWriter(w)
		w.release()
		if !errors.Is(err, errConflict) {
			return err
		}
	}
}

// keyNames converts the names in the keys of a tenant, but for the marks that it is done.
func (s *Store) keyNames(t graph.Tenant, p *sealing, stop <-chan struct{}) error {
	phase := s.order.namePhase(t, s.order.last())
	if phase == namesHashed {
		if err := s.nextNamePhase(t, namesBoth); err != nil {
			return err
		}
	}
	if phase < namesLeft {
		if err := s.eachNamed(t, p, stop, (*txWriter).copyNamed); err != nil {
			return err
		}
		if err := s.nextNamePhase(t, namesLeft); err != nil {
			return err
		}
	}
	return s.eachNamed(t, p, stop, func(w *txWriter, k key, _ *badger.Item) error {
		w.deleteRow(k)
		return w.err
	})
}

// eachNamed calls change for every row of a tenant with names in their former form, in batches.
func (s *Store) eachNamed(t graph.Tenant, p *sealing, stop <-chan struct{}, change func(w *txWriter, k key, item *badger.Item) error) error {
	ks := newKeyspace(t)
	for row, named := range nameRows {
		if named.kind == 0 {
			continue
		}
		if err := s.eachRow(t, ks.rowKey(byte(row)), p, stop, change); err != nil {
			return err
		}
	}
	return nil
}

// keySessions writes the counts of uses of a tenant again whose sessions have no key. Reads show the same
// before and after.
func (s *Store) keySessions(t graph.Tenant, p *sealing, stop <-chan struct{}) error {
	return s.eachRow(t, newKeyspace(t).rowKey(rowUsage), p, stop, func(w *txWriter, k key, _ *badger.Item) error {
		u, err := decodeRow[usageRow](w.rowReader, k)
		if err != nil || len(u.Sessions) == 0 {
			if graph.DamagedRow(err) {
				err = nil // it stays damaged
			}
			return err
		}
		u.Sessions = w.names.sessions(u.Sessions, u.Keyed)
		w.putUsage(k, u)
		return w.err
	})
}

// eachRow calls change for every row of a tenant with a prefix, in batches.
func (s *Store) eachRow(t graph.Tenant, prefix key, p *sealing, stop <-chan struct{}, change func(w *txWriter, k key, item *badger.Item) error) error {
	limit := s.options.nameBatch
	for from := prefix; from != nil; {
		select {
		case <-stop:
			return errStopped
		default:
		}
		n, next, err := s.changeNamed(t, prefix, from, limit, change)
		switch {
		case errors.Is(err, errConflict):
		case errors.Is(err, graph.ErrTooLarge) && limit > 1:
			limit /= 2
		case err != nil:
			return err
		default:
			from = next
			s.saySealing(p, n)
		}
	}
	return nil
}

// changeNamed calls change for a batch of rows with a prefix, from a key on, and commits. It returns the
// key to go on from; nil: there are no more.
func (s *Store) changeNamed(t graph.Tenant, prefix, from key, limit int, change func(w *txWriter, k key, item *badger.Item) error) (n int, next key, err error) {
	w := s.beginWriter(t)
	defer w.release()
	w.sameRows = true
	o := badger.DefaultIteratorOptions
	o.PrefetchValues, o.Prefix = false, prefix
	it := w.txn.NewIterator(o)
	defer it.Close()
	for it.Seek(from); it.ValidForPrefix(prefix); it.Next() {
		k := key(it.Item().KeyCopy(nil))
		if n == limit || w.size.bytes > s.maxTx.bytes/4 {
			next = k
			break
		}
		if err := change(w, k, it.Item()); err != nil {
			return 0, nil, err
		}
		n++
	}
	_, err = s.commitWriter(w)
	return n, next, err
}

// copyNamed writes the keyed form of a row, unless it is there. A damaged row is copied as it is, so
// that reading it fails as before.
func (w *txWriter) copyNamed(k key, item *badger.Item) error {
	to := w.keyedKey(k)
	if _, found, err := w.rowMeta(to); err != nil || found {
		return err
	}
	w.readKeys[keyHash(k)] = struct{}{}
	if nameRows[k[len(w.ks)]].marker {
		w.putMarker(to)
		return w.err
	}
	return item.Value(func(v []byte) error {
		payload, err := w.openValue(k, v)
		switch {
		case graph.DamagedRow(err):
			w.setValue(to, bytes.Clone(v), item.UserMeta())
		case err != nil:
			return err
		default:
			w.putRow(to, w.keyedPayload(k, payload), item.UserMeta())
		}
		return w.err
	})
}
