package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/plain"
)

// progress shows how far a long task is: one line with a bar that is redrawn on a terminal,
// a new line every few seconds elsewhere.
type progress struct {
	w      io.Writer
	what   string
	total  int64
	redraw bool // w is a terminal
	now    func() time.Time
	began  time.Time
	shown  time.Time
}

const (
	redrawEvery = 100 * time.Millisecond // on a terminal
	lineEvery   = 5 * time.Second        // elsewhere
	barWidth    = 30                     // in characters
)

func newProgress(w io.Writer, what string, total int64, now func() time.Time) *progress {
	f, ok := w.(*os.File)
	p := &progress{w: w, what: what, total: max(1, total), redraw: ok && term.IsTerminal(int(f.Fd())), now: now, began: now()}
	if !p.redraw {
		p.shown = p.began // short tasks print nothing
	}
	return p
}

// at shows that n of the total are done; note says it in other words.
func (p *progress) at(n int64, note string) {
	now := p.now()
	every := lineEvery
	if p.redraw {
		every = redrawEvery
	}
	if now.Sub(p.shown) < every {
		return
	}
	p.shown = now
	n = min(n, p.total)
	left := ""
	if spent := now.Sub(p.began); n > 0 && n < p.total {
		left = fmt.Sprintf(", %s left", (time.Duration(float64(spent) * float64(p.total-n) / float64(n))).Round(time.Second))
	}
	line := fmt.Sprintf("%s: %d %%, %s%s", p.what, 100*n/p.total, note, left)
	if !p.redraw {
		p.print(line + "\n")
		return
	}
	done := int(barWidth * n / p.total)
	p.print(clearLine + "[" + strings.Repeat("=", done) + strings.Repeat(" ", barWidth-done) + "] " + line)
}

// clearLine moves to the start of the line and erases it.
const clearLine = "\r\x1b[K"

// print ignores errors: a bar that can't be drawn must not stop the task.
func (p *progress) print(s string) { _, _ = io.WriteString(p.w, s) }

// note writes a line of its own.
func (p *progress) note(line string) {
	p.end()
	p.print(plain.Line(line) + "\n")
}

// end erases the bar.
func (p *progress) end() {
	if p.redraw {
		p.print(clearLine)
	}
}
