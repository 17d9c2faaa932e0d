package audit_test

import (
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
)

// mix makes the bytes that secrets fills different from call to call.
type mixed struct {
	*secrets
	n byte
}

func (m *mixed) Fill(b []byte) error {
	m.n++
	for i := range b {
		b[i] = byte(i) ^ m.n
	}
	return nil
}

// mix starts a process whose keys are not always the same.
func (w *world) mix(m *mixed) {
	w.store.left, w.keys.fail = -1, -1
	w.log = audit.New(audit.Options{Store: w.store, Keys: m, Now: func() time.Time { return w.now }, NewID: w.ids.New, Keep: w.keep})
}

// The rows before and after a replacement of the keys are one chain, on the same day and over the following
// ones, and nothing of the former keys but those of rows is kept.
func TestRotatedKeysContinueTheChain(t *testing.T) {
	w := threeDays(t)
	m := &mixed{secrets: w.keys}
	w.mix(m)
	rows := 90
	for day := range 3 {
		if err := w.write("before"); err != nil {
			t.Fatal(err)
		}
		w.read("ada", "search", nil) // its minute is not over
		former := slices.Clone(w.keys.kept[keyFile(w)])
		if err := w.log.Rotate(t.Context(), scope); err != nil {
			t.Fatal(err)
		}
		rows += 2
		w.intact(rows)
		if day == 1 { // twice in a row
			if err := w.log.Rotate(t.Context(), scope); err != nil {
				t.Fatal(err)
			}
			w.intact(rows)
		}
		if err := w.write("after"); err != nil {
			t.Fatal(err)
		}
		w.seal()
		rows++
		w.intact(rows)
		if string(w.keys.kept[keyFile(w)]) == string(former) {
			t.Fatal("the keys are the former ones")
		}
		// Another process goes on.
		w.mix(m)
		w.seal()
		w.intact(rows)
		w.now = w.now.Add(24 * time.Hour)
	}
	w.seal()
	w.intact(rows)
	if v := w.verify(); v.Chains[0].Roots != 3+3+1+3 {
		t.Errorf("%d roots", v.Chains[0].Roots)
	}
}

// Rows of later days, which a killed process with a clock that was ahead left unsealed, belong to the chain after a replacement of the keys.
func TestRotationSealsRowsOfLaterDays(t *testing.T) {
	w := threeDays(t)
	m := &mixed{secrets: w.keys}
	w.mix(m)
	if err := w.write("today"); err != nil {
		t.Fatal(err)
	}
	w.seal()
	today := w.now
	for range 3 {
		w.now = w.now.Add(24 * time.Hour)
		if err := w.write("ahead"); err != nil {
			t.Fatal(err)
		}
	}
	w.now = today
	w.mix(m)
	if err := w.log.Rotate(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	if c := w.verify().Chains[0]; len(c.Problems) > 0 || c.Waiting != 0 {
		t.Fatalf("after the replacement: %+v", c)
	}
	w.intact(94)
	for range 6 {
		if err := w.write("after"); err != nil {
			t.Fatal(err)
		}
		w.seal()
		w.now = w.now.Add(24 * time.Hour)
		w.mix(m)
	}
	w.intact(100)
}

// keyFile is the name of the secret of the chain.
func keyFile(w *world) string {
	names := slices.Sorted(maps.Keys(w.keys.kept))
	return names[0]
}

// The keys of before a replacement, put back, are found out.
func TestFormerKeysPutBackAreFound(t *testing.T) {
	w := threeDays(t)
	w.mix(&mixed{secrets: w.keys})
	if err := w.write("before"); err != nil {
		t.Fatal(err)
	}
	w.seal()
	former := maps.Clone(w.keys.kept)
	if err := w.log.Rotate(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	if err := w.write("after"); err != nil {
		t.Fatal(err)
	}
	w.seal()
	w.intact(92)
	today := w.keys.kept
	w.keys.kept = former
	if v := w.verify(); v.Intact() {
		t.Error("the former keys were taken for the present ones")
	}
	w.keys.kept = today
	w.intact(92)
}

// A process dies at each write of the keys and at each commit of a replacement, before or after it: the
// next one finishes it, no row is lost, and the chain is intact.
func TestRotationIsInterruptedAtEveryStep(t *testing.T) {
	for _, kind := range []string{"keys", "before a commit", "after a commit"} {
		for step := 0; ; step++ {
			w := newWorld(t)
			m := &mixed{secrets: w.keys}
			w.mix(m)
			for range 3 {
				if err := w.write("remember"); err != nil {
					t.Fatal(err)
				}
			}
			w.read("ada", "search", nil)
			if kind == "keys" {
				w.keys.fail = step
			} else {
				w.store.left, w.store.committed = step, kind == "after a commit"
			}
			err := w.log.Rotate(t.Context(), scope)
			w.mix(m)
			w.now = w.now.Add(25 * time.Hour) // the day is over meanwhile
			if err := w.write("later"); err != nil {
				t.Fatal(err)
			}
			if err := w.log.Rotate(t.Context(), scope); err != nil {
				t.Fatal(err)
			}
			w.seal()
			v := w.verify()
			// What a killed process had counted and not written is lost.
			if c := v.Chains[0]; !v.Intact() || len(v.Chains) != 1 || c.Waiting != 0 || c.Rows < 4 || c.Rows > 5 || c.Last != uint64(c.Rows) {
				t.Fatalf("%s %d: %+v", kind, step, v)
			}
			if err == nil {
				break
			}
			if !errors.Is(err, errDied) {
				t.Fatal(err)
			}
		}
	}
}
