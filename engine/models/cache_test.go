package models

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
)

func TestCacheRequestsMissingVectors(t *testing.T) {
	var asked [][]string
	c := Cache(&fake{func(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
		asked = append(asked, slices.Clone(texts))
		return angles(ctx, texts, kind)
	}}, 0)
	embed := func(kind Kind, texts ...string) {
		t.Helper()
		vectors, err := c.Embed(context.Background(), texts, kind)
		if err != nil {
			t.Fatal(err)
		}
		mustBe(t, vectors, texts, kind)
		for _, v := range vectors {
			v[0] = 42 // belongs to the caller
		}
	}
	embed(Query, "a", "bb", "a")
	embed(Query, "ccc", "bb", "a")
	embed(Passage, "a")
	embed(Query, "a")
	want := [][]string{{"a", "bb"}, {"ccc"}, {"a"}}
	if !slices.EqualFunc(asked, want, slices.Equal) {
		t.Errorf("asked %q, want %q", asked, want)
	}
	if hits, misses := c.Stats(); hits != 4 || misses != 4 {
		t.Errorf("%d hits, %d misses", hits, misses)
	}
	c.Purge()
	embed(Query, "a")
	if len(asked) != 4 {
		t.Error("a purged answer is still returned")
	}
}

func TestCacheKeepsMostRecent(t *testing.T) {
	calls := 0
	c := Cache(&fake{func(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
		calls += len(texts)
		return angles(ctx, texts, kind)
	}}, 2)
	for _, text := range []string{"a", "bb", "ccc", "a", "a", "ccc"} {
		if _, err := c.Embed(context.Background(), []string{text}, Query); err != nil {
			t.Fatal(err)
		}
	}
	if calls != 4 {
		t.Errorf("%d texts were asked for, want 4", calls)
	}
}

func TestCacheDoesNotKeepFailures(t *testing.T) {
	calls, busy := 0, &Error{Status: 503, Temporary: true}
	c := Cache(script(&calls, busy), 0)
	if _, err := c.Embed(context.Background(), []string{"a"}, Query); !errors.Is(err, busy) {
		t.Fatalf("error %v", err)
	}
	vectors, err := c.Embed(context.Background(), []string{"a"}, Query)
	if err != nil {
		t.Fatal(err)
	}
	mustBe(t, vectors, []string{"a"}, Query)
	short := Cache(&fake{func(context.Context, []string, Kind) ([][]float32, error) { return nil, nil }}, 0)
	if _, err := short.Embed(context.Background(), []string{"a"}, Query); err == nil {
		t.Error("a missing vector is accepted as an answer")
	}
}

func TestCacheServesManyGoroutines(t *testing.T) {
	c := Cache(&fake{angles}, 8)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 100 {
				texts := []string{"aaaaaaaaaaaaaaaa"[:1+(g+i)%16], "b"}
				vectors, err := c.Embed(context.Background(), texts, Query)
				if err != nil || vectors[0][0] != angle(texts[0], Query)[0] {
					t.Errorf("%v, %v", vectors, err)
					return
				}
			}
		})
	}
	wg.Wait()
}
