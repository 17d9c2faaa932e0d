package worlds

import (
	"embed"
	"slices"
	"strings"
)

//go:embed written.txt
var writtenFile string

//go:embed minimal.txt
var minimalFile string

//go:embed varied.txt
var variedFile string

//go:embed chance.txt
var chanceFile string

//go:embed pairs/*.txt
var pairFiles embed.FS

// Written is a pair of statements that was written by hand.
type Written struct {
	Label          byte // + update, x correction, = same, - compatible, ! trap
	Earlier, Later string
}

// Revises reports whether the later statement revises the earlier one.
func (w Written) Revises() bool { return w.Label == '+' || w.Label == 'x' }

// WrittenPairs returns the pairs of written.txt, varied.txt and minimal.txt, in order.
func WrittenPairs() []Written {
	return slices.Concat(ParseWritten(writtenFile), ParseWritten(variedFile), ParseWritten(minimalFile))
}

// DomainPairs returns the pairs of the files below pairs, each of which is about some domains, in order.
func DomainPairs() (all []Written) {
	for _, name := range []string{"home", "health", "office", "software", "tastes", "affairs", "trades"} {
		data, err := pairFiles.ReadFile("pairs/" + name + ".txt")
		if err != nil { // the file is embedded
			panic(err)
		}
		all = append(all, ParseWritten(string(data))...)
	}
	return all
}

// ChancePairs returns statements of different written pairs that share a word, as most statements that a store compares.
func ChancePairs() []Written { return ParseWritten(chanceFile) }

// ParseWritten reads lines of the form "+ earlier => later", or "+ later" after a line "@ earlier".
// Empty lines and lines that begin with # are skipped, and so is a question after "?=".
func ParseWritten(file string) (pairs []Written) {
	same := ""
	for line := range strings.Lines(file) {
		line, _, _ = strings.Cut(line, " ?= ")
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '@' {
			same = strings.TrimSpace(line[1:])
			continue
		}
		if earlier, later, ok := strings.Cut(line[1:], " => "); ok {
			pairs = append(pairs, Written{line[0], strings.TrimSpace(earlier), later})
		} else if same != "" {
			pairs = append(pairs, Written{line[0], same, strings.TrimSpace(line[1:])})
		}
	}
	return pairs
}
