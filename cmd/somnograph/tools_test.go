package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/measure/retrieval"
)

const talks = "testdata/talks.jsonl"

func TestImportThenSearchThenEval(t *testing.T) {
	s := start(t, t.TempDir())
	if _, errs, code := output(t, "eval", "recall", "--addr", s.url, talks); code != exitFailed || !strings.Contains(errs, "import "+talks+" first") {
		t.Errorf("eval before the import: code %d\n%s", code, errs)
	}
	out, errs, code := output(t, "import", "--addr", s.url, talks)
	if code != 0 || !strings.Contains(out, "8 imported in") {
		t.Fatalf("import: code %d\n%s%s", code, out, errs)
	}
	if out, errs, code := output(t, "import", "--addr", s.url, talks); code != 0 || !strings.Contains(out, "0 imported, 8 already there") {
		t.Errorf("import again: code %d\n%s%s", code, out, errs)
	}
	out, errs, code = output(t, "search", "--addr", s.url, "--namespace", "quay_talk", "-k", "3", "spare", "compass")
	if code != 0 || !strings.Contains(strings.SplitN(out, "\n", 3)[1], "spare compass in the blue toolbox") || !strings.Contains(out, "of 5 memories") {
		t.Errorf("search: code %d\n%s%s", code, out, errs)
	}
	var found client.Found
	out, _, _ = output(t, "search", "--addr", s.url, "--json", "cello")
	if err := json.Unmarshal([]byte(out), &found); err != nil || len(found.Hits) == 0 || found.Hits[0].Memory.Source != "a4" {
		t.Errorf("search --json: %v\n%s", err, out)
	}
	out, errs, code = output(t, "eval", "recall", "--addr", s.url, talks)
	if code != 0 || !regexp.MustCompile(`(?m)^all +4 +1\.000 +1\.000 `).MatchString(out) || !strings.Contains(out, "not asked: 1 question without evidence") {
		t.Errorf("eval: code %d\n%s%s", code, out, errs)
	}
	var table struct {
		Rows            []retrieval.Row
		WithoutEvidence int
	}
	out, _, _ = output(t, "eval", "recall", "--addr", s.url, "--json", talks)
	if err := json.Unmarshal([]byte(out), &table); err != nil || len(table.Rows) != 4 || table.WithoutEvidence != 1 || table.Rows[2].Category != "thing" || table.Rows[2].Questions != 2 {
		t.Errorf("eval --json: %v\n%s", err, out)
	}
	s.stop()
}

func TestImportOfMemoriesNamesBadLines(t *testing.T) {
	s := start(t, t.TempDir())
	path := filepath.Join(t.TempDir(), "memories.jsonl")
	file := `{"content":"The harbour closes at nine.","consent":"EXPLICIT","tags":["harbour"]}
{"content":"no consent"}
{"content":"no such type","consent":"EXPLICIT","importance":3}
not JSON
{"content":"` + strings.Repeat("A long report of the storm. ", 40) + `","consent":"EXPLICIT","namespace":"reports"}
`
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, code := output(t, "import", "--addr", s.url, "--max-content", "300", path)
	if code != exitFailed || !strings.Contains(out, "refused") {
		t.Errorf("code %d\n%s%s", code, out, errs)
	}
	for _, want := range []string{"line 2: CONSENT_REQUIRED", "line 3: INVALID_REQUEST: importance", "line 4: is not JSON"} {
		if !strings.Contains(errs, want) {
			t.Errorf("the errors lack %q:\n%s", want, errs)
		}
	}
	found, err := s.client().Search(t.Context(), client.Search{Query: "storm report", Namespaces: []string{"reports"}})
	if err != nil || found.ConsideredCount < 4 {
		t.Errorf("%+v, %v: want the parts of the long memory", found, err)
	}
	// A flag states the consent of the whole file.
	if _, errs, _ := output(t, "import", "--addr", s.url, "--consent", "IMPLICIT", path); strings.Contains(errs, "CONSENT_REQUIRED") {
		t.Errorf("with --consent:\n%s", errs)
	}
	s.stop()
}

func TestConfigPrintsSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte("data: /somewhere\nlog-level: debug\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SOMNOGRAPH_LOG_LEVEL", "warn")
	out, errs, code := output(t, "config", "--config", path, "--shutdown-timeout", "3s")
	if code != 0 {
		t.Fatal(errs)
	}
	for _, want := range []string{`data: +/somewhere +# ` + regexp.QuoteMeta(path), `log-level: +warn +# SOMNOGRAPH_LOG_LEVEL`, `shutdown-timeout: +3s +# --shutdown-timeout`, `addr: +127.0.0.1:8420 +# default`,
		`keys: +/.+/somnograph/keys +# default`, `pepper-file: +/somewhere/access/pepper +# default`} {
		if !regexp.MustCompile(`(?m)^` + want + `$`).MatchString(out) {
			t.Errorf("the output lacks %s:\n%s", want, out)
		}
	}
}

func TestVersion(t *testing.T) {
	if out, _, code := output(t, "version"); code != 0 || !strings.HasPrefix(out, "somnograph ") {
		t.Errorf("code %d: %s", code, out)
	}
}

func TestBenchComparesInPairs(t *testing.T) {
	var exports atomic.Int64
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { exports.Add(1) }))
	defer collector.Close()
	out, errs, code := output(t, "bench", "--memories", "150", "--searches", "33", "--paired", "telemetry,clusters", "--traces-to", collector.URL, "--dir", t.TempDir())
	var report struct {
		Results []struct {
			Of                                       string
			Clusters, Patterns, SearchesWithPatterns int
			Searches                                 map[string]struct {
				N         int
				Without   struct{ ExportMs, AllocatedKiB float64 }
				Processor struct{ Ratio, Low, High float64 }
				Allocated struct{ Ratio float64 }
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || len(report.Results) != 2 {
		t.Fatalf("code %d, %v\n%s%s", code, err, out, errs)
	}
	for i, of := range []string{"telemetry", "clusters"} {
		r := report.Results[i]
		if r.Of != of || len(r.Searches) != 4 {
			t.Errorf("%+v, want four kinds of searches of %s", r, of)
		}
		allocated := 0.0 // the mean: of 33 searches a ratio is not sure
		for kind, x := range r.Searches {
			allocated += x.Allocated.Ratio / float64(len(r.Searches))
			if x.N != 33 || x.Processor.Ratio <= 0 || x.Processor.Low > x.Processor.High || x.Without.AllocatedKiB <= 0 || x.Without.ExportMs != 0 {
				t.Errorf("%s, %s: %+v", of, kind, x)
			}
		}
		if of == "telemetry" && allocated <= 1 {
			t.Errorf("spans allocate nothing: %+v", r.Searches)
		}
	}
	if exports.Load() == 0 {
		t.Error("no span was exported")
	}
	if r := report.Results[1]; r.Clusters == 0 || r.Patterns == 0 || r.SearchesWithPatterns == 0 {
		t.Errorf("%d clusters, %d patterns, %d searches that found one: the comparison is of nothing", r.Clusters, r.Patterns, r.SearchesWithPatterns)
	}
	if _, errs, code := output(t, "bench", "--paired", "telemetry", "--dir", t.TempDir()); code != exitUsage || !strings.Contains(errs, "--traces-to") {
		t.Errorf("without a collector: code %d, %s", code, errs)
	}
}

func TestBenchMeasures(t *testing.T) {
	out, errs, code := output(t, "bench", "--memories", "300", "--searches", "20", "--profile", "low-memory", "--dir", t.TempDir())
	var report struct {
		Results []struct {
			Memories                                          int
			RememberManyPerSecond, ParallelPerSecond, StartMs float64
			RssBytes, IdleRssBytes, FillRssBytes, DiskBytes   int64
			Remember                                          struct{ N int }
			Search                                            map[string]struct{ N int }
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || len(report.Results) != 1 {
		t.Fatalf("code %d, %v\n%s%s", code, err, out, errs)
	}
	r := report.Results[0]
	if r.Memories != 300 || r.RememberManyPerSecond <= 0 || r.ParallelPerSecond <= 0 || r.StartMs <= 0 || r.RssBytes == 0 || r.IdleRssBytes == 0 || r.FillRssBytes == 0 || r.DiskBytes == 0 ||
		r.Remember.N != 200 || len(r.Search) != 4 || r.Search["http BALANCED"].N != 20 || r.Search["http FAST"].N != 20 {
		t.Errorf("report = %+v", r)
	}
}
