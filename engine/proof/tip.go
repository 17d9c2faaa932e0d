package proof

import (
	"encoding/json"
	"fmt"

	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/rfc6962"

	"github.com/somnograph/somnograph/graph"
)

// Tip is what the next leaf of a log needs of the leaves before it, so that an erasure costs the same
// whatever the number of erasures before. The zero Tip is that of an empty log.
type Tip struct {
	Size int `json:"size"` // number of leaves
	// Hashes are the roots of the perfect subtrees that the leaves consist of, from the first leaf on: at most
	// one for each bit of Size. RFC 6962, section 2.1, calls the hash of a subtree MTH.
	Hashes [][]byte `json:"hashes"`
}

// nodes makes the inner nodes of trees.
var nodes = compact.RangeFactory{Hash: rfc6962.DefaultHasher.HashChildren}

// TipOf returns the tip of a log.
func TipOf(leaves []*Leaf) (Tip, error) {
	r := nodes.NewEmptyRange(0)
	for _, l := range leaves {
		if err := r.Append(l.hash(), nil); err != nil {
			return Tip{}, err
		}
	}
	return Tip{len(leaves), r.Hashes()}, nil
}

// Append makes the leaf after a tip, and the tip with it. An error that wraps graph.ErrIntegrity means that the
// tip is damaged.
func Append(key *Key, tip Tip, r Receipt) (*Leaf, Tip, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, Tip{}, err
	}
	tree, err := nodes.NewRange(0, uint64(tip.Size), tip.Hashes)
	if err != nil {
		return nil, Tip{}, fmt.Errorf("%w: the tip of the log of erasures: %v", graph.ErrIntegrity, err)
	}
	l := &Leaf{Index: tip.Size, Text: string(text)}
	if err := tree.Append(l.hash(), nil); err != nil {
		return nil, Tip{}, err
	}
	root, err := tree.GetRootHash(nil)
	if err != nil {
		return nil, Tip{}, err
	}
	l.Issued, err = key.sign(statement{origin: key.name + logSuffix, size: tree.End(), root: root}.text())
	return l, Tip{l.Index + 1, tree.Hashes()}, err
}
