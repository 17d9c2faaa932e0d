package frame

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// web/test/arrow.test.ts reads the golden streams with Apache's library.
func TestArrowStreams(t *testing.T) {
	f := small()
	for name, write := range map[string]func(io.Writer) error{
		"nodes.arrow": func(w io.Writer) error { return WriteNodes(w, f, f.At) },
		"edges.arrow": func(w io.Writer) error { return WriteEdges(w, f, f.At) },
		"early.arrow": func(w io.Writer) error { return WriteNodes(w, f, f.Nodes[0].History[0].From.Add(-time.Hour)) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s: %d bytes, not the %d that are kept", name, b.Len(), len(want))
		}
		if b.Len()%8 != 0 {
			t.Errorf("%s: %d bytes are no whole words", name, b.Len())
		}
	}
}

type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

func TestArrowStreamsReturnWriteErrors(t *testing.T) {
	f := small()
	var whole bytes.Buffer
	if err := WriteNodes(&whole, f, f.At); err != nil {
		t.Fatal(err)
	}
	for room := 0; room < whole.Len(); room += 97 {
		if err := WriteNodes(&full{room}, f, f.At); err == nil {
			t.Errorf("with room for %d of %d bytes there is no text", room, whole.Len())
		}
	}
}
