package document

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	pdferrors "github.com/klippa-app/go-pdfium/errors"
)

// The limits of the PDF reader.
const (
	pdfMemory = 256 << 20       // bytes for one document, at most
	pdfIdle   = 2 * time.Minute // after which the reader is unloaded
	pdfAtOnce = 2               // documents that are read at the same time
	pdfPage   = 4 << 20         // characters of the largest page
	wasmPage  = 64 << 10
)

// readPDF reads the text of a PDF: one element for each page that has text. Layout, images and
// annotations are not read, and there is no recognition of characters in pictures.
//
// PDFium runs in WebAssembly: it has no access to files or the network, and damage to its memory
// ends the reading of this document and nothing else.
func readPDF(ctx context.Context, in input) (string, []Element, error) {
	instance, release, err := pdfReaders.acquire(ctx, in.lim) // waits for other documents
	if err != nil {
		return "", nil, err
	}
	defer release()
	limited, cancel := context.WithTimeoutCause(ctx, in.lim.Time, errPDFTime)
	defer cancel()
	title, elements, err := pdfText(limited, instance, in)
	switch {
	case limited.Err() == nil:
		return title, elements, err
	case context.Cause(limited) == errPDFTime:
		return "", nil, refuse(TooLarge, "reading it takes longer than %v; split it, or send its text", in.lim.Time)
	default:
		return "", nil, context.Cause(limited)
	}
}

// errPDFTime is the cause of a context that ended with Limits.Time, not with its caller.
var errPDFTime = errors.New("the time for a PDF is over")

func pdfText(ctx context.Context, instance pdfium.Pdfium, in input) (string, []Element, error) {
	// An instance whose context ends is killed, also within a page.
	var once sync.Once
	stop := context.AfterFunc(ctx, func() { once.Do(func() { _ = instance.Kill() }) })
	defer func() {
		stop()
		once.Do(func() { _ = instance.Close() })
	}()
	opened, err := instance.OpenDocument(&requests.OpenDocument{File: &in.data})
	switch {
	case errors.Is(err, pdferrors.ErrPassword):
		return "", nil, refuse(Encrypted, "it is a PDF with a password; save it without one")
	case errors.Is(err, pdferrors.ErrSecurity):
		return "", nil, refuse(Encrypted, "it is a PDF with a kind of encryption that is not supported")
	case err != nil && aborted(err):
		return "", nil, refuseMemory("the PDF", in.lim)
	case err != nil:
		return "", nil, refuse(Broken, "the PDF is damaged and cannot be opened")
	}
	return pdfPages(ctx, instance, opened.Document, in)
}

// pdfPages reads the pages of an open document.
func pdfPages(ctx context.Context, instance pdfium.Pdfium, document references.FPDF_DOCUMENT, in input) (string, []Element, error) {
	counted, err := instance.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: document})
	if err != nil {
		return "", nil, refuse(Broken, "the pages of the PDF cannot be counted")
	}
	if counted.PageCount > in.lim.Pages {
		return "", nil, refuse(TooLarge, "it has %d pages; the limit is %d: split it", counted.PageCount, in.lim.Pages)
	}
	title := ""
	if meta, err := instance.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: document, Tag: "Title"}); err == nil {
		title = shorten(oneLine(cleanPDF(meta.Value)), maxInline)
	}
	o := newOutline(ctx, in.lim)
	for i := range counted.PageCount {
		if err := ctx.Err(); err != nil {
			return "", nil, err
		}
		text, err := pageText(instance, requests.Page{ByIndex: &requests.PageByIndex{Document: document, Index: i}})
		if refused := (*Error)(nil); errors.As(err, &refused) {
			return "", nil, err
		}
		if err != nil && aborted(err) {
			return "", nil, refuseMemory(fmt.Sprintf("page %d of the PDF", i+1), in.lim)
		}
		if err != nil {
			return "", nil, refuse(Broken, "page %d of the PDF is damaged", i+1)
		}
		if err := o.add(Plain, "", text, i+1); err != nil {
			return "", nil, err
		}
	}
	if len(o.elements) == 0 {
		return "", nil, refuse(Empty, "its %d pages contain no text; pictures of pages are not read", counted.PageCount)
	}
	return title, o.elements, nil
}

// aborted reports whether PDFium ended itself: it does so when it gets no more memory, and when a
// document breaks one of its assumptions.
func aborted(err error) bool { return strings.Contains(err.Error(), "wasm error: unreachable") }

// refuseMemory refuses a document of which a part made PDFium abort.
func refuseMemory(part string, lim Limits) error {
	return refuse(TooLarge, "%s needs more than %d MB of memory to be read, or is damaged; split it, or send its text", part, lim.Memory>>20)
}

// pageText is the text of one page.
func pageText(instance pdfium.Pdfium, page requests.Page) (string, error) {
	loaded, err := instance.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: page})
	if err != nil {
		return "", err
	}
	counted, err := instance.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: loaded.TextPage})
	if err != nil {
		return "", err
	}
	if counted.Count > pdfPage {
		return "", refuse(TooLarge, "a page has more than %d characters", pdfPage)
	}
	text := ""
	if counted.Count > 0 {
		all, err := instance.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: loaded.TextPage, Count: counted.Count})
		if err != nil {
			return "", err
		}
		text = cleanPDF(all.Text)
	}
	_, err = instance.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: loaded.TextPage})
	return text, err
}

// cleanPDF is text of a PDF without control characters. A hyphen that the typesetter put at the
// end of a line is marked as U+0002 by PDFium; the parts of the word are joined.
func cleanPDF(text string) string {
	text = strings.NewReplacer("\x02\r\n", "", "\x02\n", "", "\x02", "", "\r\n", "\n", "\r", "\n", "\uFFFE", "").Replace(strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7F {
			return -1
		}
		return r
	}, text)
}
