package prompt

import (
	"strings"
	"sync"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"
)

// What others count with cl100k_base must be what Count says.
func TestCountIsThatOfTheEncoding(t *testing.T) {
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

// A run without a break must not be encoded as one piece, and the slices must not
// change the count by more than one token each.
func TestCountOfLongRuns(t *testing.T) {
	enc := codec.NewCl100kBase()
	for _, unit := range []string{"a", " ", "!", "漢字", "\n", "xyzzy"} {
		text := strings.Repeat(unit, 6000/len(unit))
		exact, err := enc.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		got, slices := Count(text), len(text)/maxRun+1
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
