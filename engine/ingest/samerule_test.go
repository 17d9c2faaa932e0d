package ingest_test

import "testing"

// A rule that is said again under another condition, or by somebody, stands beside the first one. A rule that changed revises it.
func TestARepeatedRuleRevisesNothing(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"Always lock the boat house after sailing.", "Always lock the boat house when you leave.", stands},
		{"Always lock the boat house when you leave.", "Please always lock the boat house after sailing.", stands},
		{"Always lock the boat house after sailing.", "Always lock the boat house, said Tomas.", stands},
		{"Always clean the brushes after painting.", "Always clean the brushes when the painting is done.", stands},
		{"Always answer in Dutch.", "Always answer in French.", revised},
	})
}
