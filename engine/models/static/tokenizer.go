package static

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// tokenizer converts a text to token ids. It reads the file format of the library "tokenizers"
// (https://huggingface.co/docs/tokenizers, "Components"): a chain of normalisers, a chain of
// pre-tokenizers that split the text, and a model that finds the tokens of each part. It does
// not recognise added tokens ([CLS], [SEP] …): in a memory they are plain text.
type tokenizer struct {
	normalise []func(string) string
	split     []splitter
	model     wordModel
	highest   int // highest id of the vocabulary
}

// wordModel appends the token ids of a part of a text. Characters without a token are skipped.
type wordModel interface {
	tokens(ids []int32, part string) []int32
}

// splitter splits a text. The parts are in order and not empty.
type splitter func(text string, part func(string))

// encode appends the token ids of a text.
func (t *tokenizer) encode(ids []int32, text string) []int32 {
	for _, f := range t.normalise {
		text = f(text)
	}
	t.parts(t.split, text, func(part string) { ids = t.model.tokens(ids, part) })
	return ids
}

func (t *tokenizer) parts(split []splitter, text string, part func(string)) {
	switch {
	case text == "":
	case len(split) == 0:
		part(text)
	default:
		split[0](text, func(s string) { t.parts(split[1:], s, part) })
	}
}

// component is a step of the file. Each type uses some of the fields.
type component struct {
	Type          string      `json:"type"`
	Normalizers   []component `json:"normalizers"`   // of a Sequence
	Pretokenizers []component `json:"pretokenizers"` // of a Sequence

	CleanText    *bool `json:"clean_text"`
	Chinese      *bool `json:"handle_chinese_chars"`
	StripAccents *bool `json:"strip_accents"`
	Lowercase    *bool `json:"lowercase"`

	Charsmap   []byte `json:"precompiled_charsmap"` // base64
	Pattern    pattern
	Content    string `json:"content"`
	Prepend    string `json:"prepend"`
	StripLeft  bool   `json:"strip_left"`
	StripRight bool   `json:"strip_right"`

	Replacement    string `json:"replacement"`
	PrependScheme  string `json:"prepend_scheme"`
	AddPrefixSpace *bool  `json:"add_prefix_space"`
	Split          *bool  `json:"split"`
	Individual     bool   `json:"individual_digits"`
	Behavior       string `json:"behavior"`
	Invert         bool   `json:"invert"`
	UseRegex       *bool  `json:"use_regex"`
}

// pattern is a literal string or a regular expression.
type pattern struct {
	String *string `json:"String"`
	Regex  *string `json:"Regex"`
}

// readTokenizer reads a tokenizer.json. Unknown components are errors, because they would
// change the tokens and therefore the vectors.
func readTokenizer(data []byte) (*tokenizer, error) {
	var file struct {
		Normalizer   *component      `json:"normalizer"`
		Pretokenizer *component      `json:"pre_tokenizer"`
		Model        json.RawMessage `json:"model"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("is not a tokenizer: %w", err)
	}
	t := &tokenizer{}
	var err error
	if file.Normalizer != nil {
		if t.normalise, err = normalisers(nil, *file.Normalizer); err != nil {
			return nil, err
		}
	}
	if file.Pretokenizer != nil {
		if t.split, err = splitters(nil, *file.Pretokenizer); err != nil {
			return nil, err
		}
	}
	t.model, t.highest, err = readModel(file.Model)
	return t, err
}

// readModel reads the model and returns the highest id of its vocabulary.
func readModel(data json.RawMessage) (wordModel, int, error) {
	var kind struct {
		Type string `json:"type"`
	}
	if len(data) == 0 {
		return nil, 0, errors.New("has no model")
	}
	if err := json.Unmarshal(data, &kind); err != nil {
		return nil, 0, fmt.Errorf("model: %w", err)
	}
	switch kind.Type {
	case "WordPiece", "":
		return readWordPiece(data)
	case "Unigram":
		return readUnigram(data)
	case "BPE":
		return readBPE(data)
	}
	return nil, 0, fmt.Errorf("its model is a %q; WordPiece, Unigram and BPE are supported", kind.Type)
}

// vocabulary is a vocabulary of a file. It can't be empty.
type vocabulary map[string]int32

// UnmarshalJSON reads and checks the ids.
func (v *vocabulary) UnmarshalJSON(data []byte) error {
	var ids map[string]int
	if err := json.Unmarshal(data, &ids); err != nil {
		return err
	}
	*v = make(vocabulary, len(ids))
	for token, id := range ids {
		if id < 0 || id >= maxTokens {
			return fmt.Errorf("token %q has the id %d; 0 to %d are supported", token, id, maxTokens-1)
		}
		(*v)[token] = int32(id)
	}
	return nil
}

// highest returns the highest id, or an error if there is none.
func (v vocabulary) highest() (int, error) {
	if len(v) == 0 {
		return 0, errors.New("model: has no vocabulary")
	}
	return int(slices.Max(slices.Collect(maps.Values(v)))), nil
}

// id returns the id of a token; -1 if there is none.
func (v vocabulary) id(token string) int32 {
	if id, there := v[token]; there {
		return id
	}
	return -1
}
