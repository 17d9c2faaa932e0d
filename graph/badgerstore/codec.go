package badgerstore

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/fxamacker/cbor/v2"

	"github.com/somnograph/somnograph/graph"
)

// Domain types carry no tags: the rows below are how they lie on disk. A number is
// given to a field once and never again to another.

// stamp is an instant on disk: milliseconds since 1970, counted from 1 where it is
// not before; 0 is the zero time.
type stamp int64

func stampOf(t time.Time) stamp {
	if t.IsZero() {
		return 0
	}
	ms := t.UnixMilli()
	if ms >= 0 {
		ms++
	}
	return stamp(ms)
}

func (s stamp) time() time.Time {
	switch {
	case s == 0:
		return time.Time{}
	case s > 0:
		s--
	}
	return time.UnixMilli(int64(s)).UTC()
}

type stateRow struct {
	From    stamp  `cbor:"1,keyasint"`
	Status  string `cbor:"2,keyasint"`
	Tier    string `cbor:"3,keyasint"`
	Core    bool   `cbor:"4,keyasint,omitempty"`
	ValidTo stamp  `cbor:"5,keyasint,omitempty"`
}

type usageRow struct {
	Count int     `cbor:"1,keyasint"`
	Days  []int32 `cbor:"2,keyasint"`
	Last  stamp   `cbor:"3,keyasint"`
	UpTo  uint64  `cbor:"4,keyasint"` // position in the usage log up to which it counts
}

type edgeRow struct {
	Kind   string  `cbor:"1,keyasint"`
	Weight float64 `cbor:"2,keyasint,omitempty"`
	At     stamp   `cbor:"3,keyasint,omitempty"`
}

type entityRow struct {
	Namespace  string `cbor:"1,keyasint"`
	User       string `cbor:"2,keyasint,omitempty"`
	Name       string `cbor:"3,keyasint,omitempty"`
	Canonical  string `cbor:"4,keyasint"`
	Type       string `cbor:"5,keyasint,omitempty"`
	Properties []byte `cbor:"6,keyasint,omitempty"`
	FirstSeen  stamp  `cbor:"7,keyasint,omitempty"`
}

type relationRow struct {
	ID         []byte  `cbor:"1,keyasint"`
	Namespace  string  `cbor:"2,keyasint"`
	Predicate  string  `cbor:"3,keyasint"`
	Strength   float64 `cbor:"4,keyasint,omitempty"`
	StrengthAt stamp   `cbor:"5,keyasint,omitempty"`
	Confidence float64 `cbor:"6,keyasint,omitempty"`
	ValidFrom  stamp   `cbor:"7,keyasint,omitempty"`
	ValidTo    stamp   `cbor:"8,keyasint,omitempty"`
	EventTime  stamp   `cbor:"9,keyasint,omitempty"`
	RecordedAt stamp   `cbor:"10,keyasint,omitempty"`
	Memories   []byte  `cbor:"11,keyasint,omitempty"` // ids, 16 bytes each
}

type requestRow struct {
	Key    string `cbor:"1,keyasint"`
	Digest string `cbor:"2,keyasint,omitempty"`
	Result []byte `cbor:"3,keyasint,omitempty"`
	Before []byte `cbor:"4,keyasint,omitempty"`
	Answer []byte `cbor:"5,keyasint,omitempty"`
	At     stamp  `cbor:"6,keyasint,omitempty"`
}

type receiptRow struct {
	Status      string `cbor:"1,keyasint"`
	Count       int    `cbor:"2,keyasint,omitempty"`
	Hash        string `cbor:"3,keyasint,omitempty"`
	RequestedAt stamp  `cbor:"4,keyasint,omitempty"`
	CompletedAt stamp  `cbor:"5,keyasint,omitempty"`
	Anonymised  int    `cbor:"6,keyasint,omitempty"`
}

type noteRow struct {
	Namespace string   `cbor:"1,keyasint,omitempty"`
	Memories  [][]byte `cbor:"2,keyasint,omitempty"`
	At        stamp    `cbor:"3,keyasint,omitempty"`
	Data      []byte   `cbor:"4,keyasint,omitempty"`
}

type changeRow struct {
	At        stamp  `cbor:"1,keyasint"`
	Node      string `cbor:"2,keyasint"`
	Kind      string `cbor:"3,keyasint"`
	ID        []byte `cbor:"4,keyasint"`
	Namespace string `cbor:"5,keyasint,omitempty"`
}

// encode writes a row. It fails only on a type that CBOR does not know, which no
// row has.
func encode(row any) ([]byte, error) {
	b, err := cbor.Marshal(row)
	if err != nil {
		return nil, fmt.Errorf("badgerstore: encode %T: %w", row, err)
	}
	return b, nil
}

// decode reads the row at k. What passed its hash and does not decode was never
// written by us.
func decode(k key, payload []byte, row any) error {
	if err := cbor.Unmarshal(payload, row); err != nil {
		return broken(k, "the row does not decode")
	}
	return nil
}

// idBytes is an id on disk: 16 bytes, none for the empty id.
func idBytes(field string, id graph.ID) ([]byte, error) {
	if id == "" {
		return nil, nil
	}
	b, err := uuid(field, id)
	if err != nil {
		return nil, err
	}
	return b[:], nil
}

func idOf(b []byte) graph.ID {
	if len(b) != 16 {
		return ""
	}
	return graph.IDFromBytes([16]byte(b))
}

// idList is ids on disk, joined.
func idList(field string, ids []graph.ID) ([]byte, error) {
	var out []byte
	for _, id := range ids {
		b, err := uuid(field, id)
		if err != nil {
			return nil, err
		}
		out = append(out, b[:]...)
	}
	return out, nil
}

func idsOf(b []byte) []graph.ID {
	var ids []graph.ID
	for ; len(b) >= 16; b = b[16:] {
		ids = append(ids, graph.IDFromBytes([16]byte(b)))
	}
	return ids
}

// encodeVector writes a vector of finite numbers, 1 to graph.MaxVector long.
func encodeVector(v []float32) ([]byte, error) {
	if len(v) == 0 || len(v) > graph.MaxVector {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "embedding", "must have 1 to %d numbers", graph.MaxVector)
	}
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, graph.FieldError(graph.CodeInvalidRequest, "embedding", "must hold finite numbers")
		}
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b, nil
}

func decodeVector(k key, b []byte) ([]float32, error) {
	if len(b) == 0 || len(b)%4 != 0 {
		return nil, broken(k, "not a vector")
	}
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v, nil
}
