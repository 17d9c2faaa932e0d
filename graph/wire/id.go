package wire

import "github.com/somnograph/somnograph/graph"

// UUID is the 16 bytes of an id. It returns an error that names the field if the id is no UUID.
func UUID(field string, id graph.ID) ([16]byte, error) {
	b, err := id.Bytes()
	if err != nil {
		return b, graph.FieldError(graph.CodeInvalidRequest, field, "must be a UUID")
	}
	return b, nil
}

// IDBytes is the stored form of an id: 16 bytes, or none for the empty id.
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

// ID parses an id; anything but 16 bytes gives the empty id.
func ID(b []byte) graph.ID {
	if len(b) != 16 {
		return ""
	}
	return graph.IDFromBytes([16]byte(b))
}

// IDList is the stored form of a list of ids: their bytes, joined.
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

// IDs parses what IDList wrote.
func IDs(b []byte) []graph.ID {
	var ids []graph.ID
	for ; len(b) >= 16; b = b[16:] {
		ids = append(ids, graph.IDFromBytes([16]byte(b)))
	}
	return ids
}
