package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/graph"
)

// Work is a background task for a memory that may fail permanently.
type Work string

// The kinds of work.
const (
	WorkEmbed   Work = "EMBED"   // given up when the model refuses it in retries at 0, 1 and 5 s, until a manual retry; retried while the model does not answer
	WorkEngrave Work = "ENGRAVE" // abandoned until the next sleep after retries at 0, 1, 5, 30 and 60 s
)

// Works lists every Work.
var Works = []Work{WorkEmbed, WorkEngrave}

// DeadLetter is a memory with work that has failed. Work that was given up is stored with the memories and survives a
// restart. A memory that the model refused to embed is stored and can be found by its words. A
// memory that the recess refused stays in L2, and the next sleep tries again.
type DeadLetter struct {
	ID       graph.ID  `json:"id"` // id of the memory
	Work     Work      `json:"work"`
	Attempts int       `json:"attempts"` // total
	First    time.Time `json:"first"`    // when the work was first abandoned, after its retries
	At       time.Time `json:"at"`       // last attempt
	Reason   string    `json:"reason"`   // of the last attempt; never content
	// Discarded letters are not listed. That of an embedding stays, so that it is not tried again.
	Discarded bool `json:"discarded,omitempty"`
	// Retrying says that the server goes on trying, because the model does not answer. Such a letter is not stored:
	// that the memory has no vector yet says enough.
	Retrying  bool     `json:"-"`
	Namespace string   `json:"-"`
	Letter    graph.ID `json:"-"` // id of the note, or of the memory if it is retried; for paging
}

// letterID is the id of a memory's letter for a kind of work.
func letterID(m *graph.Memory, w Work) (graph.ID, error) {
	return graph.DerivedID(m.CreatedAt, "dead letter", string(w), string(m.ID))
}

// PutLetter records that a work was abandoned after the given number of further attempts.
func PutLetter(tx graph.Tx, m *graph.Memory, w Work, attempts int, why error, at time.Time) error {
	id, err := letterID(m, w)
	if err != nil {
		return err
	}
	x := DeadLetter{ID: m.ID, Work: w, First: at}
	switch n, err := tx.Note(graph.NoteDead, id); {
	case err == nil && n.Data != nil:
		if err := json.Unmarshal(n.Data, &x); err != nil {
			return errors.Join(graph.ErrIntegrity, err)
		}
	case err != nil && !errors.Is(err, graph.ErrNotFound):
		return err
	}
	x.Attempts, x.At, x.Reason, x.Discarded = x.Attempts+attempts, at, Refusal(why), false
	return putLetter(tx, m, id, x)
}

// DiscardLetter takes a letter off the list, unless its work is no longer pending. That of work that is
// retried is stored for it.
func DiscardLetter(tx graph.Tx, m *graph.Memory, x DeadLetter) error {
	stored, there, err := LetterOf(tx, m, x.Work)
	switch {
	case err != nil:
		return err
	case there:
		x = stored
	case !x.Retrying || !x.waits(m):
		return nil
	default:
		if x.Letter, err = letterID(m, x.Work); err != nil {
			return err
		}
	}
	x.Discarded = true
	return putLetter(tx, m, x.Letter, x)
}

func putLetter(tx graph.Tx, m *graph.Memory, id graph.ID, x DeadLetter) error {
	data, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return tx.PutNote(graph.Note{Kind: graph.NoteDead, ID: id, Namespace: m.Namespace, Memories: []graph.ID{m.ID}, At: x.First, Data: data})
}

// DropLetter removes the letter of a finished work. A missing letter is no error.
func DropLetter(tx graph.Tx, m *graph.Memory, w Work) error {
	id, err := letterID(m, w)
	if err != nil {
		return err
	}
	return tx.DeleteNote(graph.NoteDead, id)
}

// Refusal returns the publishable message of a failure. Messages of models and of the graph
// package contain no content. Other errors may, so only their code is returned.
func Refusal(why error) string {
	var m *models.Error
	var g *graph.Error
	switch {
	case errors.As(why, &m):
		return m.Error()
	case errors.As(why, &g):
		return g.Error()
	case errors.Is(why, models.ErrOpen):
		return models.ErrOpen.Error()
	}
	return string(graph.CodeOf(why))
}

