package document

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// pdf is a PDF with one page for each text, whose lines are below one another.
func pdf(title string, pages ...string) []byte {
	var b bytes.Buffer
	var offsets []int
	object := func(format string, args ...any) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n", len(offsets))
		fmt.Fprintf(&b, format, args...)
		b.WriteString("\nendobj\n")
	}
	b.WriteString("%PDF-1.4\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
	var kids strings.Builder
	for i := range pages {
		fmt.Fprintf(&kids, "%d 0 R ", 5+2*i)
	}
	object("<< /Type /Pages /Count %d /Kids [%s] >>", len(pages), kids.String())
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
	object("<< /Title (%s) >>", title)
	for i, text := range pages {
		object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", 6+2*i)
		text = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(text)
		stream := "BT /F1 11 Tf 14 TL 40 760 Td (" + strings.ReplaceAll(text, "\n", ") Tj T* (") + ") Tj ET"
		object("<< /Length %d >>\nstream\n%s\nendstream", len(stream), stream)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return b.Bytes()
}

// pdfLimits has a cache directory that the test runs share, so that the reader is compiled once.
func pdfLimits(t testing.TB) Limits {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = t.TempDir()
	}
	return Limits{CacheDir: filepath.Join(dir, "somnograph-test", "pdf")}
}

func TestPDFElements(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the PDF reader")
	}
	content := pdf("Flight manual", "Wind\nHeron 3 may fly in winds up to 15 m/s.", "", "Rain (any)\nStay on the ground.")
	d, err := Read(context.Background(), bytes.NewReader(content), int64(len(content)), "a.pdf", "", pdfLimits(t))
	if err != nil {
		t.Fatal(err)
	}
	if d.MediaType != "application/pdf" || d.Title != "Flight manual" {
		t.Errorf("media type %s, title %q", d.MediaType, d.Title)
	}
	wantElements(t, d,
		`1 plain [] "" "Wind\nHeron 3 may fly in winds up to 15 m/s."`,
		`3 plain [] "" "Rain (any)\nStay on the ground."`,
	)
	checkChunks(t, d, 350)
}

func TestHostilePDFIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the PDF reader")
	}
	key := strings.Repeat("5A", 32) // of no password, so not of the empty one either
	locked := bytes.Replace(pdf("x", "text"), []byte("/Info 4 0 R"), []byte("/Info 4 0 R /ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <"+key+"> /U <"+key+"> >>"), 1)
	unknown := bytes.Replace(locked, []byte("/Standard"), []byte("/Unheard"), 1)
	long := make([]string, 10_000)
	whole := pdf("x", "text")
	for name, x := range map[string]struct {
		path    string
		content []byte
		want    Reason
	}{
		"a password":         {"a.pdf", locked, Encrypted},
		"unknown encryption": {"a.pdf", unknown, Encrypted},
		"10,000 pages":       {"a.pdf", pdf("x", long...), TooLarge},
		"no text":            {"a.pdf", pdf("x", "", ""), Empty},
		"no content":         {"a.pdf", []byte("%PDF-1.4\n"), Broken},
		"its beginning":      {"a.pdf", whole[:200], Broken},
		"another format":     {"a.pdf", []byte("PK\x03\x04"), Broken},
		"text":               {"a.pdf", []byte("hello"), Broken},
		"another name":       {"a.txt", whole, Broken},
		"a page in itself":   {"a.pdf", bytes.Replace(whole, []byte("/Kids [5 0 R"), []byte("/Kids [2 0 R"), 1), Broken},
	} {
		lim := pdfLimits(t)
		if got := readErr(t, x.path, "", x.content, lim); got.Reason != x.want {
			t.Errorf("%s: %v, want %v", name, got, x.want)
		}
	}
	lim := pdfLimits(t)
	lim.Pages, lim.Time = 20_000, time.Millisecond
	if got := readErr(t, "a.pdf", "", pdf("x", long...), lim); got.Reason != TooLarge {
		t.Error(got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, bytes.NewReader(whole), int64(len(whole)), "a.pdf", "", lim); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A document at the limit of pages is read. One more page, and a page that never ends, are refused
// with the limit, and the next document is read as before.
func TestPDFsAtTheLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the PDF reader")
	}
	lim := pdfLimits(t)
	pages := make([]string, 5001)
	for i := range pages {
		pages[i] = fmt.Sprintf("Heron %d waits.", i)
	}
	read := func(content []byte) (Document, error) {
		return Read(t.Context(), bytes.NewReader(content), int64(len(content)), "a.pdf", "", lim)
	}
	d, err := read(pdf("x", pages[:5000]...))
	if err != nil || len(d.Elements) != 5000 || d.Elements[4999].Text != "Heron 4999 waits." || d.Elements[4999].Line != 5000 {
		t.Errorf("5,000 pages: %d elements, %v", len(d.Elements), err)
	}
	var refused *Error
	if _, err := read(pdf("x", pages...)); !errors.As(err, &refused) || refused.Reason != TooLarge || !strings.Contains(refused.Detail, "it has 5001 pages; the limit is 5000") {
		t.Errorf("5,001 pages: %v", err)
	}
	lim.Time = time.Second
	if _, err := read(endlessPDF()); !errors.As(err, &refused) || refused.Reason != TooLarge || !strings.Contains(refused.Detail, "takes longer than 1s") {
		t.Errorf("an endless page: %v", err)
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(time.Second))
	defer cancel()
	lim.Time = time.Hour
	content := endlessPDF()
	if _, err := Read(ctx, bytes.NewReader(content), int64(len(content)), "a.pdf", "", lim); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a caller that does not wait: %v", err)
	}
	lim.Time = 0
	if _, err := read(hugePDF()); !errors.As(err, &refused) || refused.Reason != TooLarge || !strings.Contains(refused.Detail, "page 1 of the PDF needs more than 256 MB of memory") {
		t.Errorf("a page that fills the memory: %v", err)
	}
	if d, err := read(pdf("x", "The heron waits.")); err != nil || d.Elements[0].Text != "The heron waits." {
		t.Errorf("the next document: %v", err)
	}
}

