package document

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
)

const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

// The limits of an archive. Real documents have some hundred entries and shrink to a tenth.
const (
	maxEntries  = 10_000
	maxRatio    = 300     // of the sizes after and before decompression
	ratioBytes  = 1 << 20 // size below which the ratio does not matter
	maxMarkup   = 8       // times Limits.Text: bytes of XML
	maxToken    = 4 << 20 // bytes of XML of one tag, text or comment; the decoder holds all of it
	maxXMLDepth = 2_000   // open elements
)

// readDOCX reads a Word document: headings, paragraphs, lists, tables and notes, with insertions
// accepted and deletions left out. Headers, footers and comments are not read.
func readDOCX(ctx context.Context, in input) (string, []Element, error) {
	archive, err := zip.NewReader(bytes.NewReader(in.data), int64(len(in.data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return "", nil, refuse(Broken, "its ZIP archive is damaged")
	}
	if len(archive.File) > maxEntries {
		return "", nil, refuse(TooLarge, "its archive has %d entries; the limit is %d", len(archive.File), maxEntries)
	}
	a := docxArchive{files: map[string]*zip.File{}, left: maxMarkup * in.lim.Text}
	for _, f := range archive.File {
		if a.files[f.Name] == nil {
			a.files[f.Name] = f
		}
	}
	if a.files["word/document.xml"] == nil {
		return "", nil, refuse(Broken, "it is a ZIP archive without word/document.xml, so it is no DOCX document")
	}
	d := docxReader{o: newOutline(ctx, in.lim), levels: map[string]int{}}
	if err := a.each("word/styles.xml", d.readStyles()); err != nil {
		return "", nil, err
	}
	for _, part := range []string{"word/document.xml", "word/footnotes.xml", "word/endnotes.xml"} {
		if err := a.each(part, d.token); err != nil {
			return "", nil, err
		}
		if err := d.endPart(); err != nil {
			return "", nil, err
		}
	}
	title := d.title
	if title == "" {
		if err := a.each("docProps/core.xml", coreTitle(&title)); err != nil {
			return "", nil, err
		}
	}
	elements, err := d.o.finish()
	return oneLine(title), elements, err
}

// docxArchive reads the parts of a DOCX document within limits.
type docxArchive struct {
	files map[string]*zip.File
	left  int64 // bytes that may still be decompressed
}

// each calls f with each token of a part. A part that is missing has none.
func (a *docxArchive) each(name string, f func(xml.Token) error) error {
	file := a.files[name]
	if file == nil {
		return nil
	}
	if file.Flags&1 != 0 {
		return refuse(Encrypted, "its archive has a password")
	}
	r, err := file.Open()
	if err != nil {
		return refuse(Broken, "%s in its archive cannot be read", name)
	}
	defer func() { _ = r.Close() }()
	counted := &boundedReader{r: r, archive: a, compressed: int64(file.CompressedSize64)}
	decoder := xml.NewDecoder(counted)
	decoder.Strict = true
	decoder.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errors.New("not UTF-8") }
	for depth := 0; ; {
		counted.token = 0
		t, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if counted.refused != nil {
			return counted.refused
		}
		if err != nil {
			return refuse(Broken, "%s in its archive is damaged", name)
		}
		switch t.(type) {
		case xml.Directive: // its entities could grow without end, or name files
			return refuse(Broken, "%s in its archive declares a document type, which DOCX forbids", name)
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
		if depth > maxXMLDepth {
			return refuse(TooLarge, "the elements of %s are nested too deeply", name)
		}
		if err := f(t); err != nil {
			return err
		}
	}
}

// boundedReader refuses a part that decompresses to more than the archive may have, or is
// compressed more than documents are.
type boundedReader struct {
	r                io.Reader
	archive          *docxArchive
	compressed, read int64
	token            int64 // bytes read since the last token ended
	refused          *Error
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.read += int64(n)
	b.token += int64(n)
	b.archive.left -= int64(n)
	switch {
	case b.token > maxToken:
		b.refused = refuse(TooLarge, "a text or tag in its archive has more than %d MiB", maxToken>>20)
	case b.archive.left < 0:
		b.refused = refuse(TooLarge, "its archive contains too much XML")
	case b.read > ratioBytes && b.read/maxRatio > b.compressed:
		b.refused = refuse(TooLarge, "its archive is compressed to less than 1/%d, as no document is", maxRatio)
	}
	if b.refused != nil {
		return 0, b.refused
	}
	return n, err
}

// coreTitle sets the title that the properties of the document state.
func coreTitle(title *string) func(xml.Token) error {
	inside := false
	return func(t xml.Token) error {
		switch t := t.(type) {
		case xml.StartElement:
			inside = t.Name.Local == "title"
		case xml.EndElement:
			inside = false
		case xml.CharData:
			if inside && len(*title)+len(t) <= 1000 {
				*title += string(t)
			}
		}
		return nil
	}
}

// attr is an attribute of an element, or "".
func attr(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// readStyles returns a function that notes which styles are headings: those with an outline
// level, those named "heading 1" to "heading 9" and "Title", and those based on them.
func (d *docxReader) readStyles() func(xml.Token) error {
	id := ""
	return func(t xml.Token) error {
		e, ok := t.(xml.StartElement)
		if !ok {
			return nil
		}
		value := attr(e, "val")
		switch e.Name.Local {
		case "style":
			id = attr(e, "styleId")
		case "name":
			name := strings.ToLower(value)
			if name == "title" {
				d.levels[id] = titleLevel
			} else if n, err := strconv.Atoi(strings.TrimPrefix(name, "heading ")); err == nil && strings.HasPrefix(name, "heading ") && n > 0 && n < 10 {
				d.levels[id] = n
			}
		case "basedOn":
			if level, ok := d.levels[value]; ok && d.levels[id] == 0 {
				d.levels[id] = level
			}
		case "outlineLvl":
			d.setLevel(id, value)
		}
		return nil
	}
}

// titleLevel is the level of the style Title: above "heading 1".
const titleLevel = -1

// setLevel notes the outline level of a style. Levels count from 0; 9 is body text.
func (d *docxReader) setLevel(style, value string) {
	if n, err := strconv.Atoi(value); err == nil && n >= 0 && n < 9 {
		d.levels[style] = n + 1
	} else if err == nil {
		delete(d.levels, style)
	}
}
