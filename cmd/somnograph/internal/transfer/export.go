package transfer

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// page is the number of nodes per read.
const page = 200

// claimsSetting is the name of the setting with the progress of reading claims.
const claimsSetting = "claims"

// Export writes the tenant as of one moment. It holds no more in memory than a page and the ids
// of all relations. origin is the identity of the store; empty: unknown.
func Export(ctx context.Context, store graph.Store, scope graph.Scope, origin string, w io.Writer) (Summary, error) {
	if err := graph.FlushUses(ctx, store); err != nil {
		return Summary{}, err
	}
	relations, err := relationIDs(ctx, store, scope)
	if err != nil {
		return Summary{}, err
	}
	x := &exporter{w: bufio.NewWriterSize(w, 1<<16), sum: sha256.New(), namespaces: map[string]bool{}}
	err = store.View(ctx, scope, func(r graph.Reader) error {
		at, err := r.LastRecorded()
		if err != nil {
			return err
		}
		x.r = r
		if err := x.write(nil, Header{Somnograph: "export", Version: version, Tenant: string(scope.Tenant), Recorded: at, Store: origin}); err != nil {
			return err
		}
		if err := errors.Join(x.entities(), x.memories(), x.relations(relations), x.notes(), x.settings()); err != nil {
			return err
		}
		return x.write(nil, line{End: &end{x.done, digest(x.sum)}})
	})
	if err == nil {
		err = x.w.Flush()
	}
	if err != nil {
		return x.done, fmt.Errorf("export: %w", err)
	}
	return x.done, nil
}

// relationIDs reads the ids of all relations from the feed: there is no list of them.
func relationIDs(ctx context.Context, store graph.Store, scope graph.Scope) ([]graph.ID, error) {
	ids := map[graph.ID]bool{}
	for after := graph.Cursor(0); ; {
		changes, err := store.Changes(ctx, scope, after, graph.MaxPage)
		if err != nil {
			return nil, fmt.Errorf("export: read the feed: %w", err)
		}
		if len(changes) == 0 {
			return slices.Sorted(maps.Keys(ids)), nil
		}
		for _, c := range changes {
			if c.Node == graph.NodeRelation {
				ids[c.ID] = true
			}
		}
		after = changes[len(changes)-1].Cursor
	}
}

// exporter writes the lines of one snapshot.
type exporter struct {
	r          graph.Reader
	w          *bufio.Writer
	sum        hash.Hash
	done       Summary
	namespaces map[string]bool
}

// write writes a line and adds it to sum, if that is not nil.
func (x *exporter) write(sum hash.Hash, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	b = append(b, '\n')
	if sum != nil {
		_, _ = sum.Write(b) // a hash never fails
	}
	_, err = x.w.Write(b)
	return err
}

func (x *exporter) entities() error {
	for after := graph.ID(""); ; {
		some, err := x.r.ListEntities(graph.EntityQuery{After: after, Limit: page})
		if err != nil || len(some) == 0 {
			return err
		}
		for _, e := range some {
			if err := x.write(x.sum, line{Entity: &entityLine{e, e.Properties}}); err != nil {
				return err
			}
			x.done.Entities++
		}
		after = some[len(some)-1].ID
	}
}

func (x *exporter) memories() error {
	for after := graph.ID(""); ; {
		some, err := x.r.ListMemories(graph.MemoryQuery{After: after, Limit: page})
		if err != nil || len(some) == 0 {
			return err
		}
		for _, m := range some {
			if err := x.memory(m); err != nil {
				return err
			}
		}
		after = some[len(some)-1].ID
	}
}

func (x *exporter) memory(m *graph.Memory) error {
	x.namespaces[m.Namespace] = true
	l, err := memoryLineOf(x.r, m)
	if err != nil {
		return err
	}
	x.done.Memories++
	x.done.Edges += len(l.Edges)
	return x.write(x.sum, line{Memory: l})
}

func (x *exporter) relations(ids []graph.ID) error {
	for _, id := range ids {
		rel, err := x.r.RelationByID(id)
		if errors.Is(err, graph.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if err := x.write(x.sum, line{Relation: &relationLine{rel}}); err != nil {
			return err
		}
		x.done.Relations++
	}
	return nil
}

func (x *exporter) notes() error {
	for _, m := range movedNotes {
		for after := graph.ID(""); ; {
			some, err := x.r.Notes(m.kind, after, false, page)
			if err != nil {
				return err
			}
			for _, n := range some {
				if err := x.write(x.sum, line{Note: &noteLine{n, n.Data}}); err != nil {
					return err
				}
				x.done.Notes++
			}
			if len(some) == 0 {
				break
			}
			after = some[len(some)-1].ID
		}
	}
	return nil
}

func (x *exporter) settings() error {
	for _, ns := range slices.Sorted(maps.Keys(x.namespaces)) {
		name := PolicySetting(ns)
		v, err := x.r.Setting(name)
		if errors.Is(err, graph.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if err := x.write(x.sum, line{Setting: &settingLine{name, v}}); err != nil {
			return err
		}
		x.done.Settings++
	}
	return nil
}
