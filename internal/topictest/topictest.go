// Package topictest has sentences that people might write down, by topic, for tests of what groups them.
package topictest

import (
	"embed"
	"strings"
	"testing"
)

//go:embed *.txt
var files embed.FS

// Pool is a set of topics.
type Pool struct {
	Topics [][]string // the sentences of each topic
	Strays []string   // sentences about nothing in particular
}

// Read returns pools together: "first", "second", in which each sentence says what it is about, or "terse", in which many do
// not. In a file "# name" begins a topic, "# -" the strays.
func Read(t testing.TB, names ...string) (p Pool) {
	t.Helper()
	for _, name := range names {
		b, err := files.ReadFile(name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		stray := false
		for line := range strings.Lines(string(b)) {
			switch line = strings.TrimSpace(line); {
			case line == "# -":
				stray = true
			case strings.HasPrefix(line, "# "):
				stray, p.Topics = false, append(p.Topics, nil)
			case stray:
				p.Strays = append(p.Strays, line)
			default:
				p.Topics[len(p.Topics)-1] = append(p.Topics[len(p.Topics)-1], line)
			}
		}
	}
	return p
}
