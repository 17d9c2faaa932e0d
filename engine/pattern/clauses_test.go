package pattern

import (
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A condition belongs to the clause that names it. What only some of the sources name is no part of what all of them say.
func TestConditionsOfSeveralClausesAndSourcesAreNotJoined(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  []string
		conds [][]string
	}{
		{
			[]string{"At night the vault must be locked before noon.", "The vault must be locked before noon.", "By the plan, the vault must be locked before noon.", "The vault must be locked before noon, as the owner said."},
			[]string{"The vault must be locked before noon."}, [][]string{{"before noon"}},
		},
		{[]string{"As the gauge reports a leak, the valve must be shut."}, []string{"As the gauge reports a leak, the valve must be shut."}, [][]string{nil}},
		{[]string{"The winch must not run and the crane must not turn when the wind is above 12 knots."}, []string{"The winch must not run and the crane must not turn when the wind is above 12 knots."}, [][]string{{"when the wind is above 12 knots"}}},
		{[]string{"At night the winch must not run and the crane must not turn when the wind is above 12 knots."}, []string{"At night the winch must not run and the crane must not turn when the wind is above 12 knots."}, [][]string{{"when the wind is above 12 knots"}}},
		{[]string{"At night the vault must be locked."}, []string{"At night the vault must be locked."}, [][]string{nil}},
		{[]string{"In winds above 12 knots the winch must not run."}, []string{"In winds above 12 knots the winch must not run."}, [][]string{nil}},
		{
			[]string{"At night the vault must be locked and nobody may enter before noon."},
			[]string{"At night the vault must be locked.", "Nobody may enter before noon."}, [][]string{nil, {"before noon"}},
		},
		{[]string{"The vault and the safe must be locked before noon."}, []string{"The vault and the safe must be locked before noon."}, [][]string{{"before noon"}}},
		{[]string{"After a dive the pump must be rinsed and the filter must be changed."}, []string{"After a dive the pump must be rinsed and the filter must be changed."}, [][]string{{"After a dive"}}},
		{[]string{"Before noon the vault must be locked."}, []string{"Before noon the vault must be locked."}, [][]string{{"Before noon"}}},
		{
			[]string{"At night: lock the vault, then check the alarm.", "First lock the vault before noon, then check the alarm, then leave the keys."},
			[]string{"At night: first lock the vault, then check the alarm."}, [][]string{{"At night"}},
		},
	} {
		got, refused := Find(sourcesOf(t, 0, repeated(12, c.texts...)...), nil)
		if !slices.Equal(said(got), c.want) {
			t.Errorf("%q: %q, refused %+v", c.texts, said(got), refused)
			continue
		}
		for i, f := range got {
			if !slices.Equal(f.Conditions, c.conds[i]) {
				t.Errorf("%q: conditions %q", f.Text, f.Conditions)
			}
		}
	}
}

// Each of several patterns with the same sources is written as what was found.
func TestSayWritesThePatternThatWasFound(t *testing.T) {
	for _, text := range []string{
		"At night the vault must be locked. Nobody may open the safe before noon.",
		"At night the vault must be locked and nobody may enter before noon.",
		"The pump must be rinsed. The winch must never run above 12 knots. Refunds above 500 euros must be approved by the auditor.",
	} {
		sources := sourcesOf(t, 0, repeated(12, text)...)
		found, refused := Find(sources, nil)
		if len(found) < 2 {
			t.Errorf("%q: %q, refused %+v", text, said(found), refused)
		}
		for _, f := range found {
			if got, ok := Say(f.Kind, sources, f.Sources[len(f.Sources)-1], f.Sentence); !ok || got.Text != f.Text {
				t.Errorf("found %q, said %q", f.Text, got.Text)
			}
		}
	}
	// Without the source that was named, most decide.
	sources := sourcesOf(t, 0, append(repeated(9, "The pump must be rinsed."), "The winch must never run above 12 knots.")...)
	if got, ok := Say(graph.Constraint, sources, testID(t, 999), 0); !ok || got.Text != "The pump must be rinsed." {
		t.Errorf("%q", got.Text)
	}
	if got, ok := Say(graph.Constraint, sources, sources[9].ID, 0); !ok || got.Text != "The winch must never run above 12 knots." {
		t.Errorf("%q", got.Text)
	}
}
