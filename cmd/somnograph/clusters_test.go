package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	outer "github.com/somnograph/somnograph/client"
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

	var history []client.ClusterChange
	if err := json.Unmarshal([]byte(succeed(t, "clusters", "history", "--addr", s.url, "-n", "1000", "--json")), &history); err != nil || len(history) < len(clusters) {
		t.Fatalf("history %+v, %v", history, err)
	}
	out = succeed(t, "clusters", "history", first.ID, "--addr", s.url)
	if lines := strings.Split(strings.TrimSpace(out), "\n"); !strings.HasPrefix(lines[0], "SLEEP") || len(lines) < 2 || !strings.Contains(lines[len(lines)-1], first.ID) || !strings.Contains(out, first.Label) {
		t.Errorf("history of a cluster: %s", out)
	}
	own := slices.DeleteFunc(slices.Clone(history), func(c client.ClusterChange) bool { return c.Cluster != first.ID })
	if n := len(own); n == 0 || own[n-1].Change != outer.ClusterChangeBorn && own[n-1].Change != outer.ClusterChangeSplit {
		t.Errorf("the history does not begin with how the cluster came about: %+v", own)
	}
	for _, c := range own {
		if !strings.Contains(out, string(c.Change)) {
			t.Errorf("history of a cluster without %s: %s", c.Change, out)
		}
	}
	if _, errs, code := output(t, "clusters", "history", "--addr", s.url, "--until", "2000-01-01T00:00:00Z"); code != exitOK || !strings.Contains(errs, "no changes of clusters") {
		t.Errorf("history before the first sleep: code %d, %s", code, errs)
	}
	for _, args := range [][]string{{"history", "--since", "yesterday"}, {"history", "--number", "0"}, {"history", "a", "b"}} {
		if _, errs, code := output(t, append(append([]string{"clusters"}, args...), "--addr", s.url)...); code != exitUsage {
			t.Errorf("%v: code %d, %s", args, code, errs)
		}
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
	if out := succeed(t, "patterns", "validate", id, "--addr", s.url); !strings.Contains(out, "FAILURE_SIGNATURE, CURRENT, version ") || strings.Contains(out, "\n  source: ") {
		t.Errorf("patterns validate: %s", out)
	}
	var found client.ExtractedPatterns
	if err := json.Unmarshal([]byte(succeed(t, "patterns", "extract", first.ID, "--addr", s.url, "--json")), &found); err != nil {
		t.Errorf("patterns extract: %v", err)
	}
	if out, errs, code := output(t, "patterns", "extract", first.ID, "--addr", s.url); code != exitOK || len(found.Patterns) == 0 && !strings.Contains(errs, "no pattern found") || strings.Count(errs, "refused: ") != len(found.Refused) {
		t.Errorf("patterns extract: code %d, %s%s", code, out, errs)
	}
	if _, errs, code := output(t, "patterns", "resolve", id, "--addr", s.url); code != exitUsage || !strings.Contains(errs, "the id of the pattern that holds, and of the one that ends") {
		t.Errorf("resolve with one id: code %d, %s", code, errs)
	}
	if _, errs, code := output(t, "patterns", "resolve", id, none, "--addr", s.url); code != exitFailed || !strings.Contains(errs, "MEMORY_NOT_FOUND") {
		t.Errorf("resolve with a pattern that is none: code %d, %s", code, errs)
	}
	for _, verb := range []string{"show", "export", "validate", "extract"} {
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

// A person decides between two patterns with the command, and the log has the decision.
func TestPatternConflictIsResolved(t *testing.T) {
	s := start(t, t.TempDir(), "--simulated-clock")
	write := func(safety bool, texts ...string) {
		var in []map[string]any
		for i, x := range texts {
			in = append(in, map[string]any{"content": x, "consent": "EXPLICIT", "session": fmt.Sprint("s", i/4), "safetyCritical": safety})
		}
		var out struct {
			RememberMany []struct{ Memory *struct{ ID string } }
		}
		if err := s.client().Do(t.Context(), `mutation($in:[RememberInput!]!){rememberMany(input:$in){memory{id}}}`, map[string]any{"in": in}, &out); err != nil {
			t.Fatal(err)
		}
		if err := s.client().Do(t.Context(), `mutation{advanceClock(seconds:90000)}`, nil, &struct{}{}); err != nil {
			t.Fatal(err)
		}
		succeed(t, "sleep", "--addr", s.url)
	}
	said := strings.Split("Ada told us,Ben wrote,Cleo repeated,Dora noted,Emil reminded us,Finn posted,Gus said,Hana explained,Iris told everybody,Jo insisted,Kim added,"+
		"Lea mentioned,Mats warned,Nora recalled,Olaf stressed,Pia confirmed,Rolf stated,Sven declared,Tara announced,Udo argued,Vito underlined,Wim claimed,Yara knew,Zoe wrote down", ",")
	var first, second []string
	for i, x := range said {
		first = append(first, x+" that the winch must never run above 12 knots of wind.", fmt.Sprintf("%s a story about lighthouse %d, a whale and the fog of %d.", x, i, 1900+i),
			fmt.Sprintf("The sourdough of batch %d needs more rye flour and a hotter oven, as %s.", i, x))
		if i < 12 {
			second = append(second, x+" that the winch must not run above 25 knots of wind.")
		}
	}
	write(false, first...)
	write(true, second...)
	var conflicts []client.PatternConflict
	if err := json.Unmarshal([]byte(succeed(t, "patterns", "conflicts", "--addr", s.url, "--json")), &conflicts); err != nil || len(conflicts) != 1 || !conflicts[0].Waits {
		t.Fatalf("conflicts %+v, %v", conflicts, err)
	}
	keep, end := conflicts[0].Patterns[1], conflicts[0].Patterns[0]
	if out := succeed(t, "patterns", "resolve", keep.ID, end.ID, "--note", "the new brake", "--addr", s.url); !strings.HasPrefix(out, keep.Text+"\n  CONSTRAINT, CURRENT, ") {
		t.Errorf("patterns resolve: %s", out)
	}
	if out := succeed(t, "patterns", "conflicts", "--all", "--addr", s.url); !strings.Contains(out, "decided, kept "+keep.ID+": the new brake") {
		t.Errorf("the log of conflicts: %s", out)
	}
	if _, errs, code := output(t, "patterns", "resolve", keep.ID, end.ID, "--addr", s.url); code != exitFailed || !strings.Contains(errs, "VERSION_CONFLICT") {
		t.Errorf("resolved again: code %d, %s", code, errs)
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
	const want = "since 0001-01-01, waits for a person: somnograph patterns resolve\n  0.90  a  Heat the resin.\n  0.70  b  Do not heat the resin.\n" +
		"since 0001-01-01, decided, kept b: it burns\n  0.90  a  Heat the resin.\n  0.70  b  Do not heat the resin.\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
