package main

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/somnograph/somnograph/engine/alarm"
)

var indicatorRule = regexp.MustCompile(`somnograph_indicator\{name="(\w+)"\} (<|>) ([0-9.]+)`)

// Alert rules about an indicator have the limits of the server's own alarms.
func TestAlertRulesHaveTheLimitsOfTheAlarms(t *testing.T) {
	rules, err := os.ReadFile("../../deploy/prometheus/somnograph.rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	found := indicatorRule.FindAllStringSubmatch(string(rules), -1)
	if len(found) == 0 {
		t.Fatal("no rule reads an indicator")
	}
	for _, m := range found {
		i, known := alarm.Find(m[1])
		limit, err := strconv.ParseFloat(m[3], 64)
		if !known || err != nil || (m[2] == "<") != i.HigherIsBetter || limit != i.Warning && limit != i.Critical {
			t.Errorf("%s: the server warns at %v and %v", m[0], i.Warning, i.Critical)
		}
	}
}
