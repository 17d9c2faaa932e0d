package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func analysed(text string) []string {
	var out []string
	New().EachTerm(text, func(term string) { out = append(out, strings.Clone(term)) })
	return out
}

func TestAnalyserGolden(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// English
		{"The meetings were running late", "meet run late"},
		{"Maria's cats' toys", "maria cat toy"},
		{"don't can't won't I'm they've isn't", ""},
		{"what did she do before and after?", "befor after"},
		{"O'Brien likes rock'n'roll", "obrien brien like rocknroll rock roll"},
		{"e-mail and well-known, state-of-the-art", "email e mail wellknown well known state art"},
		{"U.S.A. e.g. R&D at AT&T", "usa eg rd at&t t"},
		// Names
		{"bob.smith@acme.com", "bob.smith@acme.com bob smith acm com"},
		{"see main.go, v2.3.1 and V10.4", "see main.go main go v2.3.1 2.3.1 v10.4 10.4"},
		{"snake_case_name", "snake_case_name snake case name"},
		{"HTTPServer camelCase iPhone", "httpserver http server camelcas camel case iphon phone"},
		{"C++ and C#", "c++ c#"},
		{"#hashtag @user https://example.com/a/b?x=1", "hashtag user https example.com exampl com b x 1"},
		{"/usr/local/bin/go", "usr local bin go"},
		{"covid-19 gpt4 GPT-4 b12x", "covid-19 covid 19 gpt4 gpt 4 gpt-4 gpt 4 b12x"},
		// Numbers
		{"at 14:00, or 2pm", "14:00 2pm 2 pm"},
		{"1,000 dollars, $5.50 and 50%", "1000 dollar 5.50 50"},
		{"2024-03-15 12/05/2023 192.168.1.1", "2024-03-15 2024 12/05/2023 2023 192.168.1.1"},
		{"note:this ratio 3:2.", "note ratio 3:2"},
		// Other scripts
		{"Café naïve Ångström straße", "cafe naiv angstrom strass"},
		{"\ufb01ne \uff46\uff55\uff4c\uff4c Maria\u2019s", "fine full maria"},
		{"Привет мир, Ёлка", "привет мир елка"},
		{"東京都に行く", "東京 京都 都に に行 行く"},
		{"東京2024年", "東京 2024 年"},
		{"서울 시청역", "서울 시청 청역"},
		{"สวัสดี", "สว วั ัส สด ดี"},
		{"नमस्ते दुनिया", "नमस्ते दुनिया"},
		{"I like tea 🍵!", "like tea"},
		{"", ""},
		{" ... --- ''' ", ""},
	} {
		if got := analysed(c.text); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%q: got %v, want %v", c.text, got, c.want)
		}
	}
}

func TestSpellingsShareATerm(t *testing.T) {
	for _, pair := range [][2]string{
		{"email", "e-mail"}, {"GPT 4", "gpt4"}, {"main", "main.go"}, {"2.3", "v2.3"}, {"cafe", "CAFÉ"}, {"server", "HTTPServer"},
		{"Ann's", "ann"}, {"acme", "bob@acme.com"}, {"1000", "1,000"}, {"ＡＢＣ", "abc"}, {"京都", "東京都"},
	} {
		a, b := analysed(pair[0]), analysed(pair[1])
		if !slices.ContainsFunc(a, func(term string) bool { return slices.Contains(b, term) }) {
			t.Errorf("%q %v and %q %v share no term", pair[0], a, pair[1], b)
		}
	}
}

func TestStopWordsAreFolded(t *testing.T) {
	a := New()
	for w := range strings.FieldsSeq("The THEMSELVES Ought") {
		if !IsStopWord(a.folded(w)) {
			t.Errorf("%q is not a stop word", w)
		}
	}
	for _, w := range []string{"before", "after", "first", "last", "now", "never"} {
		if IsStopWord(w) {
			t.Errorf("%q orders time and must not be a stop word", w)
		}
	}
}

func FuzzAnalyser(f *testing.F) {
	for _, s := range []string{"don't v2.3 14:00", "東京 C++ é", "a.b@c_d-e/f'g&h,1:2", "\xff\xfe", "Ａ\u0301\u0e01\u0300", strings.Repeat("x", 300), "'", "v.1", "C#", "½²"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms := analysed(text)
		if len(terms) > 4*len(text)+4 {
			t.Fatalf("%d terms from %d bytes", len(terms), len(text))
		}
		for _, term := range terms {
			if term == "" || len(term) > maxTerm || !utf8.ValidString(term) && utf8.ValidString(text) {
				t.Fatalf("term %q", term)
			}
			if strings.ContainsAny(term, " \t\n") {
				t.Fatalf("term %q holds a space", term)
			}
		}
		if again := analysed(text); !slices.Equal(again, terms) {
			t.Fatalf("%q gives %q, then %q", text, terms, again)
		}
		if upper := analysed(strings.ToUpper(text)); isASCII(text) && !camel(text) && !slices.Equal(upper, terms) {
			t.Fatalf("case matters: %q and %q", upper, terms)
		}
	})
}

// camel reports whether the text has capitals, which may be the humps of camelCase.
func camel(text string) bool {
	return text != strings.ToLower(text)
}
