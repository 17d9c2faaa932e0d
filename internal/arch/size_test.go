package arch

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Limits of a package, without its tests and generated code.
const (
	maxFiles = 50
	maxLines = 8000
)

// larger are packages that are above a limit, with the lines that they may have until they are divided.
var larger = map[string]int{"engine/conflict": 9000}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

func TestPackagesAreSmall(t *testing.T) {
	files, lines := map[string]int{}, map[string]int{}
	for _, f := range tracked(t, ".go") {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join("../..", f))
		if os.IsNotExist(err) {
			continue // deleted and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		if generated.Match(text) {
			continue
		}
		files[filepath.Dir(f)]++
		lines[filepath.Dir(f)] += bytes.Count(text, []byte("\n"))
	}
	if len(files) < 10 {
		t.Fatalf("only %d packages were found", len(files))
	}
	for p, n := range files {
		most := maxLines
		if l, ok := larger[p]; ok {
			most = l
			if lines[p] <= maxLines {
				t.Errorf("%s has %d lines: take it out of the list of larger packages", p, lines[p])
			}
		}
		if n > maxFiles || lines[p] > most {
			t.Errorf("%s has %d files and %d lines; a package has at most %d and %d: move a cohesive part to a package of its own", p, n, lines[p], maxFiles, most)
		}
	}
}
