package instance

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/proof"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
)

func noProgress(graph.Tenant, int, int) {}

// underLoad reads, searches and writes until the function that it returns is called, and fails the
// test if any call fails or answers something else. The function returns the
// memories that were written.
func underLoad(t *testing.T, in *Instance, ids []graph.ID, said string) (stop func() (written []graph.ID)) {
	t.Helper()
	done := make(chan struct{})
	var clients sync.WaitGroup
	var mu sync.Mutex
	var all []graph.ID
	begun := make(chan struct{}, 4)
	client := func(call func(n int) error) {
		clients.Go(func() {
			for n := 0; ; n++ {
				err := call(n)
				if n == 0 {
					begun <- struct{}{}
				}
				if err != nil {
					t.Errorf("call %d of a client: %v", n, err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for range 2 {
		client(func(n int) error {
			v, err := in.Engine.Memory(t.Context(), engine.Loopback(), ids[n%len(ids)], engine.Access{})
			if err == nil && v.Content != said {
				err = fmt.Errorf("a memory says %q", v.Content)
			}
			return err
		})
	}
	client(func(int) error {
		found, err := in.Engine.Search(t.Context(), engine.Loopback(), engine.SearchInput{Query: "winch"})
		if err == nil && len(found.Hits) == 0 {
			err = errors.New("a search finds nothing")
		}
		return err
	})
	client(func(n int) error {
		r, err := in.Engine.Remember(t.Context(), engine.Loopback(), engine.RememberInput{
			Content: fmt.Sprintf("Crate %d is in the hold.", n), Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert,
		})
		if err == nil {
			mu.Lock()
			all = append(all, r.Memory.ID)
			mu.Unlock()
		}
		return err
	})
	for range cap(begun) {
		<-begun
	}
	return func() []graph.ID {
		close(done)
		clients.Wait()
		return all
	}
}

// All keys of a running server are replaced while clients read, search and write, and no call fails: it still answers, writes and forgets, after a restart
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
	stop := underLoad(t, in, []graph.ID{id}, "The winch sticks again.")
	for range 2 {
		if err := in.RotateKeys(t.Context(), false, noProgress); err != nil {
			t.Error(err)
		}
	}
	written := stop()
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
	for i, id := range written {
		if v := read(t, in, id); v.Content != fmt.Sprintf("Crate %d is in the hold.", i) {
			t.Errorf("memory %d of %d written meanwhile says %q", i, len(written), v.Content)
		}
	}
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

// The keys of a stopped server are replaced, and the data keys when it starts, while clients
// read, search and write. No call fails.
func TestDataKeysAreReplacedByTheNextStart(t *testing.T) {
	o := sealedOptions(t)
	in := open(t, o)
	var ids []graph.ID
	for range 200 { // renewing takes several transactions
		r, err := in.Engine.Remember(t.Context(), engine.Loopback(), engine.RememberInput{
			Content: "The winch sticks again.", Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert,
		})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.Memory.ID)
	}
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
	stop := underLoad(t, in, ids, "The winch sticks again.")
	for deadline := time.Now().Add(time.Minute); ring.First() == 0; {
		if time.Now().After(deadline) {
			t.Error("the data keys are not replaced")
			break
		}
		read(t, in, ids[0])
	}
	written := stop()
	for _, id := range append(ids, written...) {
		if v := read(t, in, id); v.Content == "" {
			t.Errorf("%s says nothing", id)
		}
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
