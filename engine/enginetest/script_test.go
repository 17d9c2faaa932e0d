package enginetest

import (
	"fmt"
	"strings"
)

// statement is a verb and its tokens.
type statement struct {
	file string
	line int
	verb string
	rest []token
}

// token is a word, a quoted text, or a key=value pair.
type token struct {
	key    string // of a pair; else ""
	text   string
	quoted bool
}

// storyError is an error with its position in a story.
type storyError struct {
	file string
	line int
	err  error
}

func (f *storyError) Error() string { return fmt.Sprintf("%s:%d: %v", f.file, f.line, f.err) }
func (f *storyError) Unwrap() error { return f.err }

// split splits a story into statements. A line that begins with a blank continues the previous
// statement; # begins a comment.
func split(file, text string) ([]statement, error) {
	var all []statement
	for i, raw := range strings.Split(text, "\n") {
		tokens, err := tokens(raw)
		if err != nil {
			return nil, &storyError{file, i + 1, err}
		}
		if len(tokens) == 0 {
			continue
		}
		if raw[0] == ' ' || raw[0] == '\t' {
			if len(all) == 0 {
				return nil, &storyError{file, i + 1, fmt.Errorf("there is no statement to continue")}
			}
			last := &all[len(all)-1]
			last.rest = append(last.rest, tokens...)
			continue
		}
		if tokens[0].quoted || tokens[0].key != "" {
			return nil, &storyError{file, i + 1, fmt.Errorf("a statement begins with a verb, not with %q", tokens[0].text)}
		}
		all = append(all, statement{file, i + 1, tokens[0].text, tokens[1:]})
	}
	return all, nil
}

// tokens splits one line.
func tokens(line string) ([]token, error) {
	var out []token
	for at := 0; at < len(line); {
		switch c := line[at]; {
		case c == ' ' || c == '\t' || c == '\r':
			at++
			continue
		case c == '#':
			return out, nil
		}
		var t token
		end := at
		for end < len(line) && !strings.ContainsRune(" \t\r\"=", rune(line[end])) {
			end++
		}
		if end < len(line) && line[end] == '=' && end > at && !strings.ContainsAny(line[at:end], "<>") {
			t.key, at = line[at:end], end+1
		}
		if at < len(line) && line[at] == '"' {
			text, n, err := quoted(line[at:])
			if err != nil {
				return nil, err
			}
			t.text, t.quoted = text, true
			out, at = append(out, t), at+n
			continue
		}
		end = at
		for end < len(line) && !strings.ContainsRune(" \t\r", rune(line[end])) {
			end++
		}
		t.text = line[at:end]
		out, at = append(out, t), end
	}
	return out, nil
}

// quoted parses a quoted text and returns the number of bytes it took. \" is a quote, \n a line
// break.
func quoted(s string) (text string, n int, err error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), i + 1, nil
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == 'n':
			b.WriteByte('\n')
			i++
		case s[i] == '\\' && i+1 < len(s):
			b.WriteByte(s[i+1])
			i++
		default:
			b.WriteByte(s[i])
		}
	}
	return "", 0, fmt.Errorf("a quoted text is not closed on its line")
}
