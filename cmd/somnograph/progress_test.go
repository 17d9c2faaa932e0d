package main

import (
	"bytes"
	"testing"
	"time"
)

// A terminal shows one line that is redrawn and in the end erased; elsewhere there is a new
// line every few seconds.
func TestProgress(t *testing.T) {
	for _, x := range []struct {
		name   string
		redraw bool
		want   string
	}{
		{"terminal", true, "\r\x1b[K[===============               ] import: 50 %, 5 memories, 6s left" +
			"\r\x1b[K[============================= ] import: 99 %, 9 memories, 0s left" + "\r\x1b[Kline 3 was refused\n" +
			"\r\x1b[K[==============================] import: 100 %, 10 memories" + "\r\x1b[K"},
		{"file", false, "import: 50 %, 5 memories, 6s left\nline 3 was refused\nimport: 100 %, 10 memories\n"},
	} {
		t.Run(x.name, func(t *testing.T) {
			var out bytes.Buffer
			now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			p := newProgress(&out, "import", 1000, func() time.Time { return now })
			p.redraw = x.redraw
			step := func(d time.Duration, n int64, note string) {
				now = now.Add(d)
				p.at(n, note)
			}
			step(6*time.Second, 500, "5 memories")
			step(50*time.Millisecond, 600, "6 memories") // too soon to show
			step(time.Second, 990, "9 memories")
			p.note("line 3 was refused")
			step(6*time.Second, 2000, "10 memories")
			p.end()
			if out.String() != x.want {
				t.Errorf("shown\n%q, want\n%q", out.String(), x.want)
			}
		})
	}
}
