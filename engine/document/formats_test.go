package document

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestCSVElements(t *testing.T) {
	d := readString(t, "a.csv", "name;note\n\nAnna;\"two\nlines; one \"\"field\"\"\"\nBob;x\n")
	wantElements(t, d,
		`3 row [] "name;note" "Anna;\"two\nlines; one \"\"field\"\"\""`,
		`5 row [] "name;note" "Bob;x"`,
	)
	d = readString(t, "a.tsv", "1\t2\n3\t4, 5")
	wantElements(t, d, `1 row [] "" "1\t2"`, `2 row [] "" "3\t4, 5"`)
	d = readString(t, "a.csv", "a,b\n")
	wantElements(t, d, `1 row [] "" "a,b"`)
	d = readString(t, "a.csv", "a,b\nhe said \"hi\",2\n\"open,3\n4,5\n") // no rules
	wantElements(t, d, `2 row [] "a,b" "he said \"hi\",2"`, `3 row [] "a,b" "\"open,3\n4,5"`)
}

func TestHeaderOfCSVIsRepeated(t *testing.T) {
	var b strings.Builder
	b.WriteString("city,inhabitants\n")
	for i := range 300 {
		fmt.Fprintf(&b, "city %d,\"%d\nestimated\"\n", i, i*1000)
	}
	chunks := checkChunks(t, readString(t, "a.csv", b.String()), 100)
	if len(chunks) < 10 {
		t.Fatalf("%d chunks", len(chunks))
	}
	for _, c := range chunks {
		if !strings.HasPrefix(c.Text, "city,inhabitants\ncity ") || strings.Count(c.Text, `"`)%2 != 0 {
			t.Errorf("%q", c.Text)
		}
	}
}

const goSource = `// Package a is small.
package a

import (
	"fmt"
)

const x = 1

// String is
// documented.
func (s T) String() string {
	if s.x {
		return ""
	} else {
		return "no"
	}
}

type T struct {
	x bool

	y int
}
`

func TestSourceIsDividedAtDeclarations(t *testing.T) {
	wantElements(t, readString(t, "src/a.go", goSource),
		`1 code [a.go] "" "// Package a is small.\npackage a"`,
		`4 code [a.go] "" "import (\n\t\"fmt\"\n)"`,
		`8 code [a.go] "" "const x = 1"`,
		`10 code [a.go > func (s T) String() string] "" "// String is\n// documented.\nfunc (s T) String() string {\n\tif s.x {\n\t\treturn \"\"\n\t} else {\n\t\treturn \"no\"\n\t}\n}"`,
		`20 code [a.go] "" "type T struct {\n\tx bool\n\n\ty int\n}"`,
	)
}

// Small declarations are packed together.
func TestSmallDeclarationsShareChunks(t *testing.T) {
	d := readString(t, "a.css", strings.Repeat("a:hover {\n  color: red;\n}\n\n", 20))
	if chunks := checkChunks(t, d, 350); len(chunks) != 1 {
		t.Errorf("%d chunks, want 1", len(chunks))
	}
}

// paths are the different paths of a document's elements in their order.
func paths(d Document) (paths []string) {
	for _, e := range d.Elements {
		p := strings.Join(e.Path, PathSeparator)
		if len(paths) == 0 || paths[len(paths)-1] != p {
			paths = append(paths, p)
		}
	}
	return paths
}

func TestMethodsOfALargeClassHavePaths(t *testing.T) {
	body := strings.Repeat("            self.count(value, \"something\")\n", 10)
	python := "import os\n\nclass Store(Base):\n    \"\"\"Stores.\"\"\"\n\n    limit = 3\n\n    @cached\n    def get(self, key):\n        for value in key:\n" + body +
		"\n    def put(self,\n            key):\n        if key:\n" + body + "\n    def drop(self):\n        if self:\n" + body + "\nprint(Store())\n"
	java := "package a;\n\n/**\n * Stores.\n */\npublic class Store\n{\n" +
		"    public int get(String key)\n    {\n" + body + "    }\n\n    @Override\n    public void put()\n    {\n" + body + "    }\n\n    void drop() {\n" + body + "    }\n}\n"
	ruby := "class Store\n  def get(key)\n" + body + "  end\n\n  def put\n" + body + "  end\n\n  def drop\n" + body + "  end\nend\n"
	for name, x := range map[string]struct{ source, want string }{
		"a.py":   {python, "a.py; a.py > class Store(Base); a.py > class Store(Base) > def get(self, key); a.py > class Store(Base) > def put(self; a.py > class Store(Base) > def drop(self); a.py"},
		"A.java": {java, "A.java; A.java > public class Store; A.java > public class Store > public int get(String key); A.java > public class Store > public void put(); A.java > public class Store > void drop(); A.java > public class Store"},
		"a.rb":   {ruby, "a.rb > class Store; a.rb > class Store > def get(key); a.rb > class Store > def put; a.rb > class Store > def drop; a.rb > class Store"},
	} {
		d := readString(t, name, x.source)
		if got := strings.Join(paths(d), "; "); got != x.want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, x.want)
		}
		checkChunks(t, d, 350)
	}
}

