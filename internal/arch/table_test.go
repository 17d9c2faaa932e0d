package arch

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// table writes the rules as ARCHITECTURE.md shows them.
func table(rules []Rule) string {
	var b strings.Builder
	b.WriteString("| room | may import | never |\n|---|---|---|\n")
	for _, r := range rules {
		may := "–"
		switch {
		case r.Any:
			may = "everything"
		case len(r.May) > 0:
			may = strings.Join(named(r.May), ", ")
		}
		b.WriteString("| `" + r.Room + "` | " + may + " | " + never(r) + " |\n")
	}
	return b.String()
}

// named lists rooms in quotes; the pure packages of engine have one name together.
func named(rooms []string) []string {
	all := pure()
	together := !slices.ContainsFunc(all, func(p string) bool { return !slices.Contains(rooms, p) })
	var names []string
	for _, r := range rooms {
		switch {
		case !together || !slices.Contains(all, r):
			names = append(names, "`"+r+"`")
		case r == "graph":
			names = append(names, "`graph`", "*pure*")
		}
	}
	return names
}

// never names the drivers that a room must not depend on.
func never(r Rule) string {
	switch missing := len(drivers) - len(r.Never); {
	case len(r.Never) == 0:
		return "–"
	case missing == 0:
		return "drivers"
	}
	var own []string
	for _, d := range drivers {
		if !slices.Contains(r.Never, d) {
			own = append(own, d[strings.LastIndex(d, "/")+1:])
		}
	}
	return "drivers except " + strings.Join(own, ", ")
}

// With UPDATE=1 the table in ARCHITECTURE.md is written.
func TestArchitectureShowsTheRules(t *testing.T) {
	const path = "../../ARCHITECTURE.md"
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const head = "| room | may import | never |"
	before, rest, found := strings.Cut(string(doc), head)
	_, after, _ := strings.Cut(rest, "\n\n")
	if !found {
		t.Fatalf("ARCHITECTURE.md has no table that begins with %s", head)
	}
	want := before + table(Rules) + "\n" + after
	if want == string(doc) {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatal("the table of import rules in ARCHITECTURE.md differs from Rules: run UPDATE=1 go test ./internal/arch")
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
