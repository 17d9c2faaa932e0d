package document

import (
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readHTMLBlock adds the visible text of an HTML block in Markdown. Headings begin sections.
func (m *markdownReader) readHTMLBlock(source string, line int) error {
	z := html.NewTokenizer(strings.NewReader(source))
	var b strings.Builder
	flush := func() error {
		err := m.o.add(Paragraph, "", tidyLines(b.String()), line)
		b.Reset()
		return err
	}
	level, hidden := 0, 0
	for {
		switch z.Next() {
		case html.ErrorToken:
			if !errors.Is(z.Err(), io.EOF) {
				return refuse(Broken, "an HTML block cannot be read")
			}
			if level > 0 {
				if err := m.o.heading(level, b.String(), line); err != nil {
					return err
				}
				b.Reset()
			}
			return flush()
		case html.TextToken:
			if hidden == 0 {
				b.Write(z.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			a := atom.Lookup(name)
			if n := headingLevel(a); n > 0 {
				if err := flush(); err != nil {
					return err
				}
				level = n
			}
			b.WriteString(around(a))
			if a == atom.Img && more && hidden == 0 {
				b.WriteString(attribute(z, "alt"))
			}
			if a == atom.Script || a == atom.Style {
				hidden++
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			if (a == atom.Script || a == atom.Style) && hidden > 0 {
				hidden--
			}
			if headingLevel(a) > 0 && level > 0 {
				if err := m.o.heading(level, b.String(), line); err != nil {
					return err
				}
				if m.title == "" && level == 1 {
					m.title = oneLine(b.String())
				}
				b.Reset()
				level = 0
			}
			b.WriteString(around(a))
		}
	}
}

// headingLevel is the level of h1 to h6, else 0.
func headingLevel(a atom.Atom) int {
	switch a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return int(a.String()[1] - '0')
	}
	return 0
}

// around is what separates the content of a tag from the text around it: nothing for markup
// inside a line, a space for cells, else the end of a line.
func around(a atom.Atom) string {
	switch a {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Cite, atom.Code, atom.Del, atom.Dfn, atom.Em, atom.Font, atom.I, atom.Ins, atom.Kbd, atom.Mark, atom.Q, atom.S,
		atom.Samp, atom.Small, atom.Span, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr:
		return ""
	case atom.Td, atom.Th, atom.Img, atom.Picture:
		return " "
	}
	return "\n"
}

// attribute is the value of an attribute of the tag that was read last, or "".
func attribute(z *html.Tokenizer, name string) string {
	for {
		key, value, more := z.TagAttr()
		if string(key) == name {
			return string(value)
		}
		if !more {
			return ""
		}
	}
}

// tidyLines is text with its lines trimmed and at most one blank line between them.
func tidyLines(text string) string {
	var b strings.Builder
	blank := 0
	for line := range strings.SplitSeq(text, "\n") {
		line = oneLine(line)
		if line == "" {
			blank++
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
			if blank > 1 {
				b.WriteByte('\n')
			}
		}
		blank = 0
		b.WriteString(line)
	}
	return b.String()
}
