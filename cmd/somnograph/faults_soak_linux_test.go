//go:build soak

package main

import (
	"cmp"
	"os"
	"testing"
	"time"
)

// TestSoakLinesAreCut is TestLinesAreCut with three alphas, of which one is also cut off, and
// with cuts of duration SOAK_CUT (1m).
func TestSoakLinesAreCut(t *testing.T) {
	lasting, err := time.ParseDuration(cmp.Or(os.Getenv("SOAK_CUT"), "1m"))
	if err != nil {
		t.Fatal(err)
	}
	cutLines(t, 3, lasting)
}
