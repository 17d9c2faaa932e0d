package instance

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

var mainScope = graph.Scope{Tenant: engine.Loopback().Tenant}

// erasedWorld is a store with memories of two users, each memory also an engram.
type erasedWorld struct {
	o    Options
	gone []graph.ID // of the user who is forgotten
	kept graph.ID
}

const marker = "quillfeather"

func newErasedWorld(t *testing.T, sealed bool) *erasedWorld {
	t.Helper()
	dir := t.TempDir()
	w := &erasedWorld{o: options(filepath.Join(dir, "data"))}
	w.o.Keys, w.o.Seal = filepath.Join(dir, "keys"), sealed
	in := open(t, w.o)
	write := func(user, content string) graph.ID {
		r, err := in.Engine.Remember(t.Context(), engine.Loopback(), engine.RememberInput{Content: content, User: user, Consent: graph.ConsentExplicit})
		if err != nil {
			t.Fatal(err)
		}
		id := r.Memory.ID
		err = in.Store.View(t.Context(), mainScope, func(r graph.Reader) error {
			m, err := r.Memory(id)
			if err != nil {
				return err
			}
			return archive{Recess: in.Recess}.Engrave(t.Context(), mainScope, m, nil, now)
		})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	for i := range 5 {
		w.gone = append(w.gone, write("ines", fmt.Sprintf("The %s number %d nests in boathouse %d.", marker, i, i*7)))
	}
	w.kept = write("tomas", "The ferry to Brodno leaves at noon.")
	shut(t, in)
	return w
}

// forget erases the user with a server of its own.
func (w *erasedWorld) forget(t *testing.T) {
	t.Helper()
	in := open(t, w.o)
	defer shut(t, in)
	r, err := in.Engine.Forget(t.Context(), engine.Loopback(), engine.ForgetInput{User: "ines"})
	if err != nil || r.Status != graph.DeletionComplete || r.Count != len(w.gone) {
		t.Fatalf("receipt %+v, %v", r, err)
	}
}

// check fails if an erased memory is in the store, in searches or in the recess of an instance
// that has just been opened, or if the other memory is not.
func (w *erasedWorld) check(t *testing.T, in *Instance) {
	t.Helper()
	for _, id := range w.gone {
		v, err := in.Engine.Memory(t.Context(), engine.Loopback(), id, engine.Access{})
		if err == nil && (v.State.Status != graph.Forgotten || v.Content != "") {
			t.Errorf("%s is back in the store: %s %q", id, v.State.Status, v.Content)
		}
		if m, err := (archive{Recess: in.Recess}).Read(t.Context(), mainScope, id); graph.CodeOf(err) != graph.CodeMemoryNotFound {
			t.Errorf("%s is back in the recess: %v, %v", id, m, err)
		}
	}
	found, err := in.Engine.Search(t.Context(), engine.Loopback(), engine.SearchInput{Query: marker})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hits {
		if strings.Contains(h.Memory.Content, marker) {
			t.Errorf("a search finds %q", h.Memory.Content)
		}
	}
	if v := read(t, in, w.kept); v.State.Status != graph.Active || v.Content == "" {
		t.Errorf("the memory of another user: %+v", v.State)
	}
	w.resume(t, in)
}

// resume fails if a stream of events from the beginning ends before the memory that was written last, or gives the
// content of an erased memory.
func (w *erasedWorld) resume(t *testing.T, in *Instance) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	events, err := in.Engine.Events(ctx, engine.Loopback(), 0, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	for ev := range events {
		if ev.ID == w.kept {
			return
		}
		if ev.Memory != nil {
			t.Errorf("an event %s of the erased memory %s has content", ev.Kind, ev.ID)
		}
	}
	t.Error("the stream of events ended before the last memory")
}

// alarmed fails unless an alarm says that all erased memories were back.
func (w *erasedWorld) alarmed(t *testing.T, in *Instance) {
	t.Helper()
	a := olderData(t, in)
	if a == nil || a.Value < float64(len(w.gone)) || !a.ByHand() || !strings.HasSuffix(a.Message, "They are erased again.") {
		t.Errorf("the alarm that older data was put back: %+v", a)
	}
}

// olderData is the active alarm that older data was put back; nil: there is none.
func olderData(t *testing.T, in *Instance) *engine.Alarm {
	t.Helper()
	alarmsOf(t, in)
	all, err := in.Engine.Alarms(t.Context(), engine.Loopback(), engine.AlarmInput{})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.Indicator == "older_data" {
			return &a
		}
	}
	return nil
}

// endOlderData ends the alarm by hand; it does not begin again.
func endOlderData(t *testing.T, in *Instance) {
	t.Helper()
	a := olderData(t, in)
	if a == nil {
		t.Fatal("no alarm")
	}
	if _, err := in.Engine.ResetAlarm(t.Context(), engine.Loopback(), a.ID); err != nil {
		t.Fatal(err)
	}
	if a := olderData(t, in); a != nil {
		t.Errorf("after its end by hand: %+v", a)
	}
}

