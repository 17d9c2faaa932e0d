package wire

import "github.com/somnograph/somnograph/graph"

// UUID is the 16 bytes of an id. It fails, naming the field, where the id is not one.
func UUID(field string, id graph.ID) ([16]byte, error) {
	b, err := id.Bytes()
	if err != nil {
		return b, graph.FieldError(graph.CodeInvalidRequest, field, "must be a UUID")
	}
	return b, nil
}

// IDBytes is an id as it is written: 16 bytes, none for the empty id.
func IDBytes(field string, id graph.ID) ([]byte, error) {
	if id == "" {
		return nil, nil
	}
	b, err := UUID(field, id)
	if err != nil {
		return nil, err
	}
	return b[:], nil
}

// ID reads an id; what is not 16 bytes is the empty one.
func ID(b []byte) graph.ID {
	if len(b) != 16 {
		return ""
	}
	return graph.IDFromBytes([16]byte(b))
}

// IDList is ids as they are written, joined.
func IDList(field string, ids []graph.ID) ([]byte, error) {
	var out []byte
	for _, id := range ids {
		b, err := UUID(field, id)
		if err != nil {
			return nil, err
		}
		out = append(out, b[:]...)
	}
	return out, nil
}

// IDs reads what IDList wrote.
func IDs(b []byte) []graph.ID {
	var ids []graph.ID
	for ; len(b) >= 16; b = b[16:] {
		ids = append(ids, graph.IDFromBytes([16]byte(b)))
	}
	return ids
}
