package proof

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/strictjson"
)

// Version is the version of documents.
const Version = 1

// Part is the state of an erasure in one part of the server.
type Part struct {
	Store  string    `json:"store"`       // one of Stores
	Status string    `json:"status"`      // Pending, Complete, BeyondUse or None
	At     time.Time `json:"at,omitzero"` // when the state was reached; zero: Pending or None
}

// Stores are the parts of a server that can hold what is erased, in the order of receipts. Receipts of
// earlier versions have the first three, and LEDGER.
var Stores = []string{Store, Index, Recess, Map, Ledger, Replicas, Backups, Exports}

// The parts.
const (
	Store    = "STORE"    // the store, with its keys if it is sealed
	Index    = "INDEX"    // the indexes of this server
	Recess   = "RECESS"   // the archive of permanent memories
	Map      = "MAP"      // the saved positions of the explorer's map
	Ledger   = "LEDGER"   // the record of erasures outside the data directory
	Replicas = "REPLICAS" // the indexes and archives of other servers of the store
	Backups  = "BACKUPS"  // backups of the store
	Exports  = "EXPORTS"  // exports that were being sent
)

// The states of an erasure in a part.
const (
	Pending   = "PENDING"    // it is not done there
	Complete  = "COMPLETE"   // nothing of it is left there
	BeyondUse = "BEYOND_USE" // copies from before may be left there, which nothing answers with and no restore brings back
	None      = "NONE"       // the server has no such part
)

// Receipt is what a leaf of the log says.
type Receipt struct {
	ID          graph.ID  `json:"id"`
	Status      string    `json:"status"`
	Count       int       `json:"count"`
	Hash        string    `json:"hash"` // of the sorted ids joined by newlines, SHA-256, lower-case hex
	Anonymised  int       `json:"anonymised,omitempty"`
	RequestedAt time.Time `json:"requestedAt"`
	CompletedAt time.Time `json:"completedAt"`
	Parts       []Part    `json:"stores"`
	// Backups are the backups that existed, by identity, with the last generation of each that may hold
	// what was erased. A backup holds none of it once that generation is gone.
	Backups map[string]int `json:"backups,omitempty"`
	Keys    []string       `json:"keys,omitempty"` // numbers of destroyed data keys, and ranges such as 4097-4120, ascending
	// APIKeys are the public ids of the API keys of the erased user, which are deleted, ascending.
	APIKeys []string `json:"apiKeys,omitempty"`
}

// Leaf is a receipt in the log, as the Data of its note graph.NoteProof.
type Leaf struct {
	Index  int    `json:"index"`  // in the log, from 0
	Text   string `json:"text"`   // JSON of the receipt
	Issued string `json:"issued"` // signed checkpoint of the log up to the leaf
}

// Receipt reads the text.
func (l *Leaf) Receipt() (*Receipt, error) {
	var r Receipt
	if err := strictjson.DecodeExact([]byte(l.Text), &r); err != nil {
		return nil, fmt.Errorf("%w: a receipt in the log of erasures can't be read", graph.ErrIntegrity)
	}
	return &r, nil
}

func (l *Leaf) hash() []byte { return rfc6962.DefaultHasher.HashLeaf([]byte(l.Text)) }

func hashesOf(leaves []*Leaf) [][]byte {
	hashes := make([][]byte, 0, len(leaves))
	for _, l := range leaves {
		hashes = append(hashes, l.hash())
	}
	return hashes
}

// Document proves an erasure.
type Document struct {
	Somnograph  string     `json:"somnograph"` // "receipt"
	Version     int        `json:"version"`
	Receipt     string     `json:"receipt"` // text of the leaf
	IDs         []graph.ID `json:"ids"`
	Index       int        `json:"index"`
	Issued      string     `json:"issued"`     // signed checkpoint of the erasure
	Checkpoint  string     `json:"checkpoint"` // signed checkpoint of the making of the document
	Inclusion   [][]byte   `json:"inclusion"`
	Consistency [][]byte   `json:"consistency"`
	Absence     Absence    `json:"absence"`
	// Successors are what former keys say of the keys after them, signed and oldest first, so that who
	// knows a former key can check the document.
	Successors []string `json:"successors,omitempty"`
}

// Absence proves that ids are not among the live memories.
type Absence struct {
	Tree string `json:"tree"` // signed size and root of the sorted tree, and the instant
	Gaps []Gap  `json:"gaps"`
}

// Gap is two neighbours in the tree, between which lie hashes of erased ids.
type Gap struct {
	Index     int      `json:"index"`           // of the left neighbour; -1: the gap is before the first leaf
	Left      []byte   `json:"left,omitempty"`  // SHA-256 of an id
	Right     []byte   `json:"right,omitempty"` // absent: the gap is after the last leaf
	LeftPath  [][]byte `json:"leftPath,omitempty"`
	RightPath [][]byte `json:"rightPath,omitempty"`
}

