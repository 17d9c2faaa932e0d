package erasure_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/proof"
	"github.com/somnograph/somnograph/graph"
)

// positions is a saved map in memory that can refuse to erase.
type positions struct {
	erased []graph.ID
	refuse bool
}

func (p *positions) Erase(_ context.Context, _ graph.Scope, ids []graph.ID) error {
	if p.refuse {
		return graph.ErrUnavailable
	}
	p.erased = append(p.erased, ids...)
	return nil
}

// statesOf writes the states of a receipt as STORE=COMPLETE …, and checks that exactly those that were
// reached have a time, which is between the request and the completion.
func statesOf(t *testing.T, w *enginetest.World, id graph.ID) string {
	t.Helper()
	r, err := w.DeletionReceipt(t.Context(), w.Caller, id)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := w.ErasureParts(t.Context(), w.Caller, id)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, p := range parts {
		all = append(all, p.Store+"="+p.Status)
		if reached := p.Status == proof.Complete || p.Status == proof.BeyondUse; reached == p.At.IsZero() || reached && p.At.Before(r.RequestedAt) {
			t.Errorf("%s is %s since %v; it was requested at %v", p.Store, p.Status, p.At, r.RequestedAt)
		}
	}
	return strings.Join(all, " ")
}

// setBackups replaces what the store knows of its backups.
func setBackups(t *testing.T, w *enginetest.World, states map[string]graph.BackupState) {
	t.Helper()
	if _, err := w.Store.Update(t.Context(), graph.ServerScope(), func(tx graph.Tx) error { return graph.PutBackups(tx, states) }); err != nil {
		t.Fatal(err)
	}
}

func TestAReceiptHasAStateForEachPart(t *testing.T) {
	w := enginetest.New(t)
	r := fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{w.Remember("The well is dry.").Memory.ID}})
	if got := statesOf(t, w, r.ID); got != "STORE=COMPLETE INDEX=COMPLETE RECESS=NONE MAP=NONE LEDGER=NONE REPLICAS=NONE BACKUPS=NONE EXPORTS=COMPLETE" {
		t.Errorf("of a server with a store and an index: %s", got)
	}
	saved := &positions{}
	w = enginetest.With(t, enginetest.Options{Erasures: &erasures{}, Recess: enginetest.NewFakeArchive(), Change: func(o *engine.Options) { o.Map = saved }})
	id := w.Remember("The well is dry.").Memory.ID
	r = fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{id}})
	if got := statesOf(t, w, r.ID); got != "STORE=COMPLETE INDEX=COMPLETE RECESS=COMPLETE MAP=COMPLETE LEDGER=COMPLETE REPLICAS=NONE BACKUPS=NONE EXPORTS=COMPLETE" {
		t.Errorf("of a server with everything: %s", got)
	}
	if !slices.Contains(saved.erased, id) {
		t.Errorf("the map erased %v", saved.erased)
	}
}

// While a part can't be erased, the receipt is PENDING and its states say how far the erasure came.
func TestStatesOfAPendingErasure(t *testing.T) {
	saved, recorded := &positions{refuse: true}, &erasures{}
	w := enginetest.With(t, enginetest.Options{Erasures: recorded, Recess: enginetest.NewFakeArchive(), Change: func(o *engine.Options) { o.Map = saved }})
	id := w.Remember("The well is dry.").Memory.ID
	if _, err := w.Engine.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{id}}); graph.CodeOf(err) != graph.CodeUnavailable {
		t.Fatalf("with a map that can't be written: %v", err)
	}
	all, _, err := w.DeletionReceipts(t.Context(), w.Caller, engine.ReceiptsInput{Status: graph.DeletionPending})
	if err != nil || len(all) != 1 {
		t.Fatalf("%d pending receipts, %v", len(all), err)
	}
	if got := statesOf(t, w, all[0].ID); got != "STORE=PENDING INDEX=PENDING RECESS=COMPLETE MAP=PENDING LEDGER=COMPLETE REPLICAS=NONE BACKUPS=PENDING EXPORTS=PENDING" {
		t.Errorf("while the map can't be written: %s", got)
	}
	saved.refuse = false
	w.Clock.Advance(time.Hour)
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if got := statesOf(t, w, all[0].ID); strings.Contains(got, proof.Pending) || !strings.Contains(got, "MAP=COMPLETE") {
		t.Errorf("after the restart: %s", got)
	}
	if r, err := w.DeletionReceipt(t.Context(), w.Caller, all[0].ID); err != nil || r.Status != graph.DeletionComplete {
		t.Errorf("after the restart: %+v, %v", r, err)
	}
}

