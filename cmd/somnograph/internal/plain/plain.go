// Package plain prints texts of a store for people. What a terminal would obey, and what nobody
// sees, is left out: control characters, bidirectional marks and zero-width characters. JSON and other
// formats for programs are not printed with it, because they are exact.
package plain

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/somnograph/somnograph/engine/prompt"
)

// Lines is a text of several lines that Fprintf prints as they are. Indented makes one.
type Lines string

// Indented is what is visible of a text. Its second and later lines begin with indent.
func Indented(text, indent string) Lines {
	return Lines(strings.ReplaceAll(prompt.Visible(text), "\n", "\n"+indent))
}

// Line is what is visible of a text, on one line and without tabs.
func Line(text string) string { return breaks.Replace(prompt.Visible(text)) }

var breaks = strings.NewReplacer("\n", " ", "\t", " ")

// Short is a text on one line, cut to at most n characters.
func Short(text string, n int) string {
	text = strings.Join(strings.Fields(Line(text)), " ")
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

// Fprintf is fmt.Fprintf, with each argument on one line, unless it is Lines. The format is printed as it is.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	for i, a := range args {
		v := reflect.ValueOf(a)
		if _, lines := a.(Lines); !lines && !v.CanInt() && !v.CanUint() && !v.CanFloat() && v.Kind() != reflect.Bool {
			args[i] = Line(fmt.Sprint(a))
		}
	}
	return fmt.Fprintf(w, format, args...)
}
