package transfer_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

// liveHeap measures the heap that is in use after a collection.
type liveHeap struct{ before, peak uint64 }

func newLiveHeap() *liveHeap {
	runtime.GC() // a second one also frees what pools held
	h := &liveHeap{}
	h.measure()
	h.before, h.peak = h.peak, 0
	return h
}

func (h *liveHeap) measure() {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h.peak = max(h.peak, m.HeapAlloc)
}

// measuredBody measures the heap at every other megabyte that is read.
type measuredBody struct {
	io.Reader
	heap       *liveHeap
	read, next int
}

func (b *measuredBody) Read(p []byte) (int, error) {
	if b.read >= b.next {
		b.next += 2 << 20
		b.heap.measure()
	}
	n, err := b.Reader.Read(p)
	b.read += n
	return n, err
}

// emptyStore takes memories and keeps none, so that what the heap holds is the import's. It
// measures the heap at every twentieth transaction.
type emptyStore struct {
	graph.Store
	heap             *liveHeap
	updates, written int
}

func (s *emptyStore) Update(ctx context.Context, scope graph.Scope, write func(graph.Tx) error) (graph.Cursor, error) {
	return s.Store.Update(ctx, scope, func(tx graph.Tx) error {
		if err := write(emptyTx{tx, s}); err != nil {
			return err
		}
		if s.updates++; s.updates%20 == 0 {
			s.heap.measure()
		}
		return nil
	})
}

type emptyTx struct {
	graph.Tx
	s *emptyStore
}

func (t emptyTx) PutMemory(*graph.Memory, graph.EventKind) error { t.s.written++; return nil }

// largeExport writes an export of memories of 24 KB each to a file, and returns its size in bytes.
func largeExport(t *testing.T, path string, memories int) int64 {
	t.Helper()
	from := storetest.NewModel()
	text := strings.Repeat("The winch of the ferry sticks again. ", 24<<10/37)
	_, err := from.Update(t.Context(), scope, func(tx graph.Tx) error {
		for i := range memories {
			at := start.Add(time.Duration(i) * time.Second)
			m := &graph.Memory{
				ID: id(t, time.Duration(i)*time.Second), Namespace: "main", Type: graph.Episodic, Content: fmt.Sprintf("%s %d", text, i), EmbeddingModel: "test",
				DecayClass: graph.DecayMedium, Sensitivity: graph.Internal, Consent: graph.ConsentExplicit, SourceKind: graph.FromUser,
				Version: 1, CreatedAt: at, UpdatedAt: at, RecordedAt: at, OccurredAt: at, ValidFrom: at,
				History: []graph.State{{From: at, Status: graph.Active, Tier: graph.L1}},
			}
			m.Chain = m.ID
			if err := tx.PutMemory(m, graph.EventCreated); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := transfer.Export(t.Context(), from, scope, "", f); err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// A valid import of 25 MB holds at most 8 MiB of the heap at any time, half of the 16 MB by which it
// may raise the resident memory. The store is not measured.
func TestLargeImportHoldsLittleMemory(t *testing.T) {
	const memories, most = 1000, 8 << 20
	path := filepath.Join(t.TempDir(), "export")
	size := largeExport(t, path, memories)
	if size < 3*most {
		t.Fatalf("the export has %d bytes", size)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	heap := newLiveHeap()
	store := &emptyStore{Store: storetest.NewModel(), heap: heap}
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/import", &measuredBody{Reader: f, heap: heap})
	r.Header.Set("Content-Type", transfer.MediaType)
	importer(store, nil).ServeHTTP(w, r)
	if w.Code != http.StatusOK || store.written != memories {
		t.Fatalf("%d %s: %d memories are written", w.Code, w.Body, store.written)
	}
	if held := int64(heap.peak) - int64(heap.before); held > most {
		t.Errorf("an import of %d bytes holds %d bytes, more than %d", size, held, most)
	} else {
		t.Logf("an import of %d bytes holds %d bytes", size, held)
	}
}

// deadlines records the read deadlines of a connection.
type deadlines struct {
	http.ResponseWriter
	read []time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error { d.read = append(d.read, at); return nil }

// The body of an import has 30 s for each piece.
func TestImportWaitsForThirtySeconds(t *testing.T) {
	full := storetest.NewModel()
	world(t, full)
	clock := now
	d := &deadlines{ResponseWriter: httptest.NewRecorder()}
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/import", bytes.NewBufferString(exported(t, full)))
	r.Header.Set("Content-Type", transfer.MediaType)
	importer(storetest.NewModel(), func() time.Time { clock = clock.Add(time.Second); return clock }).ServeHTTP(d, r)
	if len(d.read) < 2 {
		t.Fatalf("%d deadlines", len(d.read))
	}
	for i, at := range d.read {
		if want := now.Add(time.Duration(i+1)*time.Second + 30*time.Second); !at.Equal(want) {
			t.Errorf("deadline %d is %v, want %v", i, at, want)
		}
	}
}
