package enginetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Digest describes the memory of a tenant, with one line for each memory, vector, edge, entity
// and relation, so that two states can be compared and the first difference shown. Notes,
// requests and settings are not included, because they record how the state came about.
func Digest(ctx context.Context, store graph.Store, scope graph.Scope) (string, error) {
	return digest(ctx, store, scope, false)
}

// Present is the digest of the ACTIVE memories without their history, with the edges between
// ACTIVE memories only.
func Present(ctx context.Context, store graph.Store, scope graph.Scope) (string, error) {
	return digest(ctx, store, scope, true)
}

func digest(ctx context.Context, store graph.Store, scope graph.Scope, present bool) (string, error) {
	var lines []string
	line := func(kind string, v any) error {
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		lines = append(lines, kind+" "+string(text))
		return nil
	}
	err := store.View(ctx, scope, func(r graph.Reader) error {
		lines = lines[:0]
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
			if err != nil {
				return err
			}
			if err := digestMemory(r, m, present, line); err != nil {
				return err
			}
		}
		for x, err := range graph.AllEntities(r) {
			if err != nil {
				return err
			}
			if err := line("entity", x); err != nil {
				return err
			}
			for y, err := range graph.AllRelations(r, x.ID) {
				if err != nil {
					return err
				}
				if err := line("relation", y); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("digest: %w", err)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n"), nil
}

// digestMemory adds the lines of a memory, its vector and its outgoing edges.
func digestMemory(r graph.Reader, m *graph.Memory, present bool, line func(kind string, v any) error) error {
	if present {
		if m.Status() != graph.Active {
			return nil
		}
		last := m.State()
		last.From = time.Time{}
		m.History = []graph.State{last}
	}
	if err := line("memory", m); err != nil {
		return err
	}
	if v, err := r.Embedding(m.ID); err == nil {
		if err := line("vector of "+string(m.ID), hashVector(v)); err != nil {
			return err
		}
	}
	edges, err := r.Edges(m.ID, graph.Out)
	if err != nil {
		return err
	}
	for _, e := range edges {
		if present {
			if other, err := r.Memory(e.To); err != nil || other.Status() != graph.Active {
				continue
			}
		}
		if err := line("edge", e); err != nil {
			return err
		}
	}
	return nil
}

func hashVector(v []float32) string {
	s := sha256.Sum256(fmt.Appendf(nil, "%v", v))
	return hex.EncodeToString(s[:8])
}
