package static

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxNesting is the maximum depth of nested Sequence components.
const maxNesting = 64

// normalisers appends the normalisation steps of a component.
func normalisers(steps []func(string) string, c component) ([]func(string) string, error) {
	if len(steps) > maxNesting {
		return nil, errors.New("has too many normalizers")
	}
	var one func(string) string
	switch c.Type {
	case "Sequence":
		var err error
		for _, part := range c.Normalizers {
			if steps, err = normalisers(steps, part); err != nil {
				return nil, err
			}
		}
		return steps, nil
	case "BertNormalizer":
		one = bert(c)
	case "Lowercase":
		one = strings.ToLower
	case "NFC":
		one = norm.NFC.String
	case "NFD":
		one = norm.NFD.String
	case "NFKC":
		one = norm.NFKC.String
	case "NFKD":
		one = norm.NFKD.String
	case "StripAccents":
		one = withoutMarks
	case "Strip":
		one = stripper(c.StripLeft, c.StripRight)
	case "Prepend":
		one = func(s string) string {
			if s == "" {
				return s
			}
			return c.Prepend + s
		}
	case "Replace":
		replace, err := replacer(c.Pattern, c.Content)
		if err != nil {
			return nil, err
		}
		one = replace
	case "ByteLevel":
		one = spelt
	case "Precompiled":
		m, err := readCharsmap(c.Charsmap)
		if err != nil {
			return nil, err
		}
		one = m.normalise
	default:
		return nil, fmt.Errorf("its normalizer %q is not supported", c.Type)
	}
	return append(steps, one), nil
}

// bert normalises a text like BERT: it removes control characters, replaces white space with
// spaces and puts spaces around ideographs. By default it also lowers the case and strips
// accents.
func bert(c component) func(string) string {
	is := func(p *bool, otherwise bool) bool {
		if p == nil {
			return otherwise
		}
		return *p
	}
	clean, apart, lower := is(c.CleanText, true), is(c.Chinese, true), is(c.Lowercase, true)
	accents := is(c.StripAccents, lower)
	return func(s string) string {
		plain := true
		for i := 0; i < len(s) && plain; i++ {
			plain = s[i] >= ' ' && s[i] < 0x7f
		}
		if !plain {
			if clean || apart {
				s = cleaned(s, clean, apart)
			}
			if accents {
				s = withoutMarks(norm.NFD.String(s))
			}
		}
		if lower {
			s = strings.ToLower(s)
		}
		return s
	}
}

func cleaned(s string, clean, apart bool) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case clean && (r == 0 || r == utf8.RuneError || unicode.In(r, unicode.C) && r != '\t' && r != '\n' && r != '\r'):
		case clean && unicode.IsSpace(r):
			b.WriteByte(' ')
		case apart && ideogram(r):
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// ideogram reports whether r is in one of BERT's CJK ideograph blocks.
func ideogram(r rune) bool {
	return r >= 0x4e00 && r <= 0x9fff || r >= 0x3400 && r <= 0x4dbf || r >= 0x20000 && r <= 0x2a6df || r >= 0x2a700 && r <= 0x2ceaf ||
		r >= 0xf900 && r <= 0xfaff || r >= 0x2f800 && r <= 0x2fa1f
}

// withoutMarks removes combining marks.
func withoutMarks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
}

func stripper(left, right bool) func(string) string {
	return func(s string) string {
		if left {
			s = strings.TrimLeftFunc(s, unicode.IsSpace)
		}
		if right {
			s = strings.TrimRightFunc(s, unicode.IsSpace)
		}
		return s
	}
}

func replacer(p pattern, by string) (func(string) string, error) {
	switch {
	case p.String != nil && *p.String != "":
		return strings.NewReplacer(*p.String, by).Replace, nil
	case p.Regex != nil:
		x, err := regexp.Compile(*p.Regex)
		if err != nil {
			return nil, fmt.Errorf("its normalizer Replace: %w", err)
		}
		return func(s string) string { return x.ReplaceAllLiteralString(s, by) }, nil
	}
	return nil, errors.New("its normalizer Replace has no pattern")
}
