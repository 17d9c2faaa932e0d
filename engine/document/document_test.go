package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/engine/prompt"
)

// readString reads a document that must be accepted.
func readString(t testing.TB, path, content string) Document {
	t.Helper()
	d, err := Read(context.Background(), strings.NewReader(content), int64(len(content)), path, "", Limits{})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return d
}

// readErr is the error for a document that must be refused.
func readErr(t testing.TB, path, mediaType string, content []byte, lim Limits) *Error {
	t.Helper()
	_, err := Read(context.Background(), bytes.NewReader(content), int64(len(content)), path, mediaType, lim)
	var refused *Error
	if !errors.As(err, &refused) {
		t.Fatalf("%s: %v, want a refusal", path, err)
	}
	if refused.Path != path {
		t.Fatalf("the error names %q, not %q", refused.Path, path)
	}
	return refused
}

// show is an element in one line.
func show(e Element) string {
	return fmt.Sprintf("%d %s [%s] %q %q", e.Line, e.Kind, strings.Join(e.Path, PathSeparator), e.Header, e.Text)
}

func wantElements(t *testing.T, d Document, want ...string) {
	t.Helper()
	var got []string
	for _, e := range d.Elements {
		got = append(got, show(e))
	}
	if !slices.Equal(got, want) {
		t.Errorf("elements:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestMarkdownElements(t *testing.T) {
	d := readString(t, "guide.md", `---
title: "The Guide"
tags: [keys, setup]
---
# The guide

Intro.

## Setup **first** {#setup}

1. One
   - nested

     more
2. Two

Keys
----
Before the table
| key | value |
|-----|-------|
| a   | 1     |

`+"```go\nfunc main() {\n\n# no heading\n}\n```"+`

## Empty

### [Deep](x) `+"`code`"+`
> quoted
> # not a section

***

<div align="center">
<h3>Inside <b>HTML</b></h3>
<!-- hidden --><img alt="A logo" src=x>
</div>

    indented

[ref]: https://example.org
`)
	if d.MediaType != "text/markdown" || d.Title != "The Guide" {
		t.Errorf("media type %s, title %q", d.MediaType, d.Title)
	}
	wantElements(t, d,
		`2 metadata [The Guide] "" "title: \"The Guide\"\ntags: [keys, setup]"`,
		`7 paragraph [The Guide] "" "Intro."`,
		`11 list [The Guide > Setup first] "" "1. One\n   - nested\n\n     more\n2. Two"`,
		`19 paragraph [The Guide > Keys] "" "Before the table"`,
		`20 table [The Guide > Keys] "| key | value |\n|-----|-------|" "| a   | 1     |"`,
		"24 code [The Guide > Keys] \"```go\" \"func main() {\\n\\n# no heading\\n}\"",
		`34 paragraph [The Guide > Empty > Deep code] "" "> quoted\n> # not a section"`,
		`39 paragraph [The Guide > Empty > Inside HTML] "" "A logo"`,
		`44 code [The Guide > Empty > Inside HTML] "" "    indented"`,
		`46 paragraph [The Guide > Empty > Inside HTML] "" "[ref]: https://example.org"`,
	)
}

// A heading with nothing below it, and the full text of a long one, are elements.
func TestNoHeadingIsLost(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("long ", 40))
	d := readString(t, "a.md", "# A\n## B\n# C\n\ntext\n\n# "+long+"\n\nmore\n")
	wantElements(t, d,
		`2 heading [A > B] "" "B"`,
		`5 paragraph [C] "" "text"`,
		fmt.Sprintf(`7 heading [%s] "" %q`, shorten(long, maxHeading), long),
		fmt.Sprintf(`9 paragraph [%s] "" "more"`, shorten(long, maxHeading)),
	)
}

func TestTextIsDecoded(t *testing.T) {
	for name, content := range map[string]string{
		"UTF-8":           "Grüße\nzwei",
		"byte order mark": "\xEF\xBB\xBFGrüße\r\nzwei",
		"UTF-16 LE":       "\xFF\xFEG\x00r\x00\xFC\x00\xDF\x00e\x00\r\x00\n\x00z\x00w\x00e\x00i\x00",
		"UTF-16 BE":       "\xFE\xFF\x00G\x00r\x00\xFC\x00\xDF\x00e\x00\n\x00z\x00w\x00e\x00i",
		"Latin-1":         "Gr\xFC\xDFe\rzwei",
	} {
		if d := readString(t, "a.txt", content); d.Elements[0].Text != "Grüße\nzwei" {
			t.Errorf("%s: %q", name, d.Elements[0].Text)
		}
	}
	if d := readString(t, "a.txt", "Grüße, Ünal\xFF aß"); d.Elements[0].Text != "Grüße, Ünal\uFFFD aß" {
		t.Errorf("a damaged byte in UTF-8: %q", d.Elements[0].Text)
	}
}

func TestRefusedContent(t *testing.T) {
	for _, x := range []struct {
		path, mediaType, content string
		want                     Reason
	}{
		{"a.txt", "", "", Empty},
		{"a.md", "", " \n\n\t\n", Empty},
		{"a.txt", "", "abc\x00def", Unsupported},
		{"a.txt", "", "\xFF\xFEa", Broken},
		{"a.txt", "", "caf\xE9 \x81", Unsupported},
		{"a.txt", "", "\x89PNG\r\n\x1A\nabc", Broken},
		{"a", "", "\x89PNG\r\n\x1A\nabc", Unsupported},
		{"a.go", "", "\x1F\x8Babc", Unsupported},
		{"a.zip", "", "PK\x03\x04abc", Unsupported},
		{"a.doc", "", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1abc", Unsupported},
		{"a.zip", "text/plain", "PK\x03\x04abc", Broken},
		{"a.md", "image/png", "abc", Unsupported},
		{"a.md", "text/markdown; x", "abc", Unsupported},
		{"a.txt", "", strings.Repeat("\x01\x02ab", 100), Unsupported},
		{"a.md", "", strings.Repeat("> ", 300) + "x", TooLarge},
		{"a.md", "", strings.Repeat(" ", 500) + "- x", TooLarge},
	} {
		if got := readErr(t, x.path, x.mediaType, []byte(x.content), Limits{}); got.Reason != x.want {
			t.Errorf("%s %q %.20q: %v, want %v", x.path, x.mediaType, x.content, got, x.want)
		}
	}
	for name, want := range map[string]string{"a.zip": "it is a ZIP archive", "a.txt": "the name ends in .txt, but the content is a ZIP archive"} {
		if got := readErr(t, name, "", []byte("PK\x03\x04abc"), Limits{}); got.Detail != want {
			t.Errorf("%s: %q", name, got.Detail)
		}
	}
	if got := readErr(t, "a.txt", "", []byte("12345678"), Limits{Bytes: 7}); got.Reason != TooLarge {
		t.Error(got)
	}
	if got := readErr(t, "a.txt", "", []byte("12345678"), Limits{Text: 7}); got.Reason != TooLarge {
		t.Error(got)
	}
	if got := readErr(t, "a.md", "", []byte("a\n\nb\n\nc"), Limits{Elements: 2}); got.Reason != TooLarge {
		t.Error(got)
	}
}

func TestMediaTypeComesFirst(t *testing.T) {
	for _, x := range []struct{ path, mediaType, content, want string }{
		{"a.md", "", "x", "text/markdown"},
		{"a.MD", "", "x", "text/markdown"},
		{"a.txt", "text/markdown; charset=utf-8", "x", "text/markdown"},
		{"a.md", "application/octet-stream", "x", "text/markdown"},
		{"a.txt", "text/x-python", "x", "text/x-python"},
		{"a.py", "text/x-script.python", "x", "text/x-py"},
		{"README", "", "x", "text/plain"},
		{`C:\x\.gitignore`, "", "x", "text/plain"},
		{"notes-2026.11.23", "", "x", "text/plain"},
		{"run", "", "#!/bin/sh\nls", "text/x-script"},
		{"a.go", "", "package a", "text/x-go"},
		{"a.zig", "", "x", "text/x-zig"},
		{"a", "text/x-python", "x", "text/x-python"},
		{"a.json", "application/json", "{}", "text/x-json"},
	} {
		d, err := Read(context.Background(), strings.NewReader(x.content), int64(len(x.content)), x.path, x.mediaType, Limits{})
		if err != nil || d.MediaType != x.want {
			t.Errorf("%s %s: %s, %v, want %s", x.path, x.mediaType, d.MediaType, err, x.want)
		}
	}
}

func TestCancelledRead(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, strings.NewReader("x"), 1, "a.md", "", Limits{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// checkChunks checks what holds for the chunks of every document.
func checkChunks(t interface {
	Helper()
	Fatalf(string, ...any)
}, d Document, limit int) []Chunk {
	t.Helper()
	chunks := Chunks(d, limit)
	if again := Chunks(d, limit); !slices.EqualFunc(chunks, again, func(a, b Chunk) bool { return a.Hash == b.Hash && a.Line == b.Line }) {
		t.Fatalf("the second run gave other chunks")
	}
	all := newWords()
	for i, c := range chunks {
		if n := prompt.Count(c.Full()); n > max(limit, minTokens) {
			t.Fatalf("chunk %d has %d tokens: %.300q", i, n, c.Full())
		}
		if c.Index != i || c.Text == "" || c.Hash != hash(c.Path, c.Text) {
			t.Fatalf("chunk %d: index %d, %d bytes", i, c.Index, len(c.Text))
		}
		all.add(c.Full())
	}
	for _, e := range d.Elements {
		for _, p := range append(slices.Clone(e.Path), e.Header, e.Text) {
			if lost := all.missing(p); lost != "" {
				t.Fatalf("not found in any chunk: %.100q of %s", lost, e.Kind)
			}
		}
	}
	return chunks
}

// words is a set of texts in which letters and digits are found, wherever they were divided.
type words struct{ b strings.Builder }

func newWords() *words { return &words{} }

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

func (w *words) add(s string) { w.b.WriteString(letters(s)) }

// missing is the first word of s that is nowhere in the set.
func (w *words) missing(s string) string {
	for _, f := range strings.Fields(s) {
		if !strings.Contains(w.b.String(), f) && len(f) < 40 { // longer ones are divided
			return f
		}
	}
	return ""
}

// drawMarkdown is any document of blocks.
func drawMarkdown(t *rapid.T) string {
	word := rapid.StringMatching(`[a-zA-Zäß京😀0-9]{1,12}[.,]?`)
	sentence := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 1, 30).Draw(t, "words"), " ")
	})
	block := rapid.Custom(func(t *rapid.T) string {
		n := rapid.IntRange(1, 40).Draw(t, "lines")
		lines := make([]string, n)
		for i := range lines {
			lines[i] = sentence.Draw(t, "sentence")
		}
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			return strings.Repeat("#", rapid.IntRange(1, 6).Draw(t, "level")) + " " + lines[0]
		case 1:
			return "- " + strings.Join(lines, "\n  - ")
		case 2:
			return "```x\n" + strings.Join(lines, "\n\t") + "\n```"
		case 3:
			return "| a | " + lines[0] + " |\n|---|---|\n| " + strings.Join(lines, " | y |\n| ") + " | z |"
		case 4:
			return strings.Join(lines, " ")
		default:
			return strings.Join(lines, "\n")
		}
	})
	return strings.Join(rapid.SliceOfN(block, 1, 12).Draw(t, "blocks"), "\n\n")
}

func TestChunksOfAnyMarkdown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := drawMarkdown(t)
		d, err := readBytes(rapid.SampledFrom([]string{"a.md", "a.txt", "a.go"}).Draw(t, "name"), []byte(source))
		if err != nil {
			t.Fatalf("%v", err)
		}
		checkChunks(t, d, rapid.SampledFrom([]int{64, 100, 350}).Draw(t, "max"))
	})
}

func readBytes(path string, data []byte) (Document, error) {
	return Read(context.Background(), bytes.NewReader(data), int64(len(data)), path, "", Limits{})
}
