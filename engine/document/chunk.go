package document

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/engine/prompt"
)

// minTokens is the smallest limit that Chunks keeps to.
const minTokens = 64

// joint is the number of tokens by which a text can be longer than the sum of its parts.
const joint = 3

// longText is the number of bytes for each token of a chunk above which a text is divided before
// its tokens are counted.
const longText = 16

// Chunks packs the elements of a document into chunks of at most max tokens of cl100k_base,
// with their path (Chunk.Full). A max of 0 means MaxTokens; below 64 it is 64.
//
// A chunk contains whole elements of one section, in their order. An element that is larger than
// a chunk has chunks of its own: it is split at rows, lines, sentences or words, whichever comes
// first, and its header is repeated. Chunks of Plain elements begin with the last tenth of the
// chunk before. Nothing else is repeated or left out.
//
// If several places for a boundary are equally good, a hash of the text after them decides. So
// after an insertion the boundaries are soon the same as before, and an edit changes few chunks.
func Chunks(d Document, max int) []Chunk {
	if max <= 0 {
		max = MaxTokens
	}
	if max < minTokens {
		max = minTokens
	}
	p := packer{max: max, pages: d.MediaType == "application/pdf"}
	for rest := d.Elements; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Section == rest[0].Section && slices.Equal(rest[n].Path, rest[0].Path) {
			n++
		}
		p.section(rest[:n])
		rest = rest[n:]
	}
	return p.chunks
}

// packer collects chunks.
type packer struct {
	max    int
	pages  bool     // Element.Line is a page
	path   []string // of the section
	budget int      // tokens of a chunk without its path
	chunks []Chunk
}

// unit is a text that stays in one chunk.
type unit struct {
	text     string // with what separates it from the next unit
	tokens   int
	line     int
	strength int // how well a chunk ends after it
}

// section packs the elements of one section.
func (p *packer) section(elements []Element) {
	lost := p.setPath(elements[0].Path)
	var small []unit
	flush := func() {
		p.pack(small, frame{separator: "\n\n"})
		small = nil
	}
	if lost != "" {
		elements = append([]Element{{Kind: Heading, Text: lost, Line: elements[0].Line}}, elements...)
	}
	for len(elements) > 0 {
		n := rows(elements)
		first := elements[0]
		f := frameOf(first)
		text := f.before + joinRows(elements[:n]) + f.after
		if len(text) <= longText*p.budget {
			if tokens := prompt.Count(text); tokens <= p.budget {
				small = append(small, unit{text: text, tokens: tokens + joint, line: first.Line})
				elements = elements[n:]
				continue
			}
		}
		flush()
		p.split(elements[:n], f)
		elements = elements[n:]
	}
	flush()
}

// setPath sets the path of the chunks that follow. It leaves out the outermost headings if all
// of them need more than half of a chunk, and returns those.
func (p *packer) setPath(path []string) (lost string) {
	p.path = path
	for {
		p.budget = p.max
		if len(p.path) == 0 {
			break
		}
		if tokens := prompt.Count(strings.Join(p.path, PathSeparator)+"\n\n") + joint; tokens <= p.max/2 {
			p.budget -= tokens
			break
		}
		p.path = p.path[1:]
	}
	return strings.Join(path[:len(path)-len(p.path)], PathSeparator)
}

// rows is the number of elements at the beginning that are rows of one table, or 1.
func rows(elements []Element) int {
	n := 1
	for elements[0].Kind == Row && n < len(elements) && elements[n].Kind == Row && elements[n].Header == elements[0].Header {
		n++
	}
	return n
}

// joinRows is the text of one element, or of several rows.
func joinRows(elements []Element) string {
	if len(elements) == 1 {
		return elements[0].Text
	}
	texts := make([]string, len(elements))
	for i, e := range elements {
		texts[i] = e.Text
	}
	return strings.Join(texts, "\n")
}

// frame is what stands around the units of each chunk.
type frame struct {
	before, after string
	separator     string // between units
	overlap       int    // tokens of the previous chunk that are repeated
}

