package audit_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/graph"
)

// restoreTo takes away all rows after one, and the roots of days that end later, as a restore does.
func (w *world) restoreTo(seq uint64, noted bool) {
	w.t.Helper()
	w.tamper(func(bs []*block) {
		for _, b := range bs {
			keep := max(0, int(seq)+1-int(b.First))
			b.Rows = b.Rows[:min(keep, len(b.Rows))]
		}
	})
	roots := int(seq) / 30
	_, err := w.store.Update(w.t.Context(), scope, func(tx graph.Tx) error {
		notes, err := tx.Notes(graph.NoteAuditRoot, "", false, 10)
		if err != nil {
			return err
		}
		for _, n := range notes[min(roots, len(notes)):] {
			if err := tx.DeleteNote(n.Kind, n.ID); err != nil {
				return err
			}
		}
		if !noted {
			return nil
		}
		return audit.NoteRestore(tx, w.keys, scope, w.now.Add(-time.Hour), w.now)
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// more writes and seals rows.
func (w *world) more(n int) {
	w.t.Helper()
	for range n {
		if err := w.write("later"); err != nil {
			w.t.Fatal(err)
		}
	}
	w.seal()
}

// An original whose copy ran on with the same keys lacks the rows of the copy. The check says that, and
// goes on to check what the original writes later.
func TestRowsOfACopyThatRanWithTheSameKeys(t *testing.T) {
	w := threeDays(t)
	w.more(5) // the copy
	w.tamper(func(bs []*block) {
		for _, b := range bs {
			b.Rows = b.Rows[:max(0, min(len(b.Rows), 91-int(b.First)))]
		}
	})
	want := func(seq uint64, what string) {
		t.Helper()
		v := w.verify()
		problems := v.Chains[0].Problems
		if len(problems) != 1 || problems[0].Seq != seq || !strings.Contains(problems[0].What, what) || !strings.Contains(problems[0].What, "another copy of this data directory") {
			t.Errorf("%+v, want row %d: %s", problems, seq, what)
		}
	}
	want(91, "up to 95 are missing at the end")
	w.start()
	w.more(3)
	want(91, "up to 95 are missing")
}

// Rows that were not sealed at the boundary of a restore are sealed after it, also if the keys of the audit were replaced in between.
func TestRowsThatWaitAtTheBoundaryOfARestore(t *testing.T) {
	w := newWorld(t)
	w.mix(&mixed{secrets: w.keys})
	w.more(3)
	if err := w.write("waits"); err != nil {
		t.Fatal(err)
	}
	var waiting *graph.Note
	inTx := func(fn func(tx graph.Tx) error) {
		t.Helper()
		if _, err := w.store.Update(t.Context(), scope, fn); err != nil {
			t.Fatal(err)
		}
	}
	inTx(func(tx graph.Tx) error {
		notes, err := tx.Notes(graph.NoteAudit, "", false, 10)
		if err == nil && len(notes) == 1 {
			waiting = notes[0]
		}
		return err
	})
	if waiting == nil {
		t.Fatal("no row waits")
	}
	w.seal()
	if err := w.log.Rotate(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	w.restoreTo(3, false)
	inTx(func(tx graph.Tx) error {
		if err := tx.PutNote(*waiting); err != nil {
			return err
		}
		return audit.NoteRestore(tx, w.keys, scope, w.now.Add(-time.Hour), w.now)
	})
	if v := w.verify(); !v.Intact() || v.Chains[0].Waiting != 1 {
		t.Errorf("%+v", v.Chains)
	}
	w.start()
	w.more(2)
	if v := w.verify(); !v.Intact() {
		t.Errorf("%+v", v.Chains)
	}
	if rows := w.list(audit.Filter{Verb: "waits"}); len(rows) != 1 {
		t.Errorf("the row is there %d times", len(rows))
	}
}

// A restore takes rows away. They are stated and are no problem; those that somebody removes are.
func TestRowsThatARestoreTookAway(t *testing.T) {
	check := func(t *testing.T, w *world, intact bool, restores ...audit.Restore) audit.ChainCheck {
		t.Helper()
		v := w.verify()
		if v.Intact() != intact || len(v.Chains[0].Restores) != len(restores) {
			t.Fatalf("%+v", v.Chains)
		}
		for i, want := range restores {
			if got := v.Chains[0].Restores[i]; got.First != want.First || got.Last != want.Last {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
		return v.Chains[0]
	}
	t.Run("not noted", func(t *testing.T) {
		w := threeDays(t)
		w.restoreTo(44, false)
		check(t, w, false)
	})
	t.Run("noted", func(t *testing.T) {
		w := threeDays(t)
		w.restoreTo(44, true)
		c := check(t, w, true, audit.Restore{First: 45, Last: 90})
		if got := c.Restores[0]; !got.At.Equal(w.now) || !got.To.Equal(w.now.Add(-time.Hour)) {
			t.Errorf("%+v", got)
		}
		w.start()
		w.more(5)
		w.now = w.now.Add(24 * time.Hour)
		w.more(5)
		c = check(t, w, true, audit.Restore{First: 45, Last: 90})
		if c.Last != 100 || c.Roots != 2 {
			t.Errorf("%+v", c)
		}
		// The rows on both sides are still checked, and the first one after the gap too.
		for name, change := range map[string]func(bs []*block){
			"before": func(bs []*block) { b, i := at(bs, 44); b.Rows = b.Rows[:i] },
			"after":  func(bs []*block) { b, i := at(bs, 91); b.Rows[i].Row.Verb = "search" },
			"first":  func(bs []*block) { b, _ := at(bs, 91); b.Rows, b.First = b.Rows[1:], b.First+1 },
			"last":   func(bs []*block) { b, i := at(bs, 100); b.Rows = b.Rows[:i] },
		} {
			saved := w.blocks()
			w.tamper(change)
			if v := w.verify(); v.Intact() {
				t.Errorf("%s: a change beside the rows that the restore took away is not found", name)
			}
			w.putBlocks(saved)
		}
		check(t, w, true, audit.Restore{First: 45, Last: 90})
	})
	t.Run("twice", func(t *testing.T) {
		w := threeDays(t)
		w.restoreTo(70, true)
		w.start()
		w.more(10)
		w.restoreTo(95, true) // of the new history
		w.start()
		w.more(10)
		check(t, w, true, audit.Restore{First: 71, Last: 90}, audit.Restore{First: 96, Last: 100})
		w.restoreTo(20, true)
		check(t, w, true, audit.Restore{First: 21, Last: 110})
	})
	t.Run("forged", func(t *testing.T) {
		w := threeDays(t)
		other := threeDays(t)
		w.restoreTo(44, false)
		_, err := w.store.Update(t.Context(), scope, func(tx graph.Tx) error {
			keys := newSecrets()
			maps.Copy(keys.kept, other.keys.kept)
			for name, text := range keys.kept { // the right chain with other keys
				keys.kept[name] = []byte(strings.Replace(string(text), `"pending":"AAEC`, `"pending":"AAED`, 1))
			}
			return audit.NoteRestore(tx, keys, scope, w.now, w.now)
		})
		if err != nil {
			t.Fatal(err)
		}
		v := w.verify()
		if v.Intact() || !strings.Contains(v.Chains[len(v.Chains)-1].Problems[0].What, "was changed") {
			t.Errorf("%+v", v.Chains)
		}
	})
}

// A restore to a boundary before a tenant was made takes all of its rows away. The restored store states that when the tenant is used again,
// also after a kill, and excuses no other rows.
func TestARestoreFromBeforeTheTenant(t *testing.T) {
	restored := func(noted bool, tenants ...graph.Tenant) *world {
		t.Helper()
		w, empty := threeDays(t), newWorld(t)
		w.store = empty.store
		if noted {
			names := append(slices.Collect(maps.Keys(w.keys.kept)), "backup-key")
			_, err := w.store.Update(t.Context(), graph.ServerScope(), func(tx graph.Tx) error {
				return audit.NoteRestoreOfOthers(tx, w.keys, names, tenants, w.now.Add(-time.Hour), w.now)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		w.start()
		return w
	}
	for what, w := range map[string]*world{"not noted": restored(false), "of a tenant that the store knows": restored(true, scope.Tenant)} {
		w.more(3)
		if v := w.verify(); v.Intact() {
			t.Errorf("%s: %+v", what, v.Chains)
		}
	}
	for left := range 3 { // updates before the kill; the last one is that of the row
		for _, committed := range []bool{false, true} {
			w := restored(true)
			w.store.left, w.store.committed = left, committed
			if err := w.write("killed"); err == nil {
				t.Fatal("no kill")
			}
			w.start()
			w.more(3)
			v := w.verify()
			if c := v.Chains[0]; !v.Intact() || len(v.Chains) != 1 || len(c.Restores) != 1 || c.Restores[0].First != 1 || c.Restores[0].Last != 90 || c.Rows < 3 {
				t.Errorf("left %d, committed %v: %+v", left, committed, v.Chains)
			}
			w.now = w.now.Add(24 * time.Hour)
			w.more(3) // after another root
			if v := w.verify(); !v.Intact() {
				t.Errorf("the next day: %+v", v.Chains)
			}
			w.tamper(func(bs []*block) { bs[0].Rows = bs[0].Rows[1:]; bs[0].First++ })
			if v := w.verify(); v.Intact() {
				t.Error("a row that was removed since is excused")
			}
		}
	}
}

// blocks reads the blocks, and putBlocks writes them again.
func (w *world) blocks() (notes []*graph.Note) {
	w.t.Helper()
	err := w.store.View(w.t.Context(), scope, func(r graph.Reader) (err error) {
		notes, err = r.Notes(graph.NoteAuditBlock, "", false, graph.MaxPage)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return notes
}

func (w *world) putBlocks(notes []*graph.Note) {
	w.t.Helper()
	_, err := w.store.Update(w.t.Context(), scope, func(tx graph.Tx) error {
		for _, n := range notes {
			if err := tx.PutNote(*n); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}
