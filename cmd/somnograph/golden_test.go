package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/internal/filetest"
)

// goldenDir holds files that an old build wrote.
const goldenDir = "../../test/golden"

// golden is what the old build answered.
type golden struct {
	Now     time.Time
	IDs     map[string]string
	Queries []struct {
		Name, Query       string
		Variables         map[string]any
		Directory, Import json.RawMessage
	}
}

func readGolden(t *testing.T) *golden {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(goldenDir, "golden.json"))
	g := &golden{}
	if err == nil {
		err = json.Unmarshal(raw, g)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// serve starts a server over the directory with the clock at the instant of the answers.
// The ring of a session is not flushed in the background.
func (g *golden) serve(t *testing.T, dir string, args ...string) *server {
	t.Helper()
	offset := fmt.Sprintf(`{"offset":%q}`, time.Until(g.Now))
	if err := os.WriteFile(filepath.Join(dir, "clock.json"), []byte(offset), 0o600); err != nil {
		t.Fatal(err)
	}
	return start(t, dir, append([]string{"--simulated-clock", "--session-idle-timeout", "24h"}, args...)...)
}

// unpackGolden unpacks the golden data directory.
func unpackGolden(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files := tar.NewReader(bytes.NewReader(gunzip(t, filepath.Join(goldenDir, "data.tar.gz"))))
	for {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		var content []byte
		if err == nil {
			content, err = io.ReadAll(files)
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(dir, h.Name)), 0o700)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, h.Name), content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func gunzip(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// A data directory of the old build opens, with its snapshot of the index and without, and
// answers as it did then.
func TestGoldenDirectoryOpens(t *testing.T) {
	g := readGolden(t)
	for _, x := range []struct {
		name     string
		snapshot bool
	}{{"with the index snapshot", true}, {"with a rebuilt index", false}} {
		t.Run(x.name, func(t *testing.T) {
			dir := unpackGolden(t)
			if !x.snapshot {
				if err := os.RemoveAll(filepath.Join(dir, "index")); err != nil {
					t.Fatal(err)
				}
			}
			s := g.serve(t, dir)
			for _, q := range g.Queries {
				compareAnswer(t, s, q.Name, q.Query, q.Variables, q.Directory)
			}
			s.stop()
		})
	}
}

// A data directory of the old build is sealed in the background by the first start, answers as before,
// and no longer has its content as plain text. A check of the stopped server does not begin that, and
// --seal=off leaves it as it is.
func TestGoldenDirectoryIsSealed(t *testing.T) {
	g := readGolden(t)
	dir := unpackGolden(t)
	text := []byte("lighthouse of Prigrad flashes")
	plain := func() bool { return filetest.Marks(t, dir, text).Times > 0 }
	if out, errs, _ := output(t, "doctor", "--data", dir); !strings.Contains(out, "checked ") {
		t.Errorf("doctor: %s%s", out, errs)
	}
	s := g.serve(t, dir, "--seal=off")
	s.stop()
	if !plain() || !strings.Contains(s.log.String(), "the content of the data directory is not sealed") {
		t.Fatalf("with --seal=off it is sealed, or was never plain:\n%s", s.log)
	}
	s = g.serve(t, dir)
	if !strings.Contains(s.log.String(), "is being sealed, in the background and for good") {
		t.Errorf("the log does not say that it is sealed:\n%s", s.log)
	}
	for _, q := range g.Queries {
		compareAnswer(t, s, q.Name, q.Query, q.Variables, q.Directory)
	}
	for end := time.Now().Add(testTimeout); !strings.Contains(s.log.String(), "the rows of earlier versions are sealed"); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it is not sealed:\n%s", s.log)
		}
	}
	s.stop()
	s = g.serve(t, dir)
	for _, q := range g.Queries {
		compareAnswer(t, s, q.Name, q.Query, q.Variables, q.Directory)
	}
	s.stop()
	if plain() {
		t.Error("the content is readable in the files of the sealed directory")
	}
}

// An export of the old build is imported into an empty store and answers the same.
// What an export does not carry (docs/formats/export.md) has an answer of its own.
func TestGoldenExportImports(t *testing.T) {
	g := readGolden(t)
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "recess"), os.DirFS(filepath.Join(unpackGolden(t), "recess"))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "export.jsonl")
	if err := os.WriteFile(file, gunzip(t, filepath.Join(goldenDir, "export.jsonl.gz")), 0o600); err != nil {
		t.Fatal(err)
	}
	s := g.serve(t, dir)
	moveInto(t, s, file)
	for _, q := range g.Queries {
		want := q.Import
		if want == nil {
			want = q.Directory
		}
		compareAnswer(t, s, q.Name, q.Query, q.Variables, want)
	}
	s.stop()
}

