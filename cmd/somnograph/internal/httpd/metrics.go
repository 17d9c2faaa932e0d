package httpd

import (
	"bufio"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics counts requests. It is a prometheus.Collector.
type Metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	inFlight prometheus.Gauge
	now      func() time.Time
}

// NewMetrics makes the metrics of requests.
func NewMetrics(now func() time.Time) *Metrics {
	return &Metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "somnograph_http_requests_total", Help: "Requests by route and status code.",
		}, []string{"route", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "somnograph_http_request_duration_seconds", Help: "Time from the first byte of a request to the end of its response, without streams.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 2, 16),
		}, []string{"route"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "somnograph_http_requests_in_flight", Help: "Requests and streams in flight.",
		}),
		now: now,
	}
}

// Describe implements prometheus.Collector.
func (m *Metrics) Describe(ch chan<- *prometheus.Desc) {
	m.requests.Describe(ch)
	m.seconds.Describe(ch)
	m.inFlight.Describe(ch)
}

// Collect implements prometheus.Collector.
func (m *Metrics) Collect(ch chan<- prometheus.Metric) {
	m.requests.Collect(ch)
	m.seconds.Collect(ch)
	m.inFlight.Collect(ch)
}

// Count counts and times the requests of a route.
func (m *Metrics) Count(route string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := m.now()
		m.inFlight.Inc()
		s := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			m.inFlight.Dec()
			m.requests.WithLabelValues(route, strconv.Itoa(s.status)).Inc()
			if !s.stream {
				m.seconds.WithLabelValues(route).Observe(m.now().Sub(began).Seconds())
			}
		}()
		next.ServeHTTP(s, r)
	})
}

// statusWriter records the status and whether the response is a stream.
type statusWriter struct {
	http.ResponseWriter
	status int
	wrote  bool
	stream bool
}

func (w *statusWriter) WriteHeader(status int) {
	if !w.wrote {
		w.status, w.wrote = status, true
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(b []byte) (int, error) {
	w.wrote = true
	return w.ResponseWriter.Write(b)
}

// Flush implements http.Flusher.
func (w *statusWriter) Flush() { _ = w.FlushError() }

// FlushError sends buffered data, for server-sent events.
func (w *statusWriter) FlushError() error {
	w.stream = true
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Hijack takes over the connection, for WebSockets.
func (w *statusWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	w.stream, w.status, w.wrote = true, http.StatusSwitchingProtocols, true
	return http.NewResponseController(w.ResponseWriter).Hijack()
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
