package document

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Inputs for which a library or a simple loop would need quadratic time or memory.
func TestHostileShapes(t *testing.T) {
	indented := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat(" ", i) + line)
		}
		return b.String()
	}
	for _, x := range []struct{ path, content string }{
		{"a.md", strings.Repeat("a\n=\n", 20_000)},
		{"a.md", strings.Repeat("[[[[", 20_000)},
		{"a.md", "|" + strings.Repeat("a|", 5000) + "\n|" + strings.Repeat("-|", 5000) + "\n" + strings.Repeat("|x|\n", 5000)},
		{"a.md", strings.Repeat("```\n\n~~~\n", 2000)},
		{"a.md", strings.Repeat("> ", 100) + "x"},
		{"a.md", indented(1000, "- x\n")},
		{"a.txt", strings.Repeat(" ", 1<<20) + "x"},
		{"a.txt", strings.Repeat("\n", 1<<20) + "x"},
		{"a.txt", strings.Repeat("QUJD", 20_000)},
		{"a.json", indented(1000, "{\"a\":\n")},
		{"a.csv", strings.Repeat("a,", 20_000) + "\n" + strings.Repeat("b,", 20_000)},
		{"a.csv", "a,b\n" + strings.Repeat("\"x,y\n", 10_001)},
		{"a.html", "<table>" + strings.Repeat("<tr><td colspan=1000 rowspan=1000>x", 2000)},
		{"a.html", "<table><tr>" + strings.Repeat("<td>x", 10_000) + strings.Repeat("<tr><td>y", 10_000)},
		{"a.html", strings.Repeat("<ul><li>", 200) + strings.Repeat("x<br>", 10_000)},
		{"a.html", "<p " + strings.Repeat("a=b ", 50_000) + ">x"},
	} {
		d, err := readBytes(x.path, []byte(x.content))
		if refused := (*Error)(nil); err != nil && (!errors.As(err, &refused) || refused.Reason != TooLarge) {
			t.Errorf("%s %.20q: %v", x.path, x.content, err)
		}
		if n := len(Chunks(d, 0)); err == nil && n == 0 {
			t.Errorf("%s %.20q: no chunks", x.path, x.content)
		}
	}
}

// The XML decoder holds a whole text, tag or comment.
func TestADocumentOfOneHugeTextIsRefused(t *testing.T) {
	var words strings.Builder // that shrink to less than 1/300 only
	for i := uint32(1); words.Len() <= maxToken+maxToken/8; i++ {
		fmt.Fprintf(&words, "%x ", i*2654435761)
	}
	huge := words.String()
	for name, body := range map[string]string{
		"a text":    "<w:p><w:r><w:t>" + huge + "</w:t></w:r></w:p>",
		"a comment": "<!-- " + huge + " -->" + docxP("", "x"),
		"a tag":     `<w:p w:x="` + huge + `"><w:r><w:t>x</w:t></w:r></w:p>`,
	} {
		_, err := readBytes("a.docx", docx(body))
		if refused := (*Error)(nil); !errors.As(err, &refused) || refused.Reason != TooLarge || !strings.Contains(refused.Error(), "4 MiB") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLongRunsOfSpacesAreShortened(t *testing.T) {
	run := strings.Repeat(" \t", maxSpaces)
	for in, want := range map[string]string{
		"a b":                      "a b",
		run:                        run[:maxSpaces],
		"a" + run + "b" + run:      "a" + run[:maxSpaces] + "b" + run[:maxSpaces],
		"é" + run[:maxSpaces] + "": "é" + run[:maxSpaces],
	} {
		if got := shortenSpaces(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

// BenchmarkChunking reads and chunks 1,000 Markdown files of about 6 KB, as a folder of notes or
// documentation has them.
func BenchmarkChunking(b *testing.B) {
	files := make([][]byte, 1000)
	size := 0
	for i := range files {
		var s strings.Builder
		fmt.Fprintf(&s, "---\ntitle: Note %d\n---\n# Note %d\n\n", i, i)
		for j := range 5 {
			s.WriteString(section(fmt.Sprintf("Part %d of note %d", j, i), 8))
			fmt.Fprintf(&s, "- item %d\n- item %d\n\n```go\nfunc f%d() int { return %d }\n```\n\n| key | value |\n|---|---|\n| a | %d |\n\n", i, j, i, j, i)
		}
		files[i] = []byte(s.String())
		size += s.Len()
	}
	b.SetBytes(int64(size))
	chunks := 0
	for b.Loop() {
		for i, f := range files {
			d, err := readBytes(fmt.Sprintf("%d.md", i), f)
			if err != nil {
				b.Fatal(err)
			}
			chunks += len(Chunks(d, MaxTokens))
		}
	}
	b.ReportMetric(float64(1000*b.N)/b.Elapsed().Seconds(), "files/s")
	b.ReportMetric(float64(chunks)/b.Elapsed().Seconds(), "chunks/s")
}
