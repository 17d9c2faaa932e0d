package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/oidc"
)

// issuers is the collector of NewIssuers.
type issuers struct {
	tokens *oidc.Verifier
	up     *prometheus.Desc
}

// NewIssuers collects whether the issuers of tokens can be reached.
func NewIssuers(tokens *oidc.Verifier) prometheus.Collector {
	return issuers{tokens, prometheus.NewDesc("somnograph_oidc_issuer_up", "Whether the issuer's keys could be read at the last try.", []string{"issuer"}, nil)}
}

// Describe implements prometheus.Collector.
func (i issuers) Describe(ch chan<- *prometheus.Desc) { ch <- i.up }

// Collect implements prometheus.Collector.
func (i issuers) Collect(ch chan<- prometheus.Metric) {
	for issuer, up := range i.tokens.Up() {
		value := 0.0
		if up {
			value = 1
		}
		ch <- prometheus.MustNewConstMetric(i.up, prometheus.GaugeValue, value, issuer)
	}
}
