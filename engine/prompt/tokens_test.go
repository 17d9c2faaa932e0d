package prompt

import (
	"strings"
	"sync"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"
	"pgregory.net/rapid"
)

// Count agrees with cl100k_base.
func TestCountMatchesTheEncoding(t *testing.T) {
	for text, want := range map[string]int{
		"":                             0,
		"hello world":                  2,
		"Hello, world!":                4,
		"tiktoken is great!":           6,
		"antidisestablishmentarianism": 6,
	} {
		if got := Count(text); got != want {
			t.Errorf("Count(%q) = %d, want %d", text, got, want)
		}
	}
	enc := codec.NewCl100kBase()
	for _, text := range []string{
		"The release moved from Tuesday to Thursday.\n\n- one\n- two\n",
		"日本語のテキストと、English と emoji 🎉🎉 が混ざる。",
		"func main() {\n\tfmt.Println(\"hi\")   // trailing   \n}\n",
		strings.Repeat("word ", 1000), "\xff\xfe broken",
	} {
		want, err := enc.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := Count(text); got != want {
			t.Errorf("Count(%.20q) = %d, the encoder says %d", text, got, want)
		}
	}
}

// A run without a break is not encoded as one piece, and each slice changes the count by at
// most one token.
func TestCountOfLongRuns(t *testing.T) {
	enc := codec.NewCl100kBase()
	for _, unit := range []string{"a", " ", "!", "漢字", "\n", "xyzzy"} {
		text := strings.Repeat(unit, 6000/len(unit))
		exact, err := enc.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		got, slices := Count(text), len(text)/maxPiece+1
		if got < exact-slices || got > exact+slices {
			t.Errorf("%q: counted %d, exact %d, %d slices", unit, got, exact, slices)
		}
	}
}

func TestCountFromManyGoroutines(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if n := Count("hello world"); n != 2 {
					t.Errorf("Count = %d", n)
				}
			}
		})
	}
	wg.Wait()
}

// The library splits text with a general matcher; nextPiece must split it the same way.
func TestCountMatchesTheEncodingForAnyText(t *testing.T) {
	enc := codec.NewCl100kBase()
	same := func(t rapid.TB, text string) {
		want, err := enc.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := Count(text); got != want {
			t.Fatalf("Count(%q) = %d, the encoder says %d", text, got, want)
		}
	}
	bits := []string{
		"a", "B", "word", "Straße", "漢", "字", "é", "e\u0301", "1", "23", "٣", "½", " ", "  ", "\t", "\n", "\r\n", "\u00a0", "\u2003", "\u0085",
		"\u200b", "\u180e", "'", "'s", "'S", "'LL", "'re", "'vE", "'d", "'x", "'ſ", "\u212a", ".", "!?", "-", "_", "🎉", "\u200d", "\x00", "\xff", "\ufffd", "<|endoftext|>",
	}
	rapid.Check(t, func(t *rapid.T) {
		same(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom(bits), 0, 30).Draw(t, "bits"), ""))
		same(t, rapid.String().Draw(t, "text"))
	})
	for r := rune(0); r < 0x3100; r++ { // every character of these blocks, between other characters
		same(t, "a"+string(r)+"b "+string(r)+"\n"+string(r)+string(r)+" 1"+string(r))
	}
}

func BenchmarkCount(b *testing.B) {
	text := strings.Repeat("We moved the release to Thursday because the tests were flaky. ", 30)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Count(text)
	}
}
