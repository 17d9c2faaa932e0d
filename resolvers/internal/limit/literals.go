package limit

import (
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/graph"
)

// checkLiterals refuses a document with half of a surrogate pair as an escape in a string, such as
// \ud800: the lexer would replace it and say nothing. Comments and block strings have no escapes.
// What is no string to the lexer either is left to it.
func checkLiterals(document string) *gqlerror.Error {
	if !strings.Contains(document, `\u`) {
		return nil
	}
	for at := 0; at < len(document); {
		rest := document[at:]
		switch {
		case rest[0] == '#':
			at += lineLength(rest)
		case strings.HasPrefix(rest, `"""`):
			at += blockLength(rest)
		case rest[0] == '"':
			end := stringLength(rest)
			if half := graph.HalfOfPair([]byte(rest[:end])); half >= 0 {
				return halfOfPair(document, at+half)
			}
			at += end
		default:
			at++
		}
	}
	return nil
}

// halfOfPair is the error of half of a surrogate pair at a position of a document.
func halfOfPair(document string, at int) *gqlerror.Error {
	line, column := lineAndColumn(document[:at])
	e := refuse(graph.CodeInvalidRequest, "a string of the query has half of a surrogate pair at line %d, column %d: %s", line, column, graph.WholePair)
	e.Locations = []gqlerror.Location{{Line: line, Column: column}}
	return e
}

// lineAndColumn returns the place after a text, each counted from 1.
func lineAndColumn(text string) (line, column int) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	return strings.Count(text, "\n") + 1, utf8.RuneCountInString(text[strings.LastIndexByte(text, '\n')+1:]) + 1
}

// lineLength returns the length of a text up to the end of its line.
func lineLength(text string) int {
	if end := strings.IndexAny(text, "\r\n"); end >= 0 {
		return end
	}
	return len(text)
}

// stringLength returns the length of the string with which a text begins, with its quotes. A string
// ends with its line at the latest.
func stringLength(text string) int {
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"', '\r', '\n':
			return at + 1
		}
	}
	return len(text)
}

// blockLength returns the length of the block string with which a text begins. It ends with the last
// three of at least three quotes.
func blockLength(text string) int {
	for at := 3; at < len(text); at++ {
		switch {
		case strings.HasPrefix(text[at:], `\"""`):
			at += 3
		case strings.HasPrefix(text[at:], `"""`):
			return len(text) - len(strings.TrimLeft(text[at:], `"`))
		}
	}
	return len(text)
}
