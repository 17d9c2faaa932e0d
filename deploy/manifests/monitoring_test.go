package manifests

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"sigs.k8s.io/yaml"
)

// otherMetrics are made by others: Prometheus itself.
var otherMetrics = map[string]bool{"up": true}

var (
	metricsLine = regexp.MustCompile(`url=(http://[^ ]+/metrics)`)
	readyLine   = regexp.MustCompile(`msg=ready addr=([^ ]+)`)
)

// series returns the names of the series of a running server.
func series(t *testing.T) map[string]bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	dir := t.TempDir()
	cmd := exec.CommandContext(ctx, program(t), "serve", "--addr", "127.0.0.1:0", "--metrics-addr", "127.0.0.1:0", "--traces-to", "http://127.0.0.1:1",
		"--data", filepath.Join(dir, "data"), "--keys", filepath.Join(dir, "keys"))
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	metrics, addr, said := "", "", strings.Builder{}
	for lines := bufio.NewScanner(log); addr == "" && lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if m := metricsLine.FindStringSubmatch(lines.Text()); m != nil {
			metrics = m[1]
		}
		if m := readyLine.FindStringSubmatch(lines.Text()); m != nil {
			addr = m[1]
		}
	}
	go func() { _, _ = io.Copy(io.Discard, log) }() // so that the server can write on
	if metrics == "" || addr == "" {
		t.Fatalf("the server did not become ready:\n%s", &said)
	}
	get := func(url string) string {
		t.Helper()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err = errors.Join(err, resp.Body.Close()); err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	get("http://" + addr + "/graphql?query={__typename}") // a route has metrics from its first request
	body := get(metrics)
	for !strings.Contains(body, "\nsomnograph_indicator{") { // the indicators are read first after the start
		body = get(metrics)
	}
	names := map[string]bool{}
	for line := range strings.Lines(body) {
		if !strings.HasPrefix(line, "#") {
			name, _, _ := strings.Cut(line, " ")
			name, _, _ = strings.Cut(name, "{")
			names[name] = true
		}
	}
	if !names["somnograph_memories"] || !names["somnograph_http_requests_in_flight"] {
		t.Fatalf("the server has no metrics:\n%.500s", body)
	}
	return names
}

// checkQuery parses a query and checks that its metrics exist.
func checkQuery(t *testing.T, at, query string, names map[string]bool) {
	t.Helper()
	parsed, err := parser.NewParser(parser.Options{}).ParseExpr(query)
	if err != nil {
		t.Errorf("%s: %v in %s", at, err, query)
		return
	}
	found := 0
	parser.Inspect(parsed, func(n parser.Node, _ []parser.Node) error {
		if v, ok := n.(*parser.VectorSelector); ok {
			found++
			if !names[v.Name] && !otherMetrics[v.Name] {
				t.Errorf("%s: no server has the metric %s", at, v.Name)
			}
		}
		return nil
	})
	if found == 0 {
		t.Errorf("%s: %s reads no metric", at, query)
	}
}

func TestAlertRules(t *testing.T) {
	names := series(t)
	groups, errs := rulefmt.ParseFile("../prometheus/somnograph.rules.yaml", false, model.UTF8Validation, parser.NewParser(parser.Options{}))
	if len(errs) > 0 {
		t.Fatal(errors.Join(errs...))
	}
	doc, err := os.ReadFile("../../docs/telemetry.md")
	if err != nil {
		t.Fatal(err)
	}
	alerts := 0
	for _, g := range groups.Groups {
		for _, r := range g.Rules {
			alerts++
			checkQuery(t, r.Alert, r.Expr, names)
			if r.Labels["severity"] == "" || r.Annotations["summary"] == "" {
				t.Errorf("%s has no severity or summary", r.Alert)
			}
			if !strings.Contains(string(doc), "`"+r.Alert+"`") {
				t.Errorf("docs/telemetry.md does not say what to do about %s", r.Alert)
			}
		}
	}
	if alerts < 10 {
		t.Errorf("%d alerts", alerts)
	}
}

// The rule about the working buffer reads its fill, which does not depend on the size that the server allows,
// and not a number of turns.
func TestBufferRuleIsRelative(t *testing.T) {
	groups, errs := rulefmt.ParseFile("../prometheus/somnograph.rules.yaml", false, model.UTF8Validation, parser.NewParser(parser.Options{}))
	if len(errs) > 0 {
		t.Fatal(errors.Join(errs...))
	}
	for _, g := range groups.Groups {
		for _, r := range g.Rules {
			if r.Alert != "SomnographBufferFull" {
				continue
			}
			parsed, err := parser.NewParser(parser.Options{}).ParseExpr(r.Expr)
			if err != nil {
				t.Fatal(err)
			}
			compared, ok := parsed.(*parser.BinaryExpr)
			if !ok || compared.Op != parser.GTR {
				t.Fatalf("%s is no comparison", r.Expr)
			}
			fill, ok := compared.LHS.(*parser.VectorSelector)
			limit, literal := compared.RHS.(*parser.NumberLiteral)
			if !ok || !literal || fill.String() != `somnograph_indicator{name="l0_fill"}` || limit.Val <= 0 || limit.Val >= 1 {
				t.Errorf("%s does not compare the fill with a part of it", r.Expr)
			}
			return
		}
	}
	t.Error("there is no rule SomnographBufferFull")
}

func TestPrometheusLoadsTheRules(t *testing.T) {
	raw, err := os.ReadFile("../prometheus/prometheus.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		RuleFiles     []string `json:"rule_files"`
		ScrapeConfigs []struct {
			JobName string `json:"job_name"`
		} `json:"scrape_configs"`
	}
	if err := yaml.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	for _, name := range c.RuleFiles {
		if _, err := os.Stat(filepath.Join("../prometheus", name)); err != nil {
			t.Error(err)
		}
	}
	// The rule on up names the job.
	if len(c.RuleFiles) != 1 || len(c.ScrapeConfigs) != 1 || c.ScrapeConfigs[0].JobName != "somnograph" {
		t.Errorf("%+v", c)
	}
}

func TestDashboards(t *testing.T) {
	names := series(t)
	var sources struct {
		Datasources []struct{ UID, Type string }
	}
	raw, err := os.ReadFile("../grafana/provisioning/datasources/prometheus.yaml")
	if err == nil {
		err = yaml.Unmarshal(raw, &sources)
	}
	if err != nil || len(sources.Datasources) != 1 {
		t.Fatalf("%+v, %v", sources, err)
	}
	files, err := filepath.Glob("../grafana/dashboards/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no dashboard, %v", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var d struct {
			UID, Title string
			Panels     []struct {
				ID          int
				Type, Title string
				Datasource  struct{ UID string }
				Targets     []struct{ Expr string }
			}
		}
		if err := json.Unmarshal(raw, &d); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		ids, queries := map[int]bool{}, 0
		for _, p := range d.Panels {
			if ids[p.ID] {
				t.Errorf("two panels have the id %d", p.ID)
			}
			ids[p.ID] = true
			if p.Type == "row" {
				continue
			}
			if p.Datasource.UID != sources.Datasources[0].UID {
				t.Errorf("%s reads the data source %q, which is not provisioned", p.Title, p.Datasource.UID)
			}
			for _, x := range p.Targets {
				queries++
				checkQuery(t, d.Title+", "+p.Title, strings.ReplaceAll(x.Expr, "$__rate_interval", "5m"), names)
			}
		}
		if d.UID == "" || queries < 10 {
			t.Errorf("%s has the uid %q and %d queries", file, d.UID, queries)
		}
	}
}
