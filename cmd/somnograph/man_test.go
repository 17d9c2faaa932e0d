package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Every command has a page with its flags, and troff reads each page without a warning.
func TestManualPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	if out := succeed(t, "man", dir); !strings.Contains(out, " pages in "+dir) {
		t.Errorf("prints %s", out)
	}
	root := newRoot(environment{})
	root.InitDefaultCompletionCmd()
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Log("groff is not installed: the pages are compared with the flags only")
	}
	made, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(made) != len(manCommands(root)) {
		t.Errorf("%d pages for %d commands, %v", len(made), len(manCommands(root)), err)
	}
	for _, cmd := range manCommands(root) {
		file := filepath.Join(dir, manName(cmd)+".1")
		page, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if want := `\-\-` + strings.ReplaceAll(f.Name, "-", `\-`); !f.Hidden && !strings.Contains(string(page), want) {
				t.Errorf("%s lacks --%s", file, f.Name)
			}
		})
		for _, want := range []string{".SH NAME\nsomnograph", ".SH SYNOPSIS\n.B somnograph", ".SH DESCRIPTION\n", ".SH SEE ALSO\n\\fB"} {
			if !strings.Contains(string(page), want) {
				t.Errorf("%s lacks %q", file, want)
			}
		}
		if groff == "" {
			continue
		}
		said, err := exec.Command(groff, "-man", "-Tutf8", "-ww", "-z", file).CombinedOutput()
		if err != nil || len(said) > 0 {
			t.Errorf("groff reads %s: %v\n%s", file, err, said)
		}
	}
	serve, err := os.ReadFile(filepath.Join(dir, "somnograph-serve.1"))
	if err != nil || strings.Count(string(serve), "\n.SS ") < 5 {
		t.Errorf("the settings of serve are not in groups: %v", err)
	}
}

func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		".TH x\n'a": "\\&.TH x\n\\&'a", `a\nb`: `a\enb`, "--x": `\-\-x`, `say "hi"`: `say \(dqhi\(dq`, "é": `\[u00E9]`,
	} {
		if got := roff(text); got != want {
			t.Errorf("roff(%q) = %q, want %q", text, got, want)
		}
	}
}
