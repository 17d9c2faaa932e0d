package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
)

// healthGauges collects the indicators of health and the active alarms.
type healthGauges struct {
	in                *instance.Instance
	indicator, active *prometheus.Desc
}

func newHealthGauges(in *instance.Instance) healthGauges {
	return healthGauges{
		in:        in,
		indicator: prometheus.NewDesc("somnograph_indicator", "Last value of an indicator of health, the worst of its subjects and tenants.", []string{"name"}, nil),
		active:    prometheus.NewDesc("somnograph_alarm_active", "Active alarms by indicator and severity.", []string{"indicator", "severity"}, nil),
	}
}

// Describe implements prometheus.Collector.
func (g healthGauges) Describe(ch chan<- *prometheus.Desc) { ch <- g.indicator; ch <- g.active }

// Collect implements prometheus.Collector.
func (g healthGauges) Collect(ch chan<- prometheus.Metric) {
	indicators, alarms := g.in.Engine.HealthGauges()
	for _, i := range indicators {
		ch <- prometheus.MustNewConstMetric(g.indicator, prometheus.GaugeValue, i.Value, i.Indicator)
	}
	for _, a := range alarms {
		ch <- prometheus.MustNewConstMetric(g.active, prometheus.GaugeValue, a.Value, a.Indicator, string(a.Severity))
	}
}