// A data directory of the old build can be written to: what it was about to do goes on.
func TestGoldenDirectoryGoesOn(t *testing.T) {
	g := readGolden(t)
	s := g.serve(t, unpackGolden(t))
	c := s.client()
	do := func(query string, variables map[string]any) string {
		t.Helper()
		var out json.RawMessage
		if err := c.Do(t.Context(), query, variables, &out); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return string(out)
	}
	expect := func(got string, wants ...string) {
		t.Helper()
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("the answer lacks %s:\n%s", want, got)
			}
		}
	}
	// An idempotency key of the old build is known.
	expect(do(`mutation{remember(input:{content:"Ines is allergic to peanuts.",consent:EXPLICIT,user:"ines",safetyCritical:true,important:true,sourceKind:SYSTEM,
		idempotencyKey:"peanuts-1"}){replayed memory{id}}}`, nil), `"replayed":true`, g.IDs["peanuts"])
	// The last sleep of the old build is taken back: the pier's red scarf is ACTIVE again.
	expect(do(`mutation($id:ID!){rollback(id:$id){report{rolledBackAt}}}`, map[string]any{"id": g.IDs["sleep3"]}), `"rolledBackAt":"2060-`)
	expect(do(`query($id:ID!){memory(id:$id){status}}`, map[string]any{"id": g.IDs["fleeting0"]}), `"status":"ACTIVE"`)
	// Turns that wait in L0 reach L1.
	expect(do(`mutation{closeSession(session:"evening",namespace:"talks"){flushed{id tier}}}`, nil), g.IDs["open0"], g.IDs["open2"], `"tier":"L1"`)
	// A chain goes on.
	supersede(t, c, g.IDs["home3"], "Ines lives in Trieste with her dog Balu.")
	expect(do(`query($id:ID!){lineage(id:$id){version memory{content}}}`, map[string]any{"id": g.IDs["home1"]}), "Graz", "Vienna", "Linz", "Trieste", `"version":4`)
	// An engram is erased, with the summary that was made of its memory; others stay.
	forget(t, c, g.IDs["depth"])
	expect(do(`query($a:ID!,$b:ID!){depth:memory(id:$a){status content} light:memory(id:$b){status content tier}}`, map[string]any{"a": g.IDs["depth"], "b": g.IDs["light"]}),
		`"status":"FORGOTTEN"`, `"content":"The lighthouse of Prigrad flashes white every 10 seconds."`, `"tier":"L3"`)
	// It sleeps again.
	expect(do(`mutation{sleep{report{complete degraded}}}`, nil), `"complete":true`, `"degraded":[]`)
	finds(t, s, "the blue dinghy in the shed", g.IDs["twin1"])
	s.stop()
}

