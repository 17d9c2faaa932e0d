package main

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/internal/collectortest"
)

// metric is a metric of this server: its type and its labels.
type metric struct{ kind, labels string }

var (
	metricRow  = regexp.MustCompile("(?m)^\\| `(somnograph_[a-z_]+)` \\| ([a-z]+) \\| ([^|]*)\\|")
	metricType = regexp.MustCompile(`(?m)^# TYPE (somnograph_[a-z_]+) ([a-z]+)$`)
	labelName  = regexp.MustCompile(`([a-z_]+)="`)
)

// served reads the answer of /metrics.
func served(body string) map[string]metric {
	all := map[string]metric{}
	for _, m := range metricType.FindAllStringSubmatch(body, -1) {
		labels := map[string]bool{}
		series := regexp.MustCompile(`(?m)^` + m[1] + `(?:_bucket|_sum|_count)?(\{.*\})? [^ ]+$`)
		for _, s := range series.FindAllStringSubmatch(body, -1) {
			for _, l := range labelName.FindAllStringSubmatch(s[1], -1) {
				if l[1] != "le" {
					labels[l[1]] = true
				}
			}
		}
		all[m[1]] = metric{m[2], fmt.Sprint(slices.Sorted(maps.Keys(labels)))}
	}
	return all
}

// docs/metrics.md lists the metrics of a server with their types and labels, and no others.
func TestEveryMetricIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]metric{}
	for _, m := range metricRow.FindAllStringSubmatch(string(doc), -1) {
		var labels []string
		for l := range strings.SplitSeq(m[3], ",") {
			if l = strings.Trim(l, " `"); l != "" {
				labels = append(labels, l)
			}
		}
		slices.Sort(labels)
		if labels == nil {
			labels = []string{}
		}
		documented[m[1]] = metric{m[2], fmt.Sprint(labels)}
	}
	delete(documented, "somnograph_oidc_issuer_up") // only with an issuer; its test is in oidc_test.go
	s := start(t, t.TempDir(), "--metrics-addr", "127.0.0.1:0", "--traces-to", "http://127.0.0.1:1")
	remember(t, s.client(), "The winch sticks again.")
	_, _, body := s.metrics().get("/metrics")
	got := served(body)
	for name, want := range documented {
		if got[name] != want {
			t.Errorf("%s is served as %v, and docs/metrics.md says %v", name, got[name], want)
		}
	}
	for name, m := range got {
		if documented[name] == (metric{}) {
			t.Errorf("docs/metrics.md lacks %s %v", name, m)
		}
		for _, private := range []string{"tenant", "user", "namespace"} {
			if strings.Contains(m.labels, private) {
				t.Errorf("%s has the label %s", name, private)
			}
		}
	}
	s.stop()
}

// The metrics count what a client did.
func TestMetricsCountWhatWasDone(t *testing.T) {
	s := start(t, t.TempDir(), "--metrics-addr", "127.0.0.1:0")
	remember(t, s.client(), "The winch sticks again.")
	s.operation("", `{search(input:{query:"winch"}){hits{score}}}`)
	s.operation("", `mutation{sleep(input:{deep:true,wait:true}){report{id}}}`)
	_, _, body := s.metrics().get("/metrics")
	for _, want := range []string{
		`somnograph_verb_duration_seconds_count{verb="remember"} 1`,
		`somnograph_verb_duration_seconds_count{verb="search"} 1`,
		`somnograph_recall_channel_duration_seconds_count{channel="words"} 1`,
		`somnograph_recall_channel_duration_seconds_count{channel="vectors"} 1`,
		`somnograph_searches_total{result="found"} 1`,
		`somnograph_sleeps_total{kind="DEEP",result="completed"} 1`,
		`somnograph_sleep_phase_duration_seconds_count{phase="N1"} 1`,
		`somnograph_tier_memories{tier="L1"} 1`,
		`somnograph_memories{status="ACTIVE"} 1`,
		`somnograph_store_ready 1`,
		`somnograph_tenants 1`,
	} {
		if !strings.Contains(body, want+"\n") {
			t.Errorf("the metrics lack %s", want)
		}
	}
	for _, busy := range []string{`somnograph_store_operation_duration_seconds_count{operation="commit",store="badger"}`, `somnograph_model_texts_total{purpose="embedder"}`} {
		if !strings.Contains(body, busy) || strings.Contains(body, busy+" 0\n") {
			t.Errorf("%s is 0", busy)
		}
	}
	s.stop()
}

// The metrics that are served also reach a collector, over both protocols, with those of the last minute when the server ends.
func TestMetricsReachACollector(t *testing.T) {
	collector := collectortest.Start(t)
	for _, x := range []struct {
		to      string
		environ []string
	}{
		{collector.URL, nil},
		{"otlp", []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.GRPC, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"}},
	} {
		cmd := serveCommand(t, t.TempDir(), "--metrics-addr", "127.0.0.1:0", "--metrics-to", x.to)
		cmd.Env = append(cmd.Env, x.environ...)
		s := waitReady(t, &server{t: t, cmd: cmd})
		remember(t, s.client(), winchText)
		_, _, body := s.metrics().get("/metrics")
		s.stop()
		sent := collector.Metrics()
		for name := range served(body) {
			if m := sent[name]; m.Points == 0 || m.Resource["service.name"] != "somnograph" {
				t.Errorf("to %s: the collector has %s as %+v", x.to, name, m)
			}
		}
	}
	if strings.Contains(collector.Raw(), "zanthrax") {
		t.Error("the metrics have content")
	}
}
