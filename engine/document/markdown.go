package document

import (
	"bytes"
	"context"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"go.yaml.in/yaml/v3"
)

// maxNesting is the column, tabs counted as four, in which the last marker of a list or a
// quotation may stand on a line. The time of the parser grows with the square of the nesting.
const maxNesting = 120

// maxInline is the length in bytes of the longest heading whose inline markup is read.
const maxInline = 1000

// readMarkdown reads Markdown with front matter, tables and HTML blocks.
func readMarkdown(ctx context.Context, in input) (string, []Element, error) {
	source, err := decode(in.data)
	if err != nil {
		return "", nil, err
	}
	o := newOutline(ctx, in.lim)
	title, err := markdown(o, source, true)
	if err != nil {
		return "", nil, err
	}
	elements, err := o.finish()
	return title, elements, err
}

// markdown adds the blocks of a Markdown text to an outline, with line numbers if numbered is
// set. The title is that of the front matter, or else the first heading of level 1.
//
// Only blocks are parsed. Inline markup stays as it was written: it costs few tokens, shows
// what is a link or a name in a program, and nothing is lost.
func markdown(o *outline, source string, numbered bool) (title string, err error) {
	if nestedTooDeeply(source) {
		return "", refuse(TooLarge, "its lists or quotations are nested too deeply")
	}
	m := markdownReader{o: o, source: []byte(source), numbered: numbered}
	meta := frontMatter(source)
	if meta != "" {
		inner := meta[4 : strings.LastIndexByte(strings.TrimRight(meta, "\n"), '\n')+1]
		if meta[0] == '-' {
			title = yamlTitle(inner)
		}
		if err := o.setTitle(title); err != nil {
			return "", err
		}
		if err := o.add(Metadata, "", inner, 2); err != nil {
			return "", err
		}
	}
	blocks := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	root := blocks.Parse(text.NewReader(m.source[len(meta):]))
	if err := m.readBlocks(root, len(meta)); err != nil {
		return "", err
	}
	if title == "" {
		title = m.title
	}
	return title, nil
}

// markdownReader is the state while the blocks of a text are read.
type markdownReader struct {
	o        *outline
	source   []byte
	numbered bool
	title    string // the first heading of level 1
	counted  int    // line ends before this offset are counted in newlines
	newlines int
}

// line is the number of the line at an offset. Offsets must not decrease from call to call.
func (m *markdownReader) line(offset int) int {
	if !m.numbered {
		return 0
	}
	if offset > m.counted {
		m.newlines += bytes.Count(m.source[m.counted:offset], []byte("\n"))
		m.counted = offset
	}
	return m.newlines + 1
}

// readBlocks adds the blocks of a parsed document that begins at an offset of the source. A
// block is the source from its first line to the next block, so all of the source is in some
// block.
func (m *markdownReader) readBlocks(root ast.Node, offset int) error {
	start := offset
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		end := len(m.source)
		if next := n.NextSibling(); next != nil {
			end = max(start, m.firstLine(next, offset))
		}
		if err := m.readBlock(n, offset, start, end); err != nil {
			return err
		}
		start = end
	}
	if root.FirstChild() == nil {
		return m.o.add(Paragraph, "", string(m.source[offset:]), m.line(offset))
	}
	return nil
}

// firstLine is the offset of the line in which a block begins.
func (m *markdownReader) firstLine(n ast.Node, offset int) int {
	pos := n.Pos()
	if lines := n.Lines(); lines != nil && lines.Len() > 0 && (pos < 0 || lines.At(0).Start < pos) {
		pos = lines.At(0).Start
	}
	pos = min(max(pos+offset, offset), len(m.source))
	return bytes.LastIndexByte(m.source[:pos], '\n') + 1
}

// readBlock adds the block n, which is the source from start to end.
func (m *markdownReader) readBlock(n ast.Node, offset, start, end int) error {
	source := string(m.source[start:end])
	line := m.line(start) + leadingBlankLines(source)
	if !m.numbered {
		line = 0
	}
	switch n := n.(type) {
	case *ast.Heading:
		return m.readHeading(n, offset, source, start, line)
	case *ast.ThematicBreak:
		_, rest, _ := strings.Cut(trimBlankLines(source), "\n")
		return m.o.add(Paragraph, "", rest, line+1)
	case *ast.FencedCodeBlock:
		fence, inner := fenced(trimBlankLines(source))
		if strings.TrimSpace(inner) == "" && fence == fenceOf(fence) {
			return nil
		}
		return m.o.add(Code, fence, inner, line)
	case *ast.CodeBlock:
		return m.o.add(Code, "", source, line)
	case *ast.List:
		return m.o.add(List, "", source, line)
	case *ast.HTMLBlock:
		return m.readHTMLBlock(source, line)
	case *ast.Paragraph:
		return m.readParagraph(trimBlankLines(source), line)
	}
	return m.o.add(Paragraph, "", source, line)
}

