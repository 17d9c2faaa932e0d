package document

import (
	"fmt"
	"runtime/debug"
	"strings"
	"time"
)

// Document is what Read found in a file.
type Document struct {
	// MediaType is the type as which the file was read, for example "text/markdown". Source
	// code is "text/x-" and its extension, for example "text/x-go".
	MediaType string
	// Title is the title that the document states about itself. It is empty if it states none.
	Title string
	// Elements are in the order of the document.
	Elements []Element
}

// Element is a part of a document that belongs together.
type Element struct {
	Kind Kind
	// Path are the headings above the element, the outermost first. In source code it is the
	// name of the file and the declarations around the element.
	Path []string
	// Section numbers the sections of the document. Elements of one chunk have the same
	// section. Two sections can have the same path.
	Section int
	// Header is the first line or lines of the element, if they are repeated when the element
	// is split: the header row of a table, the opening fence of a code block. Text does not
	// contain it.
	Header string
	// Text is the element's text without surrounding blank lines, in UTF-8, with "\n" at the
	// end of each line but the last.
	Text string
	// Line is the first line of the element, from 1. In a PDF it is the page. It is 0 in
	// formats without lines (HTML, DOCX).
	Line int
}

// Kind says what an element is.
type Kind uint8

// The kinds of elements.
const (
	// Paragraph is a block of prose.
	Paragraph Kind = iota
	// Heading is the full text of a heading that Path does not give: it is too long for it,
	// or nothing stands below it.
	Heading
	// List is a list with everything nested in it.
	List
	// Code is a block of code, or a part of a source file.
	Code
	// Table is a table; each line of Text is a row.
	Table
	// Row is one record of a CSV file. It may contain line ends in quotation marks.
	Row
	// Plain is text without known structure. If it is split, the chunks overlap by a tenth.
	Plain
	// Metadata is the front matter of a document.
	Metadata
)

// String is the kind's name in lower case.
func (k Kind) String() string {
	names := [...]string{"paragraph", "heading", "list", "code", "table", "row", "plain", "metadata"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind %d", k)
}

// Chunk is a part of a document for an embedder.
type Chunk struct {
	// Index is the position in the document, from 0.
	Index int
	// Path are the headings above the chunk, the outermost first. If they would use more than
	// half of the chunk, the outermost are left out.
	Path []string
	// Text is the chunk's text without Path.
	Text string
	// Line is that of the chunk's first element, or the line within it at which the chunk
	// begins.
	Line int
	// Hash is the SHA-256 hash of Path and Text. Chunks of one document can have equal hashes
	// if the document repeats itself.
	Hash [32]byte
}

// PathSeparator stands between the headings of a path that is shown in one line.
const PathSeparator = " > "

// Full is the chunk with its path as the first line, for example "Guide > Setup > Keys". It is
// what an embedder should read, and what the limit of Chunks applies to.
func (c Chunk) Full() string {
	if len(c.Path) == 0 {
		return c.Text
	}
	return strings.Join(c.Path, PathSeparator) + "\n\n" + c.Text
}

// Limits bound what Read accepts. A zero field has its default.
type Limits struct {
	// Bytes is the size of the largest file. Default: 64 MiB.
	Bytes int64
	// Text is the size in bytes of the largest text that is read out of a file. A compressed
	// file can contain more text than it has bytes. Default: 32 MiB.
	Text int64
	// Pages is the number of pages of the longest PDF. Default: 5,000.
	Pages int
	// Elements is the number of elements of the largest document. Default: 500,000.
	Elements int
	// Time is the longest time for which a PDF is read, without loading the PDF reader and
	// without waiting for other documents. Default: 5 minutes; a core reads 5,000 full pages in
	// half a minute.
	Time time.Duration
	// Memory is the largest memory in bytes of the PDF reader for one document; two are read at a
	// time. Default: an eighth of the memory limit of the process, at least 64 and at most 256 MiB;
	// more is not taken.
	Memory int64
	// CacheDir is a directory for the compiled PDF reader. Compiling takes some 15 seconds;
	// from the directory the reader is loaded in less than one. Empty: it is compiled once in
	// each process.
	CacheDir string
}

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = 64 << 20
	}
	if l.Text <= 0 {
		l.Text = 32 << 20
	}
	if l.Pages <= 0 {
		l.Pages = 5000
	}
	if l.Elements <= 0 {
		l.Elements = 500_000
	}
	if l.Time <= 0 {
		l.Time = 5 * time.Minute
	}
	if l.Memory <= 0 {
		l.Memory = max(debug.SetMemoryLimit(-1)/8, 64<<20)
	}
	l.Memory = min(l.Memory, pdfMemory)
	return l
}

// MaxTokens is the size of a chunk that suits the built-in embedders.
const MaxTokens = 350

// Reason says why a document was refused.
type Reason uint8

// The reasons for which a document is refused.
const (
	// Unsupported: the format is not read, or the file is binary.
	Unsupported Reason = iota + 1
	// Encrypted: the document can be read only with a password.
	Encrypted
	// Broken: the file is not what its name or media type says, or is damaged.
	Broken
	// TooLarge: the document is above one of the limits.
	TooLarge
	// Empty: the document contains no text, for example a PDF of scanned pages.
	Empty
)

// String is the reason in words.
func (r Reason) String() string {
	switch r {
	case Unsupported:
		return "unsupported"
	case Encrypted:
		return "encrypted"
	case Broken:
		return "broken"
	case TooLarge:
		return "too large"
	case Empty:
		return "empty"
	}
	return fmt.Sprintf("reason %d", r)
}

// Error is the error of Read for a document that it does not accept. Errors of the reader and
// of the context are returned as they are, wrapped.
type Error struct {
	Path   string
	Reason Reason
	// Detail says what was found and what would be right. It contains nothing of the
	// document's text.
	Detail string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s: %s", e.Path, e.Reason, e.Detail) }

// refuse is an *Error without a path, which Read fills in.
func refuse(r Reason, format string, args ...any) *Error {
	return &Error{Reason: r, Detail: fmt.Sprintf(format, args...)}
}
