package library

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Bounds of a record. A note has at most graph.MaxNote bytes, so the ids are packed: a chunk of the
// current and of the next version has 22 characters each, a former one 32.
const (
	maxChunks  = 2500 // chunks of a document
	maxFormer  = 2500 // former chunks that are remembered, the newest
	maxEarlier = 20   // earlier versions that are remembered, the newest
)

// record is the stored record of a document.
type record struct {
	Path     string    `json:"path"`
	User     string    `json:"user,omitempty"` // its owner
	Revision int       `json:"revision"`       // raised by every write of the record
	Current  version   `json:"current"`        // version 0: none yet
	Next     *applying `json:"next,omitempty"`
	Former   formers   `json:"former,omitempty"` // chunks that are not in the current version, oldest first
	Earlier  []version `json:"earlier,omitempty"`
}

// version is one version of a document. Without a hash it says that the document was removed.
type version struct {
	Number    int           `json:"number"`
	MediaType string        `json:"mediaType,omitempty"`
	Title     string        `json:"title,omitempty"`
	Hash      string        `json:"hash,omitempty"` // SHA-256 of the content, lower-case hex
	Consent   graph.Consent `json:"consent,omitempty"`
	Project   string        `json:"project,omitempty"`
	At        time.Time     `json:"at,omitzero"`
	Count     int           `json:"count,omitempty"`
	Chunks    packedIDs     `json:"chunks,omitempty"` // in order; empty in an earlier version
}

// removed reports whether the version is the end of the document.
func (v *version) removed() bool { return v.Number > 0 && v.Hash == "" }

// applying is the version that is being made current.
type applying struct {
	version
	Done int `json:"done"` // chunks that were handled: those of the version, then those of the current one
}

// former is a chunk that is not in the current version.
type former struct {
	id  graph.ID
	key hashKey
}

// hashKey is the beginning of the hash of a chunk.
type hashKey [8]byte

// keyOf is the beginning of a hash in hexadecimal. A malformed hash has the zero key.
func keyOf(hash string) (k hashKey) {
	b, err := hex.DecodeString(hash)
	if err == nil {
		copy(k[:], b)
	}
	return k
}

// recordID is the id of the record of a document.
func recordID(namespace, owner, path string) (graph.ID, error) {
	return graph.DerivedID(time.UnixMilli(0), "document", namespace, owner, path)
}

// decodeRecord reads the record in a note.
func decodeRecord(n *graph.Note) (*record, error) {
	var x record
	if err := json.Unmarshal(n.Data, &x); err != nil {
		return nil, errors.Join(graph.ErrIntegrity, err)
	}
	return &x, nil
}

// CheckNote returns what is wrong with the record of a document that comes from elsewhere, and the chunks that it names.
func CheckNote(n *graph.Note) (chunks []graph.ID, err error) {
	x, err := decodeRecord(n)
	if err != nil {
		return nil, errors.New("in Data: it is no record of a document")
	}
	id, err := recordID(n.Namespace, x.User, x.Path)
	versions := append([]version{x.Current}, x.Earlier...)
	if x.Next != nil {
		if versions = append(versions, x.Next.version); x.Next.Done < 0 || x.Next.Done > len(x.Next.Chunks)+len(x.Current.Chunks) {
			return nil, errors.New("in Data: done is not from 0 to the number of chunks")
		}
	}
	switch {
	case !graph.ValidNamespace(n.Namespace):
		return nil, errors.New("in Namespace: a document has one")
	case !validPath(x.Path) || len(x.User) > graph.MaxName:
		return nil, errors.New("in Data: path or user is not that of a document")
	case err != nil || id != n.ID:
		return nil, errors.New("in ID: it is not that of namespace, user and path")
	case x.Revision < 1 || len(x.Former) > maxFormer || len(x.Earlier) > maxEarlier:
		return nil, fmt.Errorf("in Data: a document has a revision, at most %d former chunks, and at most %d earlier versions", maxFormer, maxEarlier)
	}
	for _, v := range versions {
		hash, err := hex.DecodeString(v.Hash)
		if err != nil || len(hash) != 0 && len(hash) != sha256.Size || v.Number < 0 || v.Count < 0 || len(v.Chunks) > maxChunks || v.Consent != "" && !v.Consent.Valid() {
			return nil, fmt.Errorf("in Data: version %d is not one of a document", v.Number)
		}
		chunks = append(chunks, v.Chunks...)
	}
	for _, f := range x.Former {
		chunks = append(chunks, f.id)
	}
	return chunks, nil
}

// loadRecord reads the record of a document and its namespace. It returns nil if there is none.
func loadRecord(r graph.Reader, id graph.ID) (*record, string, error) {
	n, err := r.Note(graph.NoteDocument, id)
	if known, err := graph.Found(err); !known {
		return nil, "", err
	}
	x, err := decodeRecord(n)
	return x, n.Namespace, err
}

// putRecord writes the record of a document.
func putRecord(tx graph.Tx, id graph.ID, namespace string, x *record, now time.Time) error {
	x.Revision++
	x.Former = x.Former[max(0, len(x.Former)-maxFormer):]
	x.Earlier = x.Earlier[max(0, len(x.Earlier)-maxEarlier):]
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return tx.PutNote(graph.Note{Kind: graph.NoteDocument, ID: id, Namespace: namespace, At: now, Data: text})
}

// packedIDs are ids in a record: base64 of 16 bytes each.
type packedIDs []graph.ID

func (p packedIDs) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 16*len(p))
	for _, id := range p {
		x, err := id.Bytes()
		if err != nil {
			return nil, err
		}
		b = append(b, x[:]...)
	}
	return json.Marshal(base64.RawStdEncoding.EncodeToString(b))
}

func (p *packedIDs) UnmarshalJSON(text []byte) error {
	b, err := unpack(text, 16)
	if err != nil {
		return err
	}
	*p = nil
	for ; len(b) > 0; b = b[16:] {
		*p = append(*p, graph.IDFromBytes([16]byte(b[:16])))
	}
	return nil
}

// formers are former chunks in a record: base64 of 24 bytes each.
type formers []former

func (p formers) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 24*len(p))
	for _, f := range p {
		x, err := f.id.Bytes()
		if err != nil {
			return nil, err
		}
		b = append(append(b, x[:]...), f.key[:]...)
	}
	return json.Marshal(base64.RawStdEncoding.EncodeToString(b))
}

func (p *formers) UnmarshalJSON(text []byte) error {
	b, err := unpack(text, 24)
	if err != nil {
		return err
	}
	*p = nil
	for ; len(b) > 0; b = b[24:] {
		*p = append(*p, former{graph.IDFromBytes([16]byte(b[:16])), hashKey(b[16:24])})
	}
	return nil
}

// unpack decodes base64 of items of a size.
func unpack(text []byte, size int) ([]byte, error) {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	b, err := base64.RawStdEncoding.DecodeString(s)
	if err == nil && len(b)%size != 0 {
		err = fmt.Errorf("%d bytes are no items of %d", len(b), size)
	}
	return b, err
}
