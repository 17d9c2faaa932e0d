package library_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
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

// pdf makes a PDF of one page with one line.
func pdf(text string) string {
	var b bytes.Buffer
	content := "BT /F1 12 Tf 40 760 Td (" + text + ") Tj ET"
	var offsets []int
	for _, object := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content),
	} {
		if len(offsets) == 0 {
			b.WriteString("%PDF-1.4\n")
		}
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(offsets), object)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return b.String()
}

// compiledPDF keeps the compiled PDF reader in a directory that the test runs share.
func compiledPDF(o *engine.Options) {
	if dir, err := os.UserCacheDir(); err == nil {
		o.Documents.CacheDir = filepath.Join(dir, "somnograph-test", "pdf")
	}
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
		"manual.pdf":  func(p string) string { return pdf("The spare sail lies in the " + p + ".") },
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && strings.HasSuffix(name, ".pdf") {
				t.Skip("compiles the PDF reader")
			}
			w := enginetest.With(t, enginetest.Options{Change: compiledPDF})
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
