package instance

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
)

// Who sees a receipt COMPLETE finds every key of what was erased destroyed, those of the index too.
func TestACompleteReceiptComesAfterTheLastKey(t *testing.T) {
	o := sealedOptions(t)
	in := open(t, o)
	traces := &tracesOf{}
	writeTraces(t, in, traces, 0, 4)
	shut(t, in) // the index writes its snapshot
	in = open(t, o)
	defer shut(t, in)
	snapshots, err := filepath.Glob(filepath.Join(o.Dir, "index", "*.index"))
	if err != nil || len(snapshots) != 1 {
		t.Fatalf("snapshots %v, %v", snapshots, err)
	}
	ring, err := in.Keys.Ring(mainScope.Tenant)
	if err != nil {
		t.Fatal(err)
	}
	var live []uint64
	for n := uint64(1); ring.Issued(n); n++ {
		if _, err := ring.Key(n); err == nil {
			live = append(live, n)
		}
	}
	done := make(chan error, 1)
	go func() {
		_, err := in.Engine.Forget(context.WithoutCancel(t.Context()), engine.Loopback(), engine.ForgetInput{Tenant: true})
		done <- err
	}()
	for receipt := (*graph.Receipt)(nil); receipt == nil; { // the poller
		err := in.Store.View(t.Context(), mainScope, func(r graph.Reader) error {
			for n, err := range graph.AllNotes(r, graph.NoteProof, "", false) {
				if err != nil {
					return err
				}
				if receipt, err = r.Receipt(n.ID); err != nil {
					return err
				}
				if !strings.Contains(string(n.Data), `\"keys\":[\"`) {
					t.Errorf("the receipt names no destroyed key: %s", n.Data)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if receipt != nil && receipt.Status != graph.DeletionComplete {
			t.Errorf("a receipt in the log is %s", receipt.Status)
		}
	}
	if _, err := os.Stat(snapshots[0]); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the snapshot is there: %v", err)
	}
	left := 0
	for _, n := range live {
		if _, err := ring.Key(n); !errors.Is(err, keyring.ErrDestroyed) {
			left++
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	after := 0
	for _, n := range live {
		if _, err := ring.Key(n); !errors.Is(err, keyring.ErrDestroyed) {
			after++
		}
	}
	if left != after || after == len(live) {
		t.Errorf("%d of %d keys were left when the receipt was complete, %d afterwards", left, len(live), after)
	}
}

// An erasure ends the exports of its tenant that began before, before its receipt is complete.
func TestAnErasureEndsOpenExports(t *testing.T) {
	in := open(t, sealedOptions(t))
	defer shut(t, in)
	id := remember(t, in, "The winch sticks again.")
	exporting, end, err := in.Engine.BeginExport(t.Context(), engine.Loopback())
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		<-exporting.Done()
		close(ended)
		end()
	}()
	other := engine.Loopback()
	other.Tenant = "acme"
	elsewhere, endElsewhere, err := in.Engine.BeginExport(t.Context(), other)
	if err != nil {
		t.Fatal(err)
	}
	defer endElsewhere()
	receipt, err := in.Engine.Forget(t.Context(), engine.Loopback(), engine.ForgetInput{IDs: []graph.ID{id}})
	if err != nil || receipt.Status != graph.DeletionComplete {
		t.Fatalf("%+v, %v", receipt, err)
	}
	select {
	case <-ended:
	default:
		t.Error("the receipt is complete while an export sends what was erased")
	}
	if cause := context.Cause(exporting); !errors.Is(cause, engine.ErrErasedMeanwhile) || !strings.Contains(cause.Error(), "erased") {
		t.Errorf("it ended with %v", cause)
	}
	if elsewhere.Err() != nil {
		t.Errorf("an export of another tenant ended with %v", elsewhere.Err())
	}
	after, endAfter, err := in.Engine.BeginExport(t.Context(), engine.Loopback())
	if err != nil || after.Err() != nil {
		t.Errorf("a later export: %v, %v", after.Err(), err)
	}
	endAfter()
}
