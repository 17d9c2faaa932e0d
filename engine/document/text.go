package document

import (
	"bytes"
	"context"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// readText reads text without known structure as one element.
func readText(ctx context.Context, in input) (string, []Element, error) {
	text, err := decode(in.data)
	if err != nil {
		return "", nil, err
	}
	o := newOutline(ctx, in.lim)
	if err := o.add(Plain, "", text, 1+leadingBlankLines(text)); err != nil {
		return "", nil, err
	}
	elements, err := o.finish()
	return "", elements, err
}

// decode returns data as valid UTF-8 with "\n" at the ends of lines. It reads UTF-8 and UTF-16
// with a byte order mark, UTF-8 without one, and else Windows-1252, of which Latin-1 is a part.
// Single damaged bytes in a text that is UTF-8 otherwise become U+FFFD. Binary data is refused.
func decode(data []byte) (string, error) {
	text, err := decodeBytes(data)
	if err != nil {
		return "", err
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	return text, nil
}

func decodeBytes(data []byte) (string, error) {
	switch {
	case bytes.HasPrefix(data, []byte{0xEF, 0xBB, 0xBF}):
		data = data[3:]
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		return decodeUTF16(data[2:], func(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 })
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return decodeUTF16(data[2:], func(b []byte) uint16 { return uint16(b[1]) | uint16(b[0])<<8 })
	}
	if isBinary(data) {
		return "", refuse(Unsupported, "it is binary; text must be UTF-8, UTF-16 with a byte order mark, or Windows-1252")
	}
	if utf8.Valid(data) {
		return string(data), nil
	}
	if good, bad := multibyte(data); good > 2*bad {
		return strings.ToValidUTF8(string(data), "\uFFFD"), nil
	}
	for _, b := range data {
		switch b {
		case 0x81, 0x8D, 0x8F, 0x90, 0x9D: // not assigned in Windows-1252
			return "", refuse(Unsupported, "its encoding is unknown; text must be UTF-8, UTF-16 with a byte order mark, or Windows-1252")
		}
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(data)
	return string(text), err
}

// decodeUTF16 decodes UTF-16 of either byte order.
func decodeUTF16(data []byte, unit func([]byte) uint16) (string, error) {
	if len(data)%2 != 0 {
		return "", refuse(Broken, "it begins as UTF-16, but has an odd number of bytes")
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = unit(data[2*i:])
	}
	text := string(utf16.Decode(units))
	if isBinary([]byte(text)) || strings.Count(text, "\uFFFD") > len(units)/100 {
		return "", refuse(Unsupported, "it begins with the byte order mark of UTF-16, but is not text")
	}
	return text, nil
}

// isBinary reports whether data has control characters that no text has, or more than a few that
// texts have rarely.
func isBinary(data []byte) bool {
	rare := 0
	for _, b := range data {
		switch {
		case b >= 0x20 && b != 0x7F || b == '\n' || b == '\r' || b == '\t' || b == '\f' || b == '\v':
		case b == 0:
			return true
		default: // escape sequences of terminals, backspaces
			rare++
		}
	}
	return rare > 8 && rare > len(data)/50
}

// multibyte counts the characters of more than one byte in UTF-8, and the bytes that are no
// UTF-8.
func multibyte(data []byte) (good, bad int) {
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			good++
		}
		data = data[size:]
	}
	return good, bad
}

// leadingBlankLines counts the blank lines at the beginning of text.
func leadingBlankLines(text string) (n int) {
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || strings.TrimSpace(line) != "" {
			return n
		}
		n, text = n+1, rest
	}
}
