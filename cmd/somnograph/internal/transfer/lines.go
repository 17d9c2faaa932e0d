package transfer

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"math"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/counted"
)

// version is the version of the format.
const version = 1

// Header is the first line.
type Header struct {
	Somnograph string    `json:"somnograph"` // "export"
	Version    int       `json:"version"`
	Tenant     string    `json:"tenant"`
	Recorded   time.Time `json:"recorded"`        // last recorded instant
	Store      string    `json:"store,omitempty"` // identity of the store, 32 hexadecimal digits; exports of 0.1.0 have none
}

// Summary counts the exported or imported nodes.
type Summary struct {
	Memories  int `json:"memories"`
	Edges     int `json:"edges"`
	Entities  int `json:"entities"`
	Relations int `json:"relations"`
	Notes     int `json:"notes"`
	Settings  int `json:"settings"`
}

func (s Summary) String() string {
	return fmt.Sprintf("%s, %s, %s, %s, %s, %s", counted.Of(s.Memories, "memory"), counted.Of(s.Edges, "edge"), counted.Of(s.Entities, "entity"),
		counted.Of(s.Relations, "relation"), counted.Of(s.Notes, "note"), counted.Of(s.Settings, "policy"))
}

// line is any line except the first. One of its fields is set.
type line struct {
	Entity   *entityLine   `json:"entity,omitempty"`
	Memory   *memoryLine   `json:"memory,omitempty"`
	Relation *relationLine `json:"relation,omitempty"`
	Note     *noteLine     `json:"note,omitempty"`
	Setting  *settingLine  `json:"setting,omitempty"`
	Receipt  *receiptLine  `json:"receipt,omitempty"` // of a backup
	End      *end          `json:"end,omitempty"`
}

// The domain types have no tags: a line has their fields under their Go names. Fields that are
// JSON themselves are base64, so that they stay the same byte for byte.

type entityLine struct {
	*graph.Entity
	Properties []byte `json:",omitempty"`
}

type memoryLine struct {
	*graph.Memory
	Meta   []byte       `json:",omitempty"`
	Vector []byte       `json:",omitempty"` // float32 little-endian
	Edges  []graph.Edge `json:",omitempty"` // that begin at it
}

type relationLine struct{ *graph.Relation }

type noteLine struct {
	*graph.Note
	Data []byte `json:",omitempty"`
}

type settingLine struct {
	Name  string
	Value []byte
}

// end is the last line. Without it the file is incomplete.
type end struct {
	Summary
	SHA256 string `json:"sha256"` // of the lines between the first and this one, each with its newline
}

func digest(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

func vectorBytes(v []float32) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func vectorOf(b []byte) ([]float32, error) {
	if len(b)%4 != 0 {
		return nil, fmt.Errorf("a vector of %d bytes", len(b))
	}
	v := make([]float32, 0, len(b)/4)
	for ; len(b) > 0; b = b[4:] {
		v = append(v, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return v, nil
}

// raw is JSON as stores hold it; nil: none.
func raw(b []byte) json.RawMessage {
	if len(b) == 0 {
		return nil
	}
	return b
}
