package excerpt

import (
	"fmt"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
)

// Quotable is a text on one line, without quotation marks, of at most n bytes.
func Quotable(text string, n int) string {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "\"", "'")
	if len(text) <= n {
		return text
	}
	short := workspace.Truncate(text, n)
	if at := strings.LastIndexByte(short, ' '); at > n/2 {
		short = short[:at] + " …"
	}
	return short
}

// Period says from when to when; the year of the first day is left out if both have it.
func Period(from, to time.Time) string {
	from, to = from.UTC(), to.UTC()
	const day = "2 January 2006"
	switch {
	case from.Format(day) == to.Format(day):
		return "on " + from.Format(day)
	case from.Year() == to.Year():
		return fmt.Sprintf("from %s to %s", from.Format("2 January"), to.Format(day))
	}
	return fmt.Sprintf("from %s to %s", from.Format(day), to.Format(day))
}
