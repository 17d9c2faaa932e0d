package wire

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/graph"
)

// SessionsText is the text form of a set of sessions: hexadecimal numbers of 16 digits, joined
// by commas; empty for an empty set.
func SessionsText(s graph.Sessions) string {
	words := make([]string, len(s))
	for i, x := range s {
		words[i] = fmt.Sprintf("%016x", x)
	}
	return strings.Join(words, ",")
}

// ParseSessions parses the text form of a set of sessions.
func ParseSessions(text string) (graph.Sessions, error) {
	if text == "" {
		return nil, nil
	}
	var s graph.Sessions
	for word := range strings.SplitSeq(text, ",") {
		x, err := strconv.ParseUint(word, 16, 64)
		if err != nil || len(word) != 16 {
			return nil, fmt.Errorf("%q is not a set of sessions", text)
		}
		s = s.Union(graph.Sessions{x})
	}
	return s, nil
}
