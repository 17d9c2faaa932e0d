// Package invisible says which characters a reader does not see. Texts for models and people leave them out, and names that differ in
// them alone look like one name.
package invisible

import (
	"strings"
	"unicode"
)

// blanks are drawn as a space, and are none by Unicode: the empty Braille pattern, which parts words of Braille, and the blanks of hieroglyphs.
const blanks = "\u2800\U00013441\U00013442"

// shapeless are signs that are drawn as nothing, and are not default-ignorable: the null notehead, and the filler of the Khitan script.
const shapeless = "\U0001d159\U00016fe4"

// Is reports Default_Ignorable_Code_Point (Unicode Standard Annex 44: zero-width spaces, tags, variation selectors, fillers), the format
// controls, signs without a shape and characters of private use, of which every reader sees something else or nothing. Prepended
// concatenation marks, as the Arabic number sign, are visible.
func Is(r rune) bool {
	if r < 0xad {
		return false
	}
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Co) || strings.ContainsRune(shapeless, r) ||
		unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// Blank reports what looks like a space and is none by Unicode.
func Blank(r rune) bool { return strings.ContainsRune(blanks, r) }

// Unseen reports the characters that are not shown, or as a blank.
func Unseen(r rune) bool { return unicode.IsSpace(r) || Is(r) || Blank(r) || Control(r) }

// Nothing reports whether a text has nothing that a reader sees. It names nobody.
func Nothing(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !Unseen(r) })
}

// Control reports the control characters, line breaks and tabs too, and what is no character.
func Control(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Noncharacter_Code_Point, r)
}