// compareAnswer fails the test where a server answers otherwise than the old build.
func compareAnswer(t *testing.T, s *server, name, query string, variables map[string]any, want json.RawMessage) {
	t.Helper()
	var got, expected map[string]any
	err := json.Unmarshal(want, &expected)
	if err != nil {
		t.Fatal(err)
	}
	var data any
	err = s.client().Do(t.Context(), query, withoutCut(variables), &data)
	got = map[string]any{"data": data}
	var refused *client.Error
	if errors.As(err, &refused) {
		if errs, ok := expected["errors"].([]any); !ok || errs[0].(map[string]any)["extensions"].(map[string]any)["code"] != refused.Code {
			t.Errorf("%s: %v", name, err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	compare := difference
	switch input, _ := variables["i"].(map[string]any); {
	case strings.HasPrefix(name, "context "):
		compare = lessMemories
	case strings.HasPrefix(name, "search ") && input["user"] != nil:
		compare = lessMemories
	}
	if d := compare("", got["data"], expected["data"]); d != "" {
		t.Errorf("%s: %s", name, d)
	}
}

// withoutCut asks a search or a context for hits of any relevance, as the old build answered. A
// search for a user asks for more of them, because it also finds what belongs to nobody.
func withoutCut(variables map[string]any) map[string]any {
	input, ok := variables["i"].(map[string]any)
	if !ok {
		return variables
	}
	input = maps.Clone(input)
	input["minScoreRatio"] = 0
	if input["topK"] != nil && input["user"] != nil {
		input["topK"] = 50
	}
	variables = maps.Clone(variables)
	variables["i"] = input
	return variables
}

// lessMemories says which memories an answer lacks that the old build gave. Since then, a search
// for a user also finds what belongs to nobody, and a context has standing rules, speakers and
// marks and moves tokens between its layers.
func lessMemories(_ string, got, want any) string {
	has := map[string]bool{}
	for id := range memoriesOf(got) {
		has[id] = true
	}
	for id := range memoriesOf(want) {
		if !has[id] {
			return "the memory " + id + " is missing"
		}
	}
	return ""
}

// memoriesOf yields the ids of the memories in the hits of a search or the layers of a context.
func memoriesOf(answer any) iter.Seq[string] {
	return func(yield func(string) bool) {
		data, _ := answer.(map[string]any)
		if search, ok := data["search"].(map[string]any); ok {
			for id := range hitsByID(search["hits"]) {
				if !yield(id) {
					return
				}
			}
		}
		prompt, _ := data["context"].(map[string]any)
		layers, _ := prompt["layers"].([]any)
		for _, l := range layers {
			for _, id := range l.(map[string]any)["memoryIds"].([]any) {
				if !yield(id.(string)) {
					return
				}
			}
		}
	}
}

// loose are fields that later work on ranking may change, and by how much.
var loose = map[string]float64{
	"score": 0.15, "semantic": 0.15, "keyword": 0.15, "recency": 0.01, "importance": 0.01, "entity": 0.15, "retention": 0.01, "promotionRate": 0.01,
	"healthBefore": 0.02, "healthAfter": 0.02, "surprise": 0.01,
}

// redefined reports whether a field means something else since the old build: the days of use
// count from the upgrade, because earlier ones may be exposure, and a memory that was folded has
// the text that replaced it as its summary.
func redefined(path string, want any) bool {
	return strings.HasSuffix(path, ".engraveGates.days") || strings.HasSuffix(path, ".summary") && want == nil
}

// difference says where two JSON values differ; empty: nowhere that counts.
func difference(path string, got, want any) string {
	if redefined(path, want) {
		return ""
	}
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			break
		}
		for _, key := range slices.Sorted(maps.Keys(w)) {
			d := difference(path+"."+key, g[key], w[key])
			if key == "hits" {
				d = differentHits(g[key], w[key], w["consideredCount"])
			}
			if d != "" {
				return d
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			break
		}
		for i := range w {
			if d := difference(fmt.Sprintf("%s[%d]", path, i), g[i], w[i]); d != "" {
				return d
			}
		}
		return ""
	case float64:
		field := path[strings.LastIndexByte(path, '.')+1:]
		if g, ok := got.(float64); ok && math.Abs(g-w) <= max(loose[field], 2e-5) {
			return ""
		}
	default:
		if got == want {
			return ""
		}
	}
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(want)
	return fmt.Sprintf("%s is %s, was %s", path, g, w)
}

// differentHits compares the hits of a search. The first one must be the same, or its rival. Where every
// memory that was considered is a hit the sets are equal, otherwise half of them are the
// same. A hit that both answers have is the same in both.
func differentHits(got, want, considered any) string {
	g, w := hitsByID(got), hitsByID(want)
	if len(g) != len(w) {
		return fmt.Sprintf("%d hits, were %d", len(g), len(w))
	}
	if len(w) == 0 {
		return ""
	}
	best := func(hits any) map[string]any { return hits.([]any)[0].(map[string]any) }
	first := func(hits any) any { return best(hits)["memory"].(map[string]any)["id"] }
	rivals := best(got)["label"] == "CONTESTED" && best(want)["label"] == "CONTESTED" // since then, the later one comes first
	if first(got) != first(want) && !rivals {
		return fmt.Sprintf("the first hit is %v, was %v", first(got), first(want))
	}
	same := 0
	for id, hit := range w {
		if g[id] == nil {
			continue
		}
		same++
		if d := difference("hit "+id, g[id], hit); d != "" {
			return d
		}
	}
	if all := float64(len(w)) == considered; all && same < len(w) || 2*same < len(w) {
		return fmt.Sprintf("only %d of %d hits are the same", same, len(w))
	}
	return ""
}

func hitsByID(hits any) map[string]any {
	all := map[string]any{}
	list, _ := hits.([]any)
	for _, h := range list {
		all[h.(map[string]any)["memory"].(map[string]any)["id"].(string)] = h
	}
	return all
}
