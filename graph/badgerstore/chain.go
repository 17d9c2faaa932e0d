package badgerstore

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
)

// commitRing is how many of the latest commits keep their row. It covers what can
// lie in Badger's logs at once (four memtables of 16 MiB, commits of 500 bytes), so
// that a hole in any of them shows.
const commitRing = 1 << 17

// link is one commit in the chain.
type link struct {
	Commit uint64   // number, from 1, without gaps
	Cursor uint64   // last cursor that was given out, with this commit
	Digest [32]byte // SHA-256 over keys and values of its change rows
	Chain  [32]byte // SHA-256 over the chain before ∥ commit ∥ cursor ∥ digest
}

// next is the link behind l.
func (l link) next(cursor uint64, digest [32]byte) link {
	n := link{Commit: l.Commit + 1, Cursor: cursor, Digest: digest}
	n.Chain = n.follow(l.Chain)
	return n
}

func (l link) follow(before [32]byte) [32]byte {
	b := make([]byte, 0, 32+8+8+32)
	b = append(b, before[:]...)
	b = binary.BigEndian.AppendUint64(b, l.Commit)
	b = binary.BigEndian.AppendUint64(b, l.Cursor)
	b = append(b, l.Digest[:]...)
	return sha256.Sum256(b)
}

func (l link) key() key {
	return storeKey(rowCommit, binary.BigEndian.AppendUint32(nil, uint32(l.Commit%commitRing))...)
}

func (l link) encode() []byte {
	b := make([]byte, 0, 8+8+32+32)
	b = binary.BigEndian.AppendUint64(b, l.Commit)
	b = binary.BigEndian.AppendUint64(b, l.Cursor)
	b = append(b, l.Digest[:]...)
	return append(b, l.Chain[:]...)
}

func decodeLink(k key, b []byte) (link, error) {
	if len(b) != 8+8+32+32 {
		return link{}, broken(k, "not a commit")
	}
	l := link{Commit: binary.BigEndian.Uint64(b), Cursor: binary.BigEndian.Uint64(b[8:])}
	copy(l.Digest[:], b[16:])
	copy(l.Chain[:], b[48:])
	return l, nil
}

// checkChain reads the latest commits and compares them with the mark (nil for a
// store in memory). It answers the last commit, or an error that wraps ErrIntegrity
// where a commit is missing, altered, or not of this history.
func checkChain(db *badger.DB, m *mark) (link, error) {
	ring, last, err := readRing(db)
	if err != nil {
		return link{}, err
	}
	first := uint64(1)
	if last.Commit > commitRing {
		first = last.Commit - commitRing + 1
	}
	for n := first; n <= last.Commit; n++ {
		l := ring[n%commitRing]
		if l.Commit != n {
			return link{}, fmt.Errorf("%w: commit %d of %d is missing", graph.ErrIntegrity, n, last.Commit)
		}
		before := ring[(n-1)%commitRing].Chain
		if n == 1 {
			before = [32]byte{}
		}
		if (n > first || n == 1) && l.Chain != l.follow(before) {
			return link{}, fmt.Errorf("%w: commit %d does not follow the one before", graph.ErrIntegrity, n)
		}
	}
	switch {
	case m == nil || m.Commit == 0:
	case m.Commit > last.Commit:
		return link{}, fmt.Errorf("%w: %d commits are known to be durable, the database holds %d", graph.ErrIntegrity, m.Commit, last.Commit)
	case m.Commit >= first && ring[m.Commit%commitRing].Chain != m.Chain:
		return link{}, fmt.Errorf("%w: commit %d is not the one that the mark names", graph.ErrIntegrity, m.Commit)
	}
	return last, nil
}

// readRing answers the rows of the latest commits by number modulo commitRing, and
// the last of them.
func readRing(db *badger.DB) (ring []link, last link, err error) {
	err = db.View(func(txn *badger.Txn) error { // the latest of all versions
		o := badger.DefaultIteratorOptions
		o.PrefetchValues = false
		o.Prefix = storeKey(rowCommit)
		it := txn.NewIterator(o)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			item := it.Item()
			k := key(item.Key())
			err := item.Value(func(v []byte) error {
				_, payload, err := unseal(k, v)
				if err != nil {
					return err
				}
				l, err := decodeLink(k, payload)
				if err != nil {
					return err
				}
				if len(k) != 6 || binary.BigEndian.Uint32(k[2:]) != uint32(l.Commit%commitRing) {
					return broken(k, "commit under a wrong key")
				}
				for uint64(len(ring)) <= l.Commit%commitRing {
					ring = append(ring, link{})
				}
				ring[l.Commit%commitRing] = l
				if l.Commit > last.Commit {
					last = l
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, graph.ErrIntegrity) {
		err = fmt.Errorf("badgerstore: read commits: %w", err)
	}
	for uint64(len(ring)) < min(last.Commit+1, commitRing) {
		ring = append(ring, link{})
	}
	return ring, last, err
}