// Make makes the document of a leaf. ids are the erased ids, ascending, and live all memories that
// are not erased, in any order.
func Make(key *Keyring, leaves []*Leaf, index int, ids, live []graph.ID, at time.Time) (*Document, error) {
	hashes := hashesOf(leaves)
	d := &Document{
		Somnograph: "receipt", Version: Version, Receipt: leaves[index].Text, IDs: ids, Index: index, Issued: leaves[index].Issued,
		Successors: key.Successors, Inclusion: inclusion(index, hashes), Consistency: consistency(index+1, hashes),
	}
	var err error
	if d.Checkpoint, err = key.sign(statement{origin: key.name + logSuffix, size: uint64(len(hashes)), root: root(hashes)}.text()); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(d.Issued, key.name+logSuffix+"\n") { // by a former key, which nobody has any more
		if d.Issued, err = key.sign(statement{origin: key.name + logSuffix, size: uint64(index + 1), root: root(hashes[:index+1])}.text()); err != nil {
			return nil, err
		}
	}
	d.Absence, err = absence(key.Key, ids, live, at)
	return d, err
}

// absence makes the proof of absence. It fails if an id is live.
func absence(key *Key, ids, live []graph.ID, at time.Time) (a Absence, err error) {
	leaves := make([][]byte, len(live))
	for i, id := range live {
		leaves[i] = idHash(id)
	}
	slices.SortFunc(leaves, bytes.Compare)
	hashes := make([][]byte, len(leaves))
	for i, leaf := range leaves {
		hashes[i] = rfc6962.DefaultHasher.HashLeaf(leaf)
	}
	tree := newLevels(hashes)
	a.Tree, err = key.sign(statement{origin: key.name + liveSuffix, size: uint64(len(leaves)), root: tree.root(), at: at}.text())
	if err != nil {
		return a, err
	}
	seen := map[int]bool{}
	a.Gaps = []Gap{}
	for _, id := range ids {
		h := idHash(id)
		right := sort.Search(len(leaves), func(i int) bool { return bytes.Compare(leaves[i], h) >= 0 })
		if right < len(leaves) && bytes.Equal(leaves[right], h) {
			return a, fmt.Errorf("%w: the erased memory %s is live", graph.ErrIntegrity, id)
		}
		if len(leaves) == 0 || seen[right] {
			continue
		}
		seen[right] = true
		g := Gap{Index: right - 1}
		if right > 0 {
			g.Left, g.LeftPath = leaves[right-1], tree.path(right-1)
		}
		if right < len(leaves) {
			g.Right, g.RightPath = leaves[right], tree.path(right)
		}
		a.Gaps = append(a.Gaps, g)
	}
	return a, nil
}

func idHash(id graph.ID) []byte {
	sum := sha256.Sum256([]byte(id))
	return sum[:]
}

// Checked is what a valid document proves.
type Checked struct {
	Receipt  *Receipt
	Signer   string    // name of the key
	Erasures uint64    // in the log
	Live     uint64    // memories that were live
	At       time.Time // when they were
}

// Verify checks a document with public keys. The error says what is wrong with it.
func Verify(text []byte, publicKeys ...string) (*Checked, error) {
	var keys []note.Verifier
	for _, k := range publicKeys {
		v, err := note.NewVerifier(k)
		if err != nil {
			return nil, fmt.Errorf("%q is no public key: %w", k, err)
		}
		keys = append(keys, v)
	}
	var err error
	var d Document
	if err := strictjson.Decode(text, &d); err != nil {
		return nil, fmt.Errorf("this is not a receipt of Somnograph, or it is cut short or was changed: %w", err)
	}
	if d.Somnograph != "receipt" || d.Version != Version {
		return nil, fmt.Errorf("this is not a receipt of version %d", Version)
	}
	if keys, err = d.succeeding(keys, publicKeys); err != nil {
		return nil, err
	}
	known := note.VerifierList(keys...)
	r, err := d.checkIDs()
	if err != nil {
		return nil, err
	}
	now, err := d.checkLog(known)
	if err != nil {
		return nil, err
	}
	tree, err := d.checkAbsence(known)
	if err != nil {
		return nil, err
	}
	signer := strings.TrimSuffix(now.origin, logSuffix)
	if signer+liveSuffix != tree.origin {
		return nil, errors.New("the tree of live memories is that of another server")
	}
	if tree.at.Before(r.CompletedAt) {
		return nil, errors.New("the tree of live memories is older than the erasure")
	}
	return &Checked{Receipt: r, Signer: signer, Erasures: now.size, Live: tree.size, At: tree.at}, nil
}

