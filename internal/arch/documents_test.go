package arch

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tracked lists the files of the repository whose names end in one of the suffixes.
func tracked(t *testing.T, suffixes ...string) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("git ls-files: %v", err)
	}
	var files []string
	for _, f := range strings.Fields(string(out)) {
		for _, s := range suffixes {
			if strings.HasSuffix(f, s) {
				files = append(files, f)
			}
		}
	}
	return files
}

var (
	link    = regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]+)?\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	dropped = regexp.MustCompile(`[^\p{L}\p{N}\- _]`)
	cited   = regexp.MustCompile(`\bADRs? (\d+)\b`)
)

// anchors are the link targets that a renderer makes of the headings of a document.
func anchors(doc []byte) map[string]bool {
	set := map[string]bool{}
	for _, m := range heading.FindAllSubmatch(doc, -1) {
		text := strings.ToLower(dropped.ReplaceAllString(string(m[1]), ""))
		set["#"+strings.ReplaceAll(text, " ", "-")] = true
	}
	return set
}

func TestLinksOfDocumentsLeadSomewhere(t *testing.T) {
	for _, f := range tracked(t, ".md") {
		doc, err := os.ReadFile(filepath.Join("../..", f))
		if os.IsNotExist(err) {
			continue // deleted and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllSubmatch(doc, -1) {
			to, at := string(m[1]), string(m[2])
			if strings.Contains(to, "://") {
				continue
			}
			path := f
			if to != "" {
				path = filepath.Join(filepath.Dir(f), to)
			}
			target, err := os.ReadFile(filepath.Join("../..", path))
			if info, e := os.Stat(filepath.Join("../..", path)); e == nil && info.IsDir() {
				err = nil
			}
			if err != nil {
				t.Errorf("%s: %s leads nowhere", f, to)
			} else if at != "" && !anchors(target)[at] {
				t.Errorf("%s: %s has no heading for %s", f, path, at)
			}
		}
	}
}

// quoted is a path of the repository in the text of a document.
var quoted = regexp.MustCompile("`((?:graph|engine|cmd|web|viz|docs|deploy|bench|internal|resolvers|test|demo|\\.ci)/[\\w./-]+)`")

func TestPathsInDocumentsExist(t *testing.T) {
	for _, f := range tracked(t, ".md") {
		doc, err := os.ReadFile(filepath.Join("../..", f))
		if err != nil || f == "CHANGELOG.md" { // which names what is gone
			continue
		}
		for _, m := range quoted.FindAllSubmatch(doc, -1) {
			path := string(m[1])
			if path == "bench/out" { // written by make bench
				continue
			}
			if _, err := os.Stat(filepath.Join("../..", path)); err != nil {
				t.Errorf("%s: there is no %s", f, path)
			}
		}
	}
}

func TestCitedDecisionsExist(t *testing.T) {
	have := map[string]bool{}
	for _, f := range tracked(t, ".md") {
		if dir, name := filepath.Split(f); dir == "docs/adr/" && name[0] == '0' {
			have[strings.TrimLeft(name[:4], "0")] = true
		}
	}
	if len(have) == 0 {
		t.Fatal("docs/adr has no records")
	}
	for _, f := range tracked(t, ".go", ".ts", ".md", ".yaml", ".graphqls", ".dql", "Caddyfile", "Makefile") {
		text, err := os.ReadFile(filepath.Join("../..", f))
		if err != nil || f == "docs/adr/README.md" || strings.HasPrefix(f, "web/dist/") {
			continue
		}
		for i, line := range bytes.Split(text, []byte("\n")) {
			for _, m := range cited.FindAllSubmatch(line, -1) {
				if n := string(m[1]); !have[n] && !bytes.Contains(line, []byte("former ADR")) {
					t.Errorf("%s:%d: there is no ADR %s", f, i+1, n)
				}
			}
		}
	}
}
