package dgraphstore

import (
	"fmt"

	"github.com/fxamacker/cbor/v2"

	"github.com/somnograph/somnograph/graph/wire"
)

// Domain types carry no tags: the rows below are the stored form in Dgraph, sealed (see
// seal). A field number is never used again for another field.

type usageRow struct {
	Count int        `cbor:"1,keyasint"`
	Days  []int32    `cbor:"2,keyasint"`
	Last  wire.Stamp `cbor:"3,keyasint"`

	Since    int32    `cbor:"4,keyasint,omitempty"`
	Sessions []uint64 `cbor:"5,keyasint,omitempty"`
}

type edgeRow struct {
	From   []byte     `cbor:"1,keyasint"`
	Kind   string     `cbor:"2,keyasint"`
	To     []byte     `cbor:"3,keyasint"`
	Weight float64    `cbor:"4,keyasint,omitempty"`
	At     wire.Stamp `cbor:"5,keyasint,omitempty"`
}

type relationRow struct {
	Source []byte `cbor:"1,keyasint"`
	wire.Relation
	Target []byte `cbor:"12,keyasint"`
}

type noteRow struct {
	Kind      string     `cbor:"5,keyasint"`
	ID        string     `cbor:"6,keyasint"`
	Namespace string     `cbor:"1,keyasint,omitempty"`
	Memories  []byte     `cbor:"2,keyasint,omitempty"` // ids, 16 bytes each
	At        wire.Stamp `cbor:"3,keyasint,omitempty"`
	Data      []byte     `cbor:"4,keyasint,omitempty"`
}

// encode returns the sealed row at key. It fails only for a type that CBOR can't encode,
// which no row has.
func encode(key string, row any) (string, error) {
	b, err := cbor.Marshal(row)
	if err != nil {
		return "", fmt.Errorf("dgraphstore: encode %T: %w", row, err)
	}
	return seal(key, b), nil
}

// cborDecoder accepts strings as they were written; some are not UTF-8.
var cborDecoder = func() cbor.DecMode {
	m, err := cbor.DecOptions{UTF8: cbor.UTF8DecodeInvalid}.DecMode()
	if err != nil {
		panic(err) // the options are constant
	}
	return m
}()

// decode parses the sealed row at key. A row with a correct hash that does not decode was
// not written by this package.
func decode(key, text string, row any) error {
	payload, err := unseal(key, text)
	if err != nil {
		return err
	}
	if err := cborDecoder.Unmarshal(payload, row); err != nil {
		return integrityError(key, "the row does not decode")
	}
	return nil
}
