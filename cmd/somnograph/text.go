package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/plain"
)

// maxText is the longest text that a command reads from standard input: more than any limit of a
// server.
const maxText = 1 << 20

// textOf is the text of the arguments, joined by spaces. It is standard input for the single
// argument "-", and without an argument if standard input is not a terminal. what names the text.
func textOf(args []string, what string) (string, error) {
	switch {
	case len(args) == 1 && args[0] == "-", len(args) == 0 && !terminal(os.Stdin):
		raw, err := io.ReadAll(io.LimitReader(os.Stdin, maxText+1))
		if err != nil {
			return "", fmt.Errorf("standard input: %w", err)
		}
		if len(raw) > maxText {
			return "", usageError{fmt.Errorf("standard input has more than %d bytes", maxText)}
		}
		if !utf8.Valid(raw) {
			return "", usageError{errors.New("standard input is not UTF-8: convert it, as with iconv")}
		}
		text := strings.TrimSpace(string(raw))
		if text == "" {
			return "", usageError{fmt.Errorf("needs %s, but standard input is empty", what)}
		}
		return text, nil
	case len(args) == 0:
		return "", usageError{fmt.Errorf("needs %s, as arguments or with - from standard input", what)}
	}
	return strings.Join(args, " "), nil
}

// terminal reports whether a person is at the other end of a file.
func terminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// oneOf returns the value of a flag in upper case, or a usage error that names the flag and its
// values.
func oneOf(flag, value string, values ...string) (string, error) {
	for _, v := range values {
		if strings.EqualFold(v, value) {
			return v, nil
		}
	}
	return "", usageError{fmt.Errorf("--%s must be %s (got %q)", flag, either(values), value)}
}

// either joins words with commas and "or".
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// errNoAnswer is returned where a question needs a person and there is none.
var errNoAnswer = usageError{errors.New("asks before it erases, and standard input is no terminal; use --yes, or --dry-run")}

// shorten cuts a text to one line of at most n characters.
func shorten(text string, n int) string { return plain.Short(text, n) }

// printf prints what people read. Texts of a store, of files and of servers are its arguments.
func printf(w io.Writer, format string, args ...any) (int, error) {
	return plain.Fprintf(w, format, args...)
}
