package stdio

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// notJSON answers a line that can't be read: a parse error of JSON-RPC, which has no id.
const notJSON = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the line is not valid JSON"}}` + "\n"

// Lines is a transport to a client that sends a message per line. A line that is not valid JSON is answered with error -32700
// and does not end the connection. A line has at most [sdk.DefaultMaxLineLength] bytes.
func Lines(in io.ReadCloser, out io.Writer) sdk.Transport {
	w := &writer{out: out}
	r, valid := io.Pipe()
	go func() {
		_ = valid.CloseWithError(pass(in, valid, w)) // always nil
	}()
	return &sdk.IOTransport{Reader: closeBoth{r, in}, Writer: w}
}

// pass copies the lines with JSON, and answers the others, until the input ends.
func pass(in io.Reader, valid io.Writer, answer io.Writer) error {
	s := bufio.NewScanner(in)
	s.Buffer(nil, sdk.DefaultMaxLineLength)
	for s.Scan() {
		line := bytes.TrimSpace(s.Bytes())
		var err error
		switch {
		case len(line) == 0:
		case json.Valid(line):
			_, err = valid.Write(append(bytes.Clone(line), '\n'))
		default:
			_, err = io.WriteString(answer, notJSON)
		}
		if err != nil {
			return err
		}
	}
	return s.Err()
}

// writer writes whole messages of several goroutines. Closing it leaves the output open.
type writer struct {
	mu  sync.Mutex
	out io.Writer
}

func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}

func (w *writer) Close() error { return nil }

// closeBoth reads the first and closes both.
type closeBoth struct {
	io.ReadCloser
	second io.Closer
}

func (c closeBoth) Close() error {
	err := c.ReadCloser.Close()
	if e := c.second.Close(); err == nil {
		err = e
	}
	return err
}
