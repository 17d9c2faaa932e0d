package proof

import (
	"github.com/transparency-dev/merkle/rfc6962"
)

// root is the Merkle tree hash of leaf hashes (RFC 6962, section 2.1).
func root(hashes [][]byte) []byte {
	switch n := len(hashes); n {
	case 0:
		return rfc6962.DefaultHasher.EmptyRoot()
	case 1:
		return hashes[0]
	default:
		k := split(n)
		return rfc6962.DefaultHasher.HashChildren(root(hashes[:k]), root(hashes[k:]))
	}
}

// split is the largest power of two below n.
func split(n int) int {
	k := 1
	for k*2 < n {
		k *= 2
	}
	return k
}

// inclusion is the audit path of a leaf (RFC 6962, section 2.1.1).
func inclusion(at int, hashes [][]byte) [][]byte {
	n := len(hashes)
	if n <= 1 {
		return [][]byte{}
	}
	k := split(n)
	if at < k {
		return append(inclusion(at, hashes[:k]), root(hashes[k:]))
	}
	return append(inclusion(at-k, hashes[k:]), root(hashes[:k]))
}

// consistency proves that the tree of the first m leaves is a prefix (RFC 6962, section 2.1.2).
func consistency(m int, hashes [][]byte) [][]byte {
	if m <= 0 || m >= len(hashes) {
		return [][]byte{}
	}
	return subproof(m, hashes, true)
}

func subproof(m int, hashes [][]byte, whole bool) [][]byte {
	n := len(hashes)
	if m == n {
		if whole {
			return [][]byte{}
		}
		return [][]byte{root(hashes)}
	}
	k := split(n)
	if m <= k {
		return append(subproof(m, hashes[:k], whole), root(hashes[k:]))
	}
	return append(subproof(m-k, hashes[k:], false), root(hashes[:k]))
}

// levels are the nodes of a tree by height, so that many paths cost little. A node without a
// sibling moves up unchanged, which gives the tree of RFC 6962.
type levels [][][]byte

func newLevels(hashes [][]byte) levels {
	l := levels{hashes}
	for len(l[len(l)-1]) > 1 {
		last := l[len(l)-1]
		var next [][]byte
		for i := 0; i+1 < len(last); i += 2 {
			next = append(next, rfc6962.DefaultHasher.HashChildren(last[i], last[i+1]))
		}
		if len(last)%2 == 1 {
			next = append(next, last[len(last)-1])
		}
		l = append(l, next)
	}
	return l
}

func (l levels) root() []byte {
	if len(l[0]) == 0 {
		return rfc6962.DefaultHasher.EmptyRoot()
	}
	return l[len(l)-1][0]
}

func (l levels) path(at int) [][]byte {
	path := [][]byte{}
	for _, level := range l[:len(l)-1] {
		if sibling := at ^ 1; sibling < len(level) {
			path = append(path, level[sibling])
		}
		at /= 2
	}
	return path
}
