package transfer_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// lived is a world that has notes of all kinds that move, without patterns, and its export.
func lived(t *testing.T) (*enginetest.World, string) {
	t.Helper()
	w, store := onDisk(t)
	ctx := t.Context()
	var ids []graph.ID
	for i := range 12 {
		for _, text := range []string{"The winch on pier %d needs grease before the storm.", "Rosa tunes the violin for concert %d in the chapel."} {
			ids = append(ids, w.Remember(fmt.Sprintf(text, i)).Memory.ID)
		}
		w.Clock.Advance(time.Hour)
	}
	_, decided := w.Adjudicate(ctx, w.Caller, engine.AdjudicateInput{Fact: "The gate closes at ten.", Subject: "gate", Consent: graph.ConsentExplicit,
		Evidence: []engine.Evidence{{Source: "guard", Weight: .9, Confidence: .9}}})
	_, observed := w.Observe(ctx, w.Caller, engine.Observation{Session: "monday", Role: "user", Text: "Hello from the harbour.", Consent: graph.ConsentExplicit})
	_, closed := w.CloseSession(ctx, w.Caller, "monday", "")
	_, ingested := w.Ingest(ctx, w.Caller, engine.IngestInput{Content: []byte("# Tides\n\nThe ebb begins at noon.\n"), Path: "tides.md", Consent: graph.ConsentExplicit})
	_, changed := w.Ingest(ctx, w.Caller, engine.IngestInput{Content: []byte("# Tides\n\nThe ebb begins at one.\n"), Path: "tides.md", Consent: graph.ConsentExplicit})
	_, marked := w.Feedback(ctx, w.Caller, engine.FeedbackInput{Query: "Who greases the winch?", ID: ids[0]})
	w.Search("violin for concert")
	w.Clock.Advance(24 * time.Hour)
	_, slept := w.Sleep(ctx, w.Caller, engine.SleepInput{Deep: true, Wait: true})
	_, err := store.Update(ctx, w.Caller.Scope(), func(tx graph.Tx) error {
		m, err := tx.Memory(ids[1])
		if err == nil {
			err = workspace.PutLetter(tx, m, workspace.WorkEngrave, 5, errors.New("the disk is full"), w.Clock.Now())
		}
		return err
	})
	if err := errors.Join(decided, observed, closed, ingested, changed, marked, slept, err); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := transfer.Export(ctx, store, w.Caller.Scope(), "", &text); err != nil {
		t.Fatal(err)
	}
	return w, text.String()
}

// What the engine writes is taken, of every kind that moves, and the engine starts with it.
func TestNotesOfTheEngineMove(t *testing.T) {
	from, text := lived(t)
	var missing []graph.NoteKind
	for _, kind := range []graph.NoteKind{graph.NoteDecision, graph.NoteSleep, graph.NoteUndo, graph.NoteSession, graph.NoteFeedback, graph.NoteDead, graph.NoteDocument, graph.NoteClusters, graph.NoteClusterPart, graph.NoteClusterEvents} {
		if !strings.Contains(text, fmt.Sprintf(`{"note":{"Kind":%q`, kind)) {
			missing = append(missing, kind)
		}
	}
	if len(missing) > 0 {
		t.Fatalf("the world has no notes of kind %v", missing)
	}
	to, into := onDisk(t)
	to.Clock.Advance(from.Clock.Now().Sub(to.Clock.Now()))
	if _, err := transfer.Import(t.Context(), into, to.Caller.Scope(), to.Clock.Now(), nil, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if _, err := transfer.Export(t.Context(), into, to.Caller.Scope(), "", &again); err != nil || body(again.String()) != body(text) {
		t.Errorf("the export of the import differs, %v", err)
	}
	if err := to.Restart(); err != nil {
		t.Fatal(err)
	}
	rolled, err := to.Rollback(t.Context(), to.Caller, engine.RollbackInput{To: to.Clock.Now().Add(-time.Hour)})
	if err != nil || len(rolled.Reports) != 1 {
		t.Errorf("%+v, %v", rolled, err)
	}
}

// A rollback with an undo note that would leave an invalid memory is refused before it writes anything: a
// rollback that began would keep the server from starting.
func TestAnInvalidUndoNoteBeginsNoRollback(t *testing.T) {
	from, text := lived(t)
	m := regexp.MustCompile(`(?m)^\{"memory":\{"ID":"([^"]+)".*?"Salience":([^,]+),`).FindStringSubmatch(text)
	if m == nil {
		t.Fatal("the export has no memory")
	}
	undoes := func(n map[string]any) bool { return n["Kind"] == "UNDO" && n["Memories"] == nil }
	lines := edited(t, text, "note", undoes, func(n map[string]any) {
		n["Data"] = fmt.Appendf(nil, `{"memories":[{"id":%q,"fields":{"Salience":{"b":7,"a":%s}}}]}`, m[1], m[2])
	})
	to, into := onDisk(t)
	to.Clock.Advance(from.Clock.Now().Sub(to.Clock.Now()))
	if _, err := transfer.Import(t.Context(), into, to.Caller.Scope(), to.Clock.Now(), nil, strings.NewReader(lines)); err != nil {
		t.Fatal(err)
	}
	if err := to.Restart(); err != nil {
		t.Fatal(err)
	}
	if _, err := to.Rollback(t.Context(), to.Caller, engine.RollbackInput{To: to.Clock.Now().Add(-time.Hour)}); err == nil {
		t.Error("a memory got an invalid value")
	}
	if err := to.Restart(); err != nil {
		t.Errorf("the engine does not start: %v", err)
	}
}
