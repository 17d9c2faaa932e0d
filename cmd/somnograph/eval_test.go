package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

func TestEvalWritesReports(t *testing.T) {
	dir := t.TempDir()
	jsonFile, markdown := filepath.Join(dir, "e.json"), filepath.Join(dir, "e.md")
	var out, errs strings.Builder
	code := run(t.Context(), []string{"eval", "--quick", "--only", "forgetting", "--data", filepath.Join(dir, "data"), "--json", jsonFile, "--markdown", markdown},
		environment{&out, &errs, nil})
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, &errs)
	}
	if !strings.Contains(out.String(), "erased and still returned") {
		t.Errorf("printed %q", out.String())
	}
	for file, want := range map[string]string{jsonFile: `"measure": "forgetting"`, markdown: "## forgetting"} {
		if raw, err := os.ReadFile(file); err != nil || !strings.Contains(string(raw), want) {
			t.Errorf("%s lacks %q: %v", file, want, err)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "data", "forgetting")); err != nil || len(entries) == 0 {
		t.Errorf("the store was not kept: %v", err)
	}
	out.Reset()
	if code := run(t.Context(), []string{"eval", "--quick", "--only", "forgetting", "--compare", "default,medical", "--json", jsonFile}, environment{&out, &errs, nil}); code != exitOK ||
		!strings.Contains(out.String(), "difference") || !strings.Contains(out.String(), "+0.000") {
		t.Errorf("exit %d: %s%s", code, &out, &errs)
	}
	if raw, err := os.ReadFile(jsonFile); err != nil || !strings.Contains(string(raw), `"name": "medical"`) {
		t.Errorf("%s: %v", jsonFile, err)
	}
	// Existing data is not overwritten.
	errs.Reset()
	if code := run(t.Context(), []string{"eval", "--quick", "--data", dir}, environment{&out, &errs, nil}); code != exitUsage || !strings.Contains(errs.String(), "not empty") {
		t.Errorf("exit %d: %s", code, &errs)
	}
}

func TestEvalRefusesUnknownMeasures(t *testing.T) {
	for _, args := range [][]string{{"eval", "--only", "luck"}, {"eval", "extra"}, {"eval", "--baselines", "--only", "archive"}, {"eval", "--compare", "default"},
		{"eval", "--compare", "default,medical", "--baselines"}, {"eval", "--compare", "default,nothing.json"}, {"eval", "--seed", "x"}, {"eval", "recall", "f", "--without", "luck"}} {
		var out, errs strings.Builder
		if code := run(t.Context(), args, environment{&out, &errs, nil}); code != exitUsage || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%q: exit %d: %s", args, code, &errs)
		}
	}
}

func TestRecallWithoutParts(t *testing.T) {
	var o client.Search
	if err := leaveOut(&o, []string{"semantic", "graph", "entity"}); err != nil {
		t.Fatal(err)
	}
	if len(o.Weights) != 2 || o.Weights["semantic"] != 0 || o.Weights["entity"] != 0 || o.Hops == nil || *o.Hops != 0 {
		t.Errorf("%+v", o)
	}
	if leaveOut(&o, []string{"graph", "luck"}) == nil {
		t.Error("an unknown part can be left out")
	}
}
