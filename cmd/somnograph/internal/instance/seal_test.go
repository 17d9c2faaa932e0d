package instance

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/ledger"
)

// tracesOf are the byte strings of one user's memories that no file may hold after an erasure:
// a word for every field with text, and parts of the vectors.
type tracesOf struct {
	words   []string
	vectors [][]byte
}

// word makes a word that nothing else contains.
func (x *tracesOf) word(kind string, n int) string {
	w := fmt.Sprintf("qx%s%04dzv", kind, n)
	x.words = append(x.words, w)
	return w
}

// writeTraces writes memories of a user with a word in every field, engraves some, and observes a
// session that stays open and one that ends.
func writeTraces(t *testing.T, in *Instance, x *tracesOf, from, n int) {
	t.Helper()
	for i := from; i < from+n; i++ {
		meta, err := json.Marshal(map[string]string{"k": x.word("meta", i)})
		if err != nil {
			t.Fatal(err)
		}
		who := strings.ToUpper(x.word("entity", i))
		r, err := in.Engine.Remember(t.Context(), engine.Loopback(), engine.RememberInput{
			Content: fmt.Sprintf("%s says that the %s of %s is number %d.", who, x.word("content", i), x.word("place", i), i), Consent: graph.ConsentExplicit,
			User: "zuqoruser", Subject: x.word("subject", i), Predicate: "owns", Object: x.word("object", i), Source: x.word("source", i),
			Entities: []string{who}, Tags: []string{x.word("tag", i)}, Meta: meta, OnDuplicate: engine.Insert,
		})
		if err != nil {
			t.Fatal(err)
		}
		err = in.Store.View(t.Context(), mainScope, func(reader graph.Reader) error {
			m, err := reader.Memory(r.Memory.ID)
			if err != nil {
				return err
			}
			v, err := reader.Embedding(m.ID)
			if err != nil {
				return err
			}
			x.vectors = append(x.vectors, partOf(v))
			if i%3 == 0 {
				err = archive{Recess: in.Recess}.Engrave(t.Context(), mainScope, m, v, now)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	open, ended := x.word("open", from), x.word("ended", from)
	for _, session := range []string{open, ended} {
		_, err := in.Engine.Observe(t.Context(), engine.Loopback(), engine.Observation{
			Session: session, User: "zuqoruser", Role: "user", Text: "My " + x.word("turn"+session[2:5], from) + " broke today.", Consent: graph.ConsentExplicit,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := in.Engine.CloseSession(t.Context(), engine.Loopback(), ended, ""); err != nil {
		t.Fatal(err)
	}
}

// partOf is the bytes of a vector around its largest number.
func partOf(v []float32) []byte {
	largest := 0
	for i := range v {
		if math.Abs(float64(v[i])) > math.Abs(float64(v[largest])) {
			largest = i
		}
	}
	var b []byte
	for _, f := range v[max(0, largest-8):min(len(v), largest+8)] {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

// in counts the traces in the files of a directory.
func (x *tracesOf) in(t *testing.T, dir string) (found []string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) { // a compaction removed it
			return nil
		}
		files++
		b = bytes.TrimRight(b, "\x00") // files of Dgraph are as large as they may become
		lower := bytes.ToLower(b)
		for _, w := range x.words {
			if bytes.Contains(lower, []byte(w)) {
				found = append(found, filepath.Base(path)+": "+w)
			}
		}
		for i, v := range x.vectors {
			if bytes.Contains(b, v) {
				found = append(found, fmt.Sprintf("%s: vector %d", filepath.Base(path), i))
			}
		}
		return err
	})
	if err != nil || files == 0 {
		t.Fatalf("%d files, %v", files, err)
	}
	return found
}

// lacks fails if a file in a directory has a trace.
func (x *tracesOf) lacks(t *testing.T, dir, when string) {
	t.Helper()
	if found := x.in(t, dir); len(found) > 0 {
		t.Errorf("%s %d of %d traces are readable, such as %s", when, len(found), len(x.words)+len(x.vectors), strings.Join(found[:min(5, len(found))], ", "))
	}
}

// served fails if the store of an instance gives out a trace.
func (x *tracesOf) served(t *testing.T, in *Instance, when string) {
	t.Helper()
	err := in.Store.View(t.Context(), mainScope, func(r graph.Reader) error {
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
			if err != nil {
				return err
			}
			b, err := json.Marshal(m)
			if err != nil {
				return err
			}
			for _, w := range x.words {
				if bytes.Contains(bytes.ToLower(b), []byte(w)) {
					t.Errorf("%s the memory %s has %s", when, m.ID, w)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(x.words); i += 10 {
		w := x.words[i]
		found, err := in.Engine.Search(t.Context(), engine.Loopback(), engine.SearchInput{Query: w})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range found.Hits {
			if strings.Contains(strings.ToLower(h.Memory.Content), w) {
				t.Errorf("%s a search finds %q", when, h.Memory.Content)
			}
		}
	}
}

// copyOfRunning copies the data directory of a running server, between two commits.
func copyOfRunning(t *testing.T, dir string) string {
	t.Helper()
	for {
		before, err := os.ReadFile(filepath.Join(dir, "store", "mark"))
		if err != nil {
			t.Fatal(err)
		}
		to := copyOf(t, dir)
		after, err := os.ReadFile(filepath.Join(dir, "store", "mark"))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(before, after) {
			return to
		}
	}
}

// copyOfKeys copies a directory of keys, which nobody else may read.
func copyOfKeys(t *testing.T, dir string) string {
	t.Helper()
	to := copyOf(t, dir)
	err := filepath.WalkDir(to, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chmod(path, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// sealedOptions has data and keys in two directories.
func sealedOptions(t *testing.T) Options {
	dir := t.TempDir()
	o := options(filepath.Join(dir, "data"))
	o.Keys, o.Seal = filepath.Join(dir, "keys"), true
	return o
}

// After a receipt is complete nothing that was erased can be read: not in the files of the running
// server, not after it is killed, and not in a copy of the data directory from before, opened with
// the keys of today. A part of the memories is from a version that did not seal.
func TestNothingErasedIsReadable(t *testing.T) {
	o := sealedOptions(t)
	erased, kept := &tracesOf{}, "The ferry to Brodno leaves at noon."
	o.Seal = false
	in := open(t, o)
	writeTraces(t, in, erased, 0, 4)
	id := remember(t, in, kept)
	shut(t, in)
	if found := erased.in(t, o.Dir); len(found) < len(erased.words)/2 {
		t.Fatalf("only %d of %d traces are readable in a store that is not sealed", len(found), len(erased.words))
	}

	o.Seal = true
	in = open(t, o)
	writeTraces(t, in, erased, 12, 4)
	if _, err := graph.Shred(t.Context(), in.Store, mainScope); err != nil { // it waits until the earlier rows are sealed
		t.Fatal(err)
	}
	erased.lacks(t, filepath.Join(o.Dir, "store"), "sealed and not erased,")
	shut(t, in) // the index writes its snapshot
	erased.lacks(t, o.Dir, "closed and not erased,")
	in = open(t, o)
	writeTraces(t, in, erased, 24, 3)
	shut(t, in)
	before := copyOf(t, o.Dir)
	in = open(t, o)
	receipt, err := in.Engine.Forget(t.Context(), engine.Loopback(), engine.ForgetInput{User: "zuqoruser"})
	if err != nil || receipt.Status != graph.DeletionComplete || receipt.Count < 11 {
		t.Fatalf("receipt %+v, %v", receipt, err)
	}
	erased.lacks(t, o.Dir, "while the server runs")
	erased.lacks(t, o.Keys, "in the keys")
	erased.served(t, in, "while the server runs")
	killed, killedKeys := copyOfRunning(t, o.Dir), copyOfKeys(t, o.Keys)
	shut(t, in)
	erased.lacks(t, o.Dir, "after a stop")

	for name, of := range map[string]Options{"the files of a killed server": {Dir: killed, Keys: killedKeys}, "a copy from before": {Dir: before, Keys: o.Keys}} {
		o := o
		o.Dir, o.Keys = of.Dir, of.Keys
		in := open(t, o)
		erased.served(t, in, "in "+name)
		if v := read(t, in, id); v.Content != kept {
			t.Errorf("in %s the memory of another user says %q", name, v.Content)
		}
		erased.lacks(t, o.Dir, "in "+name)
		shut(t, in)
		erased.lacks(t, o.Dir, "after a stop in "+name)
	}
}

// The error of wrong keys is one line that names them, and nothing is changed.
func TestAStoreWithoutItsKeysIsRefused(t *testing.T) {
	o := sealedOptions(t)
	in := open(t, o)
	id := remember(t, in, "The winch sticks again.")
	shut(t, in)
	another := func(err error) bool { return errors.As(err, new(*ledger.MismatchError)) }
	none := func(err error) bool { return errors.Is(err, keyring.ErrWrong) }
	for name, x := range map[string]struct {
		keys string
		is   func(error) bool
	}{"an empty directory": {t.TempDir(), another}, "no directory": {"", none}} {
		wrong := o
		wrong.Keys = x.keys
		in, err := Open(t.Context(), wrong)
		if err == nil {
			shut(t, in)
		}
		if !x.is(err) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "--keys") || !strings.Contains(err.Error(), o.Dir) || strings.Contains(err.Error(), "damaged") {
			t.Errorf("with %s: %v", name, err)
		}
	}
	o.Seal = false // a store that was sealed stays so
	in = open(t, o)
	defer shut(t, in)
	if v := read(t, in, id); v.Content != "The winch sticks again." {
		t.Errorf("with its keys it says %q", v.Content)
	}
	if entries, err := os.ReadDir(o.Keys); err != nil || len(entries) != 1 || !slices.ContainsFunc(entries, fs.DirEntry.IsDir) {
		t.Errorf("keys: %v, %v", entries, err)
	}
}

// With SealNew alone a new data directory is sealed, and one that has a store stays as it is.
func TestOnlyNewDirectoriesAreSealedUnlessAsked(t *testing.T) {
	o := sealedOptions(t)
	o.Seal, o.SealNew = false, true
	fresh, kept := o, o
	fresh.Dir, kept.Dir, kept.SealNew = filepath.Join(o.Dir, "fresh"), filepath.Join(o.Dir, "kept"), false
	word := "qxwinchzv"
	for range 2 {
		in := open(t, fresh)
		remember(t, in, "The "+word+" sticks again.")
		shut(t, in)
		in = open(t, kept)
		remember(t, in, "The "+word+" sticks again.")
		shut(t, in)
		kept.SealNew = true // the second time it has a store
	}
	x := &tracesOf{words: []string{word}}
	x.lacks(t, fresh.Dir, "in a new directory")
	if len(x.in(t, kept.Dir)) == 0 {
		t.Error("a directory that had a store was sealed without being asked")
	}
}

// A store that is not sealed is not sealed by a command that opens it while no server runs, nor is the
// sealing that a server began gone on with. A server says what it begins, where the keys are and that
// both directories must be backed up.
func TestOnlyAServerSealsAStoreThatExists(t *testing.T) {
	o := sealedOptions(t)
	log := &lines{}
	o.Engine.Logger = slog.New(slog.NewTextHandler(log, nil))
	o.Seal = false
	in := open(t, o)
	word := "qxbollardzv"
	id := remember(t, in, "The "+word+" is loose.")
	shut(t, in)
	if said := log.String(); !strings.Contains(said, "is not sealed: what is erased stays in its files") {
		t.Errorf("the log does not say what is given up:\n%s", said)
	}
	x := &tracesOf{words: []string{word}}
	o.Seal, o.SealNew = true, true
	layout := func(want int) {
		t.Helper()
		store, err := OpenStore(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if got := store.(interface{ SchemaVersion() int }).SchemaVersion(); got != want {
			t.Errorf("the layout is %d, not %d", got, want)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	layout(1)
	if len(x.in(t, filepath.Join(o.Dir, "store"))) == 0 {
		t.Error("a command sealed the store")
	}
	o.keepPlain = true // a server that is killed before it seals a row
	in = open(t, o)
	shut(t, in)
	layout(3)
	if len(x.in(t, filepath.Join(o.Dir, "store"))) == 0 {
		t.Error("a command went on with the sealing")
	}
	o.keepPlain = false
	in = open(t, o)
	defer func() { shut(t, in) }()
	if _, err := graph.Shred(t.Context(), in.Store, mainScope); err != nil { // it waits until the rows are sealed
		t.Fatal(err)
	}
	x.lacks(t, filepath.Join(o.Dir, "store"), "after the sealing")
	if v := read(t, in, id); v.Content != "The "+word+" is loose." {
		t.Errorf("it says %q", v.Content)
	}
	said := log.String()
	for _, want := range []string{"is being sealed, in the background and for good", "back up both", "data=" + o.Dir, "keys=" + o.Keys, "the rows of earlier versions are sealed"} {
		if !strings.Contains(said, want) {
			t.Errorf("the log lacks %q:\n%s", want, said)
		}
	}
}

// Where nothing can be written for the directory of keys, the server refuses to start before it writes
// in the data directory.
func TestKeysThatCannotBeWrittenAreRefusedFirst(t *testing.T) {
	for name, existing := range map[string]bool{"a new data directory": false, "a store that is not sealed": true} {
		t.Run(name, func(t *testing.T) {
			o := sealedOptions(t)
			if existing {
				first := o
				first.Keys, first.Seal = "", false
				in := open(t, first)
				remember(t, in, "The bilge pump is new.")
				shut(t, in)
			}
			before := contents(t, o.Dir)
			blocked := o
			blocked.Keys = filepath.Join(t.TempDir(), "file", "keys")
			if err := os.WriteFile(filepath.Dir(blocked.Keys), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			in, err := Open(t.Context(), blocked)
			if err == nil {
				shut(t, in)
				t.Fatal("it is opened")
			}
			for _, want := range []string{blocked.Keys, "--keys", "--seal=off"} {
				if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("the error lacks %q: %v", want, err)
				}
			}
			if after := contents(t, o.Dir); !maps.Equal(after, before) {
				t.Errorf("the data directory has changed: %d files, were %d", len(after), len(before))
			}
			in = open(t, o)
			shut(t, in)
		})
	}
}

// contents are the files of a directory, which need not exist.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		out[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
