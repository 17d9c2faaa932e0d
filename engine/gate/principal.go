package gate

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mtibben/confusables"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/somnograph/somnograph/internal/invisible"
)

// SamePrincipal reports whether two names look like one name: they are equal after compatibility
// composition (NFKC), without case, blanks, the characters that a reader does not see, and the punctuation
// around them, and with confusable characters replaced by their prototypes (Unicode Technical
// Standard 39). "Tomas", "tomas." and "tоmas" with a Cyrillic о are one principal. A capital I
// looks like l as well as it is the capital of i.
func SamePrincipal(a, b string) bool {
	return a == b || slices.ContainsFunc(spellings(a), func(x string) bool { return slices.Contains(spellings(b), x) })
}

// spellings returns the folded forms of a name: with a capital I as i, and as l.
func spellings(name string) []string {
	text := strings.Map(func(r rune) rune {
		if invisible.Unseen(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(name))
	core := strings.TrimFunc(text, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) })
	if core == "" {
		core = text // a name of signs
	}
	forms := []string{foldLetters(core, "i")}
	if strings.ContainsRune(core, 'I') {
		forms = append(forms, foldLetters(core, "l"))
	}
	return forms
}

// foldLetters replaces each character by its prototype without case, and a capital I by i.
func foldLetters(text, i string) string {
	fold := cases.Fold()
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == 'I':
			b.WriteString(i)
		case r < unicode.MaxASCII && unicode.IsLetter(r):
			b.WriteString(confusables.Skeleton(fold.String(string(r))))
		default:
			// The prototype may be a capital: that of the digit 0 is O.
			b.WriteString(confusables.Skeleton(fold.String(confusables.Skeleton(string(r)))))
		}
	}
	return norm.NFC.String(b.String())
}
