package graph

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// CheckUTF8 returns INVALID_REQUEST for a text from outside, such as the body of a request, that is not
// UTF-8, and nil otherwise. what names the text.
func CheckUTF8(what string, text []byte) *Error {
	if utf8.Valid(text) {
		return nil
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size < 2 {
			return Errorf(CodeInvalidRequest, "%s is not valid UTF-8 at byte %d", what, at)
		}
		at += size
	}
}

// CheckJSON returns INVALID_REQUEST for JSON from outside that is not UTF-8, or has half of a surrogate
// pair as an escape, such as \ud800. encoding/json would replace either and say nothing, so JSON is checked
// before it is decoded.
func CheckJSON(what string, text []byte) *Error {
	if err := CheckUTF8(what, text); err != nil {
		return err
	}
	if at := HalfOfPair(text); at >= 0 {
		return Errorf(CodeInvalidRequest, "%s has half of a surrogate pair at byte %d: %s", what, at, WholePair)
	}
	return nil
}

// WholePair says what is right instead of half of a surrogate pair.
const WholePair = `a character beyond U+FFFF is two escapes, such as \ud83d\ude00`

// HalfOfPair returns the position of the first escape in a text, such as \ud800, that is half of a
// surrogate pair; -1 if there is none.
func HalfOfPair(text []byte) int {
	for at := 0; at < len(text); {
		next := bytes.IndexByte(text[at:], '\\')
		if next < 0 {
			return -1
		}
		at += next
		unit, is := escapedUnit(text[at:])
		switch {
		case !is:
			at += 2 // such as a backslash that is escaped
		case !utf16.IsSurrogate(unit):
			at += escapeSize
		default:
			if low, is := escapedUnit(text[at+escapeSize:]); !is || utf16.DecodeRune(unit, low) == utf8.RuneError {
				return at
			}
			at += 2 * escapeSize
		}
	}
	return -1
}

// escapeSize is the length of an escape such as \u00e9.
const escapeSize = 6

// escapedUnit returns the UTF-16 code unit of the escape with which a text begins.
func escapedUnit(text []byte) (rune, bool) {
	if len(text) < escapeSize || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:escapeSize]), 16, 16)
	return rune(n), err == nil
}
