package dgraphstore

import (
	"fmt"
	"time"

	"github.com/fxamacker/cbor/v2"

	"github.com/somnograph/somnograph/graph"
)

// Domain types carry no tags: the rows below are how they lie in Dgraph, sealed (see
// seal). A number is given to a field once and never again to another.

// stamp is an instant in a row: milliseconds since 1970, counted from 1 where it is
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
}

type edgeRow struct {
	From   []byte  `cbor:"1,keyasint"`
	Kind   string  `cbor:"2,keyasint"`
	To     []byte  `cbor:"3,keyasint"`
	Weight float64 `cbor:"4,keyasint,omitempty"`
	At     stamp   `cbor:"5,keyasint,omitempty"`
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
	Source     []byte  `cbor:"1,keyasint"`
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
	Target     []byte  `cbor:"12,keyasint"`
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
	Kind      string `cbor:"5,keyasint"`
	ID        string `cbor:"6,keyasint"`
	Namespace string `cbor:"1,keyasint,omitempty"`
	Memories  []byte `cbor:"2,keyasint,omitempty"` // ids, 16 bytes each
	At        stamp  `cbor:"3,keyasint,omitempty"`
	Data      []byte `cbor:"4,keyasint,omitempty"`
}

type changeRow struct {
	At        stamp  `cbor:"1,keyasint"`
	Node      string `cbor:"2,keyasint"`
	Kind      string `cbor:"3,keyasint"`
	ID        []byte `cbor:"4,keyasint"`
	Namespace string `cbor:"5,keyasint,omitempty"`
}

// encode writes the sealed row at key. It fails only on a type that CBOR does not know,
// which no row has.
func encode(key string, row any) (string, error) {
	b, err := cbor.Marshal(row)
	if err != nil {
		return "", fmt.Errorf("dgraphstore: encode %T: %w", row, err)
	}
	return seal(key, b), nil
}

// decoder takes strings as they were written: not all of them must be UTF-8.
var decoder = func() cbor.DecMode {
	m, err := cbor.DecOptions{UTF8: cbor.UTF8DecodeInvalid}.DecMode()
	if err != nil {
		panic(err) // the options are constant
	}
	return m
}()

// decode reads the sealed row at key. What passed its hash and does not decode was never
// written by us.
func decode(key, text string, row any) error {
	payload, err := unseal(key, text)
	if err != nil {
		return err
	}
	if err := decoder.Unmarshal(payload, row); err != nil {
		return broken(key, "the row does not decode")
	}
	return nil
}

// uuid is an id that must be well-formed, in 16 bytes.
func uuid(field string, id graph.ID) ([]byte, error) {
	b, err := id.Bytes()
	if err != nil {
		return nil, graph.FieldError(graph.CodeInvalidRequest, field, "must be a UUID")
	}
	return b[:], nil
}

// idBytes is an id in a row: 16 bytes, none for the empty id.
func idBytes(field string, id graph.ID) ([]byte, error) {
	if id == "" {
		return nil, nil
	}
	return uuid(field, id)
}

func idOf(b []byte) graph.ID {
	if len(b) != 16 {
		return ""
	}
	return graph.IDFromBytes([16]byte(b))
}

// idList is ids in a row, joined.
func idList(field string, ids []graph.ID) ([]byte, error) {
	var out []byte
	for _, id := range ids {
		b, err := uuid(field, id)
		if err != nil {
			return nil, err
		}
		out = append(out, b...)
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
