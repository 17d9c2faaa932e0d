package english

import "testing"

func TestTextsOfSymbolsAndDigitsHaveNoWord(t *testing.T) {
	for text, want := range map[string]bool{
		"%%% &&& (((":       true,
		"9 9 9 8 8 7":       true,
		"+#{+(:15;442>":     true,
		"":                  true,
		"4471":              false,
		"24/7":              false,
		"2026-11-23":        false,
		"C++":               false,
		"где ключ":          false,
		"鍵はどこですか":           false,
		"*** 3 blind mice!": false,
	} {
		if Wordless(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
