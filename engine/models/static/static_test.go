package static

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/somnograph/somnograph/engine/models"
	"pgregory.net/rapid"
)

func embed(t testing.TB, m *Model, text string) []float32 {
	t.Helper()
	v, err := m.Embed(context.Background(), []string{text}, models.Passage)
	if err != nil {
		t.Fatal(err)
	}
	return v[0]
}

func near(a []float32, b ...float64) bool {
	for i := range a {
		if math.Abs(float64(a[i])-b[i]) > 1e-6 {
			return false
		}
	}
	return len(a) == len(b)
}

func TestVectorIsMeanOfItsTokens(t *testing.T) {
	m := tiny().open(t)
	if m.Dimension() != 2 {
		t.Fatalf("dimension %d", m.Dimension())
	}
	half := math.Sqrt(0.5)
	for text, want := range map[string][]float64{
		"boat":                     {1, 0},
		"A boat; the boat!":        {1, 0}, // unknown words are ignored
		"Sailing":                  {1, 0},
		"boat boat garden plant":   {half, half},
		"boat garden":              {2 / math.Sqrt(13), 3 / math.Sqrt(13)},
		"[UNK] [PAD]":              {0, 0}, // a text that quotes a special token does not contain it
		"":                         {0, 0},
		"zzz 123":                  {0, 0},
		"bôat\u0301, GÄRDEN\tboat": {4 / 5., 3 / 5.},
	} {
		if got := embed(t, m, text); !near(got, want...) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestWeightsAndRows(t *testing.T) {
	m := tiny()
	m.tensors = []madeTensor{
		embeddings("I8", []float64{100, 0}, []float64{0, -50}),
		{"mapping", "I64", []int64{7}, []float64{0, 0, 0, 0, 0, 1, 1}},
		{"weights", "F64", []int64{7}, []float64{1, 1, 0.5, 0, 1, 1, 2}},
	}
	got := embed(t, m.open(t), "boat sail garden plant") // .5·(100,0) + 0 + (0,−50) + 2·(0,−50)
	if length := math.Hypot(50, 150); !near(got, 50/length, -150/length) {
		t.Errorf("%v", got)
	}
}

func TestModelNameDependsOnContent(t *testing.T) {
	a, b := tiny().open(t), tiny().open(t)
	if a.Name() != b.Name() || !strings.HasPrefix(a.Name(), "static-2-") {
		t.Errorf("one model in two places is %s and %s", a.Name(), b.Name())
	}
	other := tiny()
	other.tensors[0].values[4] = 2.5
	if other.open(t).Name() == a.Name() {
		t.Error("another table has the same name")
	}
	read := tiny()
	read.tokenizer["model"].(map[string]any)["max_input_chars_per_word"] = 30
	if read.open(t).Name() == a.Name() {
		t.Error("another tokenizer has the same name")
	}
}

func TestCallsShareNothing(t *testing.T) {
	m := tiny().open(t)
	texts := []string{"boat", "garden", "sail plant", "", "boat garden"}
	want, err := m.Embed(context.Background(), texts, models.Query)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				got, err := m.Embed(context.Background(), texts, models.Passage)
				if err != nil {
					t.Error(err)
				}
				for i := range got {
					if got[i][0] != want[i][0] || got[i][1] != want[i][1] {
						t.Errorf("%q: %v, alone %v", texts[i], got[i], want[i])
					}
					got[i][0] = 7 // belongs to the caller
				}
			}
		})
	}
	wg.Wait()
}

func TestEmbedEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := tiny().open(t).Embed(ctx, []string{"boat"}, models.Query); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// For any text, the vector has length one or is zero, and the order of the words does not
// change it.
func TestEveryVectorHasLengthOneOrNone(t *testing.T) {
	m := tiny().open(t)
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOf(rapid.OneOf(rapid.SampledFrom([]string{"boat", "sailing", "garden"}), rapid.String())).Draw(t, "words")
		v := embed2(t, m, strings.Join(list, " "))
		if n := math.Hypot(float64(v[0]), float64(v[1])); n != 0 && math.Abs(n-1) > 1e-6 {
			t.Fatalf("length %v", n)
		}
	})
}

func embed2(t *rapid.T, m *Model, text string) []float32 {
	v, err := m.Embed(context.Background(), []string{text}, models.Passage)
	if err != nil {
		t.Fatal(err)
	}
	return v[0]
}

func TestOpenErrorsNameFileAndReason(t *testing.T) {
	write := func(t *testing.T, name, content string) string {
		dir := tiny().write(t)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for _, c := range []struct {
		name string
		dir  func(t *testing.T) string
		want []string
	}{
		{"no directory", func(t *testing.T) string { return filepath.Join(t.TempDir(), "away") }, []string{tensorFile, "no such file"}},
		{"no tokenizer", func(t *testing.T) string {
			dir := tiny().write(t)
			if err := os.Remove(filepath.Join(dir, tokenizerFile)); err != nil {
				t.Fatal(err)
			}
			return dir
		}, []string{tokenizerFile, "no such file"}},
		{"a directory in place of a file", func(t *testing.T) string {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, tensorFile), 0o700); err != nil {
				t.Fatal(err)
			}
			return dir
		}, []string{tensorFile, "is not a file"}},
		{"an empty table", func(t *testing.T) string { return write(t, tensorFile, "") }, []string{tensorFile, "too short"}},
		{"a tokenizer that is no JSON", func(t *testing.T) string { return write(t, tokenizerFile, "{") }, []string{tokenizerFile, "is not a tokenizer"}},
		{"more words than vectors", func(t *testing.T) string {
			m := tiny()
			m.tensors = []madeTensor{embeddings("F32", []float64{1, 2}, []float64{3, 4})}
			return m.write(t)
		}, []string{tokenizerFile, "up to 6", "2 tokens"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Open(c.dir(t))
			if err == nil {
				t.Fatal("it was opened")
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
		})
	}
}

// BenchmarkEmbed embeds short turns of a conversation with a vocabulary of 30,000.
func BenchmarkEmbed(b *testing.B) {
	m := large(b)
	texts := []string{
		"The release moved from Tuesday to Thursday because the tests were flaky.",
		"Could you send me the photos of the garden that we planted last spring?",
		"I've been running farther in the mornings, and it helps me to sleep.",
		"My sister lives in Graz; she works for a company that builds boats.",
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if _, err := m.Embed(context.Background(), texts, models.Passage); err != nil {
			b.Fatal(err)
		}
		n += len(texts)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "texts/s")
}

// large has 30,000 tokens of one to four letters, in 256 dimensions.
func large(b *testing.B) *Model {
	b.Helper()
	const letters, dimension = "etaoinshrdlucmfwypvbgkjqxz", 256
	tokens := []string{"[UNK]"}
	for i := 1; len(tokens) < 30000; i++ {
		word := ""
		for n := i; n > 0; n /= len(letters) {
			word += string(letters[n%len(letters)])
		}
		tokens = append(tokens, word, "##"+word)
	}
	values := make([]float64, len(tokens)*dimension)
	for i := range values {
		values[i] = float64(i%255-127) / 128
	}
	return made{words(tokens...), []madeTensor{{"embeddings", "F32", []int64{int64(len(tokens)), dimension}, values}}}.open(b)
}
