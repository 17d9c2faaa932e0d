package wire

import "github.com/somnograph/somnograph/graph"

// Row is a graph.Row: a row that a commit touched.
type Row struct {
	Kind string `cbor:"1,keyasint"`
	ID   []byte `cbor:"2,keyasint,omitempty"`
	Name string `cbor:"3,keyasint,omitempty"`
}

// RowOf is the stored form of a row. It fails if its id is invalid.
func RowOf(r graph.Row) (Row, error) {
	id, err := IDBytes("id", r.ID)
	return Row{Kind: string(r.Kind), ID: id, Name: r.Name}, err
}

// Row converts a stored row.
func (r Row) Row() graph.Row {
	return graph.Row{Kind: graph.RowKind(r.Kind), ID: ID(r.ID), Name: r.Name}
}
