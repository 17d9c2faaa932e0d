package document

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/engine/prompt"
)

// section is a section of Markdown with a number of paragraphs.
func section(name string, paragraphs int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", name)
	for i := range paragraphs {
		fmt.Fprintf(&b, "Paragraph %d of %s explains how the parts of the machine are set up, in which order, and who has the key.\n\n", i, name)
	}
	return b.String()
}

func TestSmallSectionsAreNotSplit(t *testing.T) {
	d := readString(t, "a.md", "# Guide\n\nIntro.\n\n## Setup\n\nOne.\n\n- a\n- b\n\n### Keys\n\nTwo.\n\n## Setup\n\nThree.\n")
	var got []string
	for _, c := range checkChunks(t, d, 350) {
		got = append(got, fmt.Sprintf("%d %q", c.Line, c.Full()))
	}
	want := []string{`3 "Guide\n\nIntro."`, `7 "Guide > Setup\n\nOne.\n\n- a\n- b"`, `14 "Guide > Setup > Keys\n\nTwo."`, `18 "Guide > Setup\n\nThree."`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestLargeElementsRepeatTheirHeader(t *testing.T) {
	var table, code strings.Builder
	for i := range 200 {
		fmt.Fprintf(&table, "| key %d | the value of key %d |\n", i, i)
		fmt.Fprintf(&code, "func f%d() {\n\treturn %d\n}\n\n", i, i)
	}
	d := readString(t, "a.md", "# T\n\n| key | value |\n|---|---|\n"+table.String()+"\n# C\n\n````go\n"+code.String()+"````\n")
	lines := 0
	for _, c := range checkChunks(t, d, 200) {
		switch c.Path[0] {
		case "T":
			if !strings.HasPrefix(c.Text, "| key | value |\n|---|---|\n| key ") {
				t.Errorf("%q", c.Text)
			}
			lines += strings.Count(c.Text, "\n") - 1
		case "C":
			if !strings.HasPrefix(c.Text, "````go\nfunc f") || !strings.HasSuffix(c.Text, "}\n````") {
				t.Errorf("%q", c.Text)
			}
		}
	}
	if lines != 200 {
		t.Errorf("%d rows, want each of 200 once", lines)
	}
}

func TestPlainTextOverlaps(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "Sentence %d says that the heron has caught one more fish.", i)
		b.WriteString([]string{" ", "\n", "\n\n"}[i%3])
	}
	chunks := checkChunks(t, readString(t, "a.txt", b.String()), 350)
	for i, c := range chunks[1:] {
		first, _, _ := strings.Cut(c.Text, ".")
		if !strings.HasPrefix(first, "Sentence ") || !strings.Contains(chunks[i].Text, first) {
			t.Errorf("chunk %d begins with %q, which is not in the one before", i+1, first)
		}
		n := 1
		for n < len(c.Text) && strings.HasSuffix(chunks[i].Text, strings.TrimSpace(c.Text[:n])) == false {
			n++
		}
		if tokens := prompt.Count(c.Text[:n]); tokens > 35 {
			t.Errorf("chunk %d repeats %d tokens", i+1, tokens)
		}
	}
	if want := prompt.Count(b.String()) / 200; len(chunks) > want {
		t.Errorf("%d chunks, want at most %d", len(chunks), want)
	}
}

// changed counts the chunks of after that before does not have.
func changed(before, after []Chunk) (n int) {
	have := map[[32]byte]bool{}
	for _, c := range before {
		have[c.Hash] = true
	}
	for _, c := range after {
		if !have[c.Hash] {
			n++
		}
	}
	return n
}

func TestEditChangesOnlyItsSection(t *testing.T) {
	parts := []string{"# Guide\n\n", section("Setup", 3), section("Keys", 40), section("Use", 3)}
	before := Chunks(readString(t, "a.md", strings.Join(parts, "")), 350)
	parts[1] = section("Setup", 4)
	after := Chunks(readString(t, "a.md", strings.Join(parts, "")), 350)
	if n := changed(before, after); n != 1 {
		t.Errorf("%d chunks changed, want 1", n)
	}
	parts[2] = strings.Replace(parts[2], "## Keys\n\n", "## Keys\n\nA new first paragraph.\n\n", 1)
	last := Chunks(readString(t, "a.md", strings.Join(parts, "")), 350)
	if n := changed(after, last); n < 1 || n > 4 {
		t.Errorf("%d of %d chunks changed by a paragraph in a long section", n, len(last))
	}
}

