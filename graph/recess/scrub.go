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

// Report is the result of a Scrub.
type Report struct {
	Tenants int
	Files   int     // that were read completely
	Engrams int     // that were verified, in files and journals
	Damaged []Alarm // each was also raised as an alarm
}

// Scrub reads and verifies everything, without the caches: each file's SHA-256, seals, Parquet
// structure and Bloom filters, and the checksum of every engram, in files and journals. It
// reports damage, raises alarms and continues. Errors: graph.ErrUnavailable if the storage
// does not answer, with the results so far.
func (r *Recess) Scrub(ctx context.Context) (Report, error) {
	tenants, err := r.allTenants()
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
		var waiting []sealItem
		for _, layer := range t.journalLayers {
			for id, p := range layer {
				if !p.withdrawn && !m.erased[id] {
					waiting = append(waiting, sealItem{id, p})
				}
			}
		}
		t.mu.RUnlock()
		for _, it := range waiting {
			if err := ctx.Err(); err != nil {
				return report, err
			}
			_, err := t.readEntry(it.journalEntry)
			switch {
			case errors.Is(err, errDropped):
				continue // sealed in the meantime
			case errors.Is(err, graph.ErrIntegrity):
				note(t, filepath.Base(it.journal.path), graph.IDFromBytes(it.id), err)
			case err != nil:
				return report, err
			default:
				report.Engrams++
			}
		}
		for _, f := range m.sortedFiles() {
			n, err := t.scrubFile(ctx, f)
			report.Engrams += n
			switch {
			case errors.Is(err, errGone), err != nil && !t.hasFile(f):
				continue // replaced in the meantime
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

// hasFile reports whether the file is still part of the archive.
func (t *tenant) hasFile(f *sealedFile) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.manifest.files[f.id] == f
}

// scrubFile reads a whole file and returns how many engrams are valid.
func (t *tenant) scrubFile(ctx context.Context, f *sealedFile) (int, error) {
	body, err := t.recess.blob.Get(ctx, f.name)
	if err != nil {
		return 0, blobError(err)
	}
	h := sha256.New()
	_, err = io.Copy(h, body)
	if err = errors.Join(err, body.Close()); err != nil {
		return 0, fmt.Errorf("%w: %w", graph.ErrUnavailable, err)
	}
	if [32]byte(h.Sum(nil)) != f.sum {
		// The parts that were read before belong to other bytes.
		f.openedFile.mu.Lock()
		f.openedFile.reset(t.recess, f)
		f.openedFile.mu.Unlock()
		return 0, damageError("the digest of the file is not the one recorded at the seal")
	}
	n := 0
	for i := 0; i < f.rowCount(); {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		rows := f.segmentRows(uint32(i))
		if t.allErased(rows) {
			i += len(rows) // the erasure has not rewritten this file yet
			continue
		}
		t.recess.cache.Remove(segmentKey{f.id, uint32(i)})
		records, err := t.readSegment(ctx, f, uint32(i))
		if err != nil {
			return n, err
		}
		n, i = n+len(records), i+len(rows)
	}
	return n, nil
}
