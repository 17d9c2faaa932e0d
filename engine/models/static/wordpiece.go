package static

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// wordPiece takes from a word, again and again, the longest token it begins with; those
// behind the first are written with a prefix in the vocabulary. A word that can't be
// taken apart to its end has no token at all (Wu et al., "Google's neural machine
// translation system", 2016, section 4.1, as BERT does it).
type wordPiece struct {
	first, inner map[string]int32 // the latter without their prefix
	longest      int              // token in bytes
	most         int              // characters of a word; a longer one has no token
	unknown      int32            // id that means nothing; -1: none
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

// longestToken is the longest token that a text begins with, and its length; 0: none.
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
