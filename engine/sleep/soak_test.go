//go:build soak

package sleep_test

import (
	"math/rand/v2"
	"testing"
)

func TestSoakErasureDuringSleep(t *testing.T) { eraseDuringSleep(t, 1) }

func TestSoakRandomNights(t *testing.T) { liveRandomly(t, 60) }

func TestSoakReadsAndWritesDuringSleep(t *testing.T) {
	for range 60 {
		// Each run closes its engine before the next begins.
		if !t.Run("life", func(t *testing.T) { liveThrough(t, rand.Uint64(), 300, 20) }) {
			return
		}
	}
}
