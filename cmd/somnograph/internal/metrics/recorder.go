package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Recorder implements telemetry.Recorder.
type Recorder struct {
	verbSeconds    *prometheus.HistogramVec
	verbErrors     *prometheus.CounterVec
	storeSeconds   *prometheus.HistogramVec
	storeErrors    *prometheus.CounterVec
	channelSeconds *prometheus.HistogramVec
	candidates     *prometheus.CounterVec
	searches       *prometheus.CounterVec
	degraded       *prometheus.CounterVec
	phaseSeconds   *prometheus.HistogramVec
	phaseItems     *prometheus.CounterVec
	sleepSeconds   *prometheus.HistogramVec
	sleeps         *prometheus.CounterVec
	lastSleep      *prometheus.GaugeVec
	modelSeconds   *prometheus.HistogramVec
	modelTexts     *prometheus.CounterVec
	modelErrors    *prometheus.CounterVec
	now            func() time.Time
}

// Buckets in seconds.
var (
	fast = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 5}
	long = []float64{.01, .1, .5, 1, 5, 10, 30, 60, 300, 900, 3600}
)

// NewRecorder registers the metrics of the engine. stores are the names of the stores in use. now is
// the machine's clock.
func NewRecorder(r prometheus.Registerer, stores []string, now func() time.Time) (*Recorder, error) {
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "somnograph", Name: name, Help: help, Buckets: buckets}, labels)
	}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "somnograph", Name: name, Help: help}, labels)
	}
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "somnograph", Name: name, Help: help}, labels)
	}
	m := &Recorder{
		verbSeconds:    histogram("verb_duration_seconds", "Time of calls of the engine by verb.", fast, "verb"),
		verbErrors:     counter("verb_errors_total", "Failed calls of the engine by verb and code of the error.", "verb", "code"),
		storeSeconds:   histogram("store_operation_duration_seconds", "Time of operations of a store: read and write with the caller's work in the transaction, commit without.", fast, "store", "operation"),
		storeErrors:    counter("store_errors_total", "Operations that a store failed, by code of the error.", "store", "operation", "code"),
		channelSeconds: histogram("recall_channel_duration_seconds", "Working time of the channels of recall.", fast, "channel"),
		candidates:     counter("recall_candidates_total", "Candidates that the channels of recall found.", "channel"),
		searches:       counter("searches_total", "Searches by whether they found anything.", "result"),
		degraded:       counter("searches_degraded_total", "Searches that a part was unavailable to.", "part"),
		phaseSeconds:   histogram("sleep_phase_duration_seconds", "Time of the phases of sleeps.", long, "phase"),
		phaseItems:     counter("sleep_phase_items_total", "Items of the phases of sleeps.", "phase"),
		sleepSeconds:   histogram("sleep_duration_seconds", "Time of sleeps by kind.", long, "kind"),
		sleeps:         counter("sleeps_total", "Sleeps that ended, by kind and result.", "kind", "result"),
		lastSleep:      gauge("sleep_last_completed_timestamp_seconds", "When the last sleep of a kind completed on this server since its start, in Unix seconds; 0: none has.", "kind"),
		modelSeconds:   histogram("model_call_duration_seconds", "Time of calls of a model, one try each, by its purpose.", fast, "purpose"),
		modelTexts:     counter("model_texts_total", "Texts in calls of a model.", "purpose"),
		modelErrors:    counter("model_call_errors_total", "Failed calls of a model: open, cancelled, timeout, other, or the HTTP status.", "purpose", "failure"),
		now:            now,
	}
	for _, c := range []prometheus.Collector{
		m.verbSeconds, m.verbErrors, m.storeSeconds, m.storeErrors, m.channelSeconds, m.candidates, m.searches, m.degraded, m.phaseSeconds,
		m.phaseItems, m.sleepSeconds, m.sleeps, m.lastSleep, m.modelSeconds, m.modelTexts, m.modelErrors,
	} {
		if err := r.Register(c); err != nil {
			return nil, err
		}
	}
	m.begin(stores)
	return m, nil
}

