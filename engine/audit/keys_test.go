package audit_test

import (
	"encoding/base64"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/graph"
)

// An older copy of the keys catches up with the rows of the store, days that were closed since included:
// what a person is told to do about a damaged file leaves no finding.
func TestOlderKeysCatchUp(t *testing.T) {
	for _, c := range []struct {
		name string
		keep time.Duration
	}{{"all rows are kept", 0}, {"rows were removed since the copy", 100 * time.Hour}} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.keep = c.keep
			w.start()
			day := func(n int) {
				for range n {
					if err := w.write("remember"); err != nil {
						t.Fatal(err)
					}
					w.seal()
				}
			}
			for range 2 {
				day(4)
				w.now = w.now.Add(24 * time.Hour)
			}
			day(3)
			older := maps.Clone(w.keys.kept)
			day(1)
			for range 3 {
				w.now = w.now.Add(24 * time.Hour)
				day(4)
			}
			w.keys.kept = maps.Clone(older)
			if v := w.verify(); !v.Intact() && c.keep == 0 {
				t.Errorf("before a server has caught up: %+v", v)
			}
			w.start()
			w.now = w.now.Add(24 * time.Hour)
			day(2)
			if v := w.verify(); !v.Intact() || len(v.Chains) != 1 || v.Chains[0].Last != 26 || !v.Chains[0].Keys || (v.Chains[0].First == 1) != (c.keep == 0) {
				t.Errorf("%+v", v)
			}
			w.keys.kept = maps.Clone(older)
			w.tamper(func(bs []*block) { b, i := at(bs, 20); b.Rows[i].Row.Verb = "forget" })
			if w.verify().Intact() {
				t.Error("with older keys a changed row was not found")
			}
		})
	}
}

// Keys that hold no chain are no changed rows: the error names the file and says what to do.
func TestKeysWithoutAChainAreNamed(t *testing.T) {
	for _, past := range []bool{false, true} {
		w := threeDays(t)
		for name := range w.keys.kept {
			if strings.HasSuffix(name, "-past") == past {
				w.keys.kept[name] = []byte(base64.StdEncoding.EncodeToString([]byte("no keys")))
			}
		}
		w.start()
		check := func(err error) {
			t.Helper()
			var named *graph.DamagedKeysError
			if !errors.As(err, &named) || strings.HasSuffix(named.Path, "-past") != past || !strings.Contains(named.Advice(), "catches up") || !errors.Is(err, graph.ErrIntegrity) {
				t.Errorf("past %v: %v", past, err)
			}
		}
		check(w.store.View(t.Context(), scope, func(r graph.Reader) error { _, err := audit.Verify(r, w.keys, scope); return err }))
		check(w.write("remember"))
	}
}
