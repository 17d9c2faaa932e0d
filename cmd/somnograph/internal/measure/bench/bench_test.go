package bench

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestTheSameSeedMakesTheSameData(t *testing.T) {
	now := time.Date(2026, 2, 19, 0, 0, 0, 0, time.UTC)
	a, b, other := newCorpus(7), newCorpus(7), newCorpus(8)
	same := true
	for i := range 50 {
		x, y, z := a.input(i, now), b.input(i, now), other.input(i, now)
		if x.Content != y.Content || !x.OccurredAt.Equal(y.OccurredAt) {
			t.Fatalf("memory %d differs: %q and %q", i, x.Content, y.Content)
		}
		same = same && x.Content == z.Content
		if n := len(strings.Fields(x.Content)); n < 8 || n > 40 {
			t.Errorf("memory %d has %d words", i, n)
		}
	}
	if same {
		t.Error("another seed makes the same data")
	}
}

func TestCommonWordsAreCommon(t *testing.T) {
	c := newCorpus(1)
	counts := map[string]int{}
	for range 20000 {
		counts[c.pick(c.topics[0])]++
	}
	// By 1/r the first word comes up ten times as often as the tenth.
	if ratio := float64(counts[c.topics[0][0]]) / float64(counts[c.topics[0][9]]); ratio < 6 || ratio > 15 {
		t.Errorf("the first word is %.1f times as common as the tenth, want about 10", ratio)
	}
}

func TestResident(t *testing.T) {
	now, own, peak := resident(func(string) ([]byte, error) {
		return []byte("Name:\tx\nVmHWM:\t  2048 kB\nVmRSS:\t  1024 kB\nRssAnon:\t 512 kB\nThreads:\t7\n"), nil
	})
	if now != 1<<20 || own != 1<<19 || peak != 2<<20 {
		t.Errorf("resident = %d, %d, %d", now, own, peak)
	}
	if now, own, peak := resident(func(string) ([]byte, error) { return nil, errors.New("no /proc") }); now != 0 || own != 0 || peak != 0 {
		t.Errorf("without /proc: %d, %d, %d", now, own, peak)
	}
}

func TestSpread(t *testing.T) {
	got := spread([]time.Duration{4 * time.Millisecond, time.Millisecond, 2 * time.Millisecond, 3 * time.Millisecond})
	if want := (Spread{N: 4, P50: 2, P95: 4, Max: 4}); got != want {
		t.Errorf("spread = %+v, want %+v", got, want)
	}
}
