package worlds

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func all(string) bool { return true }

func TestGenerateIsDeterministic(t *testing.T) {
	a := Generate(rand.New(rand.NewPCG(7, 7)), 500, all)
	b := Generate(rand.New(rand.NewPCG(7, 7)), 500, all)
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("pair %d: %v and %v", i, a[i], b[i])
		}
	}
}

func TestTemplatesAreFilled(t *testing.T) {
	seen := map[string]int{}
	revisions, plain := 0, 0
	for _, p := range Generate(rand.New(rand.NewPCG(1, 2)), 20000, all) {
		if strings.ContainsAny(p.Earlier+p.Later, "{}~") || strings.Contains(p.Earlier+p.Later, "  ") || strings.HasPrefix(p.Later, " ") {
			t.Errorf("%s %s: %q => %q", p.Family, p.Situation, p.Earlier, p.Later)
		}
		seen[p.Family]++
		if p.Revises() {
			revisions++
			if p.Situation == "restated" {
				plain++
			}
		}
	}
	for _, f := range Families() {
		if seen[f] == 0 {
			t.Errorf("family %s gives no pair", f)
		}
	}
	if revisions < 5000 || 3*plain < revisions {
		t.Errorf("%d revisions, %d of them restated", revisions, plain)
	}
}
