package doctor_test

import (
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/auth"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/doctor"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/recess"
)

// A small file with two copies of its content is a finding as soon as one copy is damaged, before the
// second is damaged too and a server does not start.
func TestDamagedCopiesOfSmallFilesAreFound(t *testing.T) {
	data, keys := t.TempDir(), t.TempDir()
	store, err := badgerstore.Open(filepath.Join(data, "store"), badgerstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	archive, err := recess.Open(recess.Options{Dir: filepath.Join(data, "recess")})
	if err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	ring, err := keyring.Open(filepath.Join(keys, "rings"), keyring.Options{Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	if err := ring.Close(); err != nil {
		t.Fatal(err)
	}
	if found := doctor.Copies(data, keys); len(found) > 0 {
		t.Fatalf("whole files: %+v", found)
	}
	for _, x := range []struct {
		path      string
		one, none int64 // length that leaves one copy, and none
	}{
		{filepath.Join(data, "store", "mark"), 4096, 40},
		{filepath.Join(data, "recess", "master.key"), 100, 40},
		{filepath.Join(keys, "rings", "master"), 100, 40},
	} {
		whole, err := os.ReadFile(x.path)
		if err != nil {
			t.Fatal(err)
		}
		for _, cut := range []struct {
			length int64
			says   string
			minor  bool
		}{{x.one, "one of the two copies in " + x.path, true}, {x.none, "both copies in " + x.path, false}, {0, "both copies in " + x.path, false}} {
			if err := os.WriteFile(x.path, whole[:cut.length], 0o600); err != nil {
				t.Fatal(err)
			}
			if found := doctor.Copies(data, keys); len(found) != 1 || !strings.Contains(found[0].What, cut.says) || found[0].Minor != cut.minor || found[0].Do == "" {
				t.Errorf("%s of %d bytes: %+v", x.path, cut.length, found)
			}
		}
		flipped := append([]byte(nil), whole...)
		flipped[10] ^= 1
		if err := os.WriteFile(x.path, flipped, 0o600); err != nil {
			t.Fatal(err)
		}
		if found := doctor.Copies(data, keys); len(found) != 1 || !found[0].Minor {
			t.Errorf("%s with a flipped bit: %+v", x.path, found)
		}
		if err := os.WriteFile(x.path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// The pepper makes API keys valid. It is a finding if it is cut, or missing while there are keys.
func TestADamagedPepperIsFound(t *testing.T) {
	data := t.TempDir()
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	store, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	want := func(when, says string) {
		t.Helper()
		found, err := doctor.Pepper(t.Context(), store, auth.PepperFile(data), at)
		if err != nil {
			t.Fatal(err)
		}
		if says == "" && len(found) > 0 || says != "" && (len(found) != 1 || !strings.Contains(found[0].What, says) || found[0].Minor) {
			t.Errorf("%s: %+v, want %q", when, found, says)
		}
	}
	want("before the first key", "")
	if _, err := auth.Pepper(auth.PepperFile(data)); err != nil {
		t.Fatal(err)
	}
	want("a whole one", "")
	if err := os.Truncate(auth.PepperFile(data), 10); err != nil {
		t.Fatal(err)
	}
	want("a cut one", "has 10 bytes")
	if err := os.Remove(auth.PepperFile(data)); err != nil {
		t.Fatal(err)
	}
	want("a missing one without keys", "")
	id, err := graph.NewID(at, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.Update(t.Context(), graph.ServerScope(), func(tx graph.Tx) error {
		return tx.PutNote(graph.Note{Kind: graph.NoteAPIKey, ID: id, At: at, Data: json.RawMessage(`{}`)})
	})
	if err != nil {
		t.Fatal(err)
	}
	want("a missing one with a key", "is missing")
}

// A pepper of the right size that is not the one of the keys is a finding.
func TestAnotherPepperIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pepper")
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	store, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	peppers := [2][]byte{[]byte(strings.Repeat("a", access.MinPepper)), []byte(strings.Repeat("b", access.MinPepper))}
	keys, err := access.NewKeys(store, peppers[0], func() time.Time { return at }, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	var made []*access.Key
	for range 2 {
		key, _, err := keys.Create(t.Context(), access.Input{Tenant: "default", Owner: "ana", Scopes: []access.Scope{access.MemoryRead}})
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, key)
	}
	want := func(when string, pepper []byte, says string) {
		t.Helper()
		if err := os.WriteFile(path, pepper, 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := doctor.Pepper(t.Context(), store, path, at)
		if err != nil {
			t.Fatal(err)
		}
		if says == "" && len(found) > 0 || says != "" && (len(found) != 1 || !strings.Contains(found[0].What, says) || found[0].Minor || strings.Contains(found[0].What, "bbb")) {
			t.Errorf("%s: %+v, want %q", when, found, says)
		}
	}
	want("the pepper of the keys", peppers[0], "")
	want("another one", peppers[1], "not the one under which 2 of 2 API keys were made: a server can't verify these")
	if err := os.WriteFile(path+".former", peppers[0], 0o600); err != nil {
		t.Fatal(err)
	}
	want("another one beside the former", peppers[1], "")
	if err := os.Remove(path + ".former"); err != nil {
		t.Fatal(err)
	}
	for _, key := range made {
		if _, err := keys.Revoke(t.Context(), key.ID); err != nil {
			t.Fatal(err)
		}
	}
	want("no key is valid", peppers[1], "")
}
