package graph

import (
	"fmt"
	"strings"
	"testing"
)

func TestCheckUTF8(t *testing.T) {
	for _, text := range []string{"", "plain", "Zoë 🜁 \ufffd \x00"} {
		if err := CheckUTF8("the body", []byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"\xff": "0", "Zo\xeb": "2", "ë\xc3": "2", "🜁\xed\xa0\x80": "4", "a\xc0\xaf": "1", "\ufffd\x80": "3",
	} {
		if err := CheckUTF8("the body", []byte(text)); err == nil || err.Code != CodeInvalidRequest || err.Message != "the body is not valid UTF-8 at byte "+want {
			t.Errorf("%q: %v, want byte %s", text, err, want)
		}
	}
}

func TestHalfOfASurrogatePair(t *testing.T) {
	for text, want := range map[string]int{
		`{"a":"\u00e9 \ud83d\ude00 \\ud800 \n \\\\ud800"}`: -1, `""`: -1, `"\`: -1, `"\u12`: -1, `"\uzzzz"`: -1,
		`"\ud800"`: 1, `"a\udfff"`: 2, `"\ud83dx\ude00"`: 1, `"\ud83d\ud83d\ude00"`: 1, `"\ude00\ud83d"`: 1, `"\uD83D\uDE00\uDE00"`: 13,
		`"\\\ud800"`: 3, `"\ud83d\n"`: 1, `{"\ud800":1}`: 2,
	} {
		err := CheckJSON("the body", []byte(text))
		if (err != nil) != (want >= 0) || err != nil && !strings.Contains(err.Error(), fmt.Sprintf("half of a surrogate pair at byte %d:", want)) {
			t.Errorf("%s: %v, want %d", text, err, want)
		}
	}
	if err := CheckJSON("the body", []byte("\"Zo\xeb\"")); err == nil || !strings.Contains(err.Error(), "not valid UTF-8 at byte 3") {
		t.Errorf("not UTF-8: %v", err)
	}
}
