package recess

import (
	"encoding/hex"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

var update = flag.Bool("update", false, "write testdata/v1 anew; only ever for a layout that was never released")

// goldenEngrams is the content of testdata/v1; the vectors have 32 dimensions.
func goldenEngrams() []Engram {
	m := newMaker(2026)
	list := append(m.engrams(24, 3), m.engrams(4, 0)...)
	for i, v := range clusteredVectors(len(list), 32, 3, 0.4, 1) {
		list[i].EngravedAt, list[i].Memory.EmbeddingModel, list[i].Vector = start, "golden", v
	}
	return list
}

const goldenCopy = "testdata/v1"

func writeGolden(t *testing.T) {
	t.Helper()
	must(t, os.RemoveAll(goldenCopy))
	r, err := Open(Options{Dir: goldenCopy, Rand: chacha(2026), TrainAt: 16})
	must(t, err)
	list := goldenEngrams()
	must(t, r.Append(ctx, kiwi, list[:26]...))
	_, err = r.Seal(ctx, kiwi)
	must(t, err)
	_, err = r.Erase(ctx, kiwi, list[0].Memory.ID)
	must(t, err)
	must(t, r.Withdraw(ctx, kiwi, list[1].Memory.ID))
	must(t, r.Append(ctx, kiwi, list[26:]...))
	must(t, r.Close())
	must(t, os.Remove(filepath.Join(goldenCopy, "lock")))
}

// A recess that an earlier program wrote is read correctly: layout 1 stays readable.
func TestLayoutOneIsRead(t *testing.T) {
	if *update {
		writeGolden(t)
	}
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS(goldenCopy)))
	var a alarms
	r := open(t, Options{Dir: dir, Rand: chacha(1), Alarm: a.raise})
	list := goldenEngrams()
	for i, e := range list {
		if i > 1 {
			same(t, r, kiwi, e)
			continue
		}
		if has, err := r.Has(ctx, kiwi, e.Memory.ID); err != nil || has {
			t.Errorf("%d: %v %v", i, has, err)
		}
	}
	s, err := r.Stats(ctx, kiwi)
	must(t, err)
	if s.Engrams != 26 || s.Journal != 2 || s.Erased != 1 || s.Withdrawn != 1 || s.Quantised == 0 {
		t.Errorf("%+v", s)
	}
	found, err := r.Search(ctx, kiwi, Query{Model: "golden", Vector: list[5].Vector, K: 3})
	must(t, err)
	if len(found.Hits) != 3 || found.Unreadable > 0 {
		t.Errorf("%+v", found)
	}
	report, err := r.Scrub(ctx)
	if err != nil || len(report.Damaged) > 0 || a.count() > 0 {
		t.Errorf("%+v %v %+v", report, err, a.list)
	}
}

// The examples in docs/formats/recess.md are what is written.
func TestExamplesOfTheFormat(t *testing.T) {
	f := frame{seq: 7, id: [16]byte{0x01, 0x9c}, key: keyID{0xaa}, payload: []byte("sealed")}
	id, err := graph.ID("019c74e9-bbe8-7000-9fb8-d82978daf007").Bytes()
	must(t, err)
	for name, x := range map[string]struct{ got, want string }{
		"frame":       {hex.EncodeToString(f.append(nil)), exampleFrame},
		"journal":     {hex.EncodeToString(logHead(journalMagic, 1)), exampleJournal},
		"ledger":      {hex.EncodeToString(logHead(ledgerMagic, 2)), exampleLedger},
		"file header": {hex.EncodeToString(fileHead([16]byte{1}, keyID{2})), exampleFile},
		"row":         {hex.EncodeToString(engraving{id: id, seq: 7, version: 1, first: 0, key: 2}.append(nil)), exampleRow},
		"sparse":      {hex.EncodeToString(encodeSparse(append(make([]float32, 62), 0.6, -0.8))), exampleSparse},
		"blob":        {blobName("kiwi", "main", graph.Day(start), [16]byte{1, 2}), "kiwi/main/2026/02/19/01020000000000000000000000000000.parquet.sealed"},
		"folder":      {blobName("kiwi", "my-app/dev", graph.Day(start), [16]byte{1, 2}), "kiwi/my_app_dev-61a4c6d478c0411a/2026/02/19/01020000000000000000000000000000.parquet.sealed"},
	} {
		if x.got != x.want {
			t.Errorf("%s: %s", name, x.got)
		}
	}
	must(t, filepath.WalkDir(goldenCopy, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".new" {
			t.Errorf("%s is in the golden copy", path)
		}
		return err
	}))
}

const (
	exampleFrame   = "53476672000000060000000000000007019c0000000000000000000000000000aa000000000000000000000000000000d0642e67aece37cd28c56f205cc8ef3e7365616c6564"
	exampleJournal = "53476a6e0000000100000000000000010972aaf20803abca"
	exampleLedger  = "53476c67000000010000000000000002445a1925be7c3e86"
	exampleFile    = "53477263000000010100000000000000000000000000000002000000000000000000000000000000"
	exampleRow     = "019c74e9bbe870009fb8d82978daf0070000000000000007000000010000000000000002"
	exampleSparse  = "0ecdcc4c3f0200e7fe37000000"
)
