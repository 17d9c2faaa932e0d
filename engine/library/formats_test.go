package library_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
)

// docx makes a Word document of one paragraph.
func docx(text string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, file := range [][2]string{
		{"[Content_Types].xml", `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`},
		{"_rels/.rels", `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`},
		{"word/document.xml", `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>` + text + `</w:t></w:r></w:p></w:body></w:document>`},
	} {
		w, err := z.Create(file[0])
		if err != nil {
			panic(err) // a buffer takes everything
		}
		if _, err := w.Write([]byte(file[1])); err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

// Documents of every format are found, changed, and found again without the old text.
func TestEveryFormatIsFoundAndReplaced(t *testing.T) {
	for name, write := range map[string]func(place string) string{
		"guide.md":  func(p string) string { return "# Sail\n\nThe spare sail lies in the " + p + ".\n" },
		"notes.txt": func(p string) string { return "The spare sail lies in the " + p + ".\n" },
		"page.html": func(p string) string {
			return "<html><body><h1>Sail</h1><p>The spare sail lies in the " + p + ".</p></body></html>"
		},
		"stock.csv": func(p string) string { return "item,place\nspare sail," + p + "\nline,quay\n" },
		"store.go": func(p string) string {
			return fmt.Sprintf("package store\n\n// SpareSail is where the spare sail lies.\nconst SpareSail = %q\n", p)
		},
		"letter.docx": func(p string) string { return docx("The spare sail lies in the " + p + ".") },
	} {
		t.Run(name, func(t *testing.T) {
			w := enginetest.New(t)
			answers := func(place string) bool {
				for _, h := range w.Search("Where does the spare sail lie?", func(in *engine.SearchInput) { in.User = "ana" }).Hits {
					if strings.Contains(h.Memory.Content, place) {
						return true
					}
				}
				return false
			}
			ingest(t, w, name, write("loft"))
			if !answers("loft") {
				t.Fatal("the document is not found")
			}
			if r := ingest(t, w, name, write("loft")); !r.Unchanged {
				t.Errorf("again: %+v", r)
			}
			r := ingest(t, w, name, write("cedar chest"))
			if r.Document.Version != 2 || r.Superseded == 0 || !answers("cedar chest") || answers("loft") {
				t.Errorf("changed: %+v, new %v, old %v", r, answers("cedar chest"), answers("loft"))
			}
		})
	}
}
