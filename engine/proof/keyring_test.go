package proof_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/proof"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

var errDied = errors.New("the process died")

// world is a store and its secrets. After left more writes, writes fail.
type world struct {
	graph.Store
	t      *testing.T
	kept   map[string][]byte
	filled byte
	left   int // negative: never
	late   bool
}

func newWorld(t *testing.T) *world {
	t.Helper()
	s, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return &world{Store: s, t: t, kept: map[string][]byte{}, left: -1}
}

func (w *world) Read(name string) ([]byte, error) { return w.kept[name], nil }

func (w *world) Fill(b []byte) error {
	w.filled++
	for i := range b {
		b[i] = w.filled
	}
	return nil
}

// die reports whether the process dies at this write, and if so whether after it.
func (w *world) die() (dies, after bool) {
	dies = w.left == 0
	w.left--
	return dies, w.late
}

func (w *world) Write(name string, content []byte) error {
	dies, after := w.die()
	if !dies || after {
		w.kept[name] = slices.Clone(content)
	}
	if dies {
		return errDied
	}
	return nil
}

func (w *world) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	dies, after := w.die()
	if dies && !after {
		return 0, errDied
	}
	c, err := w.Store.Update(ctx, scope, fn)
	if dies {
		return 0, errDied
	}
	return c, err
}

var tenant = graph.Scope{Tenant: "default"}

func (w *world) open() (ring *proof.Keyring, err error) {
	err = w.View(w.t.Context(), tenant, func(r graph.Reader) (err error) { ring, err = proof.OpenKeyring(r, w, tenant); return err })
	return ring, err
}

func (w *world) ring() *proof.Keyring {
	w.t.Helper()
	ring, err := w.open()
	if err != nil {
		w.t.Fatal(err)
	}
	return ring
}

func (w *world) rotate() string {
	w.t.Helper()
	public, err := proof.Rotate(w.t.Context(), w, w, tenant, start)
	if err != nil {
		w.t.Fatal(err)
	}
	return public
}

