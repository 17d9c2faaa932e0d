package recess

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/somnograph/somnograph/graph"
)

// Read returns the engram of a memory. It first verifies its seal and the checksum over
// content, time and source. Errors: graph.ErrNotFound; graph.ErrIntegrity if the stored data
// is damaged, after calling Options.Alarm; graph.ErrUnavailable if the storage does not
// answer.
func (r *Recess) Read(ctx context.Context, scope graph.Scope, id graph.ID) (Engram, error) {
	t, err := r.tenant(scope, false)
	if err != nil {
		return Engram{}, err
	}
	key, kerr := id.Bytes()
	if t == nil || kerr != nil {
		return Engram{}, fmt.Errorf("%w: engram %s", graph.ErrNotFound, id)
	}
	rec, err := t.read(ctx, key)
	if err != nil {
		return Engram{}, err
	}
	e, err := rec.engram(t.codebook(rec.vector.codebookID))
	if err != nil {
		err = damageError("%v", err)
		r.alarm(t.name, "codebooks", id, err)
	}
	return e, err
}

// maxAttempts is how often a read follows an engram that moves from the journal to a file, or
// from file to file.
const maxAttempts = 100

func (t *tenant) read(ctx context.Context, id [16]byte) (*record, error) {
	for range maxAttempts {
		w := t.locate(id)
		var rec *record
		var err error
		var name string
		switch {
		case w.entry != nil:
			name = filepath.Base(w.entry.journal.path)
			rec, err = t.readEntry(w.entry)
		case w.place.file != nil:
			name = w.place.file.name
			rec, err = t.readPlace(ctx, id, w.place)
		case w.lost:
			err = damageError("the engraving was damaged in the journal")
		default:
			return nil, fmt.Errorf("%w: engram %s", graph.ErrNotFound, graph.IDFromBytes(id))
		}
		if err == nil {
			return rec, nil
		}
		// Damage in a file or journal that is being removed is ignored.
		if errors.Is(err, errDropped) || errors.Is(err, errGone) || t.locate(id) != w {
			if cerr := ctx.Err(); cerr != nil {
				return nil, cerr
			}
			continue
		}
		if errors.Is(err, graph.ErrIntegrity) {
			t.recess.alarm(t.name, name, graph.IDFromBytes(id), err)
		}
		return nil, err
	}
	return nil, fmt.Errorf("%w: engram %s was moved during every attempt to read it", graph.ErrUnavailable, graph.IDFromBytes(id))
}

// readEntry reads an engraving of the journal.
func (t *tenant) readEntry(p *journalEntry) (*record, error) {
	if p.damaged {
		return nil, damageError("an engraving in the journal")
	}
	f, err := p.journal.read(p.at, p.size)
	if err != nil {
		if !errors.Is(err, graph.ErrIntegrity) && !errors.Is(err, errDropped) {
			err = fmt.Errorf("%w: journal: %w", graph.ErrUnavailable, err)
		}
		return nil, err
	}
	k := t.keys.get(f.key)
	if k == nil {
		return nil, damageError("the data key of the engram is not in the key ring")
	}
	return decodeFrame(f, t.name, k.aead)
}

// codebook returns a codebook, or nil.
func (t *tenant) codebook(id [16]byte) *codebook {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.codebooks[id]
}
