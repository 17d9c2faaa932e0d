package arrow

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"
)

// walk reads the framing of a stream: the length of each head and of its body.
// web/test/arrow.test.ts reads the columns with Apache's library.
func walk(t *testing.T, b []byte) (bodies []int) {
	t.Helper()
	le := binary.LittleEndian
	for {
		if len(b) < 8 || le.Uint32(b) != 0xffffffff {
			t.Fatalf("no message with %d bytes to go", len(b))
		}
		size := int(le.Uint32(b[4:]))
		b = b[8:]
		if size == 0 {
			if len(b) != 0 {
				t.Errorf("%d bytes after the end", len(b))
			}
			return bodies
		}
		if size%8 != 0 || size > len(b) {
			t.Fatalf("a head of %d bytes", size)
		}
		head := b[:size]
		root := le.Uint32(head)
		vtable := root - le.Uint32(head[root:])
		if fields := (le.Uint16(head[vtable:]) - 4) / 2; fields != 4 {
			t.Fatalf("a message with %d fields", fields)
		}
		field := func(n uint32) uint32 { return root + uint32(le.Uint16(head[vtable+4+2*n:])) }
		if v := le.Uint16(head[field(0):]); v != version5 {
			t.Errorf("version %d", v)
		}
		if field(3)%8 != 0 {
			t.Errorf("the length of the body is at %d", field(3))
		}
		body := int(le.Uint64(head[field(3):]))
		bodies = append(bodies, body)
		b = b[size+body:]
	}
}

func TestRowsAreWrittenInBatches(t *testing.T) {
	asked := [][2]int{}
	columns := func(from, to int) []Column {
		asked = append(asked, [2]int{from, to})
		v := make([]int32, to-from)
		for i := range v {
			v[i] = int32(from + i)
		}
		return []Column{Ints("n", v)}
	}
	var b bytes.Buffer
	if err := Write(&b, 10, 4, columns); err != nil {
		t.Fatal(err)
	}
	if got := walk(t, b.Bytes()); len(got) != 4 || got[0] != 0 || got[1] != 16 || got[2] != 16 || got[3] != 8 {
		t.Errorf("bodies of %v bytes", got)
	}
	if len(asked) != 4 || asked[0] != [2]int{0, 0} || asked[3] != [2]int{8, 10} {
		t.Errorf("asked for %v", asked)
	}
	b.Reset()
	if err := Write(&b, 0, 4, columns); err != nil || len(walk(t, b.Bytes())) != 1 {
		t.Errorf("no rows: %v", err)
	}
}

func TestInvalidTablesAreRefused(t *testing.T) {
	two := func(from, to int) []Column {
		return []Column{Ints("a", make([]int32, to-from)), Bools("b", make([]bool, 1))}
	}
	for name, err := range map[string]error{
		"rows that differ": Write(&bytes.Buffer{}, 3, 9, two),
		"no batch":         Write(&bytes.Buffer{}, 3, 0, two),
		"no rows":          Write(&bytes.Buffer{}, -1, 9, two),
	} {
		if err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}

func TestNullsAndBits(t *testing.T) {
	v := make([]time.Time, 10)
	v[1], v[9] = time.UnixMilli(5), time.UnixMilli(-7)
	c := Times("t", v)
	if c.nulls != 8 || !bytes.Equal(c.buffers[0], []byte{0b10, 0b10}) {
		t.Errorf("%d nulls, validity %b", c.nulls, c.buffers[0])
	}
	if got := int64(binary.LittleEndian.Uint64(c.buffers[1][72:])); got != -7 {
		t.Errorf("the last is %d", got)
	}
	if c := Times("t", v[1:2]); c.nulls != 0 || c.buffers[0] != nil {
		t.Errorf("without nulls: %d, %b", c.nulls, c.buffers[0])
	}
	if c := Texts("s", []string{"ä", "", "b"}); !bytes.Equal(c.buffers[1], []byte{0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}) || string(c.buffers[2]) != "äb" {
		t.Errorf("texts: %v %q", c.buffers[1], c.buffers[2])
	}
}
