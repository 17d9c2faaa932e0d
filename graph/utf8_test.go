package graph

import "testing"

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
