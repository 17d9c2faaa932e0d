package resolvers

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// A cursor is opaque to clients: the base64url encoding, without padding, of a version byte,
// the letter of the list, and a position in it: the 16 bytes of an id, or the 8 bytes of a
// position in the change feed, big-endian. Cursors of changes of clusters have another position.
const cursorVersion = 1

// The lists that cursors belong to.
const (
	cursorMemories    = 'm'
	cursorEntities    = 'e'
	cursorRelations   = 'r'
	cursorReports     = 's'
	cursorTasks       = 't'
	cursorDecisions   = 'd'
	cursorEvents      = 'v'
	cursorDeadLetters = 'l'
	cursorDocuments   = 'c'
	cursorClusters    = 'k'
	cursorPatterns    = 'p'
	cursorReceipts    = 'x'

	// cursorClusterEvents is the list of changes of clusters, whose position is the id of a note
	// and 4 bytes of a number.
	cursorClusterEvents = 'h'
)

func encodeCursor(list byte, place []byte) string {
	return base64.RawURLEncoding.EncodeToString(append([]byte{cursorVersion, list}, place...))
}

// decodeCursor decodes a cursor of the list; size is the length of the position in bytes.
func decodeCursor(list byte, text string, size int) ([]byte, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) != 2+size || b[0] != cursorVersion || b[1] != list {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "is not a cursor of this list")
	}
	return b[2:], nil
}

// encodeIDCursor returns the cursor of a node in a list that is ordered by id.
func encodeIDCursor(list byte, id graph.ID) (string, error) {
	b, err := id.Bytes()
	if err != nil {
		return "", err
	}
	return encodeCursor(list, b[:]), nil
}

// decodeAfterID returns the id after which a page starts; "" if there is no cursor.
func decodeAfterID(list byte, text *string) (graph.ID, error) {
	if text == nil {
		return "", nil
	}
	b, err := decodeCursor(list, *text, 16)
	if err != nil {
		return "", err
	}
	return graph.IDFromBytes([16]byte(b)), nil
}

// sealedVersion begins the cursor of a position in the change feed that is sealed.
const sealedVersion = 2

// place is a position in the change feed, and the number of the feed, which a restore changes.
type place struct {
	at   graph.Cursor
	feed uint32
}

// eventCursors writes and reads cursors of the change feed. With a key they are sealed for their
// principal: the positions count the changes of everybody in the tenant. A sealed position is one
// block of AES-128 of its 8 bytes, 4 zero bytes and the number of the feed, under a key of the principal, so that a
// changed or foreign cursor is refused. One that is not sealed has the number only if that is not 0.
type eventCursors struct{ key []byte } // empty: they are not sealed

// block returns the cipher of a principal.
func (x eventCursors) block(c engine.Caller) cipher.Block {
	h := hmac.New(sha256.New, x.key)
	_, _ = fmt.Fprintf(h, "event cursor\x00%s\x00%s", c.Tenant, c.Name) // a hash never fails
	b, err := aes.NewCipher(h.Sum(nil)[:16])
	if err != nil { // only for another size of the key
		panic(err)
	}
	return b
}

// encode returns the cursor of the position after an event.
func (x eventCursors) encode(c engine.Caller, p place) string {
	at := binary.BigEndian.AppendUint64(nil, uint64(p.at))
	if len(x.key) == 0 {
		if p.feed != 0 {
			at = binary.BigEndian.AppendUint32(at, p.feed)
		}
		return encodeCursor(cursorEvents, at)
	}
	at = binary.BigEndian.AppendUint64(at, uint64(p.feed))
	sealed := append([]byte{sealedVersion, cursorEvents}, make([]byte, aes.BlockSize)...)
	x.block(c).Encrypt(sealed[2:], at)
	return base64.RawURLEncoding.EncodeToString(sealed)
}

// decode returns the position after which a stream starts. Where cursors are sealed, no other one is accepted: a caller that names
// positions finds out by trial where its own events are, and so how many changes of others lie between them.
func (x eventCursors) decode(c engine.Caller, text string) (place, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if len(x.key) > 0 {
		if err == nil && len(b) == 2+aes.BlockSize && b[0] == sealedVersion && b[1] == cursorEvents {
			at := make([]byte, aes.BlockSize)
			x.block(c).Decrypt(at, b[2:])
			if feed := binary.BigEndian.Uint64(at[8:]); feed <= math.MaxUint32 {
				return place{graph.Cursor(binary.BigEndian.Uint64(at)), uint32(feed)}, nil
			}
		}
		return place{}, graph.FieldError(graph.CodeInvalidRequest, "after", "is not a cursor of this list")
	}
	if b, err = decodeCursor(cursorEvents, text, 12); err == nil {
		return place{graph.Cursor(binary.BigEndian.Uint64(b)), binary.BigEndian.Uint32(b[8:])}, nil
	}
	if b, err = decodeCursor(cursorEvents, text, 8); err != nil {
		return place{}, err
	}
	return place{at: graph.Cursor(binary.BigEndian.Uint64(b))}, nil
}

// errOtherFeed refuses a cursor from before a restore.
var errOtherFeed = graph.FieldError(graph.CodeInvalidRequest, "after", "is from before the store was restored: read the memories again, and begin with a new eventCursor")
