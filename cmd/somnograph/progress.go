package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far long work is: a bar with rate and time left on a terminal,
// a plain line every few seconds elsewhere.
type progress struct {
	w     io.Writer
	what  string
	total int64
	bar   *progressbar.ProgressBar // nil: not a terminal
	now   func() time.Time
	began time.Time
	said  time.Time
}

// plainEvery lies between two lines where there is no terminal.
const plainEvery = 5 * time.Second

func newProgress(w io.Writer, what string, total int64, bytes bool, now func() time.Time) *progress {
	p := &progress{w: w, what: what, total: total, now: now, began: now(), said: now()}
	if terminal(w) {
		p.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what), progressbar.OptionShowBytes(bytes),
			progressbar.OptionSetWidth(30), progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionSetElapsedTime(true))
	}
	return p
}

// at shows that n of the total are done; note says it in other words.
func (p *progress) at(n int64, note string) {
	if p.bar != nil {
		p.bar.Describe(p.what + " " + note)
		_ = p.bar.Set64(min(n, p.total)) // a bar that can't be drawn stops no work
		return
	}
	if now := p.now(); now.Sub(p.said) >= plainEvery {
		p.said = now
		p.line(n, note)
	}
}

func (p *progress) line(n int64, note string) {
	left := ""
	if spent := p.now().Sub(p.began); n > 0 && n < p.total {
		left = fmt.Sprintf(", %s left", (time.Duration(float64(spent) * float64(p.total-n) / float64(n))).Round(time.Second))
	}
	_, _ = fmt.Fprintf(p.w, "%s: %d %%, %s%s\n", p.what, 100*n/max(1, p.total), note, left)
}

// note writes a line beside the bar.
func (p *progress) note(line string) {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	_, _ = fmt.Fprintln(p.w, line)
}

// end takes the bar away.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