// EachLetter yields the letters after the id after, with their memories, until yield returns
// false. It skips letters of erased memories and of work that is no longer pending.
func EachLetter(ctx context.Context, r graph.Reader, after graph.ID, yield func(DeadLetter, *graph.Memory) bool) error {
	for n, err := range graph.AllNotes(r, graph.NoteDead, after, false) {
		if err != nil {
			return err
		}
		x, m, err := readLetter(r, n)
		if err != nil {
			return err
		}
		if m != nil && x.waits(m) && !yield(x, m) {
			return nil
		}
	}
	return ctx.Err()
}

// readLetter reads a letter and its memory (nil if erased).
func readLetter(r graph.Reader, n *graph.Note) (x DeadLetter, m *graph.Memory, err error) {
	if n.Data == nil {
		return x, nil, nil
	}
	x = DeadLetter{Namespace: n.Namespace, Letter: n.ID}
	if err := json.Unmarshal(n.Data, &x); err != nil {
		return x, nil, errors.Join(graph.ErrIntegrity, err)
	}
	m, err = r.Memory(x.ID)
	return x, m, err
}

// CheckLetter returns what is wrong with the note of a letter that comes from elsewhere, or nil.
func CheckLetter(n *graph.Note) error {
	var x DeadLetter
	switch {
	case len(n.Memories) != 1 || !graph.ValidNamespace(n.Namespace):
		return errors.New("in Memories: a dead letter names one memory, and its namespace")
	case n.Data == nil:
		return nil // the memory was erased
	case json.Unmarshal(n.Data, &x) != nil:
		return errors.New("in Data: it is no dead letter")
	case x.ID != n.Memories[0]:
		return errors.New("in Data: id must be that of the memory in Memories")
	case !slices.Contains(Works, x.Work):
		return fmt.Errorf("in Data: work must be one of %v", Works)
	case x.Attempts < 0 || x.First.IsZero() || x.At.IsZero():
		return errors.New("in Data: a dead letter has attempts and their times")
	}
	return nil
}

// LetterOf returns a memory's letter for a pending work.
func LetterOf(r graph.Reader, m *graph.Memory, w Work) (x DeadLetter, there bool, err error) {
	id, err := letterID(m, w)
	if err != nil {
		return x, false, err
	}
	n, err := r.Note(graph.NoteDead, id)
	if known, err := graph.Found(err); !known {
		return x, false, err
	}
	x, m, err = readLetter(r, n)
	return x, err == nil && m != nil && x.waits(m), err
}

// waits reports whether the work is still pending.
func (x DeadLetter) waits(m *graph.Memory) bool {
	if x.Work == WorkEmbed {
		return m.Status() != graph.Forgotten && m.EmbeddingModel == ""
	}
	return m.Status() == graph.Active && m.State().Tier != graph.L3
}

// tidied is the number of letters that one transaction removes.
const tidied = 256

// TidyLetters removes the letters of erased memories and of work that is no longer pending.
func (ws *Space) TidyLetters(ctx context.Context, t *Tenant) error {
	for removed := tidied; removed == tidied; {
		err := t.Update(ctx, func(tx graph.Tx) error {
			removed = 0
			for n, err := range graph.AllNotes(tx, graph.NoteDead, "", false) {
				if err != nil {
					return err
				}
				x, m, err := readLetter(tx, n)
				if err != nil {
					return err
				}
				if m != nil && x.waits(m) {
					continue
				}
				if err := tx.DeleteNote(graph.NoteDead, n.ID); err != nil {
					return err
				}
				if removed++; removed == tidied {
					return nil
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

// GivenUp returns the memories with a letter for that work, without erased ones.
func GivenUp(ctx context.Context, r graph.Reader, w Work) (map[graph.ID]bool, error) {
	ids := map[graph.ID]bool{}
	err := EachLetter(ctx, r, "", func(x DeadLetter, m *graph.Memory) bool {
		if x.Work == w {
			ids[m.ID] = true
		}
		return true
	})
	return ids, err
}
