package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var (
	findingRow = regexp.MustCompile(`(?m)^\| (F\d+) \|[^|]*\|([^|]*)\|$`)
	testName   = regexp.MustCompile("`(Test\\w+)`")
	testFunc   = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// Every weakness in docs/security-tests.md has a test, and the tests that it names exist.
func TestWeaknessesHaveTests(t *testing.T) {
	exist := map[string]bool{}
	for _, file := range tracked(t, "_test.go") {
		text, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testFunc.FindAllSubmatch(text, -1) {
			exist[string(m[1])] = true
		}
	}
	text, err := os.ReadFile("../../docs/security-tests.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := findingRow.FindAllSubmatch(text, -1)
	if len(rows) != 26 {
		t.Errorf("%d weaknesses, want 26", len(rows))
	}
	for _, row := range rows {
		tests := testName.FindAllSubmatch(row[2], -1)
		if len(tests) == 0 {
			t.Errorf("%s has no test", row[1])
		}
		for _, m := range tests {
			if !exist[string(m[1])] {
				t.Errorf("%s: there is no test %s", row[1], m[1])
			}
		}
	}
}
