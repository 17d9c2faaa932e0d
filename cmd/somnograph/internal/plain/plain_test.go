package plain

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"
)

// Every control character, line break, bidirectional mark and format character of Unicode is left out or becomes a space, in whatever
// type it comes. What is written with such characters stays.
func TestFprintf(t *testing.T) {
	var all strings.Builder
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r < 0xd800 || r > 0xdfff {
			if unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point) || unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
				all.WriteString("a" + string(r))
			}
		}
	}
	type name string
	for _, x := range []any{all.String(), name(all.String()), errors.New(all.String()), []string{all.String()}, &all} {
		var b strings.Builder
		if _, err := Fprintf(&b, "x%sy\n", x); err != nil {
			t.Fatal(err)
		}
		line, found := strings.CutSuffix(b.String(), "y\n")
		if i := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }); !found || i >= 0 {
			t.Errorf("%T: character %d of %q", x, i, line)
		}
	}
	var b strings.Builder
	at := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
	if _, err := Fprintf(&b, "%2d|%.2f|%-4s|%v|%s|%q|%t|%v", 3, 0.5, "é", nil, 2*time.Second, "a\tb", true, at); err != nil {
		t.Fatal(err)
	}
	if want := ` 3|0.50|é   |<nil>|2s|"a b"|true|2026-11-03 09:00:00 +0000 UTC`; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	for in, want := range map[string]string{"  two\n\tlines \x1b[2J": "  two  lines [2J", "\U0001f469\u200d\U0001f527 می\u200cخواهم": "\U0001f469\u200d\U0001f527 می\u200cخواهم", "bad \xff": "bad �", "a\xc2\x9b31m": "a31m"} {
		if got := Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Indented("  a\r\nb\u2028c\x07", "    "); got != "  a\n    b\n    c" {
		t.Errorf("Indented: %q", got)
	}
	if got := Short("one\u2029two  \x1b[mthree", 10); got != "one two […" {
		t.Errorf("Short: %q", got)
	}
}
