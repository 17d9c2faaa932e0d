package recess

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/somnograph/somnograph/graph"
)

// sealedOnce is a recess with n engrams in one file.
func sealedOnce(t testing.TB, n, subjects int) (*Recess, *sealedFile, []Engram) {
	t.Helper()
	r := open(t, Options{Dir: t.TempDir(), Rand: chacha(9)})
	list := newMaker(9).engrams(n, subjects)
	for i := range list {
		list[i].EngravedAt = start
	}
	must(t, r.Append(ctx, kiwi, list...))
	_, err := r.Seal(ctx, kiwi)
	must(t, err)
	files := r.tenants["kiwi"].manifest.sortedFiles()
	if len(files) != 1 {
		t.Fatalf("%d files", len(files))
	}
	return r, files[0], list
}

// plainParquet is the Parquet file in a sealed one.
func plainParquet(t testing.TB, r *Recess, f *sealedFile) []byte {
	t.Helper()
	var b []byte
	must(t, r.tenants["kiwi"].withFile(ctx, f, func(o *openedFile) (err error) {
		b, err = io.ReadAll(io.NewSectionReader(o.chunks, 0, o.chunks.size))
		return err
	}))
	return b
}

// The content is a Parquet file that any reader opens; its Bloom filters contain every id, and
// have a false positive for fewer than one in a thousand others.
func TestBloomFilters(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	const n = 5000
	r, f, list := sealedOnce(t, n, 50)
	b := plainParquet(t, r, f)
	p, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	must(t, err)
	rows, err := parquet.Read[parquetRow](bytes.NewReader(b), int64(len(b)))
	must(t, err)
	if len(rows) != n || p.NumRows() != n {
		t.Fatalf("%d rows", len(rows))
	}
	known := func(id [16]byte) bool {
		for _, g := range p.RowGroups() {
			ok, err := g.ColumnChunks()[columnID].BloomFilter().Check(parquet.FixedLenByteArrayValue(id[:]))
			must(t, err)
			if ok {
				return true
			}
		}
		return false
	}
	for _, e := range list {
		id, err := e.Memory.ID.Bytes()
		must(t, err)
		if !known(id) {
			t.Fatalf("%s is not known", e.Memory.ID)
		}
	}
	const seed, strangers = 31, 100_000
	src, wrong := chacha(seed), 0
	for range strangers {
		var id [16]byte
		if _, err := io.ReadFull(src, id[:]); err != nil {
			t.Fatal(err)
		}
		if known(id) {
			wrong++
		}
	}
	rate := float64(wrong) / strangers
	t.Logf("seed %d: %d of %d strangers pass: %.4f %%", seed, wrong, strangers, 100*rate)
	if rate >= 0.001 {
		t.Errorf("false positives: %.4f %%", 100*rate)
	}
}

