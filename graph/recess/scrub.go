package recess

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/somnograph/somnograph/graph"
)

// Report is what a Scrub found.
type Report struct {
	Tenants int
	Files   int     // that were read from the first byte to the last
	Engrams int     // that were opened and verified, in files and journals
	Damaged []Alarm // each was raised as an alarm too
}

// Scrub reads everything again, past every cache: each file's SHA-256, seals, Parquet
// structure, Bloom filters, and the checksum of every engram, in files and journals.
// Damage is reported and alarmed and stops nothing. Errors: graph.ErrUnavailable
// where the storage does not answer, with what was found so far.
func (r *Recess) Scrub(ctx context.Context) (Report, error) {
	tenants, err := r.all()
	if err != nil {
		return Report{}, err
	}
	report := Report{Tenants: len(tenants)}
	note := func(t *tenant, file string, id graph.ID, err error) {
		report.Damaged = append(report.Damaged, Alarm{t.name, file, id, err.Error()})
		r.alarm(t.name, file, id, err)
	}
	for _, t := range tenants {
		if t.blocked != nil {
			note(t, "", "", t.blocked)
			continue
		}
		t.mu.RLock()
		m := t.manifest
		var waiting []item
		for _, layer := range t.layers {
			for id, p := range layer {
				if !p.withdrawn && !m.erased[id] {
					waiting = append(waiting, item{id, p})
				}
			}
		}
		t.mu.RUnlock()
		for _, it := range waiting {
			if err := ctx.Err(); err != nil {
				return report, err
			}
			_, err := t.readPending(it.pending)
			switch {
			case errors.Is(err, errDropped):
				continue // sealed meanwhile
			case errors.Is(err, graph.ErrIntegrity):
				note(t, filepath.Base(it.in.path), graph.IDFromBytes(it.id), err)
			case err != nil:
				return report, err
			default:
				report.Engrams++
			}
		}
		for _, f := range m.sorted() {
			n, err := t.scrubFile(ctx, f)
			report.Engrams += n
			switch {
			case errors.Is(err, errGone), err != nil && !t.has(f):
				continue // replaced meanwhile
			case errors.Is(err, graph.ErrIntegrity):
				note(t, f.name, "", err)
			case err != nil:
				return report, err
			}
			report.Files++
		}
	}
	return report, nil
}

// has reports whether the file is still part of the archive.
func (t *tenant) has(f *sealedFile) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.manifest.files[f.id] == f
}

// scrubFile reads a file as a whole and answers how many engrams hold.
func (t *tenant) scrubFile(ctx context.Context, f *sealedFile) (int, error) {
	body, err := t.r.blob.Get(ctx, f.name)
	if err != nil {
		return 0, blobError(err)
	}
	h := sha256.New()
	_, err = io.Copy(h, body)
	if err = errors.Join(err, body.Close()); err != nil {
		return 0, fmt.Errorf("%w: %w", graph.ErrUnavailable, err)
	}
	if [32]byte(h.Sum(nil)) != f.sum {
		// Whatever was read of it before is not what lies there now.
		f.open.mu.Lock()
		f.open.forget(t.r, f)
		f.open.mu.Unlock()
		return 0, damaged("the file is not the one that was sealed")
	}
	n := 0
	for i := 0; i < f.count(); {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		rows := f.segmentRows(uint32(i))
		if t.allErased(rows) {
			i += len(rows) // the erasure is not done with this file yet
			continue
		}
		t.r.cache.Remove(segmentKey{f.id, uint32(i)})
		records, err := t.segment(ctx, f, uint32(i))
		if err != nil {
			return n, err
		}
		n, i = n+len(records), i+len(rows)
	}
	return n, nil
}
