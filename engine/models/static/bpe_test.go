package static

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	tiktoken "github.com/tiktoken-go/tokenizer"
	"pgregory.net/rapid"
)

// pairs is a BPE tokenizer over words, with additional fields in its model.
func pairs(merges [][]string, tokens []string, more map[string]any) map[string]any {
	vocab := map[string]int{}
	for i, t := range tokens {
		vocab[t] = i
	}
	model := map[string]any{"type": "BPE", "vocab": vocab, "merges": merges}
	for k, v := range more {
		model[k] = v
	}
	return map[string]any{"pre_tokenizer": map[string]any{"type": "WhitespaceSplit"}, "model": model}
}

func spelling(t testing.TB, file map[string]any, vocab []string, text string) (got []string) {
	t.Helper()
	for _, id := range tokenizerOf(t, file).encode(nil, text) {
		got = append(got, vocab[id])
	}
	return got
}

func TestBPEJoinsInTheOrderLearned(t *testing.T) {
	vocab := []string{"<unk>", "a", "b", "c", "ab", "bc", "abc", "aa"}
	file := pairs([][]string{{"b", "c"}, {"a", "b"}, {"a", "bc"}, {"a", "a"}}, vocab, map[string]any{"unk_token": "<unk>"})
	for text, want := range map[string][]string{
		"abc":   {"abc"}, // b and c first, although a and b come earlier
		"ab":    {"ab"},
		"aaa":   {"aa", "a"}, // the leftmost of equal pairs
		"abab":  {"ab", "ab"},
		"aabcb": {"a", "abc", "b"},
		"axb":   {"a", "b"}, // an unknown character separates its neighbours
		"ab c":  {"ab", "c"},
		"x":     nil,
		"":      nil,
	} {
		if got := spelling(t, file, vocab, text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestBPEVariants(t *testing.T) {
	letters := []string{"<unk>", "a", "b", "ab", "##b", "a</w>", "b</w>", "ab</w>", "a##b"}
	everyByte := slices.Clone(letters)
	for b := range 256 {
		everyByte = append(everyByte, fmt.Sprintf("<0x%02X>", b))
	}
	for name, c := range map[string]struct {
		merges [][]string
		more   map[string]any
		text   string
		want   []string
	}{
		"nothing stands for the unknown":  {[][]string{{"a", "b"}}, nil, "axb", []string{"ab"}},
		"the last letter has a suffix":    {[][]string{{"a", "b</w>"}}, map[string]any{"end_of_word_suffix": "</w>"}, "aab ab a", []string{"a", "ab</w>", "ab</w>", "a</w>"}},
		"inner letters have a prefix":     {[][]string{{"a", "##b"}}, map[string]any{"continuing_subword_prefix": "##"}, "ab a", []string{"ab", "a"}},
		"a whole part is not taken apart": {nil, map[string]any{"ignore_merges": true}, "ab ba", []string{"ab", "b", "a"}},
		"a letter falls back to its bytes": {nil, map[string]any{"byte_fallback": true, "unk_token": "<unk>"}, "aé",
			[]string{"a", "<0xC3>", "<0xA9>"}},
	} {
		if got := spelling(t, pairs(c.merges, everyByte, c.more), everyByte, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	// Byte fallback needs a token for each byte.
	if got := spelling(t, pairs(nil, letters, map[string]any{"byte_fallback": true, "unk_token": "<unk>"}), letters, "aé"); !slices.Equal(got, []string{"a"}) {
		t.Errorf("without bytes: %q", got)
	}
}

func TestBPEThatCannotBeRead(t *testing.T) {
	for want, file := range map[string]map[string]any{
		"has no vocabulary":    pairs(nil, nil, nil),
		"dropout":              pairs(nil, []string{"a"}, map[string]any{"dropout": 0.1}),
		"merge 0":              pairs([][]string{{"a", "b"}}, []string{"a", "b"}, nil),
		"must have two tokens": pairs([][]string{{"a"}}, []string{"a"}, nil),
		"has the id":           pairs(nil, nil, map[string]any{"vocab": map[string]any{"a": -1}}),
	} {
		data, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readTokenizer(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: read with %v", want, err)
		}
	}
}

// learned is the vocabulary of GPT-2 in the format of tokenizer.json. tiktoken stores token
// ranks; the merges are derived from them.
var learned = sync.OnceValues(func() (map[string]any, error) {
	codec, err := tiktoken.Get(tiktoken.R50kBase)
	if err != nil {
		return nil, err
	}
	const tokens = 50256
	vocab, ranks := map[string]int{}, map[string]int{}
	byRank := make([]string, tokens)
	for id := range byRank {
		if byRank[id], err = codec.Decode([]uint{uint(id)}); err != nil {
			return nil, err
		}
		ranks[byRank[id]] = id
		vocab[spelt(byRank[id])] = id
	}
	var merges []string
	for id, token := range byRank {
		if len(token) < 2 {
			continue
		}
		parts := strings.Split(token, "")
		if len(parts) < len(token) { // letters of several bytes
			parts = nil
			for i := range len(token) {
				parts = append(parts, token[i:i+1])
			}
		}
		for len(parts) > 2 {
			best := -1
			for i := range len(parts) - 1 {
				if r, there := ranks[parts[i]+parts[i+1]]; there && r < id && (best < 0 || r < ranks[parts[best]+parts[best+1]]) {
					best = i
				}
			}
			if best < 0 {
				return nil, fmt.Errorf("token %d is not made of two", id)
			}
			parts = slices.Replace(parts, best, best+2, parts[best]+parts[best+1])
		}
		merges = append(merges, spelt(parts[0])+" "+spelt(parts[1]))
	}
	return map[string]any{
		"pre_tokenizer": map[string]any{"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
		"model":         map[string]any{"type": "BPE", "vocab": vocab, "merges": merges},
	}, nil
})

// The byte-level tokenizer finds the same tokens as tiktoken.
func TestByteLevelAgainstTiktoken(t *testing.T) {
	file, err := learned()
	if err != nil {
		t.Fatal(err)
	}
	tk := tokenizerOf(t, file)
	codec, err := tiktoken.Get(tiktoken.R50kBase)
	if err != nil {
		t.Fatal(err)
	}
	same := func(t interface {
		Helper()
		Fatal(...any)
		Fatalf(string, ...any)
	}, text string) {
		t.Helper()
		want, _, err := codec.Encode(text)
		if err != nil {
			t.Fatal(err)
		}
		got := tk.encode(nil, text)
		if !slices.EqualFunc(got, want, func(a int32, b uint) bool { return uint(a) == b }) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{
		"", " ", "  two  spaces\n\n\tand a tab ", "I'll say it's theirs, isn't it?", "Łódź, 東京 and naïve cafés: 12,345.60 €",
		"func main() {\n\tfmt.Println(\"hi\")\n}\n", "👩‍🚀 went up\u00a0there", strings.Repeat("ab", 500), "ALLCAPSandCamelCase_snake-case",
	} {
		same(t, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		same(t, rapid.OneOf(rapid.String(), rapid.StringMatching(`([a-z]{1,9}( |'s|, |\n| {2,4}|[0-9]{1,4})){0,20}`)).Draw(t, "text"))
	})
}

func TestSplitArranges(t *testing.T) {
	for behaviour, want := range map[string][]string{
		"Removed":            {"a", "b", "c"},
		"Isolated":           {"a", "-", "-", "b", "-", "c"},
		"Contiguous":         {"a", "--", "b", "-", "c"},
		"MergedWithPrevious": {"a-", "-", "b-", "c"},
		"MergedWithNext":     {"a", "-", "-b", "-c"},
	} {
		for pattern, value := range map[string]string{"String": "-", "Regex": "-(?=.)"} {
			steps, err := splitters(nil, component{Type: "Split", Behavior: behaviour, Pattern: patternOf(t, pattern, value)})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			steps[0]("a--b-c", func(s string) { got = append(got, s) })
			if !slices.Equal(got, want) {
				t.Errorf("%s at a %s: %q, want %q", behaviour, pattern, got, want)
			}
		}
	}
	steps, err := splitters(nil, component{Type: "Split", Behavior: "Removed", Invert: true, Pattern: patternOf(t, "Regex", `\p{L}+`)})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	steps[0]("– Łódź 東京!", func(s string) { got = append(got, s) })
	if !slices.Equal(got, []string{"Łódź", "東京"}) {
		t.Errorf("inverted: %q", got)
	}
	for want, c := range map[string]component{
		"behavior":     {Type: "Split", Behavior: "Doubled", Pattern: patternOf(t, "String", "-")},
		"no pattern":   {Type: "Split", Behavior: "Removed"},
		"its pattern:": {Type: "Split", Behavior: "Removed", Pattern: patternOf(t, "Regex", "(")},
	} {
		if _, err := splitters(nil, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: read with %v", want, err)
		}
	}
}

func patternOf(t testing.TB, kind, value string) (p pattern) {
	t.Helper()
	data, err := json.Marshal(map[string]string{kind: value})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	return p
}
