package resolvers

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/somnograph/somnograph/graph"
)

// A cursor is opaque to clients: the base64url encoding, without padding, of a version byte,
// the letter of the list, and a position in it: the 16 bytes of an id, or the 8 bytes of a
// position in the change feed, big-endian.
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

// encodeEventCursor returns the cursor of the position after an event.
func encodeEventCursor(c graph.Cursor) string {
	return encodeCursor(cursorEvents, binary.BigEndian.AppendUint64(nil, uint64(c)))
}

// decodeAfterEvent returns the position after which a stream starts.
func decodeAfterEvent(text string) (graph.Cursor, error) {
	b, err := decodeCursor(cursorEvents, text, 8)
	if err != nil {
		return 0, err
	}
	return graph.Cursor(binary.BigEndian.Uint64(b)), nil
}
