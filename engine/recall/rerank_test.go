package recall_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// reader is a cross-encoder that prefers texts with a given word.
type reader struct {
	likes string
	away  bool
	read  []string
}

func (r *reader) Name() string { return "reader" }

func (r *reader) Rerank(_ context.Context, _ string, texts []string) ([]float64, error) {
	if r.away {
		return nil, errors.New("away")
	}
	r.read = texts
	scores := make([]float64, len(texts))
	for i, t := range texts {
		if strings.Contains(t, r.likes) {
			scores[i] = 1
		}
	}
	return scores, nil
}

func accurate(in *engine.SearchInput) { in.Effort = engine.EffortAccurate }

func TestCrossEncoderReordersBestHits(t *testing.T) {
	r := &reader{likes: "kiosk"}
	w, best := harbour(t, enginetest.Options{Reranker: r})
	if r.read != nil {
		t.Error("it was asked for a search that may not spend that much")
	}
	got := w.Search(ferry, accurate)
	if len(r.read) != 3 || !strings.Contains(got.Hits[0].Memory.Content, "kiosk") {
		t.Fatalf("read %q, first hit %q", r.read, got.Hits[0].Memory.Content)
	}
	for i, h := range got.Hits {
		x := h.Explain()
		if x.Value != h.Score || len(x.Children) != 2 || h.Score < 0 || h.Score > 1 {
			t.Fatalf("score %v, explained as %+v", h.Score, x)
		}
		if want := 0.7*x.Children[0].Value + 0.3*x.Children[1].Value; want-h.Score > 1e-9 || h.Score-want > 1e-9 {
			t.Errorf("hit %d: score %v, its explanation says %v", i, h.Score, want)
		}
	}
	r.away = true
	got = w.Search(ferry, accurate)
	if got.Hits[0].Memory.ID != best || !slices.Equal(got.Degraded, []engine.Part{engine.PartReranker}) || len(got.Hits[0].Explain().Children) < 7 {
		t.Errorf("away: %s first, degraded %v", got.Hits[0].Memory.ID, got.Degraded)
	}
	if got := w.Search("", accurate); len(got.Hits) != 3 || len(got.Degraded) != 0 {
		t.Errorf("nothing asked: %d hits, degraded %v", len(got.Hits), got.Degraded)
	}
}

func TestCrossEncoderReadsFiftyHits(t *testing.T) {
	r := &reader{likes: "nothing of all this"}
	w := enginetest.With(t, enginetest.Options{Reranker: r})
	var in []engine.RememberInput
	for i := range 80 {
		in = append(in, engine.RememberInput{Content: "The ferry sails. " + strings.Repeat("It is calm. ", i%9), Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert})
	}
	if _, err := w.RememberMany(t.Context(), w.Caller, in); err != nil {
		t.Fatal(err)
	}
	got := w.Search("ferry", accurate, func(in *engine.SearchInput) { in.TopK = 70 })
	if len(r.read) != 50 || len(got.Hits) != 70 {
		t.Fatalf("%d were read, %d hits", len(r.read), len(got.Hits))
	}
	unread := 0
	for _, h := range got.Hits {
		if strings.Contains(h.Explain().Children[0].Message, "not among") {
			unread++
		}
	}
	if unread != 20 {
		t.Errorf("%d hits say that they were not read", unread)
	}
}
