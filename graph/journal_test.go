package graph_test

import (
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func TestJournalNamesOnlySettingsWithoutContent(t *testing.T) {
	for name, want := range map[string]bool{
		"webhooks": true, "sleep.cycle": true, "forget.job": true, "policy.main": true, "policy.app/dev": true, "webhook.01a215cb-6c6e-7000-bc70-34cee7d151c7": true,
		"job of mira": false, "webhook.mira": false, "policy.": false, "": false, "a..b": false, "turn.subject.0a": true,
	} {
		if got := graph.NamedInJournal(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
