package document

import (
	"context"
	"slices"
	"strings"
	"unicode"
)

// sourceFormat is the format of source code whose files end in ext.
func sourceFormat(ext string) format { return format{"text/x-" + ext, readSource} }

// declarationBytes is the size above which the body of a declaration is looked through for
// declarations of its own, so that the methods of a class get paths. Smaller ones fit into one
// chunk.
const declarationBytes = 1200

// smallDeclaration is the size in bytes up to which a declaration shares a section with what is
// next to it, if that is as small: rules of a style sheet, constants, one-line functions. Its name
// is in its text.
const smallDeclaration = 100

// maxDeclarations is the number of declarations around another that paths can name.
const maxDeclarations = 8

// readSource reads source code of any language that is laid out in lines and indented. A
// declaration is a line with more indented lines below it, the comments directly above it, and
// the line that closes it. It has a section of its own; what is between declarations has the
// path of what is around it. No language is known by its words.
func readSource(ctx context.Context, in input) (string, []Element, error) {
	text, err := decode(in.data)
	if err != nil {
		return "", nil, err
	}
	o := newOutline(ctx, in.lim)
	s := sourceReader{o: o, lines: strings.Split(text, "\n")}
	s.measure()
	o.path = []string{shorten(baseName(in.path), maxHeading)}
	if err := s.read(0, len(s.lines)); err != nil {
		return "", nil, err
	}
	return "", o.elements, nil
}

// sourceReader is the state while a source file is read.
type sourceReader struct {
	o      *outline
	lines  []string
	indent []int // of each line; -1: blank
}

func (s *sourceReader) measure() {
	s.indent = make([]int, len(s.lines))
	for i, line := range s.lines {
		s.indent[i] = -1
		if strings.TrimSpace(line) != "" {
			s.indent[i] = indentation(line)
		}
	}
}

// block is a declaration or what is between declarations.
type block struct {
	from, to    int
	inner, last int    // the lines of its body, if it is a declaration
	named       int    // the line of its name
	opens       bool   // it is a declaration
	name        string // "": a bracket without a line above it
}

// read adds the lines from one to another.
func (s *sourceReader) read(from, to int) error {
	path := s.o.path
	before := false // the block before is small
	for _, b := range s.blocks(from, to) {
		small := s.size(b.from, b.to) <= smallDeclaration
		if !small || !before {
			s.o.section++
		}
		before = small
		s.o.path = path
		if b.name != "" && !small {
			s.o.path = append(slices.Clone(path), b.name)
		}
		if err := s.add(b); err != nil {
			return err
		}
	}
	s.o.path = path
	s.o.section++
	return nil
}

// add adds a block, or the blocks of its body if it is large and consists of declarations.
func (s *sourceReader) add(b block) error {
	if !b.opens || len(s.o.path) > maxDeclarations || s.size(b.from, b.to) <= declarationBytes || !s.declares(b.inner, b.last) {
		return s.addCode(b.from, b.to)
	}
	if err := s.addCode(b.from, b.inner); err != nil {
		return err
	}
	if err := s.read(b.inner, b.last); err != nil {
		return err
	}
	return s.addCode(b.last, b.to)
}

// addCode adds lines as one element.
func (s *sourceReader) addCode(from, to int) error {
	for from < to && s.indent[from] < 0 {
		from++
	}
	if from >= to {
		return nil
	}
	return s.o.add(Code, "", strings.Join(s.lines[from:to], "\n"), from+1)
}

// size is the number of bytes of the lines from one to another.
func (s *sourceReader) size(from, to int) (n int) {
	for _, line := range s.lines[from:to] {
		n += len(line) + 1
	}
	return n
}

