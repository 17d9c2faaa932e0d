package document

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// reader reads one format. It returns the title and the elements.
type reader func(ctx context.Context, in input) (title string, elements []Element, err error)

// input is a file whose format is known.
type input struct {
	data      []byte
	path      string
	mediaType string
	lim       Limits
}

// Read reads one document of size bytes. The media type decides the format; if it is empty or
// application/octet-stream, the extension of path and then the content decide. Path is used for
// nothing else but errors and the paths of source code, and is not opened.
//
// A document that is not accepted is an *Error: of an unsupported format, encrypted, damaged,
// not what its name says, above a limit, or without text. Size must be that of the content; a
// reader that ends earlier is an error.
func Read(ctx context.Context, r io.ReaderAt, size int64, path, mediaType string, lim Limits) (Document, error) {
	doc, err := read(ctx, r, size, path, mediaType, lim.withDefaults())
	if refused := (*Error)(nil); errors.As(err, &refused) {
		refused.Path = path
		return Document{}, refused
	}
	if err != nil {
		return Document{}, fmt.Errorf("reading %s: %w", path, err)
	}
	return doc, nil
}

// MediaType is the media type as which Read reads a document. The error is that of Read for a
// document of an unsupported format, or one that is not what its name or media type says.
func MediaType(data []byte, path, mediaType string) (string, error) {
	f, err := detect(data, path, mediaType)
	if refused := (*Error)(nil); errors.As(err, &refused) {
		refused.Path = path
		return "", refused
	}
	return f.mediaType, err
}

func read(ctx context.Context, r io.ReaderAt, size int64, path, mediaType string, lim Limits) (Document, error) {
	if size > lim.Bytes {
		return Document{}, refuse(TooLarge, "it has %d bytes; the limit is %d", size, lim.Bytes)
	}
	if size <= 0 {
		return Document{}, refuse(Empty, "the file is empty")
	}
	if err := ctx.Err(); err != nil {
		return Document{}, err
	}
	data := make([]byte, size)
	if n, err := r.ReadAt(data, 0); int64(n) < size {
		return Document{}, fmt.Errorf("%d of %d bytes: %w", n, size, err)
	}
	f, err := detect(data, path, mediaType)
	if err != nil {
		return Document{}, err
	}
	title, elements, err := f.safely(ctx, input{data: data, path: path, mediaType: f.mediaType, lim: lim})
	if err != nil {
		return Document{}, err
	}
	if len(elements) == 0 {
		return Document{}, refuse(Empty, "it contains no text")
	}
	return Document{MediaType: f.mediaType, Title: title, Elements: elements}, nil
}

// safely calls the reader of the format. A panic of a library, on input that its authors did not
// think of, is an error of the document.
func (f format) safely(ctx context.Context, in input) (title string, elements []Element, err error) {
	defer func() {
		if recover() != nil {
			title, elements, err = "", nil, refuse(Broken, readerFailed)
		}
	}()
	return f.read(ctx, in)
}

// readerFailed is the detail of an error after a panic.
const readerFailed = "its reader failed"