// readHeading begins the section of a heading. Source can be longer than the heading if
// something without a block of its own follows.
func (m *markdownReader) readHeading(n *ast.Heading, offset int, source string, start, line int) error {
	end := start
	var title strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		title.Write(s.Value(m.source[offset:]))
		title.WriteByte(' ')
		end = min(max(end, offset+s.Stop), len(m.source))
	}
	source = strings.TrimRight(source, " \t\n")
	rest := ""
	if strings.HasPrefix(strings.TrimLeft(source, " \t\n"), "#") && n.Lines().Len() <= 1 {
		_, rest, _ = strings.Cut(trimBlankLines(source), "\n")
	} else {
		// The underline is the line after the last one of the title.
		after := string(m.source[end:max(end, min(len(m.source), start+len(source)))])
		_, after, _ = strings.Cut(strings.TrimPrefix(after, "\n"), "\n")
		rest = after
	}
	name := plainInline(title.String())
	if m.title == "" && n.Level == 1 {
		m.title = name
	}
	if err := m.o.heading(n.Level, name, line); err != nil {
		return err
	}
	return m.o.add(Paragraph, "", rest, line+1)
}

// readParagraph adds a paragraph, and the table that it ends with if there is one.
func (m *markdownReader) readParagraph(source string, line int) error {
	lines := strings.Split(source, "\n")
	for i := 1; i < len(lines); i++ {
		if !delimiterRow(lines[i]) || cells(lines[i-1]) != cells(lines[i]) {
			continue
		}
		if err := m.o.add(Paragraph, "", strings.Join(lines[:i-1], "\n"), line); err != nil {
			return err
		}
		if line > 0 {
			line += i - 1
		}
		return m.o.add(Table, lines[i-1]+"\n"+lines[i], strings.Join(lines[i+1:], "\n"), line)
	}
	return m.o.add(Paragraph, "", source, line)
}

var delimiterCells = regexp.MustCompile(`^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)

// delimiterRow reports whether a line is the row of dashes below the header of a table.
func delimiterRow(line string) bool {
	return strings.Contains(line, "|") && delimiterCells.MatchString(line)
}

// cells counts the cells of a row.
func cells(row string) int {
	row = strings.TrimSpace(row)
	row = strings.TrimPrefix(row, "|")
	if strings.HasSuffix(row, "|") && !strings.HasSuffix(row, `\|`) {
		row = row[:len(row)-1]
	}
	return 1 + strings.Count(row, "|") - strings.Count(row, `\|`)
}

// fenced divides a fenced code block into its opening fence, with the language, and the code.
// The opening fence is written without indentation.
func fenced(source string) (fence, code string) {
	first, code, _ := strings.Cut(source, "\n")
	fence = strings.TrimSpace(first)
	marker := fenceOf(fence)
	if marker == "" {
		return "", source
	}
	last := strings.LastIndexByte(code, '\n') + 1
	if tail := strings.TrimSpace(code[last:]); len(tail) >= len(marker) && strings.Trim(tail, marker[:1]) == "" {
		code = code[:last]
	}
	return fence, code
}

// fenceOf is the run of backticks or tildes that a fence begins with.
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// plainInline is the text of a line of Markdown without its markup.
func plainInline(source string) string {
	source = strings.TrimSpace(source)
	if i := strings.LastIndex(source, "{#"); i >= 0 && strings.HasSuffix(source, "}") {
		source = strings.TrimSpace(source[:i]) // the anchor that some renderers know
	}
	if len(source) > maxInline || !strings.ContainsAny(source, "*_`[]<>&\\!") {
		return source
	}
	src := []byte(source)
	root := goldmark.DefaultParser().Parse(text.NewReader(src))
	var b strings.Builder
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(src))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(src))
		}
		return ast.WalkContinue, nil
	})
	if plain := oneLine(b.String()); plain != "" {
		return plain
	}
	return source
}

// frontMatter is the front matter of source with its fences ("---" or "+++") and the line end
// after them, or "".
func frontMatter(source string) string {
	if !strings.HasPrefix(source, "---\n") && !strings.HasPrefix(source, "+++\n") {
		return ""
	}
	fence := source[:3]
	for pos := 4; pos < len(source); {
		end := strings.IndexByte(source[pos:], '\n')
		line := source[pos:]
		if end >= 0 {
			line = source[pos : pos+end]
		}
		next := min(pos+len(line)+1, len(source))
		if line = strings.TrimRight(line, " \t"); line == fence || fence == "---" && line == "..." {
			return source[:next]
		}
		if pos == 4 && line == "" {
			return "" // a rule, not front matter
		}
		pos = next
	}
	return ""
}

// yamlTitle is the value of "title" in YAML, or "".
func yamlTitle(source string) string {
	if len(source) > 64<<10 {
		return ""
	}
	var meta struct {
		Title string `yaml:"title"`
	}
	if yaml.Unmarshal([]byte(source), &meta) != nil {
		return ""
	}
	return oneLine(strings.ToValidUTF8(meta.Title, ""))
}

// nestedTooDeeply reports whether a line has a marker of a list or a quotation after column
// maxNesting.
func nestedTooDeeply(source string) bool {
	for line := range strings.Lines(source) {
		column := 0
		for i := 0; i < len(line); i++ {
			switch c := line[i]; {
			case c == ' ':
				column++
				continue
			case c == '\t':
				column += 4
				continue
			case c == '>' || c == '-' || c == '+' || c == '*':
			case c >= '0' && c <= '9':
				for i+1 < len(line) && line[i+1] >= '0' && line[i+1] <= '9' {
					i++
				}
				if i+1 >= len(line) || line[i+1] != '.' && line[i+1] != ')' {
					i = len(line)
					continue
				}
				i++
			default:
				i = len(line)
				continue
			}
			if column++; column > maxNesting {
				return true
			}
		}
	}
	return false
}
