package badgerstore

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
)

// commitRingSize is how many of the latest commits keep their row. It covers what Badger's
// logs can hold at once (four memtables of 16 MiB, commits of 500 bytes), so that a gap in
// any of them is detected.
const commitRingSize = 1 << 17

// commitLink is one commit in the hash chain.
type commitLink struct {
	Commit uint64   // number, from 1, without gaps
	Cursor uint64   // last cursor up to this commit
	Digest [32]byte // SHA-256 over keys and values of its change rows
	Chain  [32]byte // SHA-256 over the previous Chain ∥ commit ∥ cursor ∥ digest
}

// nextLink is the link after l.
func (l commitLink) nextLink(cursor uint64, digest [32]byte) commitLink {
	n := commitLink{Commit: l.Commit + 1, Cursor: cursor, Digest: digest}
	n.Chain = n.chainAfter(l.Chain)
	return n
}

func (l commitLink) chainAfter(previous [32]byte) [32]byte {
	b := make([]byte, 0, 32+8+8+32)
	b = append(b, previous[:]...)
	b = binary.BigEndian.AppendUint64(b, l.Commit)
	b = binary.BigEndian.AppendUint64(b, l.Cursor)
	b = append(b, l.Digest[:]...)
	return sha256.Sum256(b)
}

func (l commitLink) key() key {
	return storeKey(rowCommit, binary.BigEndian.AppendUint32(nil, uint32(l.Commit%commitRingSize))...)
}

func (l commitLink) encode() []byte {
	b := make([]byte, 0, 8+8+32+32)
	b = binary.BigEndian.AppendUint64(b, l.Commit)
	b = binary.BigEndian.AppendUint64(b, l.Cursor)
	b = append(b, l.Digest[:]...)
	return append(b, l.Chain[:]...)
}

func decodeLink(k key, b []byte) (commitLink, error) {
	if len(b) != 8+8+32+32 {
		return commitLink{}, integrityError(k, "not a commit")
	}
	l := commitLink{Commit: binary.BigEndian.Uint64(b), Cursor: binary.BigEndian.Uint64(b[8:])}
	copy(l.Digest[:], b[16:])
	copy(l.Chain[:], b[48:])
	return l, nil
}

// checkChain reads the latest commits and compares them with the watermark (nil for a
// store in memory). It returns the last commit, or an error that wraps ErrIntegrity
// if a commit is missing, altered, or not of this history.
func checkChain(db *badger.DB, m *watermark) (commitLink, error) {
	ring, last, err := readRing(db)
	if err != nil {
		return commitLink{}, err
	}
	first := uint64(1)
	if last.Commit > commitRingSize {
		first = last.Commit - commitRingSize + 1
	}
	for n := first; n <= last.Commit; n++ {
		l := ring[n%commitRingSize]
		if l.Commit != n {
			return commitLink{}, fmt.Errorf("%w: commit %d of %d is missing", graph.ErrIntegrity, n, last.Commit)
		}
		previous := ring[(n-1)%commitRingSize].Chain
		if n == 1 {
			previous = [32]byte{}
		}
		if (n > first || n == 1) && l.Chain != l.chainAfter(previous) {
			return commitLink{}, fmt.Errorf("%w: commit %d does not follow the previous one", graph.ErrIntegrity, n)
		}
	}
	switch {
	case m == nil || m.Commit == 0:
	case m.Commit > last.Commit:
		return commitLink{}, fmt.Errorf("%w: %d commits are known to be durable, the database holds %d", graph.ErrIntegrity, m.Commit, last.Commit)
	case m.Commit >= first && ring[m.Commit%commitRingSize].Chain != m.Chain:
		return commitLink{}, fmt.Errorf("%w: commit %d differs from that of the watermark", graph.ErrIntegrity, m.Commit)
	}
	return last, nil
}

// readRing returns the rows of the latest commits by number modulo commitRingSize, and
// the last of them.
func readRing(db *badger.DB) (ring []commitLink, last commitLink, err error) {
	prefix := storeKey(rowCommit)
	collect := func(k key, payload []byte) (bool, error) {
		l, err := decodeLink(k, payload)
		if err != nil {
			return false, err
		}
		at := l.Commit % commitRingSize
		if len(k) != 6 || binary.BigEndian.Uint32(k[2:]) != uint32(at) {
			return false, integrityError(k, "commit under a wrong key")
		}
		for uint64(len(ring)) <= at {
			ring = append(ring, commitLink{})
		}
		ring[at] = l
		if l.Commit > last.Commit {
			last = l
		}
		return true, nil
	}
	err = db.View(func(txn *badger.Txn) error { // the latest of all versions
		return rowReader{txn: txn}.scanRows(prefix, prefix, false, collect)
	})
	if err != nil && !errors.Is(err, graph.ErrIntegrity) {
		err = fmt.Errorf("badgerstore: read commits: %w", err)
	}
	for uint64(len(ring)) < min(last.Commit+1, commitRingSize) {
		ring = append(ring, commitLink{})
	}
	return ring, last, err
}