// blocks divides the lines from one to another into blocks without gaps.
func (s *sourceReader) blocks(from, to int) (blocks []block) {
	base := s.base(from, to)
	open := from // first line that is in no block
	for i := from; i < to; {
		if s.indent[i] != base || !s.opensBlock(i, to) {
			i++
			continue
		}
		b := block{opens: true, inner: i + 1}
		// What stands directly above is part of the declaration: comments, annotations, the
		// lines of a long signature.
		b.from = i
		for b.from > open && s.indent[b.from-1] >= 0 {
			b.from--
		}
		b.named = i
		if strings.IndexFunc(s.lines[i], isWordRune) < 0 { // a bracket below its signature
			b.named = i - 1
		}
		if b.named >= b.from {
			b.name = declarationName(s.lines[b.named])
		}
		b.last, b.to = s.endOf(i, to, base)
		if b.from > open {
			blocks = append(blocks, block{from: open, to: b.from})
		}
		blocks = append(blocks, b)
		i, open = b.to, b.to
	}
	if open < to {
		blocks = append(blocks, block{from: open, to: to})
	}
	return blocks
}

// base is the smallest indentation of the lines from one to another.
func (s *sourceReader) base(from, to int) int {
	base := -1
	for i := from; i < to; i++ {
		if s.indent[i] >= 0 && (base < 0 || s.indent[i] < base) {
			base = s.indent[i]
		}
	}
	return base
}

// opensBlock reports whether the line at i is code with more indented lines below it.
func (s *sourceReader) opensBlock(i, to int) bool {
	line := strings.TrimLeft(s.lines[i], " \t")
	if closes(line) || isComment(line) {
		return false
	}
	for j := i + 1; j < to; j++ {
		if s.indent[j] >= 0 {
			return s.indent[j] > s.indent[i]
		}
	}
	return false
}

// endOf is where the body of the declaration at line i ends, and the declaration with the line
// that closes it. Further parts of it, such as "} else {", belong to its body.
func (s *sourceReader) endOf(i, to, base int) (last, end int) {
	for j := i + 1; j < to; j++ {
		switch {
		case s.indent[j] < 0 || s.indent[j] > base:
		case s.indent[j] == base && s.closesBlock(j, to):
			if !s.opensAgain(j, to) {
				return j, j + 1
			}
		default:
			return j, j
		}
	}
	return to, to
}

// closesBlock reports whether the line at i ends the body above it: a closing bracket, or a
// word by itself such as "end".
func (s *sourceReader) closesBlock(i, to int) bool {
	if closes(s.lines[i]) {
		return true
	}
	line := strings.TrimSpace(s.lines[i])
	return s.indent[i-1] >= 0 && len(line) <= 12 && strings.IndexFunc(line, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// opensAgain reports whether a closing line has more indented lines below it.
func (s *sourceReader) opensAgain(i, to int) bool {
	return i+1 < to && s.indent[i+1] > s.indent[i]
}

// declares reports whether the lines of a body are declarations for the greater part. In the
// body of a function statements stand directly above those that have blocks; above a
// declaration there are at most comments and annotations.
func (s *sourceReader) declares(from, to int) bool {
	declared, mixed, size := 0, 0, 0
	for _, b := range s.blocks(from, to) {
		if !b.opens {
			continue
		}
		size += s.size(b.from, b.to)
		declared++
		for i := b.from; i < b.named; i++ {
			if first := strings.TrimLeft(s.lines[i], " \t"); first != "" && unicode.IsLetter(rune(first[0])) {
				mixed++
				break
			}
		}
	}
	return declared >= 2 && mixed*4 <= declared && size*10 >= 6*s.size(from, to)
}

// isComment reports whether a line begins like a comment of any of the usual languages.
func isComment(line string) bool {
	for _, mark := range []string{"/", "*", ";", "%", "--", "<!--", `"""`, "'''", "# ", "#!"} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// declarationName is the first line of a declaration without what opens its body.
func declarationName(line string) string {
	name := oneLine(line)
	if short := strings.TrimRight(name, " {([:=<|&>,"); strings.IndexFunc(short, isWordRune) >= 0 {
		name = short
	}
	return shorten(name, maxHeading)
}
