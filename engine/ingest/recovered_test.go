package ingest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// historyOutcome is what a statement does to earlier ones of one user: the text of the one that it revises.
type historyOutcome struct {
	said, later, ends string // said: several, separated by " | "
}

// wantEnds checks which earlier statement a later one revises; empty: none, and it contests none either.
func wantEnds(t *testing.T, cases []historyOutcome) {
	t.Helper()
	w := enginetest.New(t)
	for i, x := range cases {
		user := fmt.Sprintf("user%d", i)
		var want []graph.ID
		for j, text := range strings.Split(x.said, " | ") {
			if id := says(w, text, by(user, fmt.Sprint(user, j))).Memory.ID; text == x.ends {
				want = append(want, id)
			}
		}
		r := says(w, x.later, by(user, user+"later"))
		if !slices.Equal(r.Revised, want) || len(r.ConflictsWith) > 0 {
			t.Errorf("%s => %s: %d are revised and %d contested, want %q revised", x.said, x.later, len(r.Revised), len(r.ConflictsWith), x.ends)
		}
	}
}

// A recovery that names no illness ends the only one from which one recovers, and none of several.
func TestARecoveryEndsTheOnlyIllness(t *testing.T) {
	wantEnds(t, []historyOutcome{
		{"I have leukaemia.", "I'm cured.", "I have leukaemia."},
		{"I have shingles. | I have asthma.", "I've recovered.", "I have shingles."},
		{"I have pneumonia. | I have a peanut allergy.", "I have fully recovered.", "I have pneumonia."},
		{"I have a sprained ankle. | I have type 1 diabetes.", "I've recovered.", "I have a sprained ankle."},
		{"My wife has breast cancer.", "My wife is cured.", "My wife has breast cancer."},
		{"I suffer from burnout. | I have two cats.", "I've recovered.", "I suffer from burnout."},
		{"My brother has hepatitis. | I have eczema.", "My brother has recovered.", "My brother has hepatitis."},
		{"I have appendicitis.", "I've recovered.", "I have appendicitis."},
		{"I have cancer. | I have a dog. | I have two sons. | I have a car. | I have a big house. | I have a boat.", "I'm cured.", "I have cancer."},
		{"I'm sick. | I have high blood pressure.", "I've recovered.", "I'm sick."},
		{"I have celiac disease.", "I'm cured.", ""},
		{"I'm allergic to bee stings.", "I've recovered.", ""},
		{"I have multiple sclerosis.", "I've recovered.", ""},
		{"I have a pollen allergy. | I have asthma.", "I'm cured.", ""},
		{"I have tuberculosis. | I have anaemia.", "I'm cured.", ""},
		{"I have the flu. | I have cancer.", "I'm cured.", ""},
		{"I have bronchitis. | I have a broken wrist.", "I've recovered.", ""},
		{"I have migraines.", "I've recovered.", ""},
		{"I have a heart condition.", "I've recovered.", ""},
		{"My son has leukaemia.", "I've recovered.", ""},
		{"I have chronic hepatitis.", "I've recovered.", ""},
		{"I have lymphoma.", "I've recovered from the marathon.", ""},
		{"I have the flu.", "I hope I've recovered by Monday.", ""},
		{"I have the flu.", "My sister has recovered.", ""},
		{"I have a flu shot appointment.", "I've recovered.", ""},
		{"I have a broken phone.", "I've recovered.", ""},
		{"I have depression.", "I'm cured, my cold is gone.", ""},
		{"I have a burnout.", "I've recovered, at least for today.", ""},
		{"I have Covid.", "I've recovered from last night's party.", ""},
	})
}
