package backup_test

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/graph"
)

// putSetting changes a store.
func putSetting(t *testing.T, s graph.Store, value string) {
	t.Helper()
	if _, err := s.Update(t.Context(), graph.Scope{Tenant: "default"}, func(tx graph.Tx) error { return tx.PutSetting("s", []byte(value)) }); err != nil {
		t.Fatal(err)
	}
}

func rotate(t *testing.T, w *world) {
	t.Helper()
	if changed := must[bool](t)(backup.RotateKey(w.secrets)); !changed {
		t.Fatal("there is no key to replace")
	}
}

// Generations under former keys are restored, and what follows a replacement is a full export under the
// next key.
func TestBackupsOfFormerKeysAreRestored(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	if changed := must[bool](t)(backup.RotateKey(newSecrets())); changed {
		t.Error("a key was replaced that nobody made")
	}
	type boundary struct {
		at   time.Time
		twin map[string]string
	}
	var boundaries []boundary
	round := func(value string) {
		t.Helper()
		putSetting(t, w.store, value)
		at := w.round(false)
		boundaries = append(boundaries, boundary{at: at, twin: state(t, w.store)})
	}
	round("one")
	round("two")
	first := slices.Clone(w.secrets.get("backup-key"))
	rotate(t, w)
	round("three")
	round("four")
	rotate(t, w)
	rotate(t, w)
	round("five")
	if bytes.Equal(first, w.secrets.get("backup-key")) {
		t.Fatal("the key is the former one")
	}
	for i, b := range boundaries {
		into := memoryStore(t)
		w.restore(b.at, into, nil)
		same(t, "boundary "+b.at.String(), state(t, into), b.twin)
		if p := must[*backup.Point](t)(w.reader().Find(t.Context(), b.at, nil)); p.Generation != 1+i/2 {
			t.Errorf("boundary %d is in generation %d", i, p.Generation)
		}
	}
	checked := must[backup.Checked](t)(w.reader().CheckAll(t.Context(), nil))
	if checked.Generations != 3 {
		t.Errorf("%d generations are intact", checked.Generations)
	}
	delete(w.secrets.named, "backup-former")
	if _, err := w.reader().Find(t.Context(), boundaries[0].at, nil); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("a generation without its key: %v", err)
	}
}

// Who has a former key can't add to a backup.
func TestWhatAFormerKeySignsLaterIsRefused(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	putSetting(t, w.store, "one")
	w.round(false)
	stolen := maps.Clone(w.secrets.named)
	rotate(t, w)
	thief := *w
	thief.secrets = &secrets{named: stolen}
	thief.runner = backup.NewRunner(backup.Options{Source: thief.maker(), Target: w.target, Now: w.now})
	putSetting(t, w.store, "forged")
	thief.round(false)
	if _, err := w.reader().Find(t.Context(), time.Time{}, nil); !errors.Is(err, graph.ErrIntegrity) || !strings.Contains(err.Error(), "former backup key") {
		t.Errorf("a segment under the former key: %v", err)
	}
	r := w.reader()
	r.Older = true
	if _, err := r.Find(t.Context(), time.Time{}, nil); err != nil {
		t.Errorf("accepted by hand: %v", err)
	}
	w.round(false) // the server goes on with a full export
	if p := must[*backup.Point](t)(w.reader().Find(t.Context(), time.Time{}, nil)); p.Generation != 2 {
		t.Errorf("generation %d", p.Generation)
	}
}

// dying are secrets whose writes fail after some more, before or after the write.
type dying struct {
	*secrets
	left int
	late bool
}

var errDied = errors.New("the process died")

func (d *dying) Write(name string, content []byte) error {
	if d.left == 0 && !d.late {
		return errDied
	}
	if err := d.secrets.Write(name, slices.Clone(content)); err != nil {
		return err
	}
	if d.left--; d.left < 0 && d.late {
		return errDied
	}
	return nil
}

// A process dies before or after each write of a replacement: the backup goes on, and every boundary can
// be restored. A former key put back is no key.
func TestReplacedBackupKeyAtEveryStep(t *testing.T) {
	for _, late := range []bool{false, true} {
		for step := range 4 {
			w := newWorld(t, memoryStore(t))
			putSetting(t, w.store, "one")
			first := w.round(false)
			if _, err := backup.RotateKey(&dying{w.secrets, step, late}); !errors.Is(err, errDied) {
				t.Fatalf("step %d: %v", step, err)
			}
			w.restore(first, memoryStore(t), nil)
			putSetting(t, w.store, "two")
			second := w.round(false)
			rotate(t, w)
			putSetting(t, w.store, "three")
			w.round(false)
			for _, at := range []time.Time{first, second, {}} {
				w.restore(at, memoryStore(t), nil)
			}
		}
	}
	w := newWorld(t, memoryStore(t))
	putSetting(t, w.store, "one")
	w.round(false)
	first := slices.Clone(w.secrets.get("backup-key"))
	rotate(t, w)
	putSetting(t, w.store, "two")
	w.round(false)
	w.secrets.named["backup-key"] = first
	w.restore(time.Time{}, memoryStore(t), nil) // the next key is still at hand
	putSetting(t, w.store, "three")
	w.round(false)
	if bytes.Equal(first, w.secrets.get("backup-key")) {
		t.Error("the former key stays in the place of the present one")
	}
	w.secrets.named["backup-key"], w.secrets.named["backup-next"] = first, nil
	if _, err := w.runner.Once(t.Context(), false); err == nil || !strings.Contains(err.Error(), "a former one is in its place") {
		t.Errorf("a former key: %v", err)
	}
	rotate(t, w) // where the newest copy is lost
	if _, err := backup.ReadKeys(w.secrets); err != nil {
		t.Error(err)
	}
}
