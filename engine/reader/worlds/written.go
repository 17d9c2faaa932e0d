package worlds

import (
	_ "embed"
	"strings"
)

//go:embed written.txt
var writtenFile string

// Written is a pair of statements that was written by hand.
type Written struct {
	Label          byte // + update, x correction, = same, - compatible, ! trap
	Earlier, Later string
}

// Revises reports whether the later statement revises the earlier one.
func (w Written) Revises() bool { return w.Label == '+' || w.Label == 'x' }

// WrittenPairs returns the pairs of written.txt, in order.
func WrittenPairs() []Written { return ParseWritten(writtenFile) }

// ParseWritten reads lines of the form "+ earlier => later"; empty lines and lines that begin
// with # are skipped.
func ParseWritten(file string) (pairs []Written) {
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if earlier, later, ok := strings.Cut(line[1:], " => "); ok {
			pairs = append(pairs, Written{line[0], strings.TrimSpace(earlier), later})
		}
	}
	return pairs
}