// A chunk that is swapped, missing or cut is not read.
func TestMisplacedChunksAreNotRead(t *testing.T) {
	d := newPowerDisk()
	must(t, d.MkdirAll("x"))
	key, err := newAEAD(bytes.Repeat([]byte{7}, keySize))
	must(t, err)
	text := make([]byte, 5*chunkSize+100)
	_, err = io.ReadFull(chacha(1), text)
	must(t, err)
	write := func(text []byte) []byte {
		f, err := d.Create("x/f")
		must(t, err)
		w, err := newChunkWriter(f, key, [16]byte{1}, keyID{2})
		must(t, err)
		for rest := text; len(rest) > 0; rest = rest[min(len(rest), 1000):] {
			_, err := w.Write(rest[:min(len(rest), 1000)])
			must(t, err)
		}
		must(t, w.Close())
		return bytes.Clone(d.walk("x/f").data)
	}
	read := func(sealed []byte) ([]byte, error) {
		size, chunks, err := plainSize(int64(len(sealed)))
		if err != nil {
			return nil, err
		}
		r := &chunkReader{aead: key, header: fileHead([16]byte{1}, keyID{2}), chunks: chunks, size: size}
		r.from = func(p []byte, at int64) error { return readFull(bytes.NewReader(sealed), p, at) }
		return io.ReadAll(io.NewSectionReader(r, 0, size))
	}
	for _, n := range []int{0, 1, chunkSize - 1, chunkSize, chunkSize + 1, 2 * chunkSize, len(text)} {
		got, err := read(write(text[:n]))
		if err != nil || !bytes.Equal(got, text[:n]) {
			t.Errorf("%d bytes: %d come back, %v", n, len(got), err)
		}
	}
	whole := write(text)
	chunk := func(b []byte, i int) []byte { return b[fileHeader+i*chunkFull : fileHeader+(i+1)*chunkFull] }
	swapped := bytes.Clone(whole)
	copy(chunk(swapped, 1), chunk(whole, 2))
	copy(chunk(swapped, 2), chunk(whole, 1))
	for name, b := range map[string][]byte{
		"swapped": swapped, "cut at a chunk": whole[:fileHeader+3*chunkFull], "cut inside": whole[:len(whole)-50],
		"left out": append(bytes.Clone(whole[:fileHeader+chunkFull]), whole[fileHeader+2*chunkFull:]...), "nothing": whole[:fileHeader], "too short": whole[:5],
	} {
		if _, err := read(b); !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Invalid bytes must not make a Parquet reader panic.
func FuzzParquet(f *testing.F) {
	r, file, _ := sealedOnce(f, 40, 4)
	good := plainParquet(f, r, file)
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte("PAR1PAR1"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, starts, err := openParquet(bytes.NewReader(b), int64(len(b)), 40)
		if err != nil {
			if !errors.Is(err, graph.ErrIntegrity) {
				t.Fatal(err)
			}
			return
		}
		o := &openedFile{parquet: p, starts: starts}
		for row := range int64(41) {
			err := recoverParquet(func() error {
				_, err := o.readCell(row, columnHead)
				_, berr := o.mayContain([16]byte{1}, row)
				return errors.Join(err, berr)
			})
			_ = err // any error is fine, a panic is not
		}
	})
}

// FuzzSegment feeds the decoders with what an attacker who has the data key could write.
func FuzzSegment(f *testing.F) {
	k := &dataKey{}
	var err error
	k.aead, err = newAEAD(k.key[:])
	must(f, err)
	m := newMaker(3)
	var records []*record
	var rows []engraving
	for i := range 3 {
		e := m.engram("tea")
		e.Vector = []float32{1, 2, 0, 4}
		rec, err := newRecord(&e)
		must(f, err)
		rec.seq = uint64(i)
		id, _ := e.Memory.ID.Bytes()
		records, rows = append(records, rec), append(rows, engraving{id: id, seq: rec.seq, version: 1})
	}
	head, body, err := sealSegment(records, rows, "kiwi", k, chacha(1))
	must(f, err)
	ph, err := unseal(k.aead, head, segmentAD("kiwi", "head", rows))
	must(f, err)
	pb, err := unseal(k.aead, body, segmentAD("kiwi", "body", rows))
	must(f, err)
	f.Add(ph, pb)
	f.Fuzz(func(t *testing.T, h, b []byte) {
		h, err := seal(k.aead, chacha(1), h, segmentAD("kiwi", "head", rows))
		must(t, err)
		b, err = seal(k.aead, chacha(1), b, segmentAD("kiwi", "body", rows))
		must(t, err)
		got, err := openSegment(h, b, rows, "kiwi", k)
		if err != nil {
			if !errors.Is(err, graph.ErrIntegrity) {
				t.Fatal(err)
			}
			return
		}
		for i, r := range got {
			if !r.checksumMatches() || r.memory.ID != graph.IDFromBytes(rows[i].id) {
				t.Fatal("a record differs from the engraved one")
			}
			_, _ = r.engram(nil) // an error is fine, a panic is not
		}
	})
}

// FuzzFrames feeds the scan of logs.
func FuzzFrames(f *testing.F) {
	var log []byte
	for i := range 4 {
		log = (&frame{seq: uint64(i), payload: bytes.Repeat([]byte{byte(i)}, 100*i)}).append(log)
	}
	f.Add(log)
	f.Fuzz(func(t *testing.T, b []byte) {
		last := int64(-1)
		s, err := scanFrames(bytes.NewReader(b), 0, int64(len(b)), func(x foundFrame) error {
			if x.at <= last || x.at+x.size > int64(len(b)) {
				return fmt.Errorf("a frame at %d after %d", x.at, last)
			}
			last = x.at
			return nil
		})
		if err != nil || s.end+s.rest != int64(len(b)) {
			t.Fatalf("%+v %v", s, err)
		}
	})
}

// A cancelled read is not reported as damage.
func TestCancelledReadIsNoDamage(t *testing.T) {
	r, _, list := sealedOnce(t, 20, 2)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := r.Search(gone, kiwi, Query{Vector: []float32{1}, K: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("search: %v", err)
	}
	if err := r.Append(gone, kiwi, newMaker(99).engram("tea")); !errors.Is(err, context.Canceled) {
		t.Errorf("append: %v", err)
	}
	same(t, r, kiwi, list[3])
}
