package dgraphstore

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
)

// An earlier copy of the cluster that was put back has rows whose keys were destroyed since. They are removed with what
// refers to them before anything else reads the store.

const (
	sweepPage  = 1000 // rows that one query reads
	sweepBatch = 100  // rows that one transaction removes
)

// storedSeal is the part of a row that says which keys it needs.
type storedSeal struct {
	UID, Key, Record string
	VectorKey        string `json:"vkey"`
}

// eachSealed calls use for the sealed rows of a kind of a tenant.
func (s *Store) eachSealed(ctx context.Context, ks keyspace, kind *rowKind, use func(storedSeal) error) error {
	snap := s.newSnapshot()
	for after := uint64(0); ; {
		var answer struct{ Q []storedSeal }
		text := fmt.Sprintf("{ q(func: has(%s.record), first: %d, after: %#x) { uid key: %s record: %[1]s.record vkey: memory.vector_key } }", kind.name, sweepPage, after, kind.key)
		if err := snap.runQuery(ctx, text, nil, &answer); err != nil {
			return err
		}
		for _, row := range answer.Q {
			uid, err := strconv.ParseUint(row.UID, 0, 64)
			if err != nil {
				return integrityError(row.Key, "not a node")
			}
			after = max(after, uid)
			if strings.HasPrefix(row.Key, ks.prefix) {
				if err := use(row); err != nil {
					return err
				}
			}
		}
		if len(answer.Q) < sweepPage {
			return nil
		}
	}
}

// number is that of the key of the record; 0: it is not sealed, or damaged.
func (row storedSeal) number() uint64 {
	if !strings.HasPrefix(row.Record, sealedMark) {
		return 0
	}
	b, err := base64.StdEncoding.DecodeString(row.Record[len(sealedMark):])
	if err != nil {
		return 0
	}
	number, _ := keyring.NumberOf(b)
	return number
}

// destroyed reports whether a key was destroyed.
func destroyed(ring *keyring.Ring, number uint64) (bool, error) {
	if number == 0 || !ring.Issued(number) {
		return false, nil
	}
	_, err := ring.Key(number)
	if errors.Is(err, keyring.ErrDestroyed) {
		return true, nil
	}
	return false, err
}

// sweep removes the rows of a tenant whose keys were destroyed: first those that name memories, then memories.
func (s *Store) sweep(ctx context.Context, t graph.Tenant, ring *keyring.Ring) error {
	ks, rows := newKeyspace(t), 0
	for _, kind := range []*rowKind{requests, notes, settings, relations, entities, memories} {
		var dead, vectors []string
		err := s.eachSealed(ctx, ks, kind, func(row storedSeal) error {
			gone, err := destroyed(ring, row.number())
			if err != nil {
				return err
			}
			if gone {
				dead = append(dead, row.Key)
				return nil
			}
			number, err := vectorKeyNumber(row.Key, row.VectorKey)
			if graph.DamagedRow(err) {
				return nil
			}
			if err == nil {
				gone, err = destroyed(ring, number)
			}
			if gone {
				vectors = append(vectors, row.Key)
			}
			return err
		})
		if err != nil {
			return err
		}
		for some := range slices.Chunk(dead, sweepBatch) {
			if err := s.removeSwept(ctx, t, kind, some); err != nil {
				return err
			}
		}
		for some := range slices.Chunk(vectors, sweepBatch) {
			if _, err := s.update(ctx, t, func(t tx) error { return t.dropVectors(some) }); err != nil {
				return err
			}
		}
		rows += len(dead)
	}
	if rows > 0 {
		s.options.Logger.Warn("[RTBF] this copy of the cluster held what was erased since; it was removed", "tenant", t, "memories", len(s.swept[t]), "rows", rows)
	}
	head, err := s.newSnapshot().readHead(ctx, t)
	if err != nil {
		return err
	}
	return s.putShredded(ctx, t, head.Commit)
}

// Swept returns the memories of the scope that the store removed when it was opened.
func (s *Store) Swept(scope graph.Scope) []graph.ID { return s.swept[scope.Tenant] }

// removeSwept removes rows of a kind.
func (s *Store) removeSwept(ctx context.Context, tenant graph.Tenant, kind *rowKind, keys []string) error {
	ids := make([]graph.ID, 0, len(keys))
	_, err := s.update(ctx, tenant, func(t tx) error {
		if err := t.guardKey(onSweep); err != nil {
			return err
		}
		ids = ids[:0]
		for _, key := range keys {
			t.writes.dropped[rowID{kind, key}] = true
			if err := t.putRow(kind, key, ""); err != nil {
				return err
			}
			if kind.name != "memory" {
				continue
			}
			id, err := t.ks.parseID(key)
			if err != nil {
				return err
			}
			ids = append(ids, id)
			t.writes.vectors[id], t.writes.usage[id] = nil, ""
			if err := errors.Join(t.deleteEdges(id), t.removeFromRelations(id)); err != nil {
				return err
			}
			t.writes.addChange(graph.NodeMemory, graph.EventForgotten, id, "", s.options.Now())
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("dgraphstore: remove what was erased: %w", err)
	}
	if s.swept == nil {
		s.swept = map[graph.Tenant][]graph.ID{}
	}
	s.swept[tenant] = append(s.swept[tenant], ids...)
	return nil
}

// dropVectors removes the vectors of nodes.
func (t tx) dropVectors(keys []string) error {
	for _, key := range keys {
		id, err := t.ks.parseID(key)
		if err != nil {
			return err
		}
		if err := t.guardKey(onEmbedding, string(id)); err != nil {
			return err
		}
		if _, _, err := t.readRecord(memories, key); err != nil {
			return err
		}
		t.writes.vectors[id] = nil
	}
	return nil
}
