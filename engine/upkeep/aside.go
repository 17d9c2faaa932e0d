package upkeep

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Limits of one note with vectors.
const (
	maxAsideVectors = 32
	maxAsideBytes   = 128 << 10
)

// asideNote is a note with vectors of the new model, stored until the switch.
type asideNote struct {
	Model   string              `json:"model"`
	Vectors map[graph.ID][]byte `json:"vectors"` // float32, little endian
}

// putAsideNote stores a note with the vectors of a page, and the progress.
func putAsideNote(tx graph.Tx, m reembedState, page []*graph.Memory, vectors [][]float32) error {
	x := asideNote{Model: m.Model, Vectors: map[graph.ID][]byte{}}
	var ids []graph.ID
	for i, p := range page {
		now, err := tx.Memory(p.ID)
		if err != nil {
			return err
		}
		if vectors[i] != nil && now.Status() != graph.Forgotten {
			ids = append(ids, p.ID)
			x.Vectors[p.ID] = bytesOf(vectors[i])
		}
	}
	if len(ids) > 0 {
		data, err := json.Marshal(x)
		if err != nil {
			return err
		}
		id, err := graph.DerivedID(page[0].CreatedAt, "aside", m.Model, string(page[0].ID))
		if err != nil {
			return err
		}
		if err := tx.PutNote(graph.Note{Kind: graph.NoteAside, ID: id, Memories: ids, At: page[0].CreatedAt, Data: data}); err != nil {
			return err
		}
	}
	return lifecycle.PutSetting(tx, reembedSetting, m)
}

// readAsideNote decodes a note; nil if an erasure has emptied it.
func readAsideNote(n *graph.Note) (*asideNote, error) {
	if n.Data == nil {
		return nil, nil
	}
	var x asideNote
	if err := json.Unmarshal(n.Data, &x); err != nil {
		return nil, errors.Join(graph.ErrIntegrity, err)
	}
	return &x, nil
}

// deleteAside deletes all notes with vectors.
func deleteAside(ctx context.Context, store graph.Store, scope graph.Scope) error {
	for left := true; left; {
		_, err := store.Update(ctx, scope, func(tx graph.Tx) error {
			notes, err := tx.Notes(graph.NoteAside, "", false, workspace.MaxBatch)
			if err != nil {
				return err
			}
			left = len(notes) == workspace.MaxBatch
			for _, n := range notes {
				if err := tx.DeleteNote(graph.NoteAside, n.ID); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func bytesOf(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func vectorOf(b []byte) ([]float32, error) {
	if len(b) == 0 || len(b)%4 != 0 {
		return nil, fmt.Errorf("%w: a staged vector has %d bytes", graph.ErrIntegrity, len(b))
	}
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v, nil
}