// replaceBy replaces a directory by a copy.
func replaceBy(t *testing.T, dir, from string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// Whatever part of the data directory is replaced by an older copy, what was erased is erased
// again before the instance is open.
func TestOlderCopyDoesNotUndoAnErasure(t *testing.T) {
	for name, restore := range map[string]func(t *testing.T, dir, older string){
		"recess": func(t *testing.T, dir, older string) {
			replaceBy(t, filepath.Join(dir, "recess"), filepath.Join(older, "recess"))
		},
		"store": func(t *testing.T, dir, older string) {
			replaceBy(t, filepath.Join(dir, "store"), filepath.Join(older, "store"))
		},
		"directory": replaceBy,
		"directory without an identity": func(t *testing.T, dir, older string) {
			replaceBy(t, dir, older)
			if err := os.Remove(filepath.Join(dir, "store.id")); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for _, sealed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, sealed %v", name, sealed), func(t *testing.T) {
				w := newErasedWorld(t, sealed)
				older := copyOf(t, w.o.Dir)
				w.forget(t)
				restore(t, w.o.Dir, older)
				for range 2 { // the second start finds nothing to do, and the alarm lasts
					in := open(t, w.o)
					w.check(t, in)
					w.alarmed(t, in)
					shut(t, in)
				}
				in := open(t, w.o)
				defer shut(t, in)
				w.alarmed(t, in)
				endOlderData(t, in)
			})
		}
	}
}

// The recess was replaced and the store is gone: nothing is left but the ledger.
func TestRecessIsErasedWithoutAStore(t *testing.T) {
	w := newErasedWorld(t, false)
	older := copyOf(t, w.o.Dir)
	w.forget(t)
	in := open(t, w.o)
	if a := olderData(t, in); a != nil {
		t.Errorf("an erasure and a start without older data: %+v", a)
	}
	shut(t, in)
	replaceBy(t, filepath.Join(w.o.Dir, "recess"), filepath.Join(older, "recess"))
	for _, name := range []string{"store", "index"} {
		if err := os.RemoveAll(filepath.Join(w.o.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	in = open(t, w.o)
	defer shut(t, in)
	for _, id := range w.gone {
		if _, err := (archive{Recess: in.Recess}).Read(t.Context(), mainScope, id); graph.CodeOf(err) != graph.CodeMemoryNotFound {
			t.Errorf("%s is back in the recess: %v", id, err)
		}
	}
	if a := olderData(t, in); a == nil || a.Value < 1 || !strings.Contains(a.Message, "in the archive") {
		t.Errorf("the alarm of the server that an older archive was put back: %+v", a)
	}
}

// A ledger that was lost, or is older than the store, gets what the store knows.
func TestLedgerIsCompletedFromTheStore(t *testing.T) {
	w := newErasedWorld(t, false)
	older := copyOf(t, w.o.Dir)
	w.forget(t)
	if err := os.RemoveAll(w.o.Keys); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), w.o); err == nil || !strings.Contains(err.Error(), "name the right one with --keys") {
		t.Errorf("without its ledger: %v", err)
	}
	w.o.AcceptKeys = true
	shut(t, open(t, w.o))
	w.o.AcceptKeys = false
	replaceBy(t, w.o.Dir, older)
	if _, err := Open(t.Context(), w.o); err == nil || !strings.Contains(err.Error(), "fingerprint") {
		t.Errorf("an older copy, with other keys than it had: %v", err)
	}
	w.o.AcceptKeys = true
	in := open(t, w.o)
	defer shut(t, in)
	w.check(t, in)
}

// An export from before an erasure, imported into another store, brings nothing back, whether
// the export names its store or, like those of earlier versions, does not.
func TestOlderExportDoesNotUndoAnErasure(t *testing.T) {
	for _, named := range []bool{true, false} {
		t.Run(fmt.Sprintf("origin %v", named), func(t *testing.T) {
			w := newErasedWorld(t, false)
			in := open(t, w.o)
			export := httptest.NewRecorder()
			handlerOf(in).Export(export, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/export", nil))
			origin := `"store":"` + in.Ledger.Store() + `"`
			shut(t, in)
			lines := export.Body.Bytes()
			if !bytes.Contains(lines, []byte(origin)) || !bytes.Contains(lines, []byte(marker)) {
				t.Fatalf("the export lacks its store or its texts: %.300s", lines)
			}
			if !named {
				lines = bytes.Replace(lines, []byte(","+origin), nil, 1)
			}
			w.forget(t)
			o := options(filepath.Join(t.TempDir(), "data"))
			o.Keys = w.o.Keys
			in = open(t, o)
			answer := httptest.NewRecorder()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/import", bytes.NewReader(lines))
			r.Header.Set("Content-Type", transfer.MediaType)
			handlerOf(in).Import(1, answer, r)
			if answer.Code != http.StatusOK {
				t.Fatalf("import: %d %s", answer.Code, answer.Body)
			}
			if want := fmt.Sprintf(`"erased":%d`, len(w.gone)); !strings.Contains(answer.Body.String(), want) {
				t.Errorf("import: %s, want %s", answer.Body, want)
			}
			w.alarmed(t, in)
			w.check(t, in)
			if err := in.Store.View(t.Context(), mainScope, func(r graph.Reader) error {
				for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
					if err != nil {
						return err
					}
					if strings.Contains(m.Content, marker) {
						t.Errorf("the store holds %q", m.Content)
					}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			shut(t, in)
			filesLack(t, o.Dir, marker)
		})
	}
}

func handlerOf(in *Instance) *transfer.Handler {
	return &transfer.Handler{
		Store: in.Store, Scope: mainScope, Now: func() time.Time { return now.Add(time.Hour) }, Logger: slog.New(slog.DiscardHandler), Erasures: in.Ledger,
		Head: func(ctx context.Context) (graph.Cursor, error) { return in.Store.Head(ctx, mainScope) },
		Replay: func(ctx context.Context, erased int) error {
			return in.Engine.ReplayErasures(ctx, engine.Loopback(), erased)
		},
	}
}

// filesLack fails if a file below dir has the text.
func filesLack(t *testing.T, dir, text string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if n := bytes.Count(bytes.ToLower(b), []byte(text)); n > 0 {
			t.Errorf("%s has the text %d times", path, n)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
