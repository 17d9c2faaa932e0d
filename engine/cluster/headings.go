package cluster

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// titledAt reports, for each token, whether it is in a heading, a quotation or an emphasis that writes all
// its words with capitals: "### Digital Content Creation". There a capital is no sign of a name.
func titledAt(tokens []english.Token) []bool {
	titled := make([]bool, len(tokens))
	for from := 0; from < len(tokens); from++ {
		if !tokens[from].IsWord() {
			continue
		}
		to, words, capitals := from, 0, 0
		for ; to < len(tokens) && tokens[to].IsWord(); to++ {
			w, ok := readWord(tokens[to])
			if !ok {
				continue
			}
			words++
			if first, _ := utf8.DecodeRuneInString(w.text); unicode.IsUpper(first) {
				capitals++
			}
		}
		marked := from > 0 && strings.ContainsAny(tokens[from-1].Text, "#*")
		if capitals == words && (words > 2 || words == 2 && marked) {
			for i := from; i < to; i++ {
				titled[i] = true
			}
		}
		from = to
	}
	return titled
}
