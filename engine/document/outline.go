package document

import (
	"context"
	"strings"
	"unicode/utf8"
)

// maxHeading is the length in characters above which a heading is shortened in paths.
const maxHeading = 100

// outline collects the elements of a document while its headings are read.
type outline struct {
	ctx      context.Context
	lim      Limits
	elements []Element
	text     int64 // bytes so far
	section  int
	open     []openHeading
	path     []string // of open; never changed in place
	title    string   // stands above all headings
	repeated bool     // a heading repeats the title
}

// openHeading is a heading whose section has not ended.
type openHeading struct {
	level int
	text  string
	line  int
	used  bool // an element with this heading in its path was added
}

func newOutline(ctx context.Context, lim Limits) *outline {
	return &outline{ctx: ctx, lim: lim}
}

// setTitle puts a title above all headings. It comes before them.
func (o *outline) setTitle(title string) error {
	if o.title = oneLine(title); o.title == "" {
		return nil
	}
	o.path = o.pathOf(0)
	if o.path[0] != o.title {
		return o.add(Heading, "", o.title, 1)
	}
	return nil
}

// heading begins a section. Level 1 is the outermost.
func (o *outline) heading(level int, text string, line int) error {
	text = oneLine(text)
	if text == "" {
		return nil
	}
	if err := o.close(level); err != nil {
		return err
	}
	o.section++
	if len(o.open) == 0 && strings.EqualFold(o.title, text) {
		o.repeated = true
		return nil
	}
	o.open = append(o.open, openHeading{level: level, text: text, line: line})
	o.path = o.pathOf(len(o.open))
	if o.path[len(o.path)-1] != text { // shortened
		return o.add(Heading, "", text, line)
	}
	return nil
}

// pathOf is the path of the first n open headings.
func (o *outline) pathOf(n int) (path []string) {
	if o.title != "" {
		path = append(path, shorten(o.title, maxHeading))
	}
	for _, h := range o.open[:n] {
		path = append(path, shorten(h.text, maxHeading))
	}
	return path
}

// close ends the sections of the given level and below. A heading with nothing below it becomes
// an element, so that its text is found.
func (o *outline) close(level int) error {
	for len(o.open) > 0 && o.open[len(o.open)-1].level >= level {
		last := o.open[len(o.open)-1]
		if !last.used {
			if err := o.add(Heading, "", last.text, last.line); err != nil {
				return err
			}
		}
		o.open = o.open[:len(o.open)-1]
		o.path = o.pathOf(len(o.open))
		o.section++
	}
	return nil
}

// add appends an element to the open section. Blank text is left out, unless there is a header.
func (o *outline) add(kind Kind, header, text string, line int) error {
	text = trimBlankLines(text)
	if text == "" && header == "" {
		return nil
	}
	return o.push(Element{Kind: kind, Path: o.path, Section: o.section, Header: header, Text: text, Line: line})
}

// push appends an element if the limits and the context permit it.
func (o *outline) push(e Element) error {
	if len(o.elements)&0xff == 0 {
		if err := o.ctx.Err(); err != nil {
			return err
		}
	}
	e.Header, e.Text = shortenSpaces(e.Header), shortenSpaces(e.Text)
	o.text += int64(len(e.Header) + len(e.Text))
	if o.text > o.lim.Text {
		return refuse(TooLarge, "it contains more than %d bytes of text", o.lim.Text)
	}
	if len(o.elements) >= o.lim.Elements {
		return refuse(TooLarge, "it contains more than %d elements", o.lim.Elements)
	}
	for i := range o.open {
		o.open[i].used = true
	}
	o.elements = append(o.elements, e)
	return nil
}

// maxSpaces is the length of the longest run of spaces and tabs that is kept. The time in which
// the tokens of a run are counted grows with the square of its length.
const maxSpaces = 100

// shortenSpaces cuts each run of spaces and tabs to maxSpaces.
func shortenSpaces(text string) string {
	var b strings.Builder
	run, kept := 0, 0 // text before kept is in b
	for i := 0; i <= len(text); i++ {
		if i < len(text) && (text[i] == ' ' || text[i] == '\t') {
			run++
			continue
		}
		if run > maxSpaces {
			b.WriteString(text[kept : i-run+maxSpaces])
			kept = i
		}
		run = 0
	}
	if kept == 0 {
		return text
	}
	b.WriteString(text[kept:])
	return b.String()
}

// finish ends all sections and returns the elements.
func (o *outline) finish() ([]Element, error) {
	if err := o.close(0); err != nil {
		return nil, err
	}
	if o.repeated && len(o.elements) == 0 {
		if err := o.add(Heading, "", o.title, 1); err != nil {
			return nil, err
		}
	}
	return o.elements, nil
}

// oneLine is text with each run of white space as one space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// shorten cuts text to at most n characters, at a word if there is one in the last third.
func shorten(text string, n int) string {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	end := 0
	for range n - 1 {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	if i := strings.LastIndexByte(text[:end], ' '); i > end*2/3 {
		end = i
	}
	return text[:end] + "…"
}

// trimBlankLines removes blank lines from both ends, and white space from the end. The
// indentation of the first line stays.
func trimBlankLines(text string) string {
	text = strings.TrimRight(text, " \t\n\f\v\u00a0")
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || strings.TrimSpace(line) != "" {
			return text
		}
		text = rest
	}
}
