package english

import (
	"cmp"
	"slices"
	"strings"
)

// Edit replaces the bytes from Start to End of a text.
type Edit struct {
	Start, End int
	By         string
}

// Apply applies edits to a text, in any order, and trims the result. ok is false if two of them overlap.
func Apply(text string, edits []Edit) (out string, ok bool) {
	edits = slices.SortedFunc(slices.Values(edits), func(x, y Edit) int { return cmp.Compare(x.Start, y.Start) })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		if e.Start < at {
			return "", false
		}
		b.WriteString(text[at:e.Start])
		b.WriteString(e.By)
		at = e.End
	}
	b.WriteString(text[at:])
	return strings.TrimSpace(b.String()), true
}