// succeeding adds the keys that known ones name as their successors.
func (d *Document) succeeding(keys []note.Verifier, known []string) ([]note.Verifier, error) {
	known = slices.Clone(known)
	for _, signed := range d.Successors {
		s, err := ReadSuccessor(signed)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(known, s.Former) || slices.Contains(known, s.Next) {
			continue
		}
		v, err := note.NewVerifier(s.Next)
		if err != nil {
			return nil, errSuccessor
		}
		keys, known = append(keys, v), append(known, s.Next)
	}
	return keys, nil
}

// checkIDs compares the ids with the hash of the receipt.
func (d *Document) checkIDs() (*Receipt, error) {
	var r Receipt
	if err := strictjson.DecodeExact([]byte(d.Receipt), &r); err != nil {
		return nil, errors.New("the receipt can't be read")
	}
	if r.Status != string(graph.DeletionComplete) {
		return nil, fmt.Errorf("the erasure is %s, not COMPLETE", r.Status)
	}
	texts := make([]string, len(d.IDs))
	for i, id := range d.IDs {
		if texts[i] = string(id); i > 0 && texts[i] <= texts[i-1] {
			return nil, errors.New("the ids are not in order")
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(texts, "\n")))
	if len(d.IDs) != r.Count || hex.EncodeToString(sum[:]) != r.Hash {
		return nil, fmt.Errorf("the %d ids are not the %d that were erased", len(d.IDs), r.Count)
	}
	return &r, nil
}

// checkLog checks that the receipt is in the log of the signer and that the log only grew.
func (d *Document) checkLog(keys note.Verifiers) (statement, error) {
	issued, err := open(d.Issued, keys, logSuffix)
	if err != nil {
		return issued, fmt.Errorf("the checkpoint of the erasure: %w", signature(err))
	}
	now, err := open(d.Checkpoint, keys, logSuffix)
	if err != nil {
		return now, fmt.Errorf("the checkpoint: %w", signature(err))
	}
	if now.origin != issued.origin {
		return now, errors.New("the checkpoints are of two servers")
	}
	if d.Index < 0 || issued.size != uint64(d.Index)+1 || now.size < issued.size {
		return now, errors.New("the log was shortened: the receipt is after its end")
	}
	h := rfc6962.DefaultHasher
	if err := proof.VerifyInclusion(h, uint64(d.Index), now.size, h.HashLeaf([]byte(d.Receipt)), d.Inclusion, now.root); err != nil {
		return now, errors.New("the receipt is not in the log that was signed")
	}
	if err := proof.VerifyConsistency(h, issued.size, now.size, d.Consistency, issued.root, now.root); err != nil {
		return now, errors.New("the log was changed after the erasure")
	}
	return now, nil
}

// signature explains an error of a signed note.
func signature(err error) error {
	var unknown *note.UnverifiedNoteError
	if errors.As(err, &unknown) {
		return errors.New("it is not signed with the given key: the receipt is forged or of another server")
	}
	return err
}

// checkAbsence checks that every id lies between two neighbours of the tree.
func (d *Document) checkAbsence(keys note.Verifiers) (statement, error) {
	tree, err := open(d.Absence.Tree, keys, liveSuffix)
	if err != nil {
		return tree, fmt.Errorf("the tree of live memories: %w", signature(err))
	}
	if tree.at.IsZero() {
		return tree, errors.New("the tree of live memories has no instant")
	}
	h := rfc6962.DefaultHasher
	for _, g := range d.Absence.Gaps {
		first, last := g.Index == -1, uint64(g.Index+1) == tree.size
		if g.Index < -1 || uint64(g.Index+1) > tree.size || first != (g.Left == nil) || last != (g.Right == nil) {
			return tree, errors.New("a gap of the tree of live memories is none")
		}
		if !first && proof.VerifyInclusion(h, uint64(g.Index), tree.size, h.HashLeaf(g.Left), g.LeftPath, tree.root) != nil ||
			!last && proof.VerifyInclusion(h, uint64(g.Index+1), tree.size, h.HashLeaf(g.Right), g.RightPath, tree.root) != nil {
			return tree, errors.New("a gap is not in the tree of live memories that was signed")
		}
	}
	for _, id := range d.IDs {
		hash := idHash(id)
		if tree.size > 0 && !slices.ContainsFunc(d.Absence.Gaps, func(g Gap) bool {
			return (g.Left == nil || bytes.Compare(g.Left, hash) < 0) && (g.Right == nil || bytes.Compare(hash, g.Right) < 0)
		}) {
			return tree, fmt.Errorf("it is not proved that %s is erased", id)
		}
	}
	return tree, nil
}