// A line inserted into a long text or table changes a few chunks.
func TestInsertionsAreLocal(t *testing.T) {
	total, all := 0, 0
	for seed := range 20 {
		var lines []string
		for i := range 600 {
			lines = append(lines, fmt.Sprintf("%d,the value of row %d in file %d", i*7919%1000, i, seed))
		}
		for _, name := range []string{"a.csv", "a.txt", "a.go"} {
			before := Chunks(readString(t, name, "id,value\n"+strings.Join(lines, "\n")), 350)
			after := Chunks(readString(t, name, "id,value\nnew,line\n"+strings.Join(lines, "\n")), 350)
			total += changed(before, after)
			all += len(after)
		}
	}
	if total*10 > all*3 {
		t.Errorf("%d of %d chunks changed", total, all)
	}
	t.Logf("%d of %d chunks changed", total, all)
}

func TestLongPathsLeaveRoom(t *testing.T) {
	long := strings.Repeat("много слов ", 9)
	source := ""
	for level := 1; level <= 6; level++ {
		source += strings.Repeat("#", level) + " " + long + fmt.Sprint(level) + "\n\n"
	}
	chunks := checkChunks(t, readString(t, "a.md", source+"text\n"), 350)
	last := chunks[len(chunks)-1]
	if len(last.Path) == 0 || len(last.Path) >= 6 || last.Text == "text" {
		t.Errorf("path of %d headings, text %q", len(last.Path), last.Text)
	}
}

// Lines without spaces are divided, and nothing of them is lost.
func TestUnbreakableLines(t *testing.T) {
	for _, line := range []string{strings.Repeat("a", 20_000), strings.Repeat("京都", 3000), strings.Repeat("😀", 2000), strings.Repeat("{\"a\":1},", 3000), strings.Repeat(" \t", 5000) + "x"} {
		for _, name := range []string{"a.txt", "a.md", "a.js", "a.csv"} {
			chunks := checkChunks(t, readString(t, name, line), 350)
			if name == "a.txt" {
				continue // overlaps
			}
			var b strings.Builder
			for _, c := range chunks {
				b.WriteString(c.Text)
			}
			if letters(b.String()) != letters(line) {
				t.Errorf("%s: %.20q: the chunks together are not the line", name, line)
			}
		}
	}
}

// Whatever the elements are, chunks keep to the limit, and chunks of two sections are two.
func TestChunksOfAnyElements(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringN(0, 3000, -1), rapid.StringMatching(`([a-z ]{0,20}[.\n]){0,40}`))
	rapid.Check(t, func(t *rapid.T) {
		var d Document
		section := 0
		for range rapid.IntRange(0, 8).Draw(t, "elements") {
			section += rapid.IntRange(0, 1).Draw(t, "new section")
			e := Element{Kind: Kind(rapid.IntRange(0, int(Metadata)).Draw(t, "kind")), Section: section, Line: 1,
				Path: []string{fmt.Sprintf("§%d§", section)}, Text: trimBlankLines(strings.ToValidUTF8(text.Draw(t, "text"), ""))}
			if rapid.Bool().Draw(t, "header") {
				e.Header = rapid.SampledFrom([]string{"```x", "| a |\n|---|", "a,b,c"}).Draw(t, "header")
			}
			e.Text = strings.ReplaceAll(e.Text, "§", "")
			d.Elements = append(d.Elements, e)
		}
		for _, c := range Chunks(d, 64) {
			if n := prompt.Count(c.Full()); n > 64 {
				t.Fatalf("%d tokens: %q", n, c.Full())
			}
			if len(c.Path) != 1 {
				t.Fatalf("path %q", c.Path)
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add("a.md", []byte("---\ntitle: x\n---\n# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```go\nx\n```\n\n- a\n  - b\n\nA\n=\n<h1>x</h1>\n"))
	f.Add("a.csv", []byte("a;b\n1;\"x\ny\"\n"))
	f.Add("a.html", []byte("<title>x</title><h1>a</h1><table><tr><td>b</td></tr></table><pre>c</pre>"))
	f.Add("a.docx", docx(docxP("T", "a")+docxItem(0, "b")+docxTableOf([]string{"c"})))
	f.Add("a.go", []byte(goSource))
	f.Add("a.txt", []byte("\xFF\xFEa\x00"))
	f.Fuzz(func(t *testing.T, path string, data []byte) {
		if strings.HasSuffix(path, ".pdf") || len(data) > 1<<16 {
			return
		}
		d, err := readBytes(path, data)
		if refused := (*Error)(nil); errors.As(err, &refused) && refused.Detail == readerFailed {
			t.Fatal("a reader panicked")
		}
		if err != nil {
			return
		}
		for _, c := range Chunks(d, 64) {
			if n := prompt.Count(c.Full()); n > 64 {
				t.Fatalf("%d tokens: %q", n, c.Full())
			}
		}
	})
}
