package backup_test

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/graph/wire"
)

// flipInTables changes a bit wherever the tables of an open store have a text.
func flipInTables(t *testing.T, dir string, text []byte) {
	t.Helper()
	flipped := 0
	for _, name := range must[[]string](t)(filepath.Glob(filepath.Join(dir, "graph", "*.sst"))) {
		b := must[[]byte](t)(os.ReadFile(name))
		f := must[*os.File](t)(os.OpenFile(name, os.O_RDWR, 0))
		for from := 0; ; flipped++ {
			at := bytes.Index(b[from:], text)
			if at < 0 {
				break
			}
			from += at + 1
			if _, err := f.WriteAt([]byte{b[from] ^ 8}, int64(from)); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if flipped == 0 {
		t.Fatalf("the tables do not have %q", text)
	}
}

// usedIn is the session in which the first memory of a damagedWorld was used.
const usedIn = 0x1EAF5EA51DE0CA7A

// damagedWorld is an engine over a store in a directory, with a backup of it.
type damagedWorld struct {
	*enginetest.World
	dir    string
	runner *backup.Runner
	mender *backup.Mender
	erased map[graph.ID]bool
	ids    []graph.ID // of the memories
	texts  []string
}

func newDamagedWorld(t *testing.T) *damagedWorld {
	t.Helper()
	w := &damagedWorld{dir: filepath.Join(t.TempDir(), "store"), erased: map[graph.ID]bool{}, texts: []string{
		"The walnut wharf closes at nine.", "Oats are sown in March.", "The weir opens at dusk.", "The ferry is painted red.",
	}}
	open := func() *badgerstore.Store {
		return must[*badgerstore.Store](t)(badgerstore.Open(w.dir, badgerstore.Options{}))
	}
	store := open()
	before := enginetest.With(t, enginetest.Options{Store: store})
	for _, text := range w.texts {
		w.ids = append(w.ids, before.Remember(text).Memory.ID)
	}
	for day := range 3 {
		use := graph.Use{At: before.Clock.Now().AddDate(0, 0, day), Sessions: graph.Sessions{usedIn}}
		if err := store.CountUses(t.Context(), before.Caller.Scope(), w.ids[:1], use); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(store.FlushUses(t.Context()), before.Close(t.Context()), store.Close()); err != nil { // the rows go to tables
		t.Fatal(err)
	}
	store = open()
	t.Cleanup(func() { _ = store.Close() }) // damage may break closing
	maker := &backup.Maker{Store: store, ID: storeID, Secrets: newSecrets(), Now: time.Now, Random: rand.Reader}
	target := must[backup.Target](t)(backup.Directory(t.TempDir(), true))
	w.mender = &backup.Mender{Maker: maker, Target: target, Erased: func(_ graph.Scope, id graph.ID) bool { return w.erased[id] }}
	w.World = enginetest.With(t, enginetest.Options{Store: store, Change: func(o *engine.Options) { o.Monitor.Restorer = w.mender }})
	w.runner = backup.NewRunner(backup.Options{Source: maker, Target: target, Now: time.Now})
	must[*backup.Made](t)(w.runner.Once(t.Context(), false))
	return w
}

// alarms refreshes the indicators and lists the active alarms.
func (w *damagedWorld) alarms() string {
	w.T.Helper()
	w.Clock.Advance(time.Minute)
	if err := w.RefreshHealth(w.T.Context()); err != nil {
		w.T.Fatal(err)
	}
	var out []string
	for _, a := range must[[]engine.Alarm](w.T)(w.Alarms(w.T.Context(), w.Caller, engine.AlarmInput{})) {
		out = append(out, a.Indicator+"/"+string(a.Severity)+"/"+string(a.Action))
	}
	return strings.Join(out, " ")
}

func (w *damagedWorld) stored(id graph.ID) (m *graph.Memory, v []float32, err error) {
	err = w.Store.View(w.T.Context(), w.Caller.Scope(), func(r graph.Reader) (err error) {
		if m, err = r.Memory(id); err == nil {
			v, err = r.Embedding(id)
		}
		return err
	})
	return m, v, err
}

const blocked = "checksum_failures/CRITICAL/BLOCK_DAMAGED"

// Bits of the content and of the vector of stored memories flip on the disk of a running server. The
// alarm blocks them, they are restored from the backup, and the alarm ends.
func TestDamagedMemoriesAreRestoredFromTheBackup(t *testing.T) {
	w := newDamagedWorld(t)
	if got := w.alarms(); got != "" {
		t.Fatalf("before: %s", got)
	}
	_, vector, err := w.stored(w.ids[1])
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(vector)
	flipInTables(t, w.dir, []byte("wharf closes at nine"))
	flipInTables(t, w.dir, wire.FloatBytes(vector))
	for i, id := range w.ids[:2] {
		if _, _, err := w.stored(id); !errors.Is(err, graph.ErrIntegrity) {
			t.Fatalf("damaged memory %d: %v", i, err)
		}
	}
	if got := w.alarms(); got != blocked {
		t.Errorf("damaged: %q", got)
	}
	m, _, err := w.stored(w.ids[0])
	if err != nil || m.Content != w.texts[0] || m.Version != 1 || m.Status() != graph.Active {
		t.Errorf("restored: %+v, %v", m, err)
	}
	if _, v, err := w.stored(w.ids[1]); err != nil || !slices.Equal(v, want) {
		t.Errorf("restored vector: %v", err)
	}
	if got := w.alarms(); got != "" {
		t.Errorf("restored: %q", got)
	}
	if hits := w.Search("When does the walnut wharf close?").Hits; len(hits) == 0 || hits[0].Memory.ID != w.ids[0] {
		t.Errorf("found %+v", hits)
	}
	must[*backup.Made](t)(w.runner.Once(t.Context(), true)) // everything can be read again
}

// Bits of the usage of a memory flip. Uses of other memories are still counted, and the usage is restored
// from the backup.
func TestDamagedUsageIsRestoredFromTheBackup(t *testing.T) {
	w := newDamagedWorld(t)
	before, _, err := w.stored(w.ids[0])
	if err != nil || before.Usage.Count != 3 {
		t.Fatalf("before: %+v, %v", before, err)
	}
	flipInTables(t, w.dir, binary.BigEndian.AppendUint64(nil, usedIn))
	if _, _, err := w.stored(w.ids[0]); !errors.Is(err, graph.ErrIntegrity) {
		t.Fatalf("damaged: %v", err)
	}
	err = w.Store.CountUses(t.Context(), w.Caller.Scope(), w.ids[:2], graph.Use{At: w.Clock.Now()})
	if err := errors.Join(err, graph.FlushUses(t.Context(), w.Store)); err != nil {
		t.Fatalf("uses beside the damage: %v", err)
	}
	if m, _, err := w.stored(w.ids[1]); err != nil || m.Usage.Count != 1 {
		t.Errorf("used beside the damage: %+v, %v", m, err)
	}
	if got := w.alarms(); got != blocked {
		t.Errorf("damaged: %q", got)
	}
	if m, _, err := w.stored(w.ids[0]); err != nil || !reflect.DeepEqual(m.Usage, before.Usage) {
		t.Errorf("restored %+v, want %+v: %v", m.Usage, before.Usage, err)
	}
	if got := w.alarms(); got != "" {
		t.Errorf("restored: %q", got)
	}
}

// A damaged memory that no backup mends is served to nobody, and everything else goes on: searches, lists,
// contexts, writes of what is like it, sleeps, and the building of a new index.
func TestADamagedMemoryKeepsNothingElseFromWorking(t *testing.T) {
	w := newDamagedWorld(t)
	ctx, damaged := t.Context(), w.ids[0]
	w.erased[damaged] = true
	flipInTables(t, w.dir, []byte("wharf closes at nine"))
	ask := engine.SearchInput{Query: "When does the walnut wharf close, and when are oats sown?"}
	for range 2 { // before the alarm, and beside it
		found := must[*engine.SearchResult](t)(w.Engine.Search(ctx, w.Caller, ask))
		if len(found.Hits) != 1 || found.Hits[0].Memory.ID != w.ids[1] {
			t.Errorf("found %+v", found.Hits)
		}
		listed := must[*engine.ListResult](t)(w.Memories(ctx, w.Caller, engine.ListInput{}))
		if len(listed.Memories) != len(w.ids)-1 || slices.ContainsFunc(listed.Memories, func(v *engine.View) bool { return v.ID == damaged }) {
			t.Errorf("listed %+v", listed.Memories)
		}
		if _, err := w.Memory(ctx, w.Caller, damaged, engine.Access{}); graph.CodeOf(err) != graph.CodeIntegrityFailure {
			t.Errorf("read by id: %v", err)
		}
		if got := w.alarms(); got != blocked {
			t.Errorf("alarms %q", got)
		}
	}
	if _, err := w.Engine.Context(ctx, w.Caller, engine.ContextInput{Session: "s", Query: ask.Query}); err != nil {
		t.Errorf("context: %v", err)
	}
	must[*engine.Observed](t)(w.Observe(ctx, w.Caller, engine.Observation{Session: "s", Role: "user", Text: "When does the walnut wharf close?", Consent: graph.ConsentExplicit}))
	later := w.Remember("The walnut wharf closes at ten now.").Memory.ID
	w.Clock.Advance(48 * time.Hour)
	for _, dry := range []bool{true, false} {
		report := must[*engine.SleepReport](t)(w.Engine.Sleep(ctx, w.Caller, engine.SleepInput{Deep: true, Wait: true, DryRun: dry}))
		if !report.Complete || len(report.Phases) != 4 || report.Phases[0].Items == 0 {
			t.Errorf("dry run %t: %+v", dry, report)
		}
	}
	fresh := must[*index.Index](t)(index.Open(ctx, w.Store, index.Options{}))
	known := map[graph.ID]bool{}
	fresh.Docs(w.Caller.Scope(), func(d *index.Doc) bool { known[d.ID] = true; return true })
	if known[damaged] || !known[w.ids[1]] || !known[later] {
		t.Errorf("the new index has %v", known)
	}
	if err := fresh.Close(ctx); err != nil {
		t.Error(err)
	}
}

// What was erased is never restored, nor what changed after the last segment: the alarm stays.
func TestErasedAndChangedMemoriesAreNotRestored(t *testing.T) {
	w := newDamagedWorld(t)
	w.erased[w.ids[2]] = true
	_, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		return tx.PutEdge(graph.Edge{From: w.ids[3], Kind: graph.EvidenceFor, To: w.ids[1], Weight: 0.5})
	})
	if err != nil {
		t.Fatal(err)
	}
	flipInTables(t, w.dir, []byte("weir opens"))
	flipInTables(t, w.dir, []byte("painted red"))
	for range 2 {
		if got := w.alarms(); got != blocked {
			t.Errorf("damaged: %q", got)
		}
		for _, id := range w.ids[2:] {
			if _, _, err := w.stored(id); !errors.Is(err, graph.ErrIntegrity) {
				t.Errorf("%s was restored: %v", id, err)
			}
		}
	}
	if _, err := w.mender.Restore(t.Context(), w.Caller.Scope(), w.ids[2:]); !errors.Is(err, backup.ErrNotMended) {
		t.Errorf("error %v", err)
	}
	delete(w.erased, w.ids[2])
	if got := w.alarms(); got != blocked {
		t.Errorf("one is left: %q", got)
	}
	if m, _, err := w.stored(w.ids[2]); err != nil || m.Content != w.texts[2] {
		t.Errorf("%+v, %v", m, err)
	}
}

// killed copies the files of an open store, as a kill would leave them.
func (w *damagedWorld) killed() string {
	w.T.Helper()
	dir := filepath.Join(w.T.TempDir(), "store")
	if err := os.CopyFS(dir, os.DirFS(w.dir)); err != nil {
		w.T.Fatal(err)
	}
	return dir
}

// reopened opens a directory, calls read on a new world over it, and closes it.
func (w *damagedWorld) reopened(dir string, read func(*damagedWorld)) {
	w.T.Helper()
	store, err := badgerstore.Open(dir, badgerstore.Options{})
	if err != nil {
		w.T.Fatalf("the start: %v", err)
	}
	again := &damagedWorld{dir: dir, World: enginetest.With(w.T, enginetest.Options{Store: store})}
	read(again)
	if err := errors.Join(again.Close(w.T.Context()), store.Close()); err != nil {
		w.T.Error(err)
	}
}

// A store starts after its damaged memories were restored, however the server ended, and serves what was restored.
// Before that the start is refused, also when it is tried again.
func TestAStoreStartsAfterItsDamageWasRestored(t *testing.T) {
	w := newDamagedWorld(t)
	_, vector, err := w.stored(w.ids[1])
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(vector)
	flipInTables(t, w.dir, []byte("wharf closes at nine"))
	flipInTables(t, w.dir, wire.FloatBytes(vector))
	unmended := w.killed()
	for range 2 {
		if s, err := badgerstore.Open(unmended, badgerstore.Options{}); !errors.Is(err, graph.ErrIntegrity) || !strings.Contains(err.Error(), ".sst") {
			t.Fatalf("the start before: %v, %v", s, err)
		}
	}
	if got := w.alarms() + "/" + w.alarms(); got != blocked+"/" {
		t.Fatalf("alarms %q", got)
	}
	mended := w.killed()
	if err := errors.Join(w.Close(t.Context()), w.Store.(*badgerstore.Store).Close()); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"killed": mended, "closed": w.dir} {
		for range 2 {
			w.reopened(dir, func(again *damagedWorld) {
				if m, _, err := again.stored(w.ids[0]); err != nil || m.Content != w.texts[0] {
					t.Errorf("%s: restored %+v, %v", name, m, err)
				}
				if _, v, err := again.stored(w.ids[1]); err != nil || !slices.Equal(v, want) {
					t.Errorf("%s: restored vector: %v", name, err)
				}
			})
		}
	}
}
