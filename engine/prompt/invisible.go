package prompt

import (
	"slices"
	"strings"
	"unicode"

	"github.com/somnograph/somnograph/internal/invisible"
)

// dropInvisible removes the characters that a reader does not see, see [invisible.Is]. A joiner stays between letters of a script that is written with it and between
// emoji, a variation selector stays in an emoji, and tags stay in the flags of England, Scotland
// and Wales. The result has no two of them in a row.
func dropInvisible(text string) string {
	if !strings.ContainsFunc(text, invisible.Is) {
		return text
	}
	runes := []rune(text)
	out := make([]rune, 0, len(runes))
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		if r == blackFlag {
			n := flagTags(runes[i+1:])
			out = append(append(out, r), runes[i+1:i+1+n]...)
			i += n
			continue
		}
		last, next := rune(0), rune(0)
		if len(out) > 0 {
			last = out[len(out)-1]
		}
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		if !invisible.Is(r) || belongs(last, r, next) {
			out = append(out, r)
		}
	}
	return string(out)
}

const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	textStyle          = '\ufe0e' // variation selector 15: as text
	emojiStyle         = '\ufe0f' // variation selector 16: as emoji
	keycap             = '\u20e3'
	blackFlag          = '\U0001f3f4'
	cancelTag          = '\U000e007f'
)

// belongs reports whether an invisible character is part of what is written between last, which
// is kept, and next.
func belongs(last, r, next rune) bool {
	switch r {
	case zeroWidthJoiner:
		return (pictographic(last) || last == emojiStyle) && pictographic(next) || virama(last) || joined(last, next)
	case zeroWidthNonJoiner:
		return joined(last, next)
	case textStyle, emojiStyle:
		return pictographic(last) || next == keycap && strings.ContainsRune("0123456789#*", last)
	}
	return false
}

// pictographs are the blocks with emoji outside of 1F000 to 1FAFF, and single emoji.
var pictographs = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0xa9, Hi: 0xa9, Stride: 1}, {Lo: 0xae, Hi: 0xae, Stride: 1}, {Lo: 0x203c, Hi: 0x203c, Stride: 1}, {Lo: 0x2049, Hi: 0x2049, Stride: 1},
	{Lo: 0x2122, Hi: 0x2122, Stride: 1}, {Lo: 0x2139, Hi: 0x2139, Stride: 1}, {Lo: 0x2190, Hi: 0x21ff, Stride: 1}, {Lo: 0x2300, Hi: 0x23ff, Stride: 1},
	{Lo: 0x24c2, Hi: 0x24c2, Stride: 1}, {Lo: 0x25a0, Hi: 0x27bf, Stride: 1}, {Lo: 0x2900, Hi: 0x297f, Stride: 1}, {Lo: 0x2b00, Hi: 0x2bff, Stride: 1},
	{Lo: 0x3030, Hi: 0x3030, Stride: 1}, {Lo: 0x303d, Hi: 0x303d, Stride: 1}, {Lo: 0x3297, Hi: 0x3297, Stride: 1}, {Lo: 0x3299, Hi: 0x3299, Stride: 1},
}, R32: []unicode.Range32{{Lo: 0x1f000, Hi: 0x1faff, Stride: 1}}, LatinOffset: 2}

func pictographic(r rune) bool { return unicode.Is(pictographs, r) }

// joining are the scripts in which joiners change what is written.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic, unicode.Adlam, unicode.Hanifi_Rohingya,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
	unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Balinese, unicode.Javanese, unicode.Chakma,
}

// joined reports two letters or marks of the same joining script.
func joined(a, b rune) bool {
	if !unicode.In(a, unicode.L, unicode.M) || !unicode.In(b, unicode.L, unicode.M) || invisible.Is(b) {
		return false
	}
	return slices.ContainsFunc(joining, func(script *unicode.RangeTable) bool { return unicode.Is(script, a) && unicode.Is(script, b) })
}

// virama reports the marks that take the vowel from a consonant. A joiner after them may end a
// word.
func virama(r rune) bool {
	return strings.ContainsRune("\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2", r)
}

// flagTags returns the number of tags that follow a black flag and make it the flag of England,
// Scotland or Wales; 0: none.
func flagTags(runes []rune) int {
	for _, region := range []string{"gbeng", "gbsct", "gbwls"} {
		n := len(region)
		if len(runes) <= n || runes[n] != cancelTag {
			continue
		}
		same := true
		for i, c := range region {
			same = same && runes[i] == 0xe0000+c
		}
		if same {
			return n + 1
		}
	}
	return 0
}
