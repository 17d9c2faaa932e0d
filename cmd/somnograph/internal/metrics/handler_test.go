package metrics

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// away is a collector of which one metric can't be read.
type away struct{ ready, memories *prometheus.Desc }

func (a away) Describe(ch chan<- *prometheus.Desc) { ch <- a.ready; ch <- a.memories }

func (a away) Collect(ch chan<- prometheus.Metric) {
	ch <- prometheus.MustNewConstMetric(a.ready, prometheus.GaugeValue, 0)
	ch <- prometheus.NewInvalidMetric(a.memories, errors.New("the store is away"))
}

// While some metrics can't be read the others are served.
func TestMetricsThatCanBeReadAreServed(t *testing.T) {
	all := prometheus.NewRegistry()
	all.MustRegister(away{prometheus.NewDesc("store_ready", "1 if it is.", nil, nil), prometheus.NewDesc("memories", "How many.", nil, nil)})
	w := httptest.NewRecorder()
	Handler(all).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, "store_ready 0") || strings.Contains(body, "\nmemories ") {
		t.Errorf("%d %s", w.Code, body)
	}
}
