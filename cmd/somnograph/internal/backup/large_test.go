package backup_test

import (
	cryptorand "crypto/rand"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/keyring"
)

// TestLargeBackup measures a backup and a restore of BACKUP_MEMORIES memories with vectors of 384
// numbers, on disk. Both stores are sealed, as new data directories are, unless BACKUP_SEAL is off.
func TestLargeBackup(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("BACKUP_MEMORIES"))
	if err != nil {
		n = 2000
	}
	w := newWorld(t, diskStore(t))
	fill(t, w.store, n)
	began, used := time.Now(), processorTime()
	made := must[*backup.Made](t)(w.runner.Once(t.Context(), false))
	took := time.Since(began)
	t.Logf("backed up %d memories in %.1f s, %.1f s of processor, %.0f MB", n, took.Seconds(), processorTime()-used, float64(made.Manifest.Bytes)/1e6)
	began, used = time.Now(), processorTime()
	r := w.reader()
	p := must[*backup.Point](t)(r.Find(t.Context(), time.Time{}, nil))
	t.Logf("authenticated in %.1f s", time.Since(began).Seconds())
	into := diskStore(t)
	got := must[*backup.Restored](t)((&backup.Restore{Reader: r, Store: into}).Run(t.Context(), p))
	t.Logf("restored %d memories in %.1f s, %.1f s of processor", got.Memories, time.Since(began).Seconds(), processorTime()-used)
	if got.Memories != n {
		t.Errorf("restored %d memories, want %d", got.Memories, n)
	}
}

// processorTime is what the process has used so far, in seconds; 0 where it is not known.
func processorTime() float64 {
	b, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	user, _ := strconv.ParseFloat(fields[11], 64) // in ticks of 10 ms
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100
}

// diskStore opens an empty store on disk.
func diskStore(t *testing.T) graph.Store {
	t.Helper()
	dir := t.TempDir()
	o := badgerstore.Options{}
	if os.Getenv("BACKUP_SEAL") != "off" {
		o.OpenKeys = func(bool, bool) (*keyring.Keyring, error) {
			return keyring.Open(filepath.Join(dir, "keys"), keyring.Options{})
		}
	}
	s := must[*badgerstore.Store](t)(badgerstore.Open(filepath.Join(dir, "store"), o))
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// fill writes n memories with vectors and some edges.
func fill(t *testing.T, s graph.Store, n int) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	noise := cryptorand.Reader
	scope := engine.Loopback().Scope()
	var before graph.ID
	for done := 0; done < n; {
		_, err := s.Update(t.Context(), scope, func(tx graph.Tx) error {
			for range min(100, n-done) {
				at := enginetest.Start.Add(time.Duration(done) * time.Second)
				id, err := graph.NewID(at, noise)
				if err != nil {
					return err
				}
				m := &graph.Memory{
					ID: id, Chain: id, Version: 1, Namespace: "main", User: "mira", Type: graph.Episodic,
					Content:        fmt.Sprintf("On day %d buoy %d reported waves of %d cm and wind from the west with %d knots; the ferry left late again.", done/900, done, random.IntN(400), random.IntN(40)),
					EmbeddingModel: "test", Salience: 0.5, DecayClass: graph.DecayMedium, Sensitivity: graph.Internal, Consent: graph.ConsentExplicit, SourceKind: graph.FromUser,
					CreatedAt: at, UpdatedAt: at, RecordedAt: at, OccurredAt: at, ValidFrom: at, History: []graph.State{{From: at, Status: graph.Active, Tier: graph.L1}},
				}
				m.Checksum = graph.Sum(m.Content, m.CreatedAt, m.SourceKind, m.Source)
				v := make([]float32, 384)
				for i := range v {
					v[i] = random.Float32() - 0.5
				}
				if err := tx.PutMemory(m, graph.EventCreated); err != nil {
					return err
				}
				if err := tx.PutEmbedding(id, v); err != nil {
					return err
				}
				if before != "" {
					if err := tx.PutEdge(graph.Edge{From: id, Kind: graph.EvidenceFor, To: before, Weight: 0.5, At: at}); err != nil {
						return err
					}
				}
				before = id
				done++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