func TestHTMLElements(t *testing.T) {
	prose := strings.Repeat("Herons stand in shallow water and wait for fish, which they catch with a fast movement. ", 12)
	d := readString(t, "a.html", `<!DOCTYPE html><html><head><meta charset="iso-8859-1"><title>Herons</title><style>x{}</style></head><body>
<nav><a href="/a">All birds</a></nav><article><h1>Herons</h1><p>`+prose+`</p><h2>Food</h2><ul><li>Fish<ul><li>small</li></ul></li><li>Fr`+"\xF6"+`sche</li></ul>
<p>`+prose+`</p><table><thead><tr><th>Name</th><th>Size</th></tr></thead><tbody><tr><td>Grey</td><td>1 m</td></tr></tbody></table><pre><code class="language-go">a := 1
</code></pre><p hidden>secret</p></article><script>evil()</script></body></html>`)
	prose = strings.TrimSpace(prose)
	if d.Title != "Herons" {
		t.Errorf("title %q", d.Title)
	}
	wantElements(t, d,
		`0 paragraph [Herons] "" "`+prose+`"`,
		`0 list [Herons > Food] "" "- Fish\n  \n  - small\n- Frösche"`,
		`0 paragraph [Herons > Food] "" "`+prose+`"`,
		`0 table [Herons > Food] "| Name | Size |\n|---|---|" "| Grey | 1 m |"`,
		"0 code [Herons > Food] \"```go\" \"a := 1\"",
	)
}

// A page without an article is read from its body.
func TestHTMLWithoutArticle(t *testing.T) {
	d := readString(t, "a.html", `<title>Prices</title><nav>Menu</nav><div>Apples 3</div><div>Pears 4</div>`)
	wantElements(t, d, `0 paragraph [Prices] "" "Apples 3"`, `0 paragraph [Prices] "" "Pears 4"`)
	d = readString(t, "a.html", `<nav>Only a menu</nav>`)
	wantElements(t, d, `0 paragraph [] "" "Only a menu"`)
}

func TestHugeHTMLIsRefused(t *testing.T) {
	deep := strings.Repeat("<div>", 600) + "x"
	if got := readErr(t, "a.html", "", []byte(deep), Limits{}); got.Reason != TooLarge {
		t.Error(got)
	}
	if got := readErr(t, "a.html", "", []byte(strings.Repeat("<p>", maxTags+1)), Limits{}); got.Reason != TooLarge {
		t.Error(got)
	}
	if got := readErr(t, "a.html", "", []byte("<script>x()</script>"), Limits{}); got.Reason != Empty {
		t.Error(got)
	}
}

// entry is a file of an archive.
type entry struct{ name, content string }

