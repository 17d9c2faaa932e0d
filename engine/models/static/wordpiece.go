package static

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// wordPiece splits a word into tokens by repeated longest-prefix match. Tokens after the first
// have a prefix in the vocabulary. A word that can't be split completely has no tokens (Wu et
// al., "Google's neural machine translation system", 2016, section 4.1, in BERT's variant).
type wordPiece struct {
	first, inner vocabulary // inner: stored without the prefix
	longest      int        // bytes of the longest token
	most         int        // maximum characters of a word; a longer word has no tokens
	unknown      int32      // id of the unknown token; -1: none
}

func readWordPiece(data []byte) (wordModel, int, error) {
	var file struct {
		Unknown string     `json:"unk_token"`
		Prefix  *string    `json:"continuing_subword_prefix"`
		Most    int        `json:"max_input_chars_per_word"`
		Vocab   vocabulary `json:"vocab"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, 0, fmt.Errorf("model: %w", err)
	}
	prefix := "##"
	if file.Prefix != nil {
		prefix = *file.Prefix
	}
	highest, err := file.Vocab.highest()
	if err != nil {
		return nil, 0, err
	}
	if file.Most < 0 {
		return nil, 0, errors.New("model: max_input_chars_per_word is below 0")
	}
	w := &wordPiece{first: file.Vocab, inner: vocabulary{}, most: cmp.Or(file.Most, 100), unknown: file.Vocab.id(file.Unknown)}
	for token, id := range file.Vocab {
		w.longest = max(w.longest, len(token))
		if rest, inner := strings.CutPrefix(token, prefix); inner && rest != "" {
			w.inner[rest] = id
		}
	}
	return w, highest, nil
}

func (w *wordPiece) tokens(ids []int32, word string) []int32 {
	if len(word) > w.most && utf8.RuneCountInString(word) > w.most {
		return ids
	}
	begun := len(ids)
	for from := w.first; word != ""; from = w.inner {
		id, n := longestToken(from, word, w.longest)
		if n == 0 {
			return ids[:begun]
		}
		if id != w.unknown {
			ids = append(ids, id)
		}
		word = word[n:]
	}
	return ids
}

// longestToken returns the longest token that is a prefix of the text, and its length (0:
// none).
func longestToken(ids vocabulary, text string, longest int) (id int32, length int) {
	for n := min(len(text), longest); n > 0; n-- {
		if n < len(text) && !utf8.RuneStart(text[n]) {
			continue
		}
		if id, there := ids[text[:n]]; there {
			return id, n
		}
	}
	return 0, 0
}
