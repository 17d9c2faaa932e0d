package grouping

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// maxParts is the largest number of parts of an imported settlement: members of 50 million memories.
const maxParts = 10_000

// Imported checks notes of clusters that come from elsewhere, one after the other.
type Imported struct {
	parts map[graph.ID]graph.ID // note of a part to its settlement
	roots []*graph.Note
}

// Add returns what is wrong with a note of clusters, or nil. Other notes pass.
func (x *Imported) Add(n *graph.Note) error {
	if !n.Kind.OfClusters() {
		return nil
	}
	if len(n.Memories) > 0 || n.Namespace == "" {
		return fmt.Errorf("in Memories: a note of clusters names no memories, and a namespace")
	}
	switch n.Kind {
	case graph.NoteClusters:
		root, err := readRoot(n)
		if err != nil || root.Parts < 0 || root.Parts > maxParts || root.Before >= n.ID {
			return fmt.Errorf("in Data: it is no settlement")
		}
		x.roots = append(x.roots, n)
	case graph.NoteClusterPart:
		var record partRecord
		if err := json.Unmarshal(n.Data, &record); err != nil {
			return fmt.Errorf("in Data: it is no part of a settlement")
		}
		body, err := base64.RawStdEncoding.DecodeString(record.Body)
		if err == nil {
			_, err = decodeParts([][]byte{body})
		}
		if err != nil {
			return fmt.Errorf("in Data: it is no part of a settlement: %w", err)
		}
		if x.parts == nil {
			x.parts = map[graph.ID]graph.ID{}
		}
		x.parts[n.ID] = record.Root
	case graph.NoteClusterEvents:
		var record eventsRecord
		err := json.Unmarshal(n.Data, &record)
		bad := func(e Event) bool { return !slices.Contains(cluster.EventKinds, e.Kind) || e.Size < 0 }
		if err != nil || len(record.Events) > maxEvents || slices.ContainsFunc(record.Events, bad) {
			return fmt.Errorf("in Data: they are no changes of clusters")
		}
	}
	return nil
}

// End returns what is wrong with all of the notes together, or nil: every settlement has its parts.
func (x *Imported) End() error {
	for _, n := range x.roots {
		root, err := readRoot(n)
		if err != nil {
			return err
		}
		for part := range root.Parts {
			id, err := partID(n.At, n.ID, part)
			if err != nil {
				return err
			}
			if x.parts[id] != n.ID {
				return fmt.Errorf("settlement %s: part %d is missing", n.ID, part)
			}
		}
	}
	return nil
}

// Reload reads the settlements again after an import wrote some. Other servers do so too.
func (svc *Service) Reload(ctx context.Context, c workspace.Caller) error {
	if err := c.WholeTenant(); err != nil {
		return err
	}
	t, err := svc.Tenant(ctx, c.Scope())
	if err != nil {
		return err
	}
	change := graph.ID("import " + svc.Now().Format(time.RFC3339Nano))
	if _, err := svc.Audit.Update(ctx, svc.Store, t.Scope.Whole(), func(tx graph.Tx) error { return bump(tx, change) }); err != nil {
		return svc.PublicError(err)
	}
	svc.Changed(t)
	return nil
}
