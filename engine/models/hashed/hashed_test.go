package hashed

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/somnograph/somnograph/engine/models"
	"pgregory.net/rapid"
)

func vector(t testing.TB, text string) []float32 {
	t.Helper()
	vs, err := New().Embed(context.Background(), []string{text}, models.Passage)
	if err != nil {
		t.Fatal(err)
	}
	return vs[0]
}

func cosine(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func alike(t testing.TB, a, b string) float64 {
	t.Helper()
	return cosine(vector(t, a), vector(t, b))
}

// A store keeps the name of the model that made its vectors. A change of the vectors must
// change the name, and then the checksum here.
func TestVectorsDoNotChangeUnderTheirName(t *testing.T) {
	const wantName, wantSum = "hashed-ngram-v1-512", uint64(0x904b9087a57be11d)
	m := New()
	if m.Name() != wantName || m.Dimension() != 512 {
		t.Fatalf("model %s of dimension %d", m.Name(), m.Dimension())
	}
	h := fnv.New64a()
	for _, text := range []string{
		"The release moved from Tuesday to Thursday because the tests were flaky.",
		"Ada Byron: don't forget Müller's résumé! 3.14, v2, 漢字 🎉",
		strings.Repeat("planning the plan planned ", 40),
	} {
		for _, x := range vector(t, text) {
			// 1e-5 tolerates processors that fuse multiplication and addition.
			if err := binary.Write(h, binary.LittleEndian, int32(math.Round(float64(x)*1e5))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if h.Sum64() != wantSum {
		t.Errorf("sum %#x, want %#x: the vectors changed, so the name must", h.Sum64(), wantSum)
	}
}

func TestEveryVectorHasUnitLengthAndIsTheSameEachTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "texts")
		m := New()
		a, err := m.Embed(context.Background(), texts, models.Query)
		if err != nil {
			t.Fatal(err)
		}
		b, err := m.Embed(context.Background(), texts, models.Passage)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range a {
			if len(v) != Dimension {
				t.Fatalf("dimension %d", len(v))
			}
			if n := cosine(v, v); n != 0 && math.Abs(n-1) > 1e-5 {
				t.Fatalf("%q: length² %v", texts[i], n)
			}
			for j := range v {
				if v[j] != b[i][j] {
					t.Fatalf("%q: two calls answer differently at %d", texts[i], j)
				}
			}
		}
	})
}

func TestTextWithoutWordsIsZero(t *testing.T) {
	for _, text := range []string{"", "   ", "...!?", "\x00\xff", "---"} {
		if v := vector(t, text); cosine(v, v) != 0 {
			t.Errorf("%q has a direction", text)
		}
	}
	for _, text := range []string{"a", "the", "7", "é", "漢", "🎉", "Я"} {
		if v := vector(t, text); math.Abs(cosine(v, v)-1) > 1e-5 {
			t.Errorf("%q has no direction", text)
		}
	}
}

func TestSpellingVariantsHaveEqualVectors(t *testing.T) {
	for _, c := range [][2]string{
		{"the café in málaga", "the cafe in malaga"},
		{"we met bob's sister", "we met bob’s sister"},
		{"she doesn't eat meat", "she doesn’t eat meat"},
		{"straße to the airport", "strasse to the airport"},
		{"order ﬁve tickets", "order five tickets"},
		{"cafe\u0301 at noon", "caf\u00e9 at noon"},
		{"tea, please!", "tea please"},
	} {
		if got := alike(t, c[0], c[1]); got < 0.999 {
			t.Errorf("%q and %q: cosine %.3f", c[0], c[1], got)
		}
	}
	if got := alike(t, "DEPLOY THE STAGING SERVER", "deploy the staging server"); got < 0.9 {
		t.Errorf("upper case: cosine %.3f", got)
	}
}

// Each pair must be more similar than the same text and an unrelated one.
func TestTyposAndInflectionsStayNear(t *testing.T) {
	const stranger = "our landlord raised the rent again in spring"
	for _, c := range []struct {
		a, b  string
		floor float64
	}{
		{"receive the documents", "recieve the docments", 0.2},
		{"kubernetes cluster upgrade", "kubernets cluster upgarde", 0.5},
		{"she was planning a wedding", "they planned two weddings", 0.6},
		{"the children bought apples", "a child buys an apple", 0.7},
		{"he organises a conference", "the organization of conferences", 0.8},
		{"deployment failed", "deploying fails", 0.7},
		{"happily married", "happy marriage", 0.3},
		{"a database migration", "migrating databases", 0.75},
		{"went running", "goes for a run", 0.7},
	} {
		got, far := alike(t, c.a, c.b), alike(t, c.a, stranger)
		if got < c.floor {
			t.Errorf("%q and %q: cosine %.3f, want at least %.2f", c.a, c.b, got, c.floor)
		}
		if far > got-0.15 {
			t.Errorf("%q: %.3f to a stranger, %.3f to its like", c.a, far, got)
		}
	}
}

func TestContentOutweighsGrammar(t *testing.T) {
	content := alike(t, "What is it that you said about the allergy?", "penicillin allergy")
	grammar := alike(t, "What is it that you said about the allergy?", "What is it that you said about the piano?")
	if content < 0.35 || grammar > content+0.2 {
		t.Errorf("shared content %.3f, shared grammar %.3f", content, grammar)
	}
}

