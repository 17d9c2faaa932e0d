package ingest

import (
	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Reasons why a later statement does not revise an earlier one, besides vetoes.
const (
	ReasonRevises = "the reading revises: not compared, or without standing"
	reasonShort   = "too many sentences"
	reasonLow     = "certainty below .3"
	reasonRival   = "certainty from .3"
	reasonNear    = "certainty from .5"
	reasonGate    = "certain enough for known slots and contradictions only"
)

// ReasonOf returns the step by which a later statement of a speaker does not revise an earlier one.
func ReasonOf(earlier, later *graph.Memory) string {
	read := func(m *graph.Memory) statement {
		x := conflict.Analyse(workspace.StatementOf(m))
		return statement{m, reader.Prepare(reader.Statement{Text: m.Content, Speaker: lifecycle.Speaker(m)}), &x}
	}
	a, b := read(earlier), read(later)
	if !readAlike(a.said, b.said) {
		return reasonShort
	}
	r := relationOf(b.said, a.said, false)
	switch c := certaintyOf(b, a, r); {
	case r.Certainty < reader.Rivals && r.Veto != "":
		return "veto: " + string(r.Veto)
	case r.Certainty < reader.Rivals:
		return reasonLow
	case c < 0.5:
		return reasonRival
	case c < revisesFrom(a, b):
		return reasonNear
	case !sure(b, a, r, c):
		return reasonGate
	}
	return ReasonRevises
}
