package static

import (
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
	first, inner map[string]int32 // inner: stored without the prefix
	longest      int              // bytes of the longest token
	most         int              // maximum characters of a word; a longer word has no tokens
	unknown      int32            // id of the unknown token; -1: none
}

func readWordPiece(data []byte) (wordModel, int, error) {
	var file struct {
		Unknown string         `json:"unk_token"`
		Prefix  *string        `json:"continuing_subword_prefix"`
		Most    int            `json:"max_input_chars_per_word"`
		Vocab   map[string]int `json:"vocab"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, 0, fmt.Errorf("model: %w", err)
	}
	prefix := "##"
	if file.Prefix != nil {
		prefix = *file.Prefix
	}
	switch {
	case len(file.Vocab) == 0:
		return nil, 0, errors.New("model: has no vocabulary")
	case file.Most < 0:
		return nil, 0, errors.New("model: max_input_chars_per_word is below 0")
	case file.Most == 0:
		file.Most = 100
	}
	w := &wordPiece{first: make(map[string]int32, len(file.Vocab)), inner: map[string]int32{}, most: file.Most, unknown: -1}
	highest := 0
	for token, id := range file.Vocab {
		if err := checkID(token, id); err != nil {
			return nil, 0, err
		}
		highest = max(highest, id)
		w.longest = max(w.longest, len(token))
		w.first[token] = int32(id)
		if rest, inner := strings.CutPrefix(token, prefix); inner && rest != "" {
			w.inner[rest] = int32(id)
		}
	}
	if id, there := file.Vocab[file.Unknown]; there {
		w.unknown = int32(id)
	}
	return w, highest, nil
}

func (w *wordPiece) tokens(ids []int32, word string) []int32 {
	if len(word) > w.most && utf8.RuneCountInString(word) > w.most {
		return ids
	}
	begun := len(ids)
	for vocabulary := w.first; word != ""; vocabulary = w.inner {
		id, n := longestToken(vocabulary, word, w.longest)
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
func longestToken(vocabulary map[string]int32, text string, longest int) (id int32, length int) {
	for n := min(len(text), longest); n > 0; n-- {
		if n < len(text) && !utf8.RuneStart(text[n]) {
			continue
		}
		if id, there := vocabulary[text[:n]]; there {
			return id, n
		}
	}
	return 0, 0
}
