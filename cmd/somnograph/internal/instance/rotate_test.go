package instance

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
)

func noProgress(graph.Tenant, int, int) {}

// All keys of a running server are replaced: it still answers, writes and forgets, after a restart
// too, and neither the keys of before open its data nor its keys that of before.
func TestKeysOfARunningServerAreReplaced(t *testing.T) {
	o := sealedOptions(t)
	in := open(t, o)
	traces := &tracesOf{}
	writeTraces(t, in, traces, 0, 4)
	id := remember(t, in, "The winch sticks again.")
	shut(t, in) // the index writes its files
	before, beforeKeys := copyOf(t, o.Dir), copyOfKeys(t, o.Keys)
	in = open(t, o)
	for range 2 {
		if err := in.RotateKeys(t.Context(), false, noProgress); err != nil {
			t.Fatal(err)
		}
	}
	if v := read(t, in, id); v.Content != "The winch sticks again." {
		t.Errorf("it says %q", v.Content)
	}
	found, err := in.Engine.Search(t.Context(), engine.Loopback(), engine.SearchInput{Query: "winch"})
	if err != nil || len(found.Hits) == 0 || found.Hits[0].Memory.ID != id {
		t.Errorf("a search finds %+v, %v", found, err)
	}
	shut(t, in)
	in = open(t, o)
	if _, err := in.Engine.Forget(t.Context(), engine.Loopback(), engine.ForgetInput{User: "zuqoruser"}); err != nil {
		t.Fatal(err)
	}
	traces.lacks(t, o.Dir, "after an erasure with new keys")
	traces.served(t, in, "after an erasure with new keys")
	if v := read(t, in, id); v.Content != "The winch sticks again." {
		t.Errorf("it says %q", v.Content)
	}
	shut(t, in)

	old := o
	old.Dir = before
	if _, err := Open(t.Context(), old); !errors.Is(err, keyring.ErrWrong) || !strings.Contains(err.Error(), "before its keys were replaced") {
		t.Errorf("a copy from before opens with the keys of today: %v", err)
	}
	old = o
	old.Keys, old.AcceptKeys = beforeKeys, true
	if _, err := Open(t.Context(), old); !errors.Is(err, keyring.ErrWrong) {
		t.Errorf("the data opens with the keys of before: %v", err)
	}
}

// The keys of a stopped server are replaced, and the data keys when it starts, while it serves.
func TestDataKeysAreReplacedByTheNextStart(t *testing.T) {
	o := sealedOptions(t)
	in := open(t, o)
	id := remember(t, in, "The winch sticks again.")
	shut(t, in)
	parts, err := OpenParts(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := parts.RotateKeys(t.Context(), true, noProgress); err != nil {
		t.Fatal(err)
	}
	shut(t, parts)
	in = open(t, o)
	defer shut(t, in)
	ring, err := in.Keys.Ring(mainScope.Tenant)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ring.First() == 0; {
		if time.Now().After(deadline) {
			t.Fatal("the data keys are not replaced")
		}
		if v := read(t, in, id); v.Content != "The winch sticks again." {
			t.Fatalf("it says %q", v.Content)
		}
	}
	if v := read(t, in, id); v.Content != "The winch sticks again." {
		t.Errorf("it says %q", v.Content)
	}
}

func TestAStoreWithoutSealsHasNoKeysToReplace(t *testing.T) {
	o := sealedOptions(t)
	o.Seal = false
	in := open(t, o)
	remember(t, in, "The winch sticks again.")
	shut(t, in)
	if in, err := OpenParts(t.Context(), o); !errors.Is(err, ErrNotSealed) {
		t.Errorf("opened %v, %v", in, err)
	}
	if entries, err := os.ReadDir(filepath.Join(o.Keys)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	o.Dir = filepath.Join(o.Dir, "missing")
	if _, err := OpenParts(t.Context(), o); err == nil {
		t.Error("a missing directory was opened")
	}
	if _, err := os.Stat(o.Dir); err == nil {
		t.Error("a missing directory was made")
	}
}
