package recess

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// A segment is a sequence of rows of a file under one data key. Its content is in the cells
// head and body of its first row, each compressed, then sealed.
const (
	segmentRecords = 128
	segmentBytes   = 256 << 10 // approximate content; a segment has at least one record
)

// segmentAD binds a part to its tenant and to the engravings in it.
func segmentAD(tenant graph.Tenant, part string, rows []engraving) []byte {
	parts := []string{"segment", string(tenant), part}
	for i := range rows {
		parts = append(parts, string(rows[i].id[:]), be64(rows[i].seq))
	}
	return joinParts(parts...)
}

// sealSegment encodes records of one key and space as head and body.
func sealSegment(records []*record, rows []engraving, tenant graph.Tenant, k *dataKey, random io.Reader) (head, body []byte, err error) {
	var h segmentHead
	var b segmentBody
	for i, r := range records {
		hr, br, err := r.encodeRows()
		if err != nil {
			return nil, nil, err
		}
		h.Rows, b.Rows = append(h.Rows, hr), append(b.Rows, br)
		v := &r.vector
		if v.form == noVector {
			continue
		}
		if i == 0 {
			h.Dim, h.Model = v.dim, v.model
		}
		if v.form == quantised {
			h.Codebook = v.codebookID[:]
		}
		h.Forms, h.Codes = append(h.Forms, byte(v.form)), append(h.Codes, v.code)
		h.Norms = binary.LittleEndian.AppendUint32(h.Norms, math.Float32bits(v.norm))
	}
	if head, err = pack(h); err == nil {
		head, err = seal(k.aead, random, head, segmentAD(tenant, "head", rows))
	}
	if err != nil {
		return nil, nil, err
	}
	if body, err = pack(b); err == nil {
		body, err = seal(k.aead, random, body, segmentAD(tenant, "body", rows))
	}
	return head, body, err
}

func damageError(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{graph.ErrIntegrity}, args...)...)
}

// openHeads decodes the head part of a segment and its vectors.
func openHeads(sealed []byte, rows []engraving, tenant graph.Tenant, k *dataKey) ([]headRow, []vector, error) {
	plain, err := unseal(k.aead, sealed, segmentAD(tenant, "head", rows))
	if err != nil {
		return nil, nil, err
	}
	var h segmentHead
	if err := unpack(plain, &h); err != nil || len(h.Rows) != len(rows) {
		return nil, nil, damageError("the head of a segment")
	}
	for i := range h.Rows {
		if wire.ID(h.Rows[i].ID) != graph.IDFromBytes(rows[i].id) || h.Rows[i].Seq != rows[i].seq || h.Rows[i].Version != int(rows[i].version) {
			return nil, nil, damageError("the engravings of a segment differ from those in the manifest")
		}
	}
	vectors := make([]vector, len(rows))
	if len(h.Forms) == 0 {
		return h.Rows, vectors, nil
	}
	if len(h.Forms) != len(rows) || len(h.Codes) != len(rows) || len(h.Norms) != 4*len(rows) || h.Dim < 1 || h.Dim > graph.MaxVector {
		return nil, nil, damageError("the vectors of a segment")
	}
	for i := range vectors {
		v := &vectors[i]
		*v = vector{form: vectorForm(h.Forms[i]), model: h.Model, dim: h.Dim, code: h.Codes[i]}
		v.norm = math.Float32frombits(binary.LittleEndian.Uint32(h.Norms[4*i:]))
		if v.form == quantised {
			if len(h.Codebook) != 16 {
				return nil, nil, damageError("the vectors of a segment")
			}
			v.codebookID = [16]byte(h.Codebook)
		}
	}
	return h.Rows, vectors, nil
}

// openSegment decodes the records of a segment, verified one by one.
func openSegment(head, body []byte, rows []engraving, tenant graph.Tenant, k *dataKey) ([]*record, error) {
	hr, vectors, err := openHeads(head, rows, tenant, k)
	if err != nil {
		return nil, err
	}
	plain, err := unseal(k.aead, body, segmentAD(tenant, "body", rows))
	if err != nil {
		return nil, err
	}
	var b segmentBody
	if err := unpack(plain, &b); err != nil || len(b.Rows) != len(rows) {
		return nil, damageError("the body of a segment")
	}
	records := make([]*record, len(rows))
	for i := range records {
		r, err := recordOf(&hr[i], &b.Rows[i])
		if err != nil {
			return nil, damageError("%v", err)
		}
		if !r.checksumMatches() {
			return nil, damageError("the checksum of an engram does not match its content, time and source")
		}
		r.vector = vectors[i]
		records[i] = r
	}
	return records, nil
}
