package static

import (
	"encoding/json"
	"errors"
	"fmt"
)

// tokenizer turns a text into ids of tokens. The file it is read from is that of the
// library "tokenizers" (https://huggingface.co/docs/tokenizers, "Components"): a chain
// of normalisers, then one of pre-tokenizers that part the text, then a model that
// finds the tokens of each part. Its added tokens ([CLS], [SEP] …) are not looked for:
// a memory that quotes one means its letters.
type tokenizer struct {
	normalise []func(string) string
	split     []splitter
	model     wordModel
	highest   int // id of the vocabulary
}

// wordModel finds the tokens of a part of a text and appends their ids; what has none
// is left out.
type wordModel interface {
	tokens(ids []int32, part string) []int32
}

// splitter parts a text; the parts come in order and are never empty.
type splitter func(text string, part func(string))

// encode appends the ids of the tokens of a text.
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

// component is a step of the file; each type reads its own of the fields.
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

// pattern is a string or a regular expression.
type pattern struct {
	String *string `json:"String"`
	Regex  *string `json:"Regex"`
}

// readTokenizer reads a tokenizer.json. It fails on every part that it doesn't know:
// other tokens would mean other vectors.
func readTokenizer(data []byte) (*tokenizer, error) {
	var file struct {
		Normalizer   *component      `json:"normalizer"`
		Pretokenizer *component      `json:"pre_tokenizer"`
		Model        json.RawMessage `json:"model"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("is no tokenizer: %w", err)
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

// readModel reads the model and answers the highest id in its vocabulary.
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
	return nil, 0, fmt.Errorf("its model is a %q; WordPiece, Unigram and BPE can be read", kind.Type)
}

// checkID answers what is wrong with an id of a vocabulary.
func checkID(token string, id int) error {
	if id < 0 || id >= maxTokens {
		return fmt.Errorf("token %q has the id %d; 0 to %d can be read", token, id, maxTokens-1)
	}
	return nil
}