func zipOf(entries ...entry) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		f, err := w.Create(e.name)
		if err == nil {
			_, err = f.Write([]byte(e.content))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// docx is a Word document with a body.
func docx(body string, more ...entry) []byte {
	return zipOf(append([]entry{
		{"[Content_Types].xml", `<Types/>`},
		{"word/document.xml", `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>` + body + `</w:body></w:document>`},
		{"word/styles.xml", `<w:styles xmlns:w="x"><w:style w:styleId="T"><w:name w:val="Title"/></w:style><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>` +
			`<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>`},
	}, more...)...)
}

func docxP(style, text string) string {
	if style != "" {
		style = `<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`
	}
	return `<w:p>` + style + `<w:r><w:t xml:space="preserve">` + text + `</w:t></w:r></w:p>`
}

func docxItem(level int, text string) string {
	return fmt.Sprintf(`<w:p><w:pPr><w:numPr><w:ilvl w:val="%d"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>%s</w:t></w:r></w:p>`, level, text)
}

func docxTableOf(rows ...[]string) string {
	var b strings.Builder
	b.WriteString(`<w:tbl>`)
	for _, row := range rows {
		b.WriteString(`<w:tr>`)
		for _, cell := range row {
			if !strings.HasPrefix(cell, "<") {
				cell = docxP("", cell)
			}
			b.WriteString(`<w:tc>` + cell + `</w:tc>`)
		}
		b.WriteString(`</w:tr>`)
	}
	return b.String() + `</w:tbl>`
}

func TestDOCXElements(t *testing.T) {
	content := docx(docxP("T", "Flight manual")+docxP("berschrift1", "Wind")+
		`<w:p><w:r><w:t>At most </w:t></w:r><w:del><w:r><w:delText>12</w:delText></w:r></w:del><w:ins><w:r><w:t>15</w:t><w:tab/><w:t>m/s</w:t></w:r></w:ins></w:p>`+
		docxItem(0, "one")+docxItem(1, "nested")+docxItem(0, "two")+
		docxP("Mine", "Table")+
		docxTableOf([]string{"a", "b|c"}, []string{"1", docxTableOf([]string{"x", "y"}) + docxP("", "")})+
		`<mc:AlternateContent xmlns:mc="m"><mc:Choice><w:txbxContent>`+docxP("", "box")+`</w:txbxContent></mc:Choice><mc:Fallback>`+docxP("", "box again")+`</mc:Fallback></mc:AlternateContent>`,
		entry{"word/footnotes.xml", `<w:footnotes xmlns:w="x">` + docxP("", "A note") + `</w:footnotes>`})
	d := readString(t, "a.docx", string(content))
	if d.Title != "Flight manual" || d.MediaType != docxType {
		t.Errorf("title %q, media type %s", d.Title, d.MediaType)
	}
	wantElements(t, d,
		`0 paragraph [Flight manual > Wind] "" "At most 15\tm/s"`,
		`0 list [Flight manual > Wind] "" "- one\n  - nested\n- two"`,
		`0 table [Flight manual > Wind > Table] "| a | b\\|c |\n|---|---|" "| 1 | x, y |"`,
		`0 paragraph [Flight manual > Wind > Table] "" "box"`,
		`0 paragraph [Flight manual > Wind > Table] "" "A note"`,
	)
}

func TestHostileDOCXIsRefused(t *testing.T) {
	many := make([]entry, maxEntries)
	for i := range many {
		many[i].name = fmt.Sprint(i)
	}
	locked := docx(docxP("", "x"))
	for i := range len(locked) - 4 { // the flag of encryption in each header of an entry
		switch string(locked[i : i+4]) {
		case "PK\x03\x04":
			locked[i+6] |= 1
		case "PK\x01\x02":
			locked[i+8] |= 1
		}
	}
	whole := docx(docxP("", "x"))
	for name, x := range map[string]struct {
		content []byte
		want    Reason
	}{
		"a bomb":            {docx(strings.Repeat(docxP("", strings.Repeat(" ", 1000)), 6_000)), TooLarge},
		"too much text":     {docx(docxP("", strings.Repeat("0123456789 äöü ", 100_000))), TooLarge},
		"many entries":      {docx(docxP("", "x"), many...), TooLarge},
		"deep elements":     {docx(strings.Repeat("<w:x>", maxXMLDepth)), TooLarge},
		"deep tables":       {docx(strings.Repeat("<w:tbl><w:tr><w:tc>", 60)), TooLarge},
		"XML that breaks":   {docx("<w:p>"), Broken},
		"another archive":   {zipOf(entry{"a.txt", "x"}), Broken},
		"encrypted entries": {locked, Encrypted},
		"cut":               {whole[:len(whole)/2], Broken},
		"not an archive":    {[]byte("hello"), Broken},
		"no text":           {docx(""), Empty},
		"OLE encrypted":     {append([]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00"...), Encrypted},
		"OLE":               {[]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1..."), Unsupported},
		"an entity bomb":    {zipOf(entry{"word/document.xml", `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x><p><t>&b;</t></p></x>`}), Broken},
	} {
		got := readErr(t, "a.docx", "", x.content, Limits{Text: 1 << 20})
		if got.Reason != x.want {
			t.Errorf("%s: %v, want %v", name, got, x.want)
		}
		if name == "an entity bomb" && !strings.Contains(got.Detail, "declares a document type") {
			t.Errorf("%s: %v", name, got)
		}
	}
}