// The memory of a PDF is outside of the heap, within Limits.Memory, and given back. In the heap it would leave copies of itself
// while it grows, several times its size.
func TestAPDFThatFillsItsMemoryLeavesNoGarbage(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the PDF reader")
	}
	lim := pdfLimits(t)
	if _, err := readPDFBytes(t, pdf("x", "The heron waits."), lim); err != nil { // loads the reader
		t.Fatal(err)
	}
	for megabytes, content := range map[int64][]byte{64: hugePDF(), 96: emptyPDF(t, 256<<20)} {
		lim.Memory = megabytes << 20
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readPDFBytes(t, content, lim)
		runtime.ReadMemStats(&after)
		if want := fmt.Sprintf("page 1 of the PDF needs more than %d MB", megabytes); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
			t.Errorf("within %d MB: %d MB were taken from the heap", megabytes, n>>20)
		}
	}
	if len(pdfReaders.places) != 0 || pdfReaders.users != 0 {
		t.Errorf("%d documents are read, %d users of the reader", len(pdfReaders.places), pdfReaders.users)
	}
	lim.Memory = 1 << 40
	if got := lim.withDefaults().Memory; got != 256<<20 {
		t.Errorf("%d bytes for a document", got)
	}
}

// The memory of a PDF is an eighth of what the process may have, within bounds.
func TestTheMemoryOfAPDFFollowsThatOfTheProcess(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	for limit, want := range map[int64]int64{math.MaxInt64: 256 << 20, 3 << 30: 256 << 20, 1 << 30: 128 << 20, 100 << 20: 64 << 20} {
		debug.SetMemoryLimit(limit)
		if got := (Limits{}).withDefaults().Memory; got != want {
			t.Errorf("of %d bytes: %d, want %d", limit, got, want)
		}
	}
}

func readPDFBytes(t *testing.T, content []byte, lim Limits) (Document, error) {
	t.Helper()
	return Read(t.Context(), bytes.NewReader(content), int64(len(content)), "a.pdf", "", lim)
}

// emptyPDF is a small PDF of one page with size zeros, compressed twice.
func emptyPDF(t *testing.T, size int) []byte {
	t.Helper()
	var twice bytes.Buffer
	outer := zlib.NewWriter(&twice)
	inner := zlib.NewWriter(outer)
	zeros := make([]byte, 1<<20)
	for range size >> 20 {
		if _, err := inner.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(inner.Close(), outer.Close()); err != nil {
		t.Fatal(err)
	}
	plain := nestedPDF(1, "")
	stream := fmt.Sprintf("<< /Filter [/FlateDecode /FlateDecode] /Length %d >>\nstream\n%s\nendstream", twice.Len(), twice.Bytes())
	shows := strings.Repeat("/X Do ", 16)
	return bytes.Replace(plain, fmt.Appendf(nil, "<<  /Length %d >>\nstream\n%s\nendstream", len(shows), shows), []byte(stream), 1)
}

// endlessPDF is a PDF of one page that takes hours and little memory to read: forms that each show the next
// one sixteen times, and a last one that shows nothing, with many operators.
func endlessPDF() []byte { return nestedPDF(8, strings.Repeat("q Q ", 1<<18)) }

// hugePDF is a PDF of one page with more text than the memory of the reader can have.
func hugePDF() []byte { return nestedPDF(12, "BT /F1 11 Tf 40 760 Td (heron) Tj ET") }

// nestedPDF is a PDF of one page with forms that each show the next one sixteen times; the last one of depth
// has the content.
func nestedPDF(depth int, content string) []byte {
	var b bytes.Buffer
	var offsets []int
	object := func(text string) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(offsets), text)
	}
	stream := func(dict, text string) string {
		return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(text), text)
	}
	const first = 6
	shows := strings.Repeat("/X Do ", 16)
	b.WriteString("%PDF-1.4\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
	object("<< /Type /Pages /Count 1 /Kids [3 0 R] >>")
	object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /XObject << /X %d 0 R >> >> /Contents 4 0 R >>", first))
	object(stream("", shows))
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
	for i := range depth {
		resources := fmt.Sprintf("/XObject << /X %d 0 R >>", first+i+1)
		text := shows
		if i == depth-1 {
			resources, text = "/Font << /F1 5 0 R >>", content
		}
		object(stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << "+resources+" >>", text))
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return b.Bytes()
}

// Random damage is an error or text, and the next document is read as before.
func TestDamagedPDFs(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the PDF reader")
	}
	whole := pdf("x", "The heron waits.")
	for i := range 40 {
		damaged := bytes.Clone(whole)
		for j := range 1 + i%7 {
			damaged[8+(i*7919+j*104729)%(len(damaged)-8)] ^= byte(1 << (j % 8))
		}
		_, err := Read(context.Background(), bytes.NewReader(damaged), int64(len(damaged)), "a.pdf", "", pdfLimits(t))
		if refused := (*Error)(nil); err != nil && !errors.As(err, &refused) {
			t.Errorf("%d: %v", i, err)
		}
	}
	d, err := Read(context.Background(), bytes.NewReader(whole), int64(len(whole)), "a.pdf", "", pdfLimits(t))
	if err != nil || d.Elements[0].Text != "The heron waits." {
		t.Errorf("%v %v", d, err)
	}
}
