package badgerstore

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A scan inside a transaction shows the stored rows with the transaction's writes applied,
// from any key and in either direction.
func TestScanSeesWritesOfItsTransaction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fine := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		s, err := Open("", Options{InMemory: true})
		fine(err)
		defer func() { fine(s.Close()) }()
		aKey := rapid.Custom(func(t *rapid.T) key {
			return newKeyspace("t").rowKey(rapid.SampledFrom([]byte("mr")).Draw(t, "row"), rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 0xff}), 0, 3).Draw(t, "tail"))
		})
		want := map[string]string{}
		write := func(w *txWriter, n int) {
			for range n {
				k := aKey.Draw(t, "key")
				if rapid.IntRange(0, 3).Draw(t, "what") == 0 {
					w.deleteKey(k)
					delete(want, string(k))
					continue
				}
				v := rapid.SliceOfN(rapid.Byte(), 0, 4).Draw(t, "value")
				w.putRow(k, v, 0)
				want[string(k)] = string(v)
			}
		}
		w := s.beginWriter("t")
		write(w, rapid.IntRange(1, 12).Draw(t, "stored"))
		_, err = s.commitWriter(w)
		fine(err)
		w.release()
		w = s.beginWriter("t")
		defer w.release()
		for range rapid.IntRange(1, 3).Draw(t, "rounds") {
			write(w, rapid.IntRange(0, 12).Draw(t, "written"))
			prefix, descending := aKey.Draw(t, "prefix"), rapid.Bool().Draw(t, "down")
			if rapid.IntRange(0, 9).Draw(t, "short") == 0 {
				prefix = prefix[:1]
			}
			from := append(slices.Clone(prefix), rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 0xff}), 0, 3).Draw(t, "from")...)
			if descending {
				from = append(from, 0xff)
			}
			var expected, got []string
			for k := range want {
				if c := bytes.Compare([]byte(k), from); bytes.HasPrefix([]byte(k), prefix) && (c == 0 || (c < 0) == descending) {
					expected = append(expected, k)
				}
			}
			slices.Sort(expected)
			if descending {
				slices.Reverse(expected)
			}
			fine(w.scanRows(prefix, from, descending, func(k key, payload []byte) (bool, error) {
				if k[2] != 'm' && k[2] != 'r' {
					return true, nil // the store's own
				}
				if want[string(k)] != string(payload) {
					t.Fatalf("%x holds %x, want %x", k, payload, want[string(k)])
				}
				got = append(got, string(k))
				return true, nil
			}))
			if !slices.Equal(got, expected) {
				t.Fatalf("scan of %x from %x, down %v: %x, want %x", prefix, from, descending, got, expected)
			}
		}
	})
}
