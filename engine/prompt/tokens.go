package prompt

import (
	"sync"
	"unicode"

	"github.com/tiktoken-go/tokenizer/codec"
)

// maxRun is the length in bytes from which a run of one class of characters is
// counted in slices: the encoder takes time that grows with the square of it.
const maxRun = 1024

// cl100k is the encoder. Its table is compiled in, so nothing is downloaded; it is
// built on first use (about 6 ms, 3 MB).
var cl100k = sync.OnceValue(codec.NewCl100kBase)

// Count is the number of tokens of text in the encoding cl100k_base. Letters,
// spaces or signs that stand in an unbroken run of more than 1,024 bytes are
// counted in slices of that size, each of which can count a token too many.
func Count(text string) int {
	n, start, run := 0, 0, 0
	class := other
	for i, r := range text {
		c := classOf(r)
		if c != class {
			class, run = c, i
			continue
		}
		if i-run >= maxRun {
			n += count(text[start:i])
			start, run = i, i
		}
	}
	return n + count(text[start:])
}

func count(text string) int {
	if text == "" {
		return 0
	}
	n, err := cl100k().Count(text)
	if err != nil { // only a time limit of the matcher, and none is set
		panic("prompt: counting tokens: " + err.Error())
	}
	return n
}

// The classes that the encoder keeps together in one piece.
type runeClass uint8

const (
	other runeClass = iota
	letter
	space
)

func classOf(r rune) runeClass {
	switch {
	case unicode.IsLetter(r):
		return letter
	case unicode.IsSpace(r):
		return space
	}
	return other
}
