package static

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func tokenizerOf(t testing.TB, file any) *tokenizer {
	t.Helper()
	data, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	tk, err := readTokenizer(data)
	if err != nil {
		t.Fatal(err)
	}
	return tk
}

func TestWordPieceTakesTheLongestFirst(t *testing.T) {
	vocab := []string{"[UNK]", "un", "##aff", "##able", "una", "##ff", "a", "##b", "!", "中", "é"}
	tk := tokenizerOf(t, words(vocab...))
	for text, want := range map[string][]string{
		"unaffable":                   {"una", "##ff", "##able"},
		"UNAFFABLE!":                  {"una", "##ff", "##able", "!"},
		"unx":                         nil, // can't be split completely: no token
		"a中a":                         {"a", "中", "a"},
		"ab  a\u00a0b":                {"a", "##b", "a"},
		"a\u200bb":                    {"a", "##b"}, // zero-width characters are removed
		"a" + strings.Repeat("b", 19): slices.Concat([]string{"a"}, slices.Repeat([]string{"##b"}, 19)),
		"a" + strings.Repeat("b", 20): nil, // longer than max_input_chars_per_word
		"é":                           nil, // accents are removed, and e is not in the vocabulary
	} {
		var got []string
		for _, id := range tk.encode(nil, text) {
			got = append(got, vocab[id])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestUnigramTakesTheLikeliest(t *testing.T) {
	vocab := []any{"<unk>", 0.0, "▁", -3.0, "▁a", -2.0, "b", -4.0, "ab", -1.5, "▁ab", -6.0, "c", -2.5, "ü", -3.0}
	tk := tokenizerOf(t, scored(0, vocab...))
	for text, want := range map[string][]string{
		"ab":   {"▁", "ab"}, // −4.5 is more than −6 of both other segmentations
		"a b":  {"▁a", "▁", "b"},
		"acü":  {"▁a", "c", "ü"},
		"axb":  {"▁a", "b"}, // x has none
		"a  b": {"▁a", "▁", "▁", "b"},
		"":     nil,
	} {
		var got []string
		for _, id := range tk.encode(nil, text) {
			got = append(got, vocab[2*id].(string))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The Viterbi segmentation is as likely as the best of all segmentations.
func TestUnigramAgainstAllWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := &unigram{ids: map[string]int32{}, unknown: -1, cost: -50}
		for _, token := range slices.Sorted(maps.Keys(rapid.MapOfN(rapid.StringMatching(`[abü]{1,3}`), rapid.Bool(), 1, 8).Draw(t, "tokens"))) {
			u.ids[token] = int32(len(u.scores))
			u.scores = append(u.scores, -float64(rapid.IntRange(1, 20).Draw(t, "cost")))
			u.longest = max(u.longest, len(token))
		}
		text := rapid.StringMatching(`[abüx]{0,7}`).Draw(t, "text")
		var best func(text string) float64
		best = func(text string) float64 {
			if text == "" {
				return 0
			}
			r := []rune(text)
			top := -1e9
			if _, there := u.ids[string(r[:1])]; !there {
				top = u.cost + best(string(r[1:]))
			}
			for n := 1; n <= len(r); n++ {
				if id, there := u.ids[string(r[:n])]; there {
					top = max(top, u.scores[id]+best(string(r[n:])))
				}
			}
			return top
		}
		got, spelt := 0.0, ""
		byID := map[int32]string{}
		for token, id := range u.ids {
			byID[id] = token
		}
		for _, id := range u.tokens(nil, text) {
			got += u.scores[id]
			spelt += byID[id]
		}
		unknown := len([]rune(text)) - len([]rune(spelt))
		if got += float64(unknown) * u.cost; got != best(text) {
			t.Fatalf("%q split into %q costs %v, the best split %v", text, spelt, got, best(text))
		}
	})
}

func TestStepsBeforeTheModel(t *testing.T) {
	parts := func(t *testing.T, normalizer, pre map[string]any, text string) []string {
		t.Helper()
		file := words("[UNK]")
		file["normalizer"], file["pre_tokenizer"] = normalizer, pre
		tk := tokenizerOf(t, file)
		for _, f := range tk.normalise {
			text = f(text)
		}
		var out []string
		tk.parts(tk.split, text, func(s string) { out = append(out, s) })
		return out
	}
	is := func(kind string, with ...any) map[string]any {
		m := map[string]any{"type": kind}
		for i := 0; i < len(with); i += 2 {
			m[with[i].(string)] = with[i+1]
		}
		return m
	}
	for _, c := range []struct {
		name            string
		normalizer, pre map[string]any
		text            string
		want            []string
	}{
		{"nothing", nil, nil, "A b", []string{"A b"}},
		{"lower case", is("Lowercase"), nil, "A B", []string{"a b"}},
		{"NFKC", is("NFKC"), nil, "ﬁn ①", []string{"fin 1"}},
		{"accents", is("Sequence", "normalizers", []any{is("NFD"), is("StripAccents"), is("NFC")}), nil, "Müller", []string{"Muller"}},
		{"accents, composed", is("NFKD"), nil, "é", []string{"e\u0301"}},
		{"strip", is("Strip", "strip_left", true, "strip_right", true), nil, "  a ", []string{"a"}},
		{"strip one side", is("Strip", "strip_right", true), nil, " a ", []string{" a"}},
		{"prepend", is("Prepend", "prepend", "_"), nil, "a", []string{"_a"}},
		{"replace", is("Replace", "pattern", is("", "String", "$1"), "content", "$0"), nil, "a$1b", []string{"a$0b"}},
		{"replace by expression", is("Replace", "pattern", is("", "Regex", " {2,}"), "content", " "), nil, "a    b", []string{"a b"}},
		{"BERT", nil, is("BertPreTokenizer"), "don't, 2+2 «ja»", []string{"don", "'", "t", ",", "2", "+", "2", "«", "ja", "»"}},
		{"words and others", nil, is("Whitespace"), "don't!! a_b", []string{"don", "'", "t", "!!", "a_b"}},
		{"white space", nil, is("WhitespaceSplit"), " don't\u2003stop ", []string{"don't", "stop"}},
		{"punctuation", nil, is("Punctuation", "behavior", "Isolated"), "a,,b", []string{"a", ",", ",", "b"}},
		{"digits", nil, is("Digits", "individual_digits", false), "ab12", []string{"ab", "12"}},
		{"single digits", nil, is("Digits", "individual_digits", true), "ab12", []string{"ab", "1", "2"}},
		{"visible spaces", nil, is("Metaspace"), "a bc  d", []string{"▁a", "▁bc", "▁", "▁d"}},
		{"visible spaces, none in front", nil, is("Metaspace", "add_prefix_space", false), "a b", []string{"a", "▁b"}},
		{"visible spaces, in one", nil, is("Metaspace", "prepend_scheme", "always", "split", false), "a b", []string{"▁a▁b"}},
		{"visible spaces, spelt otherwise", nil, is("Metaspace", "replacement", "~"), "a b", []string{"~a", "~b"}},
		{"chain", nil, is("Sequence", "pretokenizers", []any{is("WhitespaceSplit"), is("Metaspace")}), "a b", []string{"▁a", "▁b"}},
	} {
		if got := parts(t, c.normalizer, c.pre, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// rules is a charsmap with one key of one byte, with hand-made trie units.
func rules(key byte, value string) string {
	units := make([]uint32, 512)
	units[0] = 256 << 10                                // root: the child is at 256 ^ byte
	units[256^uint32(key)] = uint32(key) | 1<<8 | 1<<10 // the key, a leaf; its value is at 1 ^ its position
	units[256^uint32(key)^1] = 1 << 31
	out := binary.LittleEndian.AppendUint32(nil, uint32(4*len(units)))
	for _, u := range units {
		out = binary.LittleEndian.AppendUint32(out, u)
	}
	return base64.StdEncoding.EncodeToString(append(append(out, value...), 0))
}

func TestRulesOfSentencePiece(t *testing.T) {
	file := scored(0, "<unk>", 0.0, "▁", -1.0, "b", -1.0)
	file["normalizer"] = map[string]any{"type": "Precompiled", "precompiled_charsmap": rules('x', "bb")}
	tk := tokenizerOf(t, file)
	if got := tk.normalise[0]("axüx"); got != "abbübb" {
		t.Errorf("%q", got)
	}
}

func TestUnsupportedTokenizersAreRefused(t *testing.T) {
	with := func(part string, value any) any {
		file := words("[UNK]", "a")
		file[part] = value
		return file
	}
	type m = map[string]any
	deep := m{"type": "Lowercase"}
	var many []any
	for range maxNesting + 2 {
		many = append(many, deep)
	}
	for name, c := range map[string]struct {
		file any
		want string
	}{
		"normaliser":        {with("normalizer", m{"type": "Nmt"}), `"Nmt"`},
		"many normalisers":  {with("normalizer", m{"type": "Sequence", "normalizers": many}), "too many"},
		"pre-tokenizer":     {with("pre_tokenizer", m{"type": "UnicodeScripts"}), `"UnicodeScripts"`},
		"punctuation":       {with("pre_tokenizer", m{"type": "Punctuation", "behavior": "Removed"}), `"Removed"`},
		"first part alone":  {with("pre_tokenizer", m{"type": "Sequence", "pretokenizers": []any{m{"type": "WhitespaceSplit"}, m{"type": "Metaspace", "prepend_scheme": "first"}}}), "first part"},
		"model":             {with("model", m{"type": "WordLevel"}), `"WordLevel"`},
		"no model":          {m{}, "no model"},
		"no words":          {with("model", m{"type": "WordPiece"}), "no vocabulary"},
		"an id below 0":     {with("model", m{"type": "WordPiece", "vocab": m{"a": -1}}), "id -1"},
		"an id too high":    {with("model", m{"type": "WordPiece", "vocab": m{"a": maxTokens}}), "id"},
		"no tokens":         {with("model", m{"type": "Unigram"}), "no vocabulary"},
		"bytes":             {with("model", m{"type": "Unigram", "byte_fallback": true, "vocab": []any{[]any{"a", -1}}}), "byte_fallback"},
		"unknown is none":   {with("model", m{"type": "Unigram", "unk_id": 1, "vocab": []any{[]any{"a", -1}}}), "unk_id 1"},
		"a score too large": {with("model", m{"type": "Unigram", "vocab": []any{[]any{"a", -1e9}}}), "score"},
		"no pattern":        {with("normalizer", m{"type": "Replace"}), "no pattern"},
		"a bad expression":  {with("normalizer", m{"type": "Replace", "pattern": m{"Regex": "("}}), "Replace"},
		"no rules":          {with("normalizer", m{"type": "Precompiled"}), "no rules"},
		"rules cut short":   {with("normalizer", m{"type": "Precompiled", "precompiled_charsmap": base64.StdEncoding.EncodeToString([]byte{8, 0, 0, 0, 1})}), "length"},
	} {
		data, err := json.Marshal(c.file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readTokenizer(data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
	}
}

// FuzzTokenizer reads arbitrary data as a tokenizer, and encodes arbitrary text with each
// valid tokenizer: no id is outside the vocabulary.
func FuzzTokenizer(f *testing.F) {
	for _, file := range []any{
		words("[UNK]", "a", "##b"), scored(0, "<unk>", 0.0, "▁a", -1.0),
		pairs([][]string{{"a", "b"}}, []string{"<unk>", "a", "b", "ab"}, map[string]any{"unk_token": "<unk>"}),
		map[string]any{"pre_tokenizer": map[string]any{"type": "ByteLevel"}, "model": pairs(nil, []string{"Ġ", "a"}, nil)["model"]},
		map[string]any{"normalizer": map[string]any{"type": "Precompiled", "precompiled_charsmap": rules('x', "bb")}, "model": scored(0, "a", -1.0)["model"]},
	} {
		data, err := json.Marshal(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, "a ab\x00 xü")
	}
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		tk, err := readTokenizer(data)
		if err != nil {
			return
		}
		for _, id := range tk.encode(nil, text) {
			if id < 0 || int(id) > tk.highest {
				t.Fatalf("id %d of %d", id, tk.highest)
			}
		}
	})
}
