package badgerstore

import (
	"fmt"

	"github.com/fxamacker/cbor/v2"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Domain types carry no tags: the rows below are the stored form. A field number is never
// used again for another field.

type usageRow struct {
	Count int        `cbor:"1,keyasint"`
	Days  []int32    `cbor:"2,keyasint"`
	Last  wire.Stamp `cbor:"3,keyasint"`
	UpTo  uint64     `cbor:"4,keyasint"` // position in the usage log up to which this row counts

	Since    int32    `cbor:"5,keyasint,omitempty"`
	Sessions []uint64 `cbor:"6,keyasint,omitempty"` // of a store that is not sealed, or was written by an earlier version
	Keyed    []uint64 `cbor:"7,keyasint,omitempty"` // of a sealed store: see Store.KeyedSessions
}

// usage converts a row.
func (u *usageRow) usage() graph.Usage {
	return graph.Usage{Count: u.Count, Days: u.Days, Last: u.Last.Time(), Since: u.Since, Sessions: u.Sessions}
}

// add adds the counts of another row.
func (u *usageRow) add(o usageRow) {
	sum := u.usage().Plus(o.usage())
	u.Count, u.Days, u.Last, u.Since, u.Sessions = sum.Count, sum.Days, wire.StampOf(sum.Last), sum.Since, sum.Sessions
}

// rowOf is the row of one use.
func rowOf(use graph.Use) usageRow {
	u := graph.Usage{}.With(use)
	return usageRow{Count: u.Count, Days: u.Days, Last: wire.StampOf(u.Last), Since: u.Since, Sessions: u.Sessions}
}

type edgeRow struct {
	Kind   string     `cbor:"1,keyasint"`
	Weight float64    `cbor:"2,keyasint,omitempty"`
	At     wire.Stamp `cbor:"3,keyasint,omitempty"`
}

type relationRow struct {
	ID []byte `cbor:"1,keyasint"`
	wire.Relation
}

type noteRow struct {
	Namespace string     `cbor:"1,keyasint,omitempty"`
	Memories  [][]byte   `cbor:"2,keyasint,omitempty"`
	At        wire.Stamp `cbor:"3,keyasint,omitempty"`
	Data      []byte     `cbor:"4,keyasint,omitempty"`
}

// encode encodes a row. It fails only for a type that CBOR can't encode, which no
// row has.
func encode(row any) ([]byte, error) {
	b, err := cbor.Marshal(row)
	if err != nil {
		return nil, fmt.Errorf("badgerstore: encode %T: %w", row, err)
	}
	return b, nil
}

// decode decodes the row at k. A row with a correct hash that does not decode was not
// written by this package.
func decode(k key, payload []byte, row any) error {
	if err := cbor.Unmarshal(payload, row); err != nil {
		return integrityError(k, "the row does not decode")
	}
	return nil
}

func decodeVector(k key, b []byte) ([]float32, error) {
	if len(b) == 0 || len(b)%4 != 0 {
		return nil, integrityError(k, "not a vector")
	}
	return wire.Floats(b), nil
}
