package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/graph"
)

// Mender restores damaged memories of a running store from its backup.
type Mender struct {
	Maker  *Maker // of the store
	Target Target
	// Erased tests whether a memory was erased, whatever the backup says; nil: none was.
	Erased func(graph.Scope, graph.ID) bool
}

// ErrNotMended is returned for memories that the backup can't mend.
var ErrNotMended = errors.New("the backup can't mend them: restore the data directory, or with Dgraph into an empty cluster")

// Restore restores the rows of memories that fail their checksum: the memory, its vector, its usage. It
// returns how many memories it restored. Those that were erased, that were changed after the last
// boundary, and that the backup does not have stay damaged, and the error wraps ErrNotMended.
func (x *Mender) Restore(ctx context.Context, scope graph.Scope, ids []graph.ID) (restored int, err error) {
	text, err := latest(ctx, x.Target)
	if err != nil {
		return 0, err
	}
	keys, heads, err := x.keys(text)
	if err != nil {
		return 0, err
	}
	manifest, err := keys.parseManifest(text, false)
	if err != nil {
		return 0, err
	}
	continues, err := x.Maker.continues(manifest)
	if err != nil {
		return 0, err
	}
	if !continues {
		return 0, fmt.Errorf("%w: it is of another state of the store", ErrNotMended)
	}
	r, err := Open(x.Target, x.Maker.ID, keys, heads)
	if err != nil {
		return 0, err
	}
	wanted, err := x.unchanged(ctx, scope, ids, manifest.Positions[scope.Tenant])
	if err != nil {
		return 0, err
	}
	lines, err := r.newest(ctx, manifest, scope.Tenant, wanted)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		line, known := lines[id]
		if !known {
			continue
		}
		if err := x.mend(ctx, scope, id, line); err != nil {
			return restored, fmt.Errorf("memory %s: %w", id, err)
		}
		restored++
	}
	if restored < len(ids) {
		return restored, fmt.Errorf("%w: %d of %d memories were erased, changed after the last segment, or are not in the backup", ErrNotMended, len(ids)-restored, len(ids))
	}
	return restored, nil
}

func (x *Mender) keys(manifest []byte) (*Keys, []byte, error) {
	keys, err := x.Maker.keys(manifest)
	if err != nil {
		return nil, nil, err
	}
	heads, err := readHeads(x.Maker.Secrets)
	return keys, heads, err
}

// unchanged are the memories that were not touched after a position, and not erased. A memory that
// was touched has another value than the backup.
func (x *Mender) unchanged(ctx context.Context, scope graph.Scope, ids []graph.ID, since graph.Position) (map[graph.ID]bool, error) {
	var wanted map[graph.ID]bool
	err := x.Maker.Store.View(ctx, scope.Whole(), func(r graph.Reader) error {
		wanted = map[graph.ID]bool{}
		for _, id := range ids {
			if x.Erased == nil || !x.Erased(scope, id) {
				wanted[id] = true
			}
		}
		j, ok := r.(graph.Journal)
		if !ok {
			return errors.New("the store has no journal")
		}
		return j.Touched(since, func(row graph.Row) error {
			if row.Kind == graph.RowMemory {
				delete(wanted, row.ID)
			}
			return nil
		})
	})
	return wanted, err
}

// newest returns the newest lines of memories in a generation, as far as it has them.
func (r *Reader) newest(ctx context.Context, m *Manifest, tenant graph.Tenant, wanted map[graph.ID]bool) (map[graph.ID][]byte, error) {
	in, err := r.generation(ctx, m)
	if err != nil {
		return nil, err
	}
	found := map[graph.ID][]byte{}
	for n := m.Objects; n > 0 && len(wanted) > 0; n-- {
		_, lines, _, err := r.object(ctx, in, n, "?")
		if err != nil {
			return nil, err
		}
		err = eachLine(lines, func(t graph.Tenant, b []byte) error {
			gone := bytes.HasPrefix(b, []byte(`{"gone":`))
			if t != tenant || !gone && kindOf(b) != graph.RowMemory {
				return nil
			}
			row, err := rowOf(b)
			if err != nil || row.Kind != graph.RowMemory || !wanted[row.ID] {
				return err
			}
			delete(wanted, row.ID)
			if !gone {
				found[row.ID] = bytes.Clone(b)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("segment %s: %w", objectName(m.Generation, n), err)
		}
	}
	return found, nil
}

// mend writes what is damaged of a memory again.
func (x *Mender) mend(ctx context.Context, scope graph.Scope, id graph.ID, text []byte) error {
	l, err := transfer.Decode(text)
	if err != nil {
		return err
	}
	m, vector, err := l.Live()
	if err != nil {
		return err
	}
	if m == nil {
		return fmt.Errorf("%w: it was forgotten", ErrNotMended)
	}
	var damage graph.Damage
	_, err = x.Maker.Store.Update(ctx, scope.Whole(), func(tx graph.Tx) error {
		mender, ok := tx.(graph.Mender)
		if !ok {
			return fmt.Errorf("%w: the store can't take damaged rows away", ErrNotMended)
		}
		if damage, err = mender.DropDamaged(id); err != nil {
			return err
		}
		if damage.Memory {
			if err := tx.PutMemory(m, graph.EventCreated); err != nil {
				return err
			}
		}
		if damage.Vector && len(vector) > 0 {
			return tx.PutEmbedding(id, vector)
		}
		return nil
	})
	if err != nil || !damage.Usage {
		return err
	}
	return transfer.Uses([]transfer.Line{l}, func(ids []graph.ID, use graph.Use) error {
		return x.Maker.Store.CountUses(ctx, scope.Whole(), ids, use)
	})
}
