package graph

import "unicode/utf8"

// CheckUTF8 returns INVALID_REQUEST for a text from outside, such as the body of a request, that is not
// UTF-8, and nil otherwise. encoding/json would replace what is wrong and say nothing, so every JSON from
// outside is checked before it is decoded. what names the text.
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
