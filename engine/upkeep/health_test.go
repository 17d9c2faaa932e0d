package upkeep_test

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// A memory of which only a part was imported does not look healthy.
func TestHealthNamesAnImportThatWasCutOff(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("The lighthouse is white.")
	scope := graph.Scope{Tenant: w.Caller.Tenant}
	for _, x := range []struct{ setting, status, reason string }{
		{`{"sha256":"ab","written":64,"counted":32}`, "WARNING", "cut off after 64 lines"},
		{"", "HEALTHY", ""},
	} {
		_, err := w.Store.Update(t.Context(), scope, func(tx graph.Tx) error {
			if x.setting == "" {
				return tx.PutSetting("import", nil)
			}
			return tx.PutSetting("import", []byte(x.setting))
		})
		if err != nil {
			t.Fatal(err)
		}
		h, err := w.Health(t.Context(), w.Caller)
		if err != nil || h.Status != x.status || !strings.Contains(h.Reason, x.reason) {
			t.Errorf("%+v, %v; want %s", h, err, x.status)
		}
	}
}
