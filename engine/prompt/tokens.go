package prompt

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// maxPiece is the bytes from which a piece is counted in slices: the encoder takes
// time that grows with the square of a piece.
const maxPiece = 1024

// cl100k is the encoder. Its table is compiled in, so nothing is downloaded; it is
// built on first use (about 6 ms, 3 MB).
var cl100k = sync.OnceValue(codec.NewCl100kBase)

// Count is the number of tokens of text in the encoding cl100k_base. A piece that the
// encoding does not divide (letters, spaces or signs in an unbroken row) of more than
// 1,024 bytes is counted in slices of that size, each of which can be a token off.
func Count(text string) int { return tokenCache(nil).count(text) }

// tokenCache remembers the tokens of pieces while one context is put together, in which the
// same texts are counted more than once. nil remembers nothing.
type tokenCache map[string]int

func (m tokenCache) count(text string) int {
	if !utf8.ValidString(text) {
		text = string([]rune(text)) // as the encoder sees it
	}
	n := 0
	for len(text) > 0 {
		size := nextPiece(text)
		n += m.tokens(text[:size])
		text = text[size:]
	}
	return n
}

// tokens counts the tokens of one piece.
func (m tokenCache) tokens(piece string) int {
	if singleTokens.has(piece) {
		return 1
	}
	if n, ok := m[piece]; ok {
		return n
	}
	n, rest := 0, piece
	for len(rest) > maxPiece {
		size := maxPiece
		for !utf8.RuneStart(rest[size]) {
			size--
		}
		n += encode(rest[:size])
		rest = rest[size:]
	}
	n += encode(rest)
	if n == 1 {
		singleTokens.add(piece)
	} else if m != nil {
		m[piece] = n
	}
	return n
}

func encode(piece string) int {
	n, err := cl100k().Count(piece)
	if err != nil { // only where a time limit of the matcher is passed, and none is set
		panic("prompt: counting tokens: " + err.Error())
	}
	return n
}

// singleTokens remembers which pieces are one token. Only entries of the public vocabulary
// get in (some 100,000 at most), so nothing private stays behind.
var singleTokens = concurrentSet{words: map[string]struct{}{}}

type concurrentSet struct {
	mu    sync.RWMutex
	words map[string]struct{}
}

func (v *concurrentSet) has(word string) bool {
	v.mu.RLock()
	defer v.mu.RUnlock()
	_, ok := v.words[word]
	return ok
}

func (v *concurrentSet) add(word string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.words[strings.Clone(word)] = struct{}{}
}
