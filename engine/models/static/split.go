package static

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// splitters appends the pre-tokenization steps of a component.
func splitters(steps []splitter, c component) ([]splitter, error) {
	if len(steps) > maxNesting {
		return nil, errors.New("has too many pre-tokenizers")
	}
	switch c.Type {
	case "Sequence":
		var err error
		for _, part := range c.Pretokenizers {
			if steps, err = splitters(steps, part); err != nil {
				return nil, err
			}
		}
		return steps, nil
	case "BertPreTokenizer":
		return append(steps, runs(func(r rune) class {
			switch {
			case unicode.IsSpace(r):
				return space
			case sign(r):
				return alone
			}
			return together
		})), nil
	case "Whitespace": // words, and runs of other characters without spaces
		return append(steps, runs(func(r rune) class {
			switch {
			case unicode.IsSpace(r):
				return space
			case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || unicode.Is(unicode.Pc, r):
				return together
			}
			return others
		})), nil
	case "WhitespaceSplit":
		return append(steps, runs(func(r rune) class {
			if unicode.IsSpace(r) {
				return space
			}
			return together
		})), nil
	case "Punctuation":
		if c.Behavior != "" && c.Behavior != "Isolated" {
			return nil, fmt.Errorf("its pre-tokenizer Punctuation has the behavior %q; only Isolated is supported", c.Behavior)
		}
		return append(steps, runs(func(r rune) class {
			if sign(r) {
				return alone
			}
			return together
		})), nil
	case "Digits":
		digits := others
		if c.Individual {
			digits = alone
		}
		return append(steps, runs(func(r rune) class {
			if unicode.IsNumber(r) {
				return digits
			}
			return together
		})), nil
	case "Metaspace":
		return metaspace(steps, c)
	case "ByteLevel":
		return byteLevel(steps, c)
	case "Split":
		return splitAt(steps, c)
	}
	return nil, fmt.Errorf("its pre-tokenizer %q is not supported", c.Type)
}

// class is the role of a character in a splitter.
type class uint8

const (
	space    class = iota // separates parts and is dropped
	together              // joins adjacent characters of its class
	others                // the same, for another class
	alone                 // forms a part by itself
)

// runs splits a text where the class changes.
func runs(of func(rune) class) splitter {
	return func(text string, part func(string)) {
		begun, last := 0, space
		for at, r := range text {
			c := of(r)
			if c == last && c != alone {
				continue
			}
			if last != space {
				part(text[begun:at])
			}
			begun, last = at, c
		}
		if last != space && begun < len(text) {
			part(text[begun:])
		}
	}
}

// sign reports whether r is punctuation by BERT's definition: every ASCII character that is
// not a letter, digit, control or space, and the Unicode category P.
func sign(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7f && !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
	}
	return unicode.IsPunct(r)
}

// metaspace replaces each space with "▁", adds one at the start of the text, and splits before
// each of them.
func metaspace(steps []splitter, c component) ([]splitter, error) {
	mark := c.Replacement
	if mark == "" {
		mark = "▁"
	}
	prepend := c.PrependScheme != "never"
	switch {
	case c.PrependScheme == "" && c.AddPrefixSpace != nil:
		prepend = *c.AddPrefixSpace
	case c.PrependScheme == "first" && len(steps) > 0:
		return nil, errors.New("its pre-tokenizer Metaspace marks only the first part, which is not supported after another pre-tokenizer")
	}
	split := c.Split == nil || *c.Split
	return append(steps, func(text string, part func(string)) {
		text = strings.ReplaceAll(text, " ", mark)
		if prepend && !strings.HasPrefix(text, mark) {
			text = mark + text
		}
		for split {
			_, first := utf8.DecodeRuneInString(text)
			next := strings.Index(text[first:], mark)
			if next < 0 {
				break
			}
			part(text[:first+next])
			text = text[first+next:]
		}
		part(text)
	}), nil
}
