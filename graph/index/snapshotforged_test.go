package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph"
)

// An invalid payload with a correct hash must neither crash nor hang the reader: the reader
// accepts or rejects it.
func TestForgedSnapshotIsRefusedOrHarmless(t *testing.T) {
	f := furnished()
	dir := t.TempDir()
	whole, err := os.ReadFile(saved(t, f, dir))
	if err != nil {
		t.Fatal(err)
	}
	beside := filesOf(t, dir)
	sections := cutSections(t, whole)
	r := rand.New(rand.NewPCG(8, 8))
	refused := 0
	path := filepath.Join(t.TempDir(), "forged")
	for range 400 {
		i := r.IntN(len(sections))
		payload := bytes.Clone(sections[i].payload)
		switch {
		case len(payload) == 0 || r.IntN(4) == 0:
			payload = append(payload, byte(r.IntN(256)))
		case r.IntN(3) == 0:
			payload = payload[:r.IntN(len(payload))]
		default:
			for range 1 + r.IntN(4) {
				payload[r.IntN(len(payload))] = byte(r.IntN(256))
			}
		}
		forged := bytes.Clone(whole[:snapshotStartSize])
		for j, s := range sections {
			if j == i {
				s.payload = payload
			}
			forged = append(forged, s.bytes()...)
		}
		if err := os.WriteFile(path, forged, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		beside.put(t, dir)
		x := &Index{store: f, opts: Options{Workers: 1, Dir: dir, Logger: slog.New(slog.DiscardHandler)}}
		tn := newTenant(x, world)
		if _, err := tn.readSnapshot(context.Background(), file); err != nil {
			refused++
		}
		if err := errors.Join(file.Close(), tn.files.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if refused < 50 {
		t.Errorf("only %d of 400 forgeries were refused", refused)
	}
}

type rawSection struct {
	kind    byte
	payload []byte
}

func (s rawSection) bytes() []byte {
	b := binary.LittleEndian.AppendUint64([]byte{s.kind}, uint64(len(s.payload)))
	b = append(b, s.payload...)
	return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))
}

// cutSections splits a snapshot into its sections.
func cutSections(t *testing.T, whole []byte) (out []rawSection) {
	t.Helper()
	for rest := whole[snapshotStartSize:]; len(rest) > 0; {
		size := binary.LittleEndian.Uint64(rest[1:9])
		s := rawSection{rest[0], rest[9 : 9+size]}
		if !bytes.Equal(s.bytes(), rest[:17+size]) {
			t.Fatal("a section differs from the documented format")
		}
		out, rest = append(out, s), rest[17+size:]
	}
	return out
}

func TestErasureCancelsSnapshotInProgress(t *testing.T) {
	dir := t.TempDir()
	f := furnished()
	x := opened(t, f, Options{Dir: dir})
	settle(t, x, f)
	tn := x.tenantOrNil(world)
	pic, err := tn.captureSnapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	sections := 0
	err = tn.writeDraft(pic, func() error {
		if sections++; sections < 3 {
			return nil
		}
		if err := tn.forgetSnapshot(); err != nil {
			t.Error(err)
		}
		return errErased
	})
	if !errors.Is(err, errErased) {
		t.Errorf("writing went on: %v", err)
	}
	for name := range filesOf(t, dir) {
		if !strings.HasSuffix(name, ".vectors") {
			t.Errorf("%s is left", name)
		}
	}
}

func TestUnusableDirectoryIsReported(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f := newFeed()
	var log logged
	x, err := Open(context.Background(), f, Options{Dir: file, Logger: log.logger()})
	if err != nil {
		t.Fatal(err)
	}
	f.put(f.memory(epoch, "searchable all the same"), nil)
	expect(t, "found", len(recalled(t, x, f, Query{Texts: []string{"searchable"}, Now: epoch})), 1)
	if err := x.Close(context.Background()); err == nil {
		t.Error("Close says nothing of a snapshot it could not write")
	}
	if _, err := x.Recall(context.Background(), world, Query{}); !errors.Is(err, graph.ErrClosed) {
		t.Errorf("Recall answers %v", err)
	}
}
