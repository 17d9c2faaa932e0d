package instance

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// live searches for a memory on each of some days and sleeps every night.
func live(t *testing.T, in *Instance, query string, days int, clock *movable) {
	t.Helper()
	for range days {
		if _, err := in.Engine.Search(t.Context(), engine.Loopback(), engine.SearchInput{Query: query, TopK: 1, Track: true}); err != nil {
			t.Fatal(err)
		}
		clock.advance(24 * time.Hour)
		if _, err := in.Engine.Sleep(t.Context(), engine.Loopback(), engine.SleepInput{Deep: true, Wait: true}); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, in *Instance, id graph.ID) *engine.View {
	t.Helper()
	v, err := in.Engine.Memory(t.Context(), engine.Loopback(), id, engine.Access{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A memory is engraved on its fifth day of use, not before. A damaged file makes only the
// engrams in it unavailable. An erased engram leaves no trace in the recess.
func TestTheDayFiveEngram(t *testing.T) {
	dir, clock := t.TempDir(), clockAt(now)
	o := options(dir)
	o.Source = clock.now
	in := open(t, o)
	id := remember(t, in, "Mira is allergic to walnuts.")
	other := remember(t, in, "The ferry to Brodno leaves at noon.")
	live(t, in, "walnuts", 4, clock)
	if v := read(t, in, id); v.State.Tier == graph.L3 {
		t.Fatalf("engraved after %d days of use", len(v.Usage.Days))
	}
	live(t, in, "walnuts", 1, clock)
	v := read(t, in, id)
	if v.State.Tier != graph.L3 || v.Content != "Mira is allergic to walnuts." || v.Unavailable != nil {
		t.Fatalf("after five days of use: tier %s, confidence %v, conflict %v, %v", v.State.Tier, v.Confidence, v.Conflict, v.Unavailable)
	}
	shut(t, in)

	file := onlyFile(t, filepath.Join(dir, "recess"), ".parquet.sealed")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(whole), "walnuts") {
		t.Error("the recess holds unencrypted content")
	}
	hurt := append([]byte(nil), whole...)
	for i := len(hurt) / 4; i < 3*len(hurt)/4; i++ {
		hurt[i] ^= 0x5a
	}
	if err := os.WriteFile(file, hurt, 0o600); err != nil {
		t.Fatal(err)
	}
	in = open(t, o)
	if v := read(t, in, id); v.Unavailable == nil || v.Unavailable.Code != graph.CodeIntegrityFailure || v.Content != "" {
		t.Errorf("from a damaged file: %q, %v", v.Content, v.Unavailable)
	}
	if v := read(t, in, other); v.Unavailable != nil || v.Content == "" {
		t.Errorf("a memory that is not in the file: %q, %v", v.Content, v.Unavailable)
	}
	if h, err := in.Engine.Health(t.Context(), engine.Loopback()); err != nil || h.ChecksumFailures != 1 || h.Status != "CRITICAL" {
		t.Errorf("health %+v, %v", h, err)
	}
	if err := os.WriteFile(file, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if v := read(t, in, id); v.Unavailable != nil || v.Content == "" {
		t.Errorf("from the restored file: %q, %v", v.Content, v.Unavailable)
	}
	if _, err := in.Engine.Forget(t.Context(), engine.Loopback(), engine.ForgetInput{IDs: []graph.ID{id}}); err != nil {
		t.Fatal(err)
	}
	if _, err := (archive{Recess: in.Recess}).Read(t.Context(), graph.Scope{Tenant: engine.Loopback().Tenant}, id); graph.CodeOf(err) != graph.CodeMemoryNotFound {
		t.Errorf("an erased engram: %v", err)
	}
	shut(t, in)
}

// A recess without a bucket is ready if its directory can be read.
func TestReadinessOfADirectory(t *testing.T) {
	dir := t.TempDir()
	if err := (archive{dir: dir}).Ready(t.Context()); err != nil {
		t.Error(err)
	}
	if err := (archive{dir: filepath.Join(dir, "gone")}).Ready(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing directory: %v", err)
	}
}
