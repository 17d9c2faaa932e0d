package backup_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/graph"
)

// states are the backups that a store knows of.
func (w *world) states() map[string]graph.BackupState {
	w.t.Helper()
	var all map[string]graph.BackupState
	err := w.store.View(w.t.Context(), graph.ServerScope(), func(r graph.Reader) (err error) { all, err = graph.Backups(r); return err })
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// The store knows which generations of a backup may exist, also after the old ones were removed and
// after a restore.
func TestTheStoreKnowsTheGenerationsOfItsBackups(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	fill(t, w.store, 3)
	made := must[*backup.Made](t)(w.runner.Once(t.Context(), false))
	id := made.Manifest.Backup
	if s := w.states()[id]; s.Begun != 1 || s.Oldest != 1 || !s.Complete {
		t.Errorf("after a first export: %+v", s)
	}
	w.round(false) // has the record of the first
	if again := must[*backup.Made](t)(w.runner.Once(t.Context(), false)); again.Changed {
		t.Error("the record of backups makes every round write something")
	}
	w.round(true)
	w.round(true)
	if s := w.states()[id]; s.Begun != 3 || s.Oldest != 1 || len(s.Removals) != 0 {
		t.Errorf("after three exports: %+v", s)
	}
	pruning := backup.NewRunner(backup.Options{Source: w.maker(), Target: w.target, Now: w.now, Keep: 2})
	for range 2 { // the second removes nothing
		if err := pruning.Prune(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	s := w.states()[id]
	if _, gone := s.Removed(1); !gone || s.Oldest != 2 || len(s.Removals) != 1 {
		t.Errorf("after removing the first: %+v", s)
	}
	if _, gone := s.Removed(2); gone {
		t.Errorf("generation 2 is there: %+v", s)
	}
	into := memoryStore(t)
	w.round(false)
	w.restore(time.Time{}, into, nil)
	restored := newWorld(t, into)
	if s := restored.states()[id]; s.Begun != 3 || s.Oldest != 2 {
		t.Errorf("a restored store: %+v", s)
	}
}

// A first export that fails is no backup, however often it is tried.
func TestAFailedFirstExportIsNoBackup(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	fill(t, w.store, 3)
	for range 12 {
		if _, err := w.maker().Next(t.Context(), nil, false, func(string, []byte) error { return errTarget }); !errors.Is(err, errTarget) {
			t.Fatal(err)
		}
	}
	if all := w.states(); len(all) != 0 {
		t.Errorf("the store knows of %v", all)
	}
	w.runner = backup.NewRunner(backup.Options{Source: w.maker(), Target: &failingTarget{w.target}, Now: w.now})
	for range 12 { // objects are written, the manifest is not
		if _, err := w.runner.Once(t.Context(), false); !errors.Is(err, errTarget) {
			t.Fatal(err)
		}
	}
	all := w.states()
	if len(all) > 8 {
		t.Errorf("%d backups without a manifest are kept", len(all))
	}
	for _, s := range all {
		if s.Complete || s.Exists(w.clock.AddDate(0, 0, 2)) {
			t.Errorf("counts as a backup: %+v", s)
		}
	}
}

// The command tells the server which generations it removed. The server believes no manifest of others
// and no number that can't be.
func TestACommandTellsWhichGenerationsItKeeps(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	fill(t, w.store, 3)
	handler := &backup.Handler{Maker: w.maker(), Logger: slog.New(slog.DiscardHandler)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = handler.Serve(w, r) // the client is told too
	}))
	defer server.Close()
	c := must[*client.Client](t)(client.New(server.URL, client.Options{}))
	remote := backup.Remote{
		Post: func(ctx context.Context, manifest []byte, query url.Values) (io.ReadCloser, error) {
			return c.Backup(ctx, backup.MediaType, manifest, query)
		},
		Tell: func(manifest []byte) error { return c.BackupCommitted(t.Context(), backup.MediaType, manifest) },
		Keep: func(manifest []byte, oldest int) error {
			return c.BackupKept(t.Context(), backup.MediaType, manifest, oldest)
		},
	}
	r := backup.NewRunner(backup.Options{Source: remote, Target: w.target, Now: w.now, Keep: 1})
	must[*backup.Made](t)(r.Once(t.Context(), false))
	made := must[*backup.Made](t)(r.Once(t.Context(), true))
	if err := r.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	id := made.Manifest.Backup
	if s := w.states()[id]; s.Oldest != 2 {
		t.Errorf("%+v", s)
	}
	for _, oldest := range []int{0, 3} {
		if err := remote.Kept(t.Context(), made.Text, oldest); err == nil {
			t.Errorf("the server believes that generation %d is the oldest", oldest)
		}
	}
	forged := bytes.Replace(made.Text, []byte(`"generation":2`), []byte(`"generation":9`), 1)
	if err := remote.Kept(t.Context(), forged, 9); err == nil {
		t.Error("the server believes a forged manifest")
	}
	if s := w.states()[id]; s.Begun != 2 || s.Oldest != 2 {
		t.Errorf("%+v", s)
	}
}

// A manifest that is damaged or missing is in the way of what only its generation holds, and of nothing else.
func TestAWrongManifestOfAnotherGenerationIsNotInTheWay(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	var at []time.Time
	live(t, w.store, func(string) { at = append(at, w.round(true)) }) // each is a generation
	manifest := func(g int) string { return filepath.Join(w.dir, fmt.Sprintf("%06d/manifest", g)) }
	whole := must[[]byte](t)(os.ReadFile(manifest(3)))
	damaged := bytes.Clone(whole)
	damaged[len(damaged)-3] ^= 1
	find := func(at time.Time) (*backup.Point, error) { return w.reader().Find(t.Context(), at, nil) }
	for name, c := range map[string]struct {
		spoil func() error
		want  string
	}{
		"damaged": {func() error { return os.WriteFile(manifest(3), damaged, 0o600) }, "signature is wrong"},
		"missing": {func() error { return os.Remove(manifest(3)) }, "generation 3 has segments but no manifest"},
	} {
		if err := c.spoil(); err != nil {
			t.Fatal(err)
		}
		for g, instant := range map[int]time.Time{1: at[0], 2: at[1], 4: at[3], len(at): {}} {
			p, err := find(instant)
			if err != nil || p.Generation != g || !instant.IsZero() && !p.At.Equal(instant) {
				t.Errorf("%s: generation %d: %+v %v", name, g, p, err)
			}
		}
		between := at[2]
		if _, err := find(between); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "the newest boundary before it is restored with --at "+backup.BoundaryText(at[1])) {
			t.Errorf("%s: what only it holds: %v", name, err)
		}
		if _, err := w.reader().CheckAll(t.Context(), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: all are checked: %v", name, err)
		}
		p := must[*backup.Point](t)(find(at[3]))
		notes := must[[]string](t)(w.reader().Notes(t.Context(), p, false))
		if unread := name == "damaged"; unread != (len(notes) == 1 && strings.Contains(notes[0], "000003/manifest: ")) {
			t.Errorf("%s: notes %q", name, notes)
		}
		if err := os.WriteFile(manifest(3), whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// What a removal left that was cut off is below the oldest manifest, and noted only.
	if err := os.Remove(manifest(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.reader().CheckAll(t.Context(), nil); err != nil {
		t.Errorf("the rest of a removed generation: %v", err)
	}
	notes := must[[]string](t)(w.reader().Notes(t.Context(), must[*backup.Point](t)(find(time.Time{})), true))
	if len(notes) != 1 || !strings.Contains(notes[0], "generation 1 has segments but no manifest") {
		t.Errorf("the rest of a removed generation: notes %q", notes)
	}
	// Without the manifest of the newest generation the end of the backup is not known; what is earlier is restored.
	last := len(at)
	for name, content := range map[string][]byte{"flipped": damaged, "empty": nil, "that of another generation": whole, "no manifest": []byte("x\n")} {
		if err := os.WriteFile(manifest(last), content, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, instant := range []time.Time{{}, at[last-1]} {
			_, err := find(instant)
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%06d/manifest: ", last)) || !strings.Contains(err.Error(), "--at "+backup.BoundaryText(at[last-2])) {
				t.Errorf("%s: the end of the backup: %v", name, err)
			}
		}
		if p, err := find(at[1]); err != nil || p.Generation != 2 {
			t.Errorf("%s: an earlier generation: %+v %v", name, p, err)
		}
		if store, err := backup.StoreOf(t.Context(), w.target); err != nil || store != storeID {
			t.Errorf("%s: the store is %s, %v", name, store, err)
		}
	}
}

// A time between two boundaries of a generation is not in question because the manifest of the next one is missing.
func TestATimeWithinAGenerationBeforeOneWithoutManifest(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	var at []time.Time
	live(t, w.store, func(string) { at = append(at, w.round(len(at) == 3 || len(at) == 5)) })
	if err := os.Remove(filepath.Join(w.dir, "000002/manifest")); err != nil {
		t.Fatal(err)
	}
	p, err := w.reader().Find(t.Context(), at[1].Add(time.Millisecond), nil)
	if err != nil || !p.At.Equal(at[1]) {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := w.reader().Find(t.Context(), at[2].Add(time.Millisecond), nil); err == nil || !strings.Contains(err.Error(), "generation 2 has segments but no manifest") {
		t.Errorf("after its last boundary: %v", err)
	}
}
