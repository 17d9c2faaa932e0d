package stdio

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func TestALineThatIsNotJSONIsAnswered(t *testing.T) {
	in := strings.NewReader("hello\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\n" + `  {"jsonrpc":"2.0","id":2,"method":"ping"}` + "\r\n" + `{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	var out bytes.Buffer
	c, err := Lines(io.NopCloser(in), &out).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int64{2, 3} {
		m, err := c.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r, ok := m.(*jsonrpc.Request)
		if !ok || r.ID.Raw() != want || r.Method != "ping" {
			t.Errorf("read %v, want ping %d", m, want)
		}
	}
	if _, err := c.Read(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("%v, want the end of the input", err)
	}
	if got := out.String(); got != notJSON+notJSON {
		t.Errorf("answered %q, want two parse errors", got)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestALineIsLimited(t *testing.T) {
	in := strings.NewReader(`"` + strings.Repeat("x", 17<<20) + `"`)
	c, err := Lines(io.NopCloser(in), io.Discard).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read(t.Context()); err == nil {
		t.Error("a line of 17 MiB was read")
	}
}
