package document

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// docxReader is the state while the body of a Word document is read.
type docxReader struct {
	o      *outline
	levels map[string]int // of the styles that are headings
	title  string         // the first paragraph of the style Title

	open   []*docxParagraph // paragraphs that have not ended; text boxes nest them
	tables []*docxTable     // tables that have not ended
	list   []string         // items of the list that has not ended
	skip   int              // open elements whose content is left out
	text   bool             // inside an element with text
	size   int64            // bytes of text so far
}

// maxTableDepth is the number of tables that may stand in one another.
const maxTableDepth = 50

// docxParagraph is a paragraph that has not ended.
type docxParagraph struct {
	text   strings.Builder
	level  int  // of the heading; 0: none
	item   bool // of a list
	indent int  // of the item
}

// docxTable is a table that has not ended. Tables nest.
type docxTable struct {
	rows [][]string
	cell []string // paragraphs of the open cell
}

// token reads one token of the document.
func (d *docxReader) token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		d.start(t)
		if d.size > d.o.lim.Text {
			return d.tooLarge()
		}
		if len(d.tables) > maxTableDepth {
			return refuse(TooLarge, "its tables are nested deeper than %d", maxTableDepth)
		}
	case xml.EndElement:
		return d.end(t.Name.Local)
	case xml.CharData:
		if d.text && d.skip == 0 {
			if d.write(string(t)); d.size > d.o.lim.Text {
				return d.tooLarge()
			}
		}
	}
	return nil
}

func (d *docxReader) tooLarge() error {
	return refuse(TooLarge, "it contains more than %d bytes of text", d.o.lim.Text)
}

// write appends to the open paragraph.
func (d *docxReader) write(s string) {
	d.size += int64(len(s))
	if len(d.open) > 0 {
		d.open[len(d.open)-1].text.WriteString(s)
	}
}

// leftOut reports whether the content of an element is not part of the text: what was moved
// away, and the fallback of what was read already.
func leftOut(name string) bool { return name == "moveFrom" || name == "Fallback" || name == "del" }

func (d *docxReader) start(e xml.StartElement) {
	name := e.Name.Local
	if leftOut(name) {
		d.skip++
	}
	if d.skip > 0 {
		return
	}
	switch name {
	case "p":
		d.open = append(d.open, &docxParagraph{})
	case "t":
		d.text = true
	case "tab":
		d.write("\t")
	case "br", "cr":
		d.write("\n")
	case "noBreakHyphen":
		d.write("-")
	case "footnoteReference", "endnoteReference":
		d.write("[" + attr(e, "id") + "]")
	case "tbl":
		d.tables = append(d.tables, &docxTable{})
	case "tr":
		if n := len(d.tables); n > 0 {
			d.tables[n-1].rows = append(d.tables[n-1].rows, nil)
		}
	default:
		d.property(name, attr(e, "val"))
	}
}

// property sets a property of the open paragraph.
func (d *docxReader) property(name, value string) {
	if len(d.open) == 0 {
		return
	}
	p := d.open[len(d.open)-1]
	switch name {
	case "pStyle":
		p.level = d.levels[value]
	case "outlineLvl":
		if n, err := strconv.Atoi(value); err == nil && n >= 0 && n < 9 {
			p.level = n + 1
		}
	case "numId":
		p.item = value != "0"
	case "ilvl":
		if n, err := strconv.Atoi(value); err == nil && n > 0 && n < 10 {
			p.indent = n
		}
	}
}

func (d *docxReader) end(name string) error {
	if leftOut(name) && d.skip > 0 {
		d.skip--
		return nil
	}
	if d.skip > 0 {
		return nil
	}
	switch name {
	case "t":
		d.text = false
	case "p":
		return d.endParagraph()
	case "tc":
		d.endCell()
	case "tbl":
		return d.endTable()
	}
	return nil
}

// endParagraph adds the innermost open paragraph to its cell, its list or the document.
func (d *docxReader) endParagraph() error {
	if len(d.open) == 0 {
		return nil
	}
	p := d.open[len(d.open)-1]
	d.open = d.open[:len(d.open)-1]
	text := p.text.String()
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if n := len(d.tables); n > 0 {
		table := d.tables[n-1]
		table.cell = append(table.cell, oneLine(text))
		return nil
	}
	if p.item && p.level == 0 {
		indent := strings.Repeat("  ", p.indent)
		if d.size += int64(strings.Count(text, "\n") * (len(indent) + 2)); d.size > d.o.lim.Text {
			return d.tooLarge()
		}
		d.list = append(d.list, indent+"- "+strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+indent+"  "))
		return nil
	}
	if err := d.endList(); err != nil {
		return err
	}
	switch {
	case p.level == titleLevel:
		if d.title == "" {
			d.title = oneLine(text)
		}
		return d.o.heading(0, text, 0)
	case p.level > 0:
		return d.o.heading(p.level, text, 0)
	}
	return d.o.add(Paragraph, "", text, 0)
}

// endList adds the open list.
func (d *docxReader) endList() error {
	items := d.list
	d.list = nil
	return d.o.add(List, "", strings.Join(items, "\n"), 0)
}

// endCell adds the open cell to its row.
func (d *docxReader) endCell() {
	n := len(d.tables)
	if n == 0 {
		return
	}
	table := d.tables[n-1]
	if len(table.rows) == 0 {
		table.rows = append(table.rows, nil)
	}
	last := len(table.rows) - 1
	table.rows[last] = append(table.rows[last], strings.ReplaceAll(strings.Join(table.cell, " "), "|", `\|`))
	table.cell = nil
}

// endTable adds the innermost open table: to the cell around it as one paragraph, or else to
// the document in the notation of Markdown.
func (d *docxReader) endTable() error {
	n := len(d.tables)
	if n == 0 {
		return nil
	}
	table := d.tables[n-1]
	d.tables = d.tables[:n-1]
	var lines []string
	columns := 0
	for _, row := range table.rows {
		if len(row) > 0 && strings.TrimSpace(strings.Join(row, "")) != "" {
			columns = max(columns, len(row))
			lines = append(lines, "| "+strings.Join(row, " | ")+" |")
		}
	}
	if len(lines) == 0 {
		return nil
	}
	if n > 1 {
		outer := d.tables[n-2]
		text := strings.Join(lines, " ")
		outer.cell = append(outer.cell, strings.ReplaceAll(strings.Trim(text, "| "), " | ", ", "))
		return nil
	}
	if err := d.endList(); err != nil {
		return err
	}
	return d.o.add(Table, lines[0]+"\n|"+strings.Repeat("---|", columns), strings.Join(lines[1:], "\n"), 0)
}

// endPart ends what a part of the document has left open.
func (d *docxReader) endPart() error {
	for len(d.tables) > 0 {
		if err := d.endTable(); err != nil {
			return err
		}
	}
	d.open, d.skip, d.text = nil, 0, false
	return d.endList()
}
