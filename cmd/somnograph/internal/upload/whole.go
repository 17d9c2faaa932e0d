package upload

import (
	"bytes"
	"errors"
	"io"
)

// padding is how many spaces and tabs may follow the closing delimiter of a form that ends without a line break.
const padding = 64

// whole is the body of a form. Its end is io.ErrUnexpectedEOF unless it is that of the closing delimiter: a cut in the header of a part is an
// io.EOF of multipart.Reader, as the end of the form is. What follows the line of the closing delimiter is not read.
type whole struct {
	io.Reader
	closing []byte // the closing delimiter in its line
	tail    []byte // the last bytes of what was read
}

func newWhole(body io.Reader, boundary string) *whole {
	return &whole{Reader: body, closing: []byte("\n--" + boundary + "--"), tail: []byte("\n")}
}

// Read implements io.Reader.
func (w *whole) Read(b []byte) (int, error) {
	n, err := w.Reader.Read(b)
	w.tail = append(w.tail, b[:n]...)
	w.tail = w.tail[max(0, len(w.tail)-len(w.closing)-padding):]
	if errors.Is(err, io.EOF) && !bytes.HasSuffix(bytes.TrimRight(w.tail, " \t"), w.closing) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
