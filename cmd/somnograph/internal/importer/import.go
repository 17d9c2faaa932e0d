package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Outcome is the result of writing one memory.
type Outcome struct {
	ID       string
	Replayed bool  // it was imported before
	Merged   bool  // a near duplicate was reinforced instead
	Reused   bool  // its idempotency key was used for another input: it was imported in another form
	Err      error // the reason if it was refused
}

// Remember writes memories and returns an outcome for each, in order. An error means that the
// request failed.
type Remember func(ctx context.Context, batch []Memory) ([]Outcome, error)

// Limits of one batch, below those of the API.
const (
	batchItems = 500
	batchBytes = 4 << 20
)

// Summary counts the results of an import.
type Summary struct {
	Read     int // memories read from the file
	Written  int // new
	Replayed int // written by an earlier import
	Merged   int // merged with a near-duplicate
	Failed   int // refused, or in bad lines
}

func (s Summary) String() string {
	text := fmt.Sprintf("%d imported", s.Written)
	for _, part := range []struct {
		n    int
		what string
	}{{s.Replayed, "already there"}, {s.Merged, "merged with a near-duplicate"}, {s.Failed, "refused"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return text
}

// Progress receives the progress of an import.
type Progress interface {
	// At is called after every batch with the summary so far and the bytes read.
	At(s Summary, offset int64)
	// Failed is called for every line or memory that was refused.
	Failed(where string, err error)
}

// Mark is the position of an import in a file: everything before Offset is acknowledged.
type Mark struct {
	Offset int64  `json:"offset"`
	Line   int    `json:"line"`
	LastID string `json:"lastId"` // a memory written before the mark
}

// ErrNotLines is returned for a file whose first line is no JSON.
var ErrNotLines = errors.New("is not a file of JSON lines: its first line is no JSON object (docs/formats/import.md)")

// Import reads everything from r and writes it in batches. save, if not nil, receives the
// position after each batch. An error ends the import; what was written stays, and the same
// import can be started again.
func Import(ctx context.Context, r *Reader, remember Remember, progress Progress, save func(Mark) error) (Summary, error) {
	w := &run{ctx: ctx, remember: remember, progress: progress, save: save}
	for {
		item, err := r.Next()
		var bad *LineError
		switch {
		case errors.As(err, &bad):
			if w.sum == (Summary{}) && !r.resumed && errors.Is(err, errSyntax) {
				return w.sum, ErrNotLines
			}
			w.sum.Failed++
			progress.Failed(fmt.Sprintf("line %d", bad.Line), bad.Err)
			continue
		case errors.Is(err, io.EOF):
			return w.sum, w.flush(nil)
		case err != nil:
			return w.sum, errors.Join(err, w.flush(nil))
		}
		w.sum.Read++
		if len(w.batch) >= batchItems || w.bytes+len(item.Memory.Content) > batchBytes {
			if err := w.flush(&item); err != nil {
				return w.sum, err
			}
		}
		w.batch = append(w.batch, item)
		w.bytes += len(item.Memory.Content)
	}
}

type run struct {
	ctx      context.Context
	remember Remember
	progress Progress
	save     func(Mark) error
	sum      Summary
	batch    []Item
	bytes    int
	complete Mark // position after the last line of which all memories are written
}

// flush writes the batch. next is the item after it, nil at the end of the file.
func (w *run) flush(next *Item) error {
	if len(w.batch) == 0 {
		return nil
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	memories := make([]Memory, len(w.batch))
	for i, item := range w.batch {
		memories[i] = item.Memory
	}
	outcomes, err := w.remember(w.ctx, memories)
	if err != nil {
		return err
	}
	if len(outcomes) != len(memories) {
		return fmt.Errorf("the server returned %d results for %d memories", len(outcomes), len(memories))
	}
	for i, o := range outcomes {
		switch {
		case o.Err != nil:
			w.sum.Failed++
			w.progress.Failed(w.batch[i].Where(), o.Err)
		case o.Replayed:
			w.sum.Replayed++
		case o.Merged:
			w.sum.Merged++
		default:
			w.sum.Written++
		}
		if o.Err == nil && o.ID != "" {
			w.complete.LastID = o.ID
		}
	}
	// All lines before that of the next item are complete.
	for _, item := range w.batch {
		if next == nil || item.Line < next.Line {
			w.complete.Offset, w.complete.Line = item.End, item.Line
		}
	}
	w.progress.At(w.sum, w.batch[len(w.batch)-1].End)
	w.batch, w.bytes = w.batch[:0], 0
	if w.save == nil || w.complete.Offset == 0 {
		return nil
	}
	return w.save(w.complete)
}