// Backups keep, sealed, what was erased. They are beyond use until the generations that may have it are
// removed.
func TestBackupsAreBeyondUseUntilTheyAreRemoved(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Erasures: &erasures{}, AuditKeys: &enginetest.AuditKeys{}})
	began := w.Clock.Now()
	backup := graph.BackupState{Complete: true}.Begin(1, began).Begin(2, began)
	setBackups(t, w, map[string]graph.BackupState{"b1": backup, "never": graph.BackupState{}.Begin(1, began.AddDate(0, 0, -2))})
	r := fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{w.Remember("The well is dry.").Memory.ID}})
	state := func() string {
		all := strings.Fields(statesOf(t, w, r.ID))
		return all[slices.Index(proof.Stores, proof.Backups)]
	}
	if got := state(); got != "BACKUPS=BEYOND_USE" || r.Status != graph.DeletionComplete {
		t.Errorf("with a backup from before: %s, the receipt is %s", got, r.Status)
	}
	later := began.Add(48 * time.Hour)
	backup = backup.Begin(3, later).Remove(2, later)
	setBackups(t, w, map[string]graph.BackupState{"b1": backup, "b2": graph.BackupState{Complete: true}.Begin(1, later)})
	if got := state(); got != "BACKUPS=BEYOND_USE" {
		t.Errorf("while generation 2 is there, which was begun before: %s", got)
	}
	backup = backup.Begin(4, later).Remove(3, later.Add(time.Hour))
	setBackups(t, w, map[string]graph.BackupState{"b1": backup, "b2": graph.BackupState{Complete: true}.Begin(1, later)})
	if got := state(); got != "BACKUPS=COMPLETE" {
		t.Errorf("when only later generations are there: %s", got)
	}
	parts, err := w.ErasureParts(t.Context(), w.Caller, r.ID)
	if err != nil || !parts[slices.Index(proof.Stores, proof.Backups)].At.Equal(later.Add(time.Hour)) {
		t.Errorf("%+v, %v", parts, err)
	}
	// The document says what was so when the erasure was complete.
	text, key, err := w.ProveErasure(t.Context(), w.Caller, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	c, err := proof.Verify(text, key)
	if err != nil || fmt.Sprint(c.Receipt.Backups) != "map[b1:2]" || len(c.Receipt.Parts) != len(proof.Stores) {
		t.Errorf("%+v, %v", c, err)
	}
}

// With several servers over one store, other servers may hold what was erased in their files until they
// have read that far.
func TestOtherServersAreBeyondUse(t *testing.T) {
	s := fixture.NewServers(t, 2)
	m := s.Remember(0, "The safe of the mill opens with 7731.")
	r, err := s.Engines[0].Forget(t.Context(), s.W.Caller, engine.ForgetInput{IDs: []graph.ID{m.ID}})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := s.Engines[1].ErasureParts(t.Context(), s.W.Caller, r.ID)
	if err != nil || len(parts) != len(proof.Stores) {
		t.Fatalf("%+v, %v", parts, err)
	}
	if p := parts[slices.Index(proof.Stores, proof.Replicas)]; p.Status != proof.BeyondUse || p.At.IsZero() {
		t.Errorf("%+v", p)
	}
}
