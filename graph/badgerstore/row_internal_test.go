package badgerstore

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

func TestSealCoversKeyAndPayload(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := key(rapid.SliceOfN(rapid.Byte(), 1, 60).Draw(t, "key"))
		payload := rapid.SliceOf(rapid.Byte()).Draw(t, "payload")
		v := seal(k, formWhole, payload)
		form, got, err := unseal(k, v)
		if err != nil || form != formWhole || !bytes.Equal(got, payload) {
			t.Fatalf("%d, %x, %v", form, got, err)
		}
		hurt := bytes.Clone(v)
		hurt[rapid.IntRange(0, len(v)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if _, _, err := unseal(k, hurt); !errors.Is(err, graph.ErrIntegrity) {
			t.Fatal("a flipped bit is not detected")
		}
		if _, _, err := unseal(append(bytes.Clone(k), 0), v); !errors.Is(err, graph.ErrIntegrity) {
			t.Fatal("a value under another key is not detected")
		}
		if _, _, err := unseal(k, v[:rapid.IntRange(0, len(v)-1).Draw(t, "length")]); !errors.Is(err, graph.ErrIntegrity) {
			t.Fatal("a truncated value is not detected")
		}
	})
}

func TestLargeValuesAreStoredInParts(t *testing.T) {
	s := openSmall(t, "")
	k := newKeyspace("t").rowKey(rowSetting, []byte("sixteen bytes...."))
	write := func(payload []byte) {
		t.Helper()
		w := s.beginWriter("t")
		defer w.release()
		if payload == nil {
			w.deleteRow(k)
		} else {
			w.putRow(k, payload, 0)
		}
		_, err := s.commitWriter(w)
		must(t, err)
	}
	for _, n := range []int{0, 1, maxValue - sealSize, maxValue - sealSize + 1, 2 * maxValue, 2*maxValue - 3, 10} {
		payload := bytes.Repeat([]byte{7, 1, 2}, n/3+1)[:n]
		write(payload)
		must(t, s.viewRows("t", func(r rowReader) error {
			return r.getRow(k, func(got []byte) error {
				if !bytes.Equal(got, payload) {
					t.Errorf("%d bytes are read as %d", n, len(got))
				}
				return nil
			})
		}))
		parts, longest := s.storedRows(t, rowPart)
		if want := max(0, (n+maxValue-sealSize-3)/(maxValue-sealSize-2)-1); n > maxValue-sealSize && parts != want || n <= maxValue-sealSize && parts != 0 {
			t.Errorf("%d bytes are stored in %d parts, want %d", n, parts, want)
		}
		if longest > maxValue {
			t.Errorf("a value of %d bytes", longest)
		}
	}
	write(bytes.Repeat([]byte{1}, 2*maxValue))
	write(nil)
	if parts, _ := s.storedRows(t, rowPart); parts != 0 {
		t.Errorf("%d parts are left of a deleted row", parts)
	}
}

// storedRows counts the rows of a kind and returns the length of the longest value.
func (s *Store) storedRows(t testing.TB, row byte) (n, longest int) {
	t.Helper()
	base := s.order.beginSnapshot(s.order.viewSnapshots)
	defer s.order.endSnapshot(s.order.viewSnapshots, base)
	txn := s.db.NewTransactionAt(base, false)
	defer txn.Discard()
	prefix := newKeyspace("t").rowKey(row)
	must(t, rowReader{txn: txn}.scanRows(prefix, prefix, false, func(_ key, payload []byte) (bool, error) {
		n, longest = n+1, max(longest, len(payload)+sealSize)
		return true, nil
	}))
	return n, longest
}

func TestKeyBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
		was := b
		p := keyBefore(b)
		if b != was || p != nil && bytes.Compare(p, b[:]) >= 0 {
			t.Fatalf("%x is not before %x", p, was)
		}
	})
	if keyBefore([16]byte{}) != nil {
		t.Error("a key sorts before all zeros")
	}
}

// TestRowsAreDeclaredOnce checks keys.go against the description of the format.
func TestRowsAreDeclaredOnce(t *testing.T) {
	source, err := os.ReadFile("keys.go")
	must(t, err)
	doc, err := os.ReadFile("../../docs/formats/badgerstore.md")
	must(t, err)
	var seen []string
	for _, m := range regexp.MustCompile(`(?m)^\s+(row|by)(\w+)\s+= '(.)'\s*(?:// (0|T) )?`).FindAllStringSubmatch(string(source), -1) {
		space := m[1] + m[4]
		if slices.Contains(seen, space+m[3]) {
			t.Errorf("%s%s: %q is taken", m[1], m[2], m[3])
		}
		seen = append(seen, space+m[3])
		want := []string{"| `" + m[4] + " " + m[3] + " ", "| `" + m[4] + " " + m[3] + "` "}
		if m[1] == "by" {
			want = []string{"| `" + m[3] + "` "}
		}
		if !slices.ContainsFunc(want, func(w string) bool { return strings.Contains(string(doc), w) }) {
			t.Errorf("docs/formats/badgerstore.md does not describe %s%s", m[1], m[2])
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d rows were found in keys.go", len(seen))
	}
}
