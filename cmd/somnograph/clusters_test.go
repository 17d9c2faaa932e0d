package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// The commands list what the sleeps of the demo world found, on a server and on the directory of a stopped one.
func TestClustersAndPatternsAreListed(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir, "--demo")
	if out, errs, code := output(t, "clusters", "--namespace", "nowhere", "--addr", s.url); code != exitOK || out != "" || !strings.Contains(errs, "a deep sleep finds them") {
		t.Errorf("clusters of a namespace without any: code %d, %s%s", code, out, errs)
	}
	if out := succeed(t, "patterns", "--namespace", "nowhere", "--addr", s.url, "--json"); strings.TrimSpace(out) != "[]" {
		t.Errorf("patterns of a namespace without any: %s", out)
	}
	var clusters []client.Cluster
	if err := json.Unmarshal([]byte(succeed(t, "clusters", "--addr", s.url, "--json")), &clusters); err != nil || len(clusters) < 5 {
		t.Fatalf("clusters %+v, %v", clusters, err)
	}
	out, errs, code := output(t, "clusters", "--addr", s.url, "-n", "1")
	if code != exitOK || !strings.Contains(out, clusters[0].ID) || strings.Contains(out, clusters[1].ID) || !strings.Contains(errs, "raise --number") {
		t.Errorf("clusters -n 1: code %d, %s%s", code, out, errs)
	}
	first := clusters[0]
	if out := succeed(t, "clusters", "show", first.ID, "--addr", s.url, "-n", "3"); !strings.HasPrefix(out, first.Label+"\n") || !strings.Contains(out, "memories of "+first.Namespace+", density ") || strings.Count(out, "\n  related: ") == 0 || len(members.FindAllString(out, -1)) != 3 {
		t.Errorf("clusters show: %s", out)
	}
	const none = "019c74e9-bbe8-7000-9fb8-d82978daf007"
	if _, errs, code := output(t, "clusters", "show", none, "--addr", s.url); code != exitFailed || !strings.Contains(errs, "there is no cluster with this id") {
		t.Errorf("a cluster that is none: code %d, %s", code, errs)
	}

	list := succeed(t, "patterns", "--addr", s.url, "--kind", "failure_signature")
	id := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).FindString(list)
	if id == "" || !strings.Contains(list, "FAILURE_SIGNATURE  CURRENT") {
		t.Fatalf("patterns: %s", list)
	}
	if out := succeed(t, "patterns", "show", id, "--addr", s.url); !strings.Contains(out, "FAILURE_SIGNATURE, CURRENT, version ") || !strings.Contains(out, "\n  source: ") {
		t.Errorf("patterns show: %s", out)
	}
	var prov map[string]any
	if err := json.Unmarshal([]byte(succeed(t, "patterns", "export", id, "--addr", s.url)), &prov); err != nil || prov["entity"] == nil {
		t.Errorf("patterns export: %v, %v", prov, err)
	}
	for _, verb := range []string{"show", "export"} {
		if _, errs, code := output(t, "patterns", verb, none, "--addr", s.url); code != exitFailed || !strings.Contains(errs, "MEMORY_NOT_FOUND") {
			t.Errorf("%s of a pattern that is none: code %d, %s", verb, code, errs)
		}
	}
	if out, errs, code := output(t, "patterns", "conflicts", "--all", "--addr", s.url); code != exitOK || out != "" || !strings.Contains(errs, "no conflicts between patterns") {
		t.Errorf("conflicts: code %d, %s%s", code, out, errs)
	}
	s.stop()
	if out := succeed(t, "clusters", "--data", dir); !strings.Contains(out, first.ID) {
		t.Errorf("clusters of the directory of a stopped server: %s", out)
	}
}

// members are the lines of members of a cluster.
var members = regexp.MustCompile(`(?m)^[ *] [01]\.\d\d  [0-9a-f-]{36}  `)

// A pair of patterns is printed with the more confident one first, and who decides.
func TestPatternConflictsArePrinted(t *testing.T) {
	var b strings.Builder
	x := client.PatternConflict{ID: "p", Waits: true, Patterns: []client.Pattern{{ID: "a", Text: "Heat the resin.", Confidence: .9}, {ID: "b", Text: "Do not heat the resin.", Confidence: .7}}}
	if err := printPatternConflict(&b, x); err != nil {
		t.Fatal(err)
	}
	x.Kept, x.Note = "b", "it burns"
	if err := printPatternConflict(&b, x); err != nil {
		t.Fatal(err)
	}
	const want = "since 0001-01-01, a person decides\n  0.90  a  Heat the resin.\n  0.70  b  Do not heat the resin.\n" +
		"since 0001-01-01, decided, kept b: it burns\n  0.90  a  Heat the resin.\n  0.70  b  Do not heat the resin.\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
