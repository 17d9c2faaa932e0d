package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// importSetting is the name of the setting with the progress of an import. It is written in the
// transaction of each batch and removed in the last one, so it is there only if an import is under
// way or was cut off. Health shows that.
const importSetting = "import"

// progress is how far an import has come.
type progress struct {
	SHA256  string `json:"sha256"`  // of the lines of the export
	Written int    `json:"written"` // lines, without the header
	Counted int    `json:"counted"` // lines whose uses are counted, and of some later ones up to Written
}

// ErrHalf is returned if the tenant has a part of another export, whose import was cut off.
var ErrHalf = errors.New("the store has a part of another export, whose import was cut off: import that one again, or begin with an empty data directory")

// importProgress returns how far an import came that was cut off, and ErrNotEmpty if the tenant has
// data of another origin.
func importProgress(ctx context.Context, store graph.Store, scope graph.Scope) (p progress, err error) {
	err = store.View(ctx, scope, func(r graph.Reader) error {
		p = progress{}
		at, err := r.LastRecorded()
		if err != nil || at.IsZero() {
			return err
		}
		v, err := r.Setting(importSetting)
		if errors.Is(err, graph.ErrNotFound) {
			return ErrNotEmpty
		}
		if err == nil {
			err = json.Unmarshal(v, &p)
		}
		return err
	})
	return p, ofServer(err)
}

// resume looks where the writing begins. All lines were checked, and m.digest is theirs.
func (m *importer) resume() (err error) {
	if m.before, err = importProgress(m.ctx, m.store, m.scope); err != nil {
		return err
	}
	if m.before.Written > 0 && m.before.SHA256 != m.digest {
		return ErrHalf
	}
	return nil
}

// known handles a line that an earlier import wrote. Its uses may not be counted.
func (m *importer) known(l line) error {
	m.seen++
	m.count(l)
	if m.seen <= m.before.Counted || l.Memory == nil || l.Memory.Memory == nil {
		return nil
	}
	if err := graph.FlushUses(m.ctx, m.store); err != nil {
		return err
	}
	var counted graph.Usage
	err := m.store.View(m.ctx, m.scope, func(r graph.Reader) error {
		stored, err := r.Memory(l.Memory.ID)
		if err == nil {
			counted = stored.Usage
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("memory %s, which an earlier try wrote: %w", l.Memory.ID, err)
	}
	live, _, err := Line{line: l}.Live()
	if err != nil || live == nil || m.erasedBefore(live.ID) {
		return err
	}
	for _, use := range missingUses(usesOf(live.Usage), counted) {
		if err := m.store.CountUses(m.ctx, m.scope, []graph.ID{live.ID}, use); err != nil {
			return err
		}
	}
	return nil
}

// missingUses are those of all that are not in a usage.
func missingUses(all []graph.Use, counted graph.Usage) (missing []graph.Use) {
	left := counted.Count
	for _, d := range counted.Days {
		if i := slices.IndexFunc(all, func(u graph.Use) bool { return graph.Day(u.At) == d }); i >= 0 && left > 0 {
			all, left = slices.Delete(slices.Clone(all), i, i+1), left-1
		}
	}
	// The rest of a usage is of its last instant.
	return all[:len(all)-min(left, len(all))]
}

// putProgress records that the batch is written.
func (m *importer) putProgress(tx graph.Tx) error {
	v, err := json.Marshal(progress{SHA256: m.digest, Written: m.seen + len(m.batch), Counted: m.seen})
	if err != nil {
		return err
	}
	return tx.PutSetting(importSetting, v)
}
