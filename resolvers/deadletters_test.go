package resolvers_test

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
)

// strict is a model that refuses some texts for a while.
type strict struct {
	models.Embedder
	lenient atomic.Bool
	away    atomic.Bool
}

func (s *strict) Embed(ctx context.Context, texts []string, kind models.Kind) ([][]float32, error) {
	if s.away.Load() {
		return nil, &models.Error{Status: 503, Message: "away"}
	}
	for _, text := range texts {
		if !s.lenient.Load() && strings.Contains(text, "glyph") {
			return nil, &models.Error{Status: 413, Message: "too long"}
		}
	}
	return s.Embedder.Embed(ctx, texts, kind)
}

func TestDeadLettersCanBeListedAndRetried(t *testing.T) {
	model := &strict{Embedder: hashed.New()}
	s := over(t, enginetest.With(t, enginetest.Options{Embedder: model, Retry: time.Millisecond}))
	ids := map[string]bool{s.remember("A glyph stands on the mill.", nil): true, s.remember("Nobody reads the glyph of the baker.", nil): true}
	const list = `query($after: String) { deadLetters(first: 1, work: EMBED, after: $after) {
		nodes { memoryId namespace work state attempts firstAt lastAt reason } edges { cursor node { memoryId } } pageInfo { hasNextPage endCursor } } }`
	first := s.must(list, nil)
	for first.at(t, "deadLetters.pageInfo.hasNextPage") != true {
		runtime.Gosched()
		first = s.must(list, nil)
	}
	node := first.at(t, "deadLetters.nodes").([]any)[0].(map[string]any)
	if !ids[node["memoryId"].(string)] || node["work"] != "EMBED" || node["state"] != "GIVEN_UP" || node["attempts"].(float64) < 4 || node["namespace"] != "default" ||
		!strings.Contains(node["reason"].(string), "413") || strings.Contains(node["reason"].(string), "glyph") {
		t.Errorf("%v", node)
	}
	second := s.must(list, vars{"after": first.at(t, "deadLetters.pageInfo.endCursor")})
	other := second.at(t, "deadLetters.nodes").([]any)
	if len(other) != 1 || !ids[other[0].(map[string]any)["memoryId"].(string)] || other[0].(map[string]any)["memoryId"] == node["memoryId"] || second.at(t, "deadLetters.pageInfo.hasNextPage") != false {
		t.Errorf("the second page: %v", other)
	}
	var all []string
	for id := range ids {
		all = append(all, id)
	}
	const again = `mutation($ids: [ID!]!) { retryDeadLetter(ids: $ids) { settled left { memoryId attempts } } }`
	if r := s.must(again, vars{"ids": all}); len(r.at(t, "retryDeadLetter.left").([]any)) != 2 {
		t.Errorf("refused again: %v", r)
	}
	model.lenient.Store(true)
	if r := s.must(again, vars{"ids": all}); len(r.at(t, "retryDeadLetter.settled").([]any)) != 2 {
		t.Errorf("taken: %v", r)
	}
	if left := s.must(list, nil).at(t, "deadLetters.nodes").([]any); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	model.away.Store(true)
	waiting := []string{s.remember("The ferry leaves at nine.", nil), s.remember("The observatory opens at dusk.", nil)}
	for first = s.must(list, nil); first.at(t, "deadLetters.pageInfo.hasNextPage") != true; first = s.must(list, nil) {
		runtime.Gosched()
	}
	second = s.must(list, vars{"after": first.at(t, "deadLetters.pageInfo.endCursor")})
	for i, page := range []*answer{first, second} {
		node := page.at(t, "deadLetters.nodes").([]any)[0].(map[string]any)
		if node["memoryId"] != waiting[i] || node["state"] != "RETRYING" {
			t.Errorf("page %d: %v", i, node)
		}
	}
	if r := s.must(again, vars{"ids": waiting}); len(r.at(t, "retryDeadLetter.left").([]any)) != 2 || len(r.at(t, "retryDeadLetter.settled").([]any)) != 0 {
		t.Errorf("without the model: %v", r)
	}
	if r := s.ask(again, vars{"ids": []string{"01900000-0000-7000-8000-000000000000"}}); r.code() != "MEMORY_NOT_FOUND" || r.field() != "ids" {
		t.Errorf("%s of %s", r.code(), r.field())
	}
}