func TestOrderMattersALittle(t *testing.T) {
	same := alike(t, "dog bites postman", "dog bites postman")
	swapped := alike(t, "dog bites postman", "postman bites dog")
	if swapped > same-0.03 || swapped < 0.7 {
		t.Errorf("swapped words: cosine %.3f", swapped)
	}
}

func TestScriptsWithoutSpaces(t *testing.T) {
	near := alike(t, "東京で会議があります", "会議は東京です")
	far := alike(t, "東京で会議があります", "猫が好き")
	if near < 0.3 || far > near-0.2 {
		t.Errorf("near %.3f, far %.3f", near, far)
	}
	if got := alike(t, "встреча в Москве", "встречи Москвы"); got < 0.3 {
		t.Errorf("Cyrillic inflections: cosine %.3f", got)
	}
}

// Unrelated texts must not be similar by accident.
func TestUnrelatedTextsAreFar(t *testing.T) {
	var vs [][]float32
	for _, p := range passages {
		vs = append(vs, vector(t, p.text))
	}
	sum, most, n := 0.0, 0.0, 0
	for i := range vs {
		for j := range i {
			if passages[i].topic == passages[j].topic {
				continue
			}
			c := cosine(vs[i], vs[j])
			sum, most, n = sum+c, max(most, c), n+1
		}
	}
	if mean := sum / float64(n); mean > 0.04 || most > 0.4 {
		t.Errorf("%d pairs of strangers: mean cosine %.3f, highest %.3f", n, mean, most)
	}
}

func TestLongTexts(t *testing.T) {
	long := strings.Repeat("The committee reviewed the budget of the harbour. ", 400) + "The password of the printer is heron."
	v := vector(t, long)
	if math.Abs(cosine(v, v)-1) > 1e-5 {
		t.Error("a long text has not unit length")
	}
	if got := cosine(v, vector(t, "harbour budget review")); got < 0.4 {
		t.Errorf("repetition in a long text: cosine %.3f", got)
	}
	vector(t, strings.Repeat("x", 100_000)) // a very long word is cut, not rejected
}

func TestEmbedEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New().Embed(ctx, []string{"tea"}, models.Query); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if vs, err := New().Embed(context.Background(), nil, models.Query); err != nil || len(vs) != 0 {
		t.Errorf("no texts: %v, %v", vs, err)
	}
}

func TestVectorsBelongToTheCaller(t *testing.T) {
	vs, err := New().Embed(context.Background(), []string{"one text", "another text"}, models.Passage)
	if err != nil {
		t.Fatal(err)
	}
	want := append([]float32(nil), vs[1]...)
	first := append(vs[0], 42)
	first[0] = 42
	for i := range want {
		if vs[1][i] != want[i] {
			t.Fatal("writing to one vector changed another")
		}
	}
}

func TestOneModelServesManyGoroutines(t *testing.T) {
	m := New()
	want := vector(t, passages[0].text)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 50 {
				texts := []string{passages[(g+i)%len(passages)].text, passages[0].text}
				vs, err := m.Embed(context.Background(), texts, models.Passage)
				if err != nil {
					t.Error(err)
					return
				}
				for j := range want {
					if vs[1][j] != want[j] {
						t.Error("a vector was mixed with another")
						return
					}
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkEmbedShort(b *testing.B) {
	m, ctx := New(), context.Background()
	texts := []string{"The release moved from Tuesday to Thursday because the integration tests were flaky again."}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Embed(ctx, texts, models.Passage); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEmbed4KiB(b *testing.B) {
	m, ctx := New(), context.Background()
	var long strings.Builder
	for i := 0; long.Len() < 4096; i++ {
		long.WriteString(passages[i%len(passages)].text + " ")
	}
	texts := []string{long.String()}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Embed(ctx, texts, models.Passage); err != nil {
			b.Fatal(err)
		}
	}
}

func TestEmbedWeighted(t *testing.T) {
	m := New()
	weigh := func(word string) (float64, bool) {
		switch word {
		case "mira":
			return 0.01, true
		case "orchid":
			return 1, true
		}
		return 0, false
	}
	ask := func(text string, w func(string) (float64, bool)) []float32 {
		v, err := m.EmbedWeighted(t.Context(), text, w)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	orchid, mira := vector(t, "an orchid"), vector(t, "ask Mira")
	plain, told := vector(t, "the Mira orchid"), ask("the Mira orchid", weigh)
	if cosine(told, orchid) <= cosine(plain, orchid) || cosine(told, mira) >= cosine(plain, mira) {
		t.Errorf("orchid %v → %v, Mira %v → %v", cosine(plain, orchid), cosine(told, orchid), cosine(plain, mira), cosine(told, mira))
	}
	if got := cosine(told, told); math.Abs(got-1) > 1e-6 {
		t.Errorf("length %v", got)
	}
	unknown := func(string) (float64, bool) { return 0, false }
	if got := ask("the Mira orchid", unknown); !slices.Equal(got, plain) {
		t.Error("a word of no weight has not kept its own")
	}
	if again := vector(t, "the Mira orchid"); !slices.Equal(again, plain) {
		t.Error("a question changed what comes after it")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.EmbedWeighted(gone, "x", weigh); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
}
