package prompt

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// maxPiece is the length in bytes above which a piece is counted in slices, because the encoder
// takes quadratic time.
const maxPiece = 1024

// cl100k is the encoder. Its table is compiled in. It is built on first use (about 6 ms, 3 MB).
var cl100k = sync.OnceValue(codec.NewCl100kBase)

// Count is the number of tokens of text in the encoding cl100k_base. An unbroken run of
// letters, spaces or signs of more than 1,024 bytes is counted in slices of that size; each
// slice can be off by one token.
func Count(text string) int { return tokenCache(nil).count(text) }

// tokenCache caches the tokens of pieces while one context is built, because the same texts are
// counted several times. A nil tokenCache caches nothing.
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
	if err != nil { // only if a time limit of the matcher is exceeded, and none is set
		panic("prompt: counting tokens: " + err.Error())
	}
	return n
}

// singleTokens caches pieces that are one token. Only entries of the public vocabulary (about
// 100,000) are stored, so nothing private remains in memory.
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

// LeastTokens is the number of tokens of an empty context in a format; 0 if the format is unknown.
func LeastTokens(f Format) int {
	style, err := styleFor(f)
	if err != nil {
		return 0
	}
	return Count(style.empty())
}
