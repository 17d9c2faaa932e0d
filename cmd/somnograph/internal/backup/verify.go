package backup

import (
	"bytes"
	"context"
	"fmt"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/graph"
)

// Verified says what a check of a backup found to be right.
type Verified struct {
	Point    *Point
	Restored *Restored
	Compared int // rows of the restored store that were compared with the backup
}

// Verify restores the backup up to a point into an empty store and compares every row of it with
// the lines of the backup, whose hashes Find has compared with the manifest.
func Verify(ctx context.Context, r *Reader, p *Point, into graph.Store, progress func(done, total int)) (*Verified, error) {
	x := &Restore{Reader: r, Store: into, Exact: true, Progress: progress}
	restored, err := x.Run(ctx, p)
	if err != nil {
		return nil, err
	}
	v := &Verified{Point: p, Restored: restored}
	last, err := r.lastTouches(ctx, p)
	if err != nil {
		return nil, err
	}
	memories := map[graph.Tenant]int{}
	for i := range p.headers {
		_, lines, _, err := r.object(ctx, p.in, i+1, "?")
		if err != nil {
			return nil, err
		}
		byTenant := map[graph.Tenant][][]byte{}
		_ = eachLine(lines, func(t graph.Tenant, b []byte) error { // it was read before
			if t != "" { // a file otherwise
				byTenant[t] = append(byTenant[t], b)
			}
			return nil
		})
		for t, lines := range byTenant {
			err := into.View(ctx, graph.Scope{Tenant: t}, func(reader graph.Reader) error {
				for _, b := range lines {
					row, err := rowOf(b)
					if err != nil {
						return err
					}
					if seq, again := last[touchedRow{t, row}]; row.Kind == "" || again && seq != i+1 {
						continue
					}
					if err := compare(reader, row, b); err != nil {
						return err
					}
					if row.Kind == graph.RowMemory && !bytes.HasPrefix(b, []byte(`{"gone":`)) {
						memories[t]++
					}
					v.Compared++
				}
				return nil
			})
			if err != nil {
				return nil, fmt.Errorf("segment %s: %w", objectName(p.Generation, i+1), err)
			}
		}
	}
	return v, v.count(ctx, into, memories)
}

// compare compares a row of the restored store with its line.
func compare(r graph.Reader, row graph.Row, b []byte) error {
	got, found, err := transfer.Encode(r, row)
	switch {
	case err != nil:
		return err
	case bytes.HasPrefix(b, []byte(`{"gone":`)):
		if found {
			return damaged("%s %s%s is back", row.Kind, row.Name, row.ID)
		}
	case !found:
		return damaged("%s %s%s is missing after the restore", row.Kind, row.Name, row.ID)
	case !bytes.Equal(got, b):
		return damaged("%s %s%s differs after the restore", row.Kind, row.Name, row.ID)
	}
	return nil
}

// count compares the number of memories of every tenant.
func (v *Verified) count(ctx context.Context, into graph.Store, want map[graph.Tenant]int) error {
	tenants, err := into.Tenants(ctx)
	if err != nil {
		return err
	}
	for _, t := range tenants {
		n := 0
		err := into.View(ctx, graph.Scope{Tenant: t}, func(r graph.Reader) error {
			for _, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
				if err != nil {
					return err
				}
				n++
			}
			return nil
		})
		if err != nil {
			return err
		}
		if n != want[t] {
			return damaged("tenant %s has %d memories after the restore, and %d in the backup", t, n, want[t])
		}
	}
	return nil
}
