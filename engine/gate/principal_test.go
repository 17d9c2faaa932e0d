package gate

import (
	"testing"

	"pgregory.net/rapid"
)

func TestSamePrincipal(t *testing.T) {
	for _, c := range []struct {
		what, a, b string
		want       bool
	}{
		{"case", "tomas", "Tomas", true},
		{"a leading blank", "tomas", " tomas", true},
		{"a blank inside", "tomas b", "tomasb", true},
		{"a full stop", "tomas", "tomas.", true},
		{"quotes", "tomas", "“tomas”", true},
		{"a zero-width space", "tomas", "to\u200bmas", true},
		{"a word joiner", "tomas", "tomas\u2060", true},
		{"a soft hyphen", "tomas", "to\u00admas", true},
		{"a tag character", "tomas", "tomas\U000e0061", true},
		{"a filler", "tomas", "tomas\u3164", true},
		{"the empty Braille pattern", "tomas", "to\u2800mas", true},
		{"the empty Braille pattern alone", "\u2800", "", true},
		{"a character of private use", "tomas", "to\ue000mas", true},
		{"one of the last plane", "tomas", "tomas\U00100000", true},
		{"a blank of hieroglyphs", "tomas", "tom\U00013441as", true},
		{"a sign without a shape", "tomas", "tomas\U0001d159", true},
		{"a control character", "tomas", "to\u0007mas", true},
		{"no character", "tomas", "toma\ufffes", true},
		{"a visible format control", "tomas", "to\u0600mas", false},
		{"composed and decomposed", "tom\u00e1s", "toma\u0301s", true},
		{"full-width letters", "tomas", "ｔｏｍａｓ", true},
		{"a Cyrillic a", "tomas", "tom\u0430s", true},
		{"a Cyrillic capital", "Tomas", "\u0422omas", true},
		{"Greek letters", "Nora", "\u039dora", true},
		{"mathematical letters", "tomas", "𝐭𝐨𝐦𝐚𝐬", true},
		{"a digit for a letter", "bob", "b0b", true},
		{"l for I", "Ian", "lan", true},
		{"i for I", "Ian", "ian", true},
		{"rn for m", "tom", "torn", true},
		{"sharp s", "Weiß", "WEISS", true},
		{"an accent", "tomas", "tomás", false},
		{"another name", "tomas", "thomas", false},
		{"another number", "agent-1", "agent-2", false},
		{"punctuation inside", "sensor-1.1", "sensor-11", false},
		{"n and v", "nova", "vova", false},
		{"i and l", "tim", "tlm", false},
		{"two names of signs", "!!", "??", false},
		{"addresses", "ana@example.org", "ana@example.com", false},
	} {
		if SamePrincipal(c.a, c.b) != c.want || SamePrincipal(c.b, c.a) != c.want {
			t.Errorf("%s: %q and %q, want %v", c.what, c.a, c.b, c.want)
		}
	}
}

func TestAPrincipalIsTheSameAsItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		if !SamePrincipal(name, name) || !SamePrincipal(name, " "+name+"\u200b") {
			t.Fatalf("%q is not itself", name)
		}
	})
}
