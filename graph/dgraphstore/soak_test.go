//go:build soak

package dgraphstore

import "testing"

// TestSoakKill is TestKill for longer.
func TestSoakKill(t *testing.T) { killRounds(t, 20, 200) }
