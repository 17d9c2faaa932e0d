package instance

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/proof"
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
	parts, err := OpenParts(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := parts.RotateKeys(t.Context(), false, noProgress); !errors.Is(err, ErrNotSealed) {
		t.Errorf("rotated: %v", err)
	}
	shut(t, parts)
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

// The keys of audit, proofs and backups of a stopped server are replaced, sealed or not: the chain is
// intact, and receipts are checked with the key of then and with that of today.
func TestSecretsAreReplaced(t *testing.T) {
	today := func() time.Time { return now }
	for _, seal := range []bool{true, false} {
		o := sealedOptions(t)
		o.Seal = seal
		in := open(t, o)
		id := remember(t, in, "The winch sticks again.")
		receipt, err := in.Engine.Forget(t.Context(), engine.Loopback(), engine.ForgetInput{IDs: []graph.ID{id}})
		if err != nil {
			t.Fatal(err)
		}
		before, former, err := in.Engine.ProveErasure(t.Context(), engine.Loopback(), receipt.ID)
		if err != nil {
			t.Fatal(err)
		}
		shut(t, in)
		parts, err := OpenParts(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		public := ""
		if err := parts.RotateSecrets(t.Context(), KeyKinds, today, func(_ graph.Tenant, key string) error { public = key; return nil }); err != nil {
			t.Fatal(err)
		}
		if err := parts.RecordRotation(t.Context(), "operator", today, nil); err != nil {
			t.Fatal(err)
		}
		shut(t, parts)
		in = open(t, o)
		after, key, err := in.Engine.ProveErasure(t.Context(), engine.Loopback(), receipt.ID)
		if err != nil || key != public || key == former {
			t.Fatalf("the key of the proofs is %q, %v", key, err)
		}
		for name, x := range map[string]struct {
			text []byte
			key  string
		}{"an old document": {before, former}, "a new document": {after, key}, "a new document with the former key": {after, former}} {
			if _, err := proof.Verify(x.text, x.key); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		checked, err := in.Engine.VerifyAudit(t.Context(), engine.Loopback())
		if err != nil || !checked.Intact() || checked.Chains[0].Roots != 1 {
			t.Errorf("the audit: %+v, %v", checked, err)
		}
		shut(t, in)
	}
}
