//go:build soak

package instance

import "testing"

func TestSoakKilledSleep(t *testing.T) { killNights(t, 1, 20, 3) }
