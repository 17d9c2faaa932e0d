//go:build soak && linux

package badgerstore_test

import (
	"os"
	"strconv"
	"testing"
)

// The soak tests run the faults for longer: go test -tags soak -timeout 60m. SOAK_ROUNDS
// scales them; 1 is the default.
func rounds(t *testing.T, n int) int {
	t.Helper()
	s := os.Getenv("SOAK_ROUNDS")
	if s == "" {
		return n
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatalf("SOAK_ROUNDS: %v", err)
	}
	return max(1, int(f*float64(n)))
}

func TestSoakKill(t *testing.T) { killRounds(t, rounds(t, 200)) }

func TestSoakFlippedByte(t *testing.T) { flip(t, false, rounds(t, 150)) }

func TestSoakFlippedByteAfterCrash(t *testing.T) { flip(t, true, rounds(t, 150)) }

func TestSoakDiskFull(t *testing.T) {
	t.Run("tmpfs", func(t *testing.T) { fullRounds(t, mountTmpfs(t, "300m"), rounds(t, 10)) })
	t.Run("ext4", func(t *testing.T) { fullRounds(t, mountExt4(t, newImage(t)), rounds(t, 10)) })
}

func TestSoakPowerCut(t *testing.T) { powerRounds(t, rounds(t, 50)) }
