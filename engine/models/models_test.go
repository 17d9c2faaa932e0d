package models

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a model with a scripted answer that records its calls.
type fake struct {
	embed func(ctx context.Context, texts []string, kind Kind) ([][]float32, error)
}

func (*fake) Name() string   { return "fake-2" }
func (*fake) Dimension() int { return 2 }
func (f *fake) Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
	return f.embed(ctx, texts, kind)
}

// angle is the vector of a text, different for each length and kind.
func angle(text string, kind Kind) []float32 {
	a := float64(len(text)) + float64(kind)/2
	return []float32{float32(math.Cos(a)), float32(math.Sin(a))}
}

func angles(_ context.Context, texts []string, kind Kind) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = angle(text, kind)
	}
	return out, nil
}

// mustBe fails the test unless the vectors are those of texts.
func mustBe(t *testing.T, vectors [][]float32, texts []string, kind Kind) {
	t.Helper()
	if len(vectors) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(vectors), len(texts))
	}
	for i, v := range vectors {
		if want := angle(texts[i], kind); len(v) != 2 || v[0] != want[0] || v[1] != want[1] {
			t.Fatalf("the vector of %q is %v, want %v", texts[i], v, want)
		}
	}
}

func TestUnit(t *testing.T) {
	v := [][]float32{{3, 4}, {0, -2}}
	if err := Unit(v, 2, 2); err != nil {
		t.Fatal(err)
	}
	if v[0][0] != 0.6 || v[0][1] != 0.8 || v[1][1] != -1 {
		t.Errorf("vectors %v", v)
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, bad := range map[string][][]float32{
		"too few":    {{1, 0}},
		"too many":   {{1, 0}, {1, 0}, {1, 0}},
		"dimension":  {{1, 0}, {1, 0, 0}},
		"none":       {{1, 0}, nil},
		"NaN":        {{1, 0}, {nan, 0}},
		"infinity":   {{1, 0}, {inf, 0}},
		"zero":       {{1, 0}, {0, 0}},
		"vanishing":  {{1, 0}, {1e-30, 0}},
		"huge, fine": {{1, 0}, {3e38, 3e38}},
	} {
		err := Unit(bad, 2, 2)
		if fine := strings.HasSuffix(name, "fine"); (err == nil) != fine {
			t.Errorf("%s: %v", name, err)
		}
		var typed *Error
		if err != nil && (!errors.As(err, &typed) || typed.Temporary) {
			t.Errorf("%s: %v is not a lasting *Error", name, err)
		}
	}
}

func TestErrorText(t *testing.T) {
	cause := errors.New("connection refused")
	err := fmt.Errorf("embed: %w", &Error{Status: 503, Temporary: true, Message: "the model refused", Err: cause})
	if got, want := err.Error(), "embed: models: the model refused (HTTP status 503): connection refused"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !errors.Is(err, cause) || !Temporary(err) || Temporary(ErrOpen) || Temporary(nil) || Temporary(&Error{Status: 400}) {
		t.Error("cause or temporariness got lost")
	}
	if Query.String() != "query" || Passage.String() != "passage" {
		t.Error("names of kinds")
	}
}
