package proof_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/proof"
	"github.com/somnograph/somnograph/graph"
)

var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func newKey(t *testing.T, b byte) *proof.Key {
	t.Helper()
	k, err := proof.NewKey(bytes.Repeat([]byte{b}, proof.SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// log is a log of erasures over 40 memories, some of which are erased.
type log struct {
	leaves []*proof.Leaf
	tip    proof.Tip
	erased [][]graph.ID
	live   []graph.ID
}

func newLog(t *testing.T, key *proof.Key, erasures int, left int) *log {
	t.Helper()
	random := rand.NewChaCha8([32]byte{byte(erasures), byte(left)})
	ids := func(n int) (all []graph.ID) {
		for range n {
			id, err := graph.NewID(start, random)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, id)
		}
		slices.Sort(all)
		return all
	}
	l := &log{live: ids(left)}
	for i := range erasures {
		gone := ids(i % 4)
		texts := make([]string, len(gone))
		for i, id := range gone {
			texts[i] = string(id)
		}
		sum := sha256.Sum256([]byte(strings.Join(texts, "\n")))
		leaf, tip, err := proof.Append(key, l.tip, proof.Receipt{
			ID: ids(1)[0], Status: "COMPLETE", Count: len(gone), Hash: hex.EncodeToString(sum[:]), RequestedAt: start, CompletedAt: start.Add(time.Second),
			Parts: []proof.Part{{Store: "STORE", Status: "COMPLETE", At: start}},
		})
		if err != nil {
			t.Fatal(err)
		}
		l.leaves, l.tip, l.erased = append(l.leaves, leaf), tip, append(l.erased, gone)
		if again, err := proof.TipOf(l.leaves); err != nil || !reflect.DeepEqual(again, tip) {
			t.Fatalf("the tip of %d leaves is %v, and %v by its leaves, %v", i+1, tip, again, err)
		}
	}
	return l
}

func (l *log) document(t *testing.T, key *proof.Key, at int) []byte {
	t.Helper()
	return made(t, &proof.Keyring{Key: key}, l, at)
}

func TestDocumentsOfAllSizesVerify(t *testing.T) {
	key := newKey(t, 1)
	for _, erasures := range []int{1, 2, 3, 7, 8, 9, 33} {
		for _, left := range []int{0, 1, 2, 5, 40} {
			l := newLog(t, key, erasures, left)
			for at := range erasures {
				c, err := proof.Verify(l.document(t, key, at), key.Public())
				if err != nil || c.Receipt.Count != at%4 || c.Erasures != uint64(erasures) || c.Live != uint64(left) {
					t.Fatalf("%d of %d, %d live: %+v, %v", at, erasures, left, c, err)
				}
			}
		}
	}
}

func TestForgedShortenedAndForeignAreRefused(t *testing.T) {
	key, other := newKey(t, 1), newKey(t, 2)
	l := newLog(t, key, 9, 40)
	good := l.document(t, key, 3)
	if _, err := proof.Verify(good, key.Public()); err != nil {
		t.Fatal(err)
	}
	forged := func(change func(d *proof.Document)) []byte {
		var d proof.Document
		if err := json.Unmarshal(good, &d); err != nil {
			t.Fatal(err)
		}
		change(&d)
		text, err := json.Marshal(&d)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	foreign := newLog(t, other, 9, 40)
	var theirs proof.Document
	if err := json.Unmarshal(foreign.document(t, other, 3), &theirs); err != nil {
		t.Fatal(err)
	}
	before := &log{leaves: l.leaves[:3], erased: l.erased[:3], live: l.live}
	var earlier proof.Document
	if err := json.Unmarshal(before.document(t, key, 2), &earlier); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"foreign":     foreign.document(t, other, 3),
		"empty":       {},
		"cut short":   good[:len(good)/2],
		"fewer ids":   forged(func(d *proof.Document) { d.IDs = d.IDs[1:] }),
		"other ids":   forged(func(d *proof.Document) { d.IDs[0] = l.live[0] }),
		"other count": forged(func(d *proof.Document) { d.Receipt = strings.Replace(d.Receipt, `"count":3`, `"count":2`, 1) }),
		"fewer ids and another hash": forged(func(d *proof.Document) {
			sum := sha256.Sum256([]byte(d.IDs[0] + "\n" + d.IDs[1]))
			var r proof.Receipt
			_ = json.Unmarshal([]byte(d.Receipt), &r)
			r.Count, r.Hash, d.IDs = 2, hex.EncodeToString(sum[:]), d.IDs[:2]
			b, _ := json.Marshal(r)
			d.Receipt = string(b)
		}),
		"other place":         forged(func(d *proof.Document) { d.Index = 2 }),
		"shorter log":         forged(func(d *proof.Document) { d.Checkpoint = earlier.Checkpoint }),
		"without checkpoint":  forged(func(d *proof.Document) { d.Checkpoint = "" }),
		"foreign checkpoint":  forged(func(d *proof.Document) { d.Checkpoint = theirs.Checkpoint }),
		"changed checkpoint":  forged(func(d *proof.Document) { d.Checkpoint = strings.Replace(d.Checkpoint, "\n9\n", "\n8\n", 1) }),
		"without inclusion":   forged(func(d *proof.Document) { d.Inclusion = nil }),
		"without consistency": forged(func(d *proof.Document) { d.Consistency = nil }),
		"without absence":     forged(func(d *proof.Document) { d.Absence.Gaps = nil }),
		"foreign absence":     forged(func(d *proof.Document) { d.Absence = theirs.Absence }),
		"checkpoint as tree":  forged(func(d *proof.Document) { d.Absence.Tree = d.Checkpoint }),
		"wide gap": forged(func(d *proof.Document) {
			d.Absence.Gaps[0].Left, d.Absence.Gaps[0].LeftPath, d.Absence.Gaps[0].Index = nil, nil, -1
		}),
		"trailing": append(slices.Clone(good), '{'),
	} {
		if c, err := proof.Verify(text, key.Public()); err == nil {
			t.Errorf("%s: accepted %+v", name, c)
		}
	}
	if _, err := proof.Verify(good, other.Public()); err == nil || !strings.Contains(err.Error(), "another server") {
		t.Errorf("with the key of another server: %v", err)
	}
	if _, err := proof.Verify(good); err == nil {
		t.Error("accepted without a key")
	}
}

// Every single changed byte of a document is found, or leaves what it says.
func TestEveryChangedByteIsFound(t *testing.T) {
	key := newKey(t, 1)
	l := newLog(t, key, 4, 6)
	good := l.document(t, key, 3)
	want, err := proof.Verify(good, key.Public())
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 1
		if got, err := proof.Verify(bad, key.Public()); err == nil && fmt.Sprintf("%+v", *got.Receipt) != fmt.Sprintf("%+v", *want.Receipt) {
			t.Errorf("byte %d: %q", i, bad[max(0, i-20):min(len(bad), i+20)])
		}
	}
}

// Another reader of JSON takes the first of two members, or one in another letter case: a document in which they differ says what is not proved.
func TestADocumentSaysEverythingOnce(t *testing.T) {
	key := newKey(t, 1)
	l := newLog(t, key, 4, 6)
	good := string(l.document(t, key, 3))
	if _, err := proof.Verify([]byte(good), key.Public()); err != nil {
		t.Fatal(err)
	}
	forged, err := json.Marshal(l.live[:3])
	if err != nil {
		t.Fatal(err)
	}
	var d map[string]json.RawMessage
	if err := json.Unmarshal([]byte(good), &d); err != nil {
		t.Fatal(err)
	}
	first := func(name, member string) {
		t.Helper()
		if c, err := proof.Verify([]byte("{"+member+","+good[1:]), key.Public()); err == nil {
			t.Errorf("%s: accepted %+v", name, c)
		}
	}
	first("ids twice", `"ids":`+string(forged))
	first("IDS too", `"IDS":`+string(forged))
	first("an escaped name", `"\u0069ds":`+string(forged))
	first("receipt twice", `"receipt":"{}"`)
	first("Version too", `"Version":2`)
	for was, is := range map[string]string{
		`"ids":`:                  `"IDS":`,
		`"absence":{`:             `"absence":{"gaps":[],`,
		`"gaps":[{`:               `"gaps":[{"Index":7,`,
		`"receipt":"{`:            `"receipt":"{\"COUNT\":7,`,
		`"index":3,`:              ``,
		`"version":1,`:            ``,
		`"consistency":`:          `"other":`,
		`"somnograph":"receipt",`: `"somnograph":"receipt","somnograph":"receipt",`,
	} {
		bad := strings.Replace(good, was, is, 1)
		if bad == good {
			t.Fatalf("%s is not in %s", was, good)
		}
		if c, err := proof.Verify([]byte(bad), key.Public()); err == nil {
			t.Errorf("%s for %s: accepted %+v", is, was, c)
		}
	}
	// The place of the first leaf is 0, and is said all the same.
	first0 := string(l.document(t, key, 0))
	if _, err := proof.Verify([]byte(first0), key.Public()); err != nil {
		t.Fatal(err)
	}
	if c, err := proof.Verify([]byte(strings.Replace(first0, `"index":0,`, ``, 1)), key.Public()); err == nil {
		t.Errorf("without its place: accepted %+v", c)
	}
}

func TestLiveMemoryHasNoProof(t *testing.T) {
	key := newKey(t, 1)
	l := newLog(t, key, 4, 6)
	if _, err := proof.Make(&proof.Keyring{Key: key}, l.leaves, 3, l.erased[3], append(l.live, l.erased[3][1]), start); err == nil {
		t.Error("the absence of a live memory was proved")
	}
}

func TestKeysOfAReceiptAreRanges(t *testing.T) {
	for want, numbers := range map[string][]uint64{"": nil, "7": {7}, "1-3 5 9-10": {3, 9, 1, 2, 10, 5, 5}} {
		if got := strings.Join(proof.KeyRanges(numbers), " "); got != want {
			t.Errorf("%v: %q, want %q", numbers, got, want)
		}
	}
}