// made is the document of an erasure under a ring.
func made(t *testing.T, ring *proof.Keyring, l *log, at int) []byte {
	t.Helper()
	d, err := proof.Make(ring, l.leaves, at, l.erased[at], l.live, start.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Documents from before and after replacements, of erasures from before and after, are checked with the
// key of then and with that of today.
func TestDocumentsAreCheckedAcrossReplacedKeys(t *testing.T) {
	w := newWorld(t)
	first := w.ring()
	l := newLog(t, first.Key, 5, 9)
	before := made(t, first, l, 3)
	for range 2 {
		if public := w.rotate(); public == first.Public() || public != w.ring().Public() {
			t.Fatalf("the key is %s", public)
		}
	}
	now := w.ring()
	if len(now.Successors) != 2 {
		t.Fatalf("%d successors", len(now.Successors))
	}
	ids := l.erased[2]
	leaf, _, err := proof.Append(now.Key, l.tip, proof.Receipt{ID: l.live[0], Status: "COMPLETE", Count: len(ids), Hash: receiptOf(t, l, 2).Hash, CompletedAt: start})
	if err != nil {
		t.Fatal(err)
	}
	l.leaves, l.erased = append(l.leaves, leaf), append(l.erased, ids)
	for name, x := range map[string]struct {
		text []byte
		key  string
		good bool
	}{
		"an old document, the key of then":                {before, first.Public(), true},
		"an old document, the key of today":               {before, now.Public(), false},
		"a new document of an old erasure, today's key":   {made(t, now, l, 3), now.Public(), true},
		"a new document of an old erasure, the first key": {made(t, now, l, 3), first.Public(), true},
		"a new document of a new erasure, today's key":    {made(t, now, l, 5), now.Public(), true},
		"a new document of a new erasure, the first key":  {made(t, now, l, 5), first.Public(), true},
		"a new document, the key of another server":       {made(t, now, l, 5), newKey(t, 99).Public(), false},
	} {
		if _, err := proof.Verify(x.text, x.key); x.good != (err == nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
	known, err := proof.PublicKeys(secretsOf(w, proof.SeedPrefix), secretsOf(w, proof.FormerPrefix))
	if err != nil || len(known) != 3 || !slices.Contains(known, first.Public()) {
		t.Errorf("the directory of keys knows %v, %v", known, err)
	}
	if _, err := proof.Verify(before, known...); err != nil {
		t.Errorf("an old document with the directory of keys: %v", err)
	}
}

func receiptOf(t *testing.T, l *log, at int) *proof.Receipt {
	t.Helper()
	r, err := l.leaves[at].Receipt()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func secretsOf(w *world, prefix string) (all [][]byte) {
	for name, text := range w.kept {
		if strings.HasPrefix(name, prefix) {
			all = append(all, text)
		}
	}
	return all
}

// Somebody else can't name the successor of a key.
func TestForgedSuccessorsAreRefused(t *testing.T) {
	ours, theirs := newKey(t, 1), newKey(t, 2)
	l := newLog(t, theirs, 3, 4)
	forged, err := theirs.Succeed(theirs, start)
	if err != nil {
		t.Fatal(err)
	}
	real, err := ours.Succeed(newKey(t, 3), start)
	if err != nil {
		t.Fatal(err)
	}
	for name, said := range map[string][]string{
		"signed by the other":  {strings.ReplaceAll(forged, theirs.Public()+"\n"+theirs.Public(), ours.Public()+"\n"+theirs.Public())},
		"of another successor": {strings.Replace(real, newKey(t, 3).Public(), theirs.Public(), 1)},
		"of the other alone":   {forged}, "none": nil, "empty": {""},
	} {
		if _, err := proof.Verify(made(t, &proof.Keyring{Key: theirs, Successors: said}, l, 1), ours.Public()); err == nil {
			t.Errorf("%s: a document of another server is accepted", name)
		}
	}
}

// A process dies before or after each write of a replacement: the next one has one key, with which all
// documents are checked.
func TestReplacementIsInterruptedAtEveryStep(t *testing.T) {
	for _, late := range []bool{false, true} {
		for step := 0; ; step++ {
			w := newWorld(t)
			first := w.ring()
			l := newLog(t, first.Key, 3, 4)
			w.left, w.late = step, late
			_, err := proof.Rotate(t.Context(), w, w, tenant, start)
			w.left = -1
			ring := w.ring()
			if again := w.ring(); again.Public() != ring.Public() {
				t.Fatalf("step %d: two keys", step)
			}
			if _, err := proof.Verify(made(t, ring, l, 1), first.Public()); err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
			if public := w.rotate(); public == first.Public() || public == ring.Public() {
				t.Fatalf("step %d: the key stays", step)
			}
			if _, err := proof.Verify(made(t, w.ring(), l, 1), first.Public()); err != nil {
				t.Fatalf("step %d, again: %v", step, err)
			}
			if err == nil {
				break
			}
			if !errors.Is(err, errDied) {
				t.Fatal(err)
			}
		}
	}
}

// The secrets of before a replacement, put back, are refused; a former key alone is replaced again.
func TestFormerKeyPutBackIsRefused(t *testing.T) {
	w := newWorld(t)
	w.ring()
	former := maps.Clone(w.kept)
	public := w.rotate()
	for name, text := range former {
		w.kept[name] = text
	}
	if ring := w.ring(); ring.Public() != public {
		t.Errorf("the key is %s", ring.Public())
	}
	today := w.kept
	w.kept = maps.Clone(former)
	if _, err := w.open(); !errors.Is(err, proof.ErrFormerKey) {
		t.Errorf("all former secrets: %v", err)
	}
	again := w.rotate() // where the newest copy is lost
	if again == public || again != w.ring().Public() {
		t.Errorf("the key is %s", again)
	}
	w.kept = today
	if ring := w.ring(); ring.Public() != public {
		t.Errorf("the key is %s", ring.Public())
	}
}

// A restore of the store to a time before a replacement leaves the key.
func TestReplacedKeyOutlivesARestore(t *testing.T) {
	w := newWorld(t)
	first := w.ring()
	l := newLog(t, first.Key, 3, 4)
	public := w.rotate()
	restored := newWorld(t)
	restored.kept = w.kept
	ring := restored.ring()
	if ring.Public() != public || len(ring.Successors) != 1 {
		t.Fatalf("%s, %d successors", ring.Public(), len(ring.Successors))
	}
	if _, err := proof.Verify(made(t, ring, l, 1), first.Public()); err != nil {
		t.Error(err)
	}
}

// A key that is made where the log has proofs says that the former one was lost.
func TestALostKeyIsTold(t *testing.T) {
	w := newWorld(t)
	for range 2 {
		if w.ring().Lost {
			t.Error("the first key")
		}
	}
	w.kept = map[string][]byte{}
	if w.ring().Lost {
		t.Error("a key without proofs")
	}
	_, err := w.Update(t.Context(), tenant, func(tx graph.Tx) error {
		return tx.PutNote(graph.Note{Kind: graph.NoteProof, ID: graph.ID("0190a0b0-0000-7000-8000-000000000001"), Data: []byte(`{}`)})
	})
	if err != nil {
		t.Fatal(err)
	}
	if w.ring().Lost {
		t.Error("a key that is there")
	}
	w.kept = map[string][]byte{}
	if !w.ring().Lost {
		t.Error("a key that was lost is not told")
	}
	if w.ring().Lost {
		t.Error("the next opening")
	}
}

// Proofs of a key that was lost are counted for as long as another key is in its place. Those of keys that were replaced are not.
func TestProofsOfALostKeyAreCounted(t *testing.T) {
	w := newWorld(t)
	unlinked := func() int {
		t.Helper()
		var n int
		err := w.View(t.Context(), tenant, func(r graph.Reader) (err error) { n, err = proof.Unlinked(r, w, tenant); return err })
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	signed := 0
	sign := func() {
		t.Helper()
		leaf, _, err := proof.Append(w.ring().Key, proof.Tip{}, proof.Receipt{ID: "r"})
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(leaf)
		if err != nil {
			t.Fatal(err)
		}
		signed++
		_, err = w.Update(t.Context(), tenant, func(tx graph.Tx) error {
			return tx.PutNote(graph.Note{Kind: graph.NoteProof, ID: graph.ID(fmt.Sprintf("0190a0b0-0000-7000-8000-00000000000%d", signed)), Data: data})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		sign()
		w.rotate()
	}
	if n := unlinked(); n != 0 {
		t.Errorf("%d proofs of replaced keys", n)
	}
	saved := maps.Clone(w.kept)
	w.kept = map[string][]byte{}
	if n := unlinked(); n != 0 {
		t.Errorf("%d without a key", n)
	}
	sign() // with another key
	if n := unlinked(); n != 2 {
		t.Errorf("%d after another key was made, want 2", n)
	}
	w.kept = saved
	if n := unlinked(); n != 1 {
		t.Errorf("%d after the key was put back in the place of the other one, want 1", n)
	}
}