// frameOf is the frame of an element's pieces.
func frameOf(e Element) (f frame) {
	if e.Header == "" {
		return f
	}
	f.before = e.Header
	if e.Text != "" {
		f.before += "\n"
	}
	if e.Kind == Code {
		if fence := fenceOf(e.Header); fence != "" {
			f.after = "\n" + fence
		}
	}
	return f
}

// split packs an element, or the rows of one table, that is larger than a chunk.
func (p *packer) split(elements []Element, f frame) {
	first := elements[0]
	framing := 0
	if f.before != "" {
		framing = prompt.Count(f.before) + prompt.Count(f.after) + joint
	}
	var units []unit
	if framing > p.budget/2 { // a long header is text like any other
		units = p.units(nil, first.Header+"\n", first.Kind, first.Line, p.budget)
		f, framing = frame{}, 0
	}
	if first.Kind == Plain {
		f.overlap = p.max / 10
	}
	budget := p.budget - framing - f.overlap
	for i, e := range elements {
		text := e.Text
		if i < len(elements)-1 {
			text += "\n"
		}
		units = p.units(units, text, e.Kind, e.Line, budget)
	}
	p.pack(units, f)
}

// pack makes chunks of units, each of which fits into a chunk with its frame.
func (p *packer) pack(units []unit, f frame) {
	room := p.budget - f.overlap
	if f.before != "" {
		room -= prompt.Count(f.before) + prompt.Count(f.after) + joint
	}
	previous := ""
	for len(units) > 0 {
		allowed := room
		for {
			n := boundary(units, allowed)
			body := joinUnits(units[:n], f.separator)
			text := strings.TrimRight(f.before+tail(previous, f.overlap)+body, " \t\n") + f.after
			if n > 1 && p.tokens(text) > p.max {
				allowed = min(allowed, sum(units[:n])) - 1 - allowed/50
				continue
			}
			if strings.TrimSpace(body) != "" {
				p.emit(trimBlankLines(text), units[0].line)
			}
			previous = body
			units = units[n:]
			break
		}
	}
}

// tokens is the size of a chunk with the text.
func (p *packer) tokens(text string) int { return prompt.Count(Chunk{Path: p.path, Text: text}.Full()) }

// boundary is the number of units of the next chunk. Units are at least 1; together they
// have at most allowed tokens, unless the first has more by itself.
func boundary(units []unit, allowed int) int {
	best, tokens := 1, 0
	var bestHash uint64
	for i, u := range units {
		if tokens += u.tokens; tokens > allowed {
			return best
		}
		if i == len(units)-1 {
			return len(units) // all the rest
		}
		if tokens < allowed/2 {
			best = i + 1
			continue
		}
		s, t := u.strength, units[best-1].strength
		if full := tokens-u.tokens < allowed/2; full || s >= t {
			if h := xxhash.Sum64String(units[i+1].text); full || s > t || h < bestHash {
				best, bestHash = i+1, h
			}
		}
	}
	return best
}

func sum(units []unit) (tokens int) {
	for _, u := range units {
		tokens += u.tokens
	}
	return tokens
}

func joinUnits(units []unit, separator string) string {
	var b strings.Builder
	for i, u := range units {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(u.text)
	}
	return b.String()
}

// emit appends a chunk.
func (p *packer) emit(text string, line int) {
	c := Chunk{Index: len(p.chunks), Path: p.path, Text: text, Line: line}
	c.Hash = hash(c.Path, c.Text)
	p.chunks = append(p.chunks, c)
}

// hash is the SHA-256 hash of a path and a text. Each part is preceded by its length.
func hash(path []string, text string) (sum [32]byte) {
	h := sha256.New()
	var length [8]byte
	for _, s := range append(slices.Clone(path), text) {
		binary.BigEndian.PutUint64(length[:], uint64(len(s)))
		h.Write(length[:])
		h.Write([]byte(s))
	}
	h.Sum(sum[:0])
	return sum
}