// begin makes the series whose labels are known, so that a rate has a beginning.
func (m *Recorder) begin(stores []string) {
	for _, store := range stores {
		for _, op := range graph.StoreOperations {
			m.storeSeconds.WithLabelValues(store, op)
			for _, code := range []graph.Code{graph.CodeUnavailable, graph.CodeInternal, graph.CodeIntegrityFailure} {
				m.storeErrors.WithLabelValues(store, op, string(code))
			}
		}
	}
	for _, c := range index.Channels {
		m.channelSeconds.WithLabelValues(c)
		m.candidates.WithLabelValues(c)
	}
	for _, verb := range []string{"remember", "search", "sleep"} {
		m.verbSeconds.WithLabelValues(verb)
		m.verbErrors.WithLabelValues(verb, string(graph.CodeInternal))
	}
	m.searches.WithLabelValues("found")
	m.searches.WithLabelValues("nothing")
	for _, part := range engine.Parts {
		m.degraded.WithLabelValues(string(part))
	}
	for _, p := range engine.SleepPhases {
		m.phaseSeconds.WithLabelValues(string(p))
		m.phaseItems.WithLabelValues(string(p))
	}
	for _, kind := range []engine.SleepKind{engine.LightSleep, engine.DeepSleep} {
		m.sleepSeconds.WithLabelValues(string(kind))
		m.lastSleep.WithLabelValues(string(kind))
		m.sleeps.WithLabelValues(string(kind), "completed")
		m.sleeps.WithLabelValues(string(kind), "interrupted")
	}
	for _, purpose := range []string{models.PurposeEmbedder, models.PurposeReranker, models.PurposeChat} {
		m.modelSeconds.WithLabelValues(purpose)
		m.modelTexts.WithLabelValues(purpose)
		m.modelErrors.WithLabelValues(purpose, "other")
	}
}

// Verb implements telemetry.Recorder.
func (m *Recorder) Verb(verb string, took time.Duration, code graph.Code) {
	m.verbSeconds.WithLabelValues(verb).Observe(took.Seconds())
	if code != "" {
		m.verbErrors.WithLabelValues(verb, string(code)).Inc()
	}
}

// Store implements telemetry.Recorder.
func (m *Recorder) Store(store, operation string, took time.Duration, code graph.Code) {
	m.storeSeconds.WithLabelValues(store, operation).Observe(took.Seconds())
	if code != "" {
		m.storeErrors.WithLabelValues(store, operation, string(code)).Inc()
	}
}

// Channel implements telemetry.Recorder.
func (m *Recorder) Channel(channel string, took time.Duration, candidates int) {
	m.channelSeconds.WithLabelValues(channel).Observe(took.Seconds())
	m.candidates.WithLabelValues(channel).Add(float64(candidates))
}

// Search implements telemetry.Recorder.
func (m *Recorder) Search(found bool, degraded []string) {
	result := "nothing"
	if found {
		result = "found"
	}
	m.searches.WithLabelValues(result).Inc()
	for _, part := range degraded {
		m.degraded.WithLabelValues(part).Inc()
	}
}

// Phase implements telemetry.Recorder.
func (m *Recorder) Phase(phase string, took time.Duration, items int) {
	m.phaseSeconds.WithLabelValues(phase).Observe(took.Seconds())
	m.phaseItems.WithLabelValues(phase).Add(float64(items))
}

// Sleep implements telemetry.Recorder.
func (m *Recorder) Sleep(kind string, took time.Duration, completed bool) {
	m.sleepSeconds.WithLabelValues(kind).Observe(took.Seconds())
	if !completed {
		m.sleeps.WithLabelValues(kind, "interrupted").Inc()
		return
	}
	m.sleeps.WithLabelValues(kind, "completed").Inc()
	m.lastSleep.WithLabelValues(kind).Set(float64(m.now().Unix()))
}

// Model implements telemetry.Recorder.
func (m *Recorder) Model(purpose string, took time.Duration, texts int, failure string) {
	m.modelSeconds.WithLabelValues(purpose).Observe(took.Seconds())
	m.modelTexts.WithLabelValues(purpose).Add(float64(texts))
	if failure != "" {
		m.modelErrors.WithLabelValues(purpose, failure).Inc()
	}
}
