package resolvers_test

import (
	"testing"
	"time"
)

func TestRollbackAnswersFigures(t *testing.T) {
	s := start(t)
	since := s.Now()
	keep := vars{"onDuplicate": "INSERT"}
	s.remember("The gate of the yard is locked at night.", keep)
	s.remember("The gate of the yard is locked at night.", keep)
	s.must(`mutation { advanceClock(seconds: 3600) }`, nil)
	report := s.must(`mutation { sleep { report { id deduplicated } } }`, nil)
	if report.at(t, "sleep.report.deduplicated") != 1.0 {
		t.Fatalf("the sleep answers %s", report.Body)
	}
	const rollback = `mutation($to: Time, $dry: Boolean) { rollback(to: $to, namespace: "default", dryRun: $dry) {
		report { id rolledBackAt rolledBackIn { namespace at } } reports { id } restored withdrawn dryRun
		before { active consolidated superseded archived expired index schema engrams health } after { active consolidated index health } } }`
	for _, dry := range []bool{true, false} {
		a := s.must(rollback, vars{"to": since.Format(time.RFC3339), "dry": dry})
		if a.at(t, "rollback.reports.0.id") != report.at(t, "sleep.report.id") || a.at(t, "rollback.restored") != 1.0 || a.at(t, "rollback.dryRun") != dry {
			t.Errorf("dry run %v: %s", dry, a.Body)
		}
		if a.at(t, "rollback.before.active") != 1.0 || a.at(t, "rollback.before.consolidated") != 1.0 || a.at(t, "rollback.after.active") != 2.0 || a.at(t, "rollback.after.consolidated") != 0.0 {
			t.Errorf("dry run %v: %s", dry, a.Body)
		}
		if n := len(a.at(t, "rollback.report.rolledBackIn").([]any)); n == 1 == dry {
			t.Errorf("dry run %v: %s", dry, a.Body)
		}
	}
	if a := s.must(rollback, vars{"to": since.Format(time.RFC3339), "dry": false}); a.at(t, "rollback.report") != nil || a.at(t, "rollback.before.active") != 2.0 {
		t.Errorf("a second rollback: %s", a.Body)
	}
	for _, c := range []struct{ arguments, field string }{
		{``, "id"},
		{`(id: "")`, "id"},
		{`(to: "2199-01-01T00:00:00Z")`, "to"},
		{`(to: "2001-01-01T00:00:00Z")`, "to"},
		{`(to: "2026-03-02T09:00:00Z", namespace: "")`, "namespace"},
		{`(to: "2026-03-02T09:00:00Z", namespace: "a b")`, "namespace"},
	} {
		if a := s.ask(`mutation { rollback`+c.arguments+` { restored } }`, nil); a.code() != "INVALID_REQUEST" || a.field() != c.field {
			t.Errorf("rollback%s: %s", c.arguments, a.Body)
		}
	}
}
