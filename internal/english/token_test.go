package english

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// tokensOf writes the tokens of a text with a space between: words as they are, numbers
// after #, runs of unspaced scripts after ~, signs in brackets, and a line break as \.
func tokensOf(text string, cut Cut) string {
	var out []string
	for t := range Tokens(text, cut) {
		switch t.Kind {
		case Number:
			out = append(out, "#"+t.Text)
		case Unspaced:
			out = append(out, "~"+t.Text)
		case Sign:
			out = append(out, "["+t.Text+"]")
		case Break:
			out = append(out, `\`)
		default:
			out = append(out, t.Text)
		}
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, parts, words, names string }{
		{"", "", "", ""},
		{"Hello, world!\nBye", `Hello [,] world [!] \ Bye`, `Hello [,] world [!] \ Bye`, `Hello [,] world [!] \ Bye`},
		{"don’t", "don [’] t", "don’t", "don’t"},
		{"'tis the dogs' bowl", "['] tis the dogs ['] bowl", "['] tis the dogs ['] bowl", "['] tis the dogs ['] bowl"},
		{"at 5:30, 2023-05-08", "at #5 [:] #30 [,] #2023 [-] #05 [-] #08", "at #5:30 [,] #2023-05-08", "at #5:30 [,] #2023-05-08"},
		{"1,000.50 on 3rd", "#1 [,] #000 [.] #50 on 3rd", "#1 [,] #000.50 on 3rd", "#1,000.50 on 3rd"},
		{"well-known main.go", "well [-] known main [.] go", "well [-] known main [.] go", "well-known main.go"},
		{"bob@acme.com, AT&T", "bob [@] acme [.] com [,] AT [&] T", "bob [@] acme [.] com [,] AT [&] T", "bob@acme.com [,] AT&T"},
		{"C++, C#x and LGBTQ+, not ABC#d", "C [+] [+] [,] C [#] x and LGBTQ [+] [,] not ABC [#] d", "C [+] [+] [,] C [#] x and LGBTQ [+] [,] not ABC [#] d", "C++ [,] C# x and LGBTQ+ [,] not ABC [#] d"},
		{"a--b a-.b", "a [-] [-] b a [-] [.] b", "a [-] [-] b a [-] [.] b", "a [-] [-] b a [-] [.] b"},
		{"5pm-6pm", "5pm [-] 6pm", "5pm [-] 6pm", "5pm-6pm"},
		{"cafe\u0301 ½", "cafe\u0301 ½", "cafe\u0301 ½", "cafe\u0301 ½"},
		{"Go言語2024年", "Go言語2024年", "Go ~言語 #2024 ~年", "Go ~言語 #2024 ~年"},
		{"a\xffb", "a [\xff] b", "a [\xff] b", "a [\xff] b"},
	} {
		for i, want := range []string{c.parts, c.words, c.names} {
			if got := tokensOf(c.text, Cut(i)); got != want {
				t.Errorf("%q, cut %d: %s, want %s", c.text, i, got, want)
			}
		}
	}
}

func TestTokenLower(t *testing.T) {
	for text, want := range map[string]string{"Don’t": "don't", "THE": "the", "Zürich": "zürich", "Straßburg": "straßburg", "plain": "plain", strings.Repeat("X", 50): strings.Repeat("x", 50)} {
		if got := (Token{Text: text}).Lower(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if n := testing.AllocsPerRun(100, func() { Lower("The"); Lower("october"); Lower("They") }); n > 0 {
		t.Errorf("%v allocations for common words", n)
	}
	if n := testing.AllocsPerRun(100, func() {
		for range Tokens("I don't know, see main.go at 5:30", Names) {
		}
	}); n > 0 {
		t.Errorf("%v allocations for tokens", n)
	}
}

// Whatever the text, the tokens lie in it in order, and nothing but white space lies
// between them.
func TestTokensAndGapsMakeTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		cut := Cut(rapid.IntRange(int(Parts), int(Names)).Draw(t, "cut"))
		end := 0
		for k := range Tokens(text, cut) {
			if k.Start < end || k.End <= k.Start || k.End > len(text) || k.Text != text[k.Start:k.End] {
				t.Fatalf("token %+v after %d of %q", k, end, text)
			}
			if gap := text[end:k.Start]; strings.TrimSpace(gap) != "" || strings.Contains(gap, "\n") {
				t.Fatalf("%q is left out of %q", gap, text)
			}
			if k.Kind != Break && strings.ContainsFunc(k.Text, unicode.IsSpace) {
				t.Fatalf("white space in %+v", k)
			}
			end = k.End
		}
		if strings.TrimSpace(text[end:]) != "" {
			t.Fatalf("%q is left out of %q", text[end:], text)
		}
	})
}

// A finer cut has an edge wherever a coarser one has.
func TestCutsAreNested(t *testing.T) {
	edges := func(text string, cut Cut) (out []int) {
		for k := range Tokens(text, cut) {
			if k.Kind != Unspaced {
				out = append(out, k.Start)
			}
		}
		return out
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("aZé9 '’-./:,@_&+#\n"))).Draw(t, "text")
		parts, words, names := edges(text, Parts), edges(text, Words), edges(text, Names)
		for _, e := range names {
			if !slices.Contains(words, e) {
				t.Fatalf("Words of %q have no edge at %d", text, e)
			}
		}
		for _, e := range words {
			if !slices.Contains(parts, e) {
				t.Fatalf("Parts of %q have no edge at %d", text, e)
			}
		}
	})
}

// anyText draws texts with many of the signs that matter.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("aBcé9 .,:;'’-/@_&+#!?…\n\t言ก\u0301\u00a0"))))
}
