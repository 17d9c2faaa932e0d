package resolvers

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/internal/places"
)

// Without room a query is refused, and a mutation, which was carried out, is answered: it would be repeated.
func TestMutationsAreAnsweredWithoutRoom(t *testing.T) {
	x := newAnswers(Limits{Answer: 4 << 20, Answers: 4 << 20}, time.Second, nil)
	if _, ok := x.large.TryEnter(places.Principal{}, 4); !ok {
		t.Fatal("there is no room at first")
	}
	for _, done := range []bool{false, true} {
		a := &answer{of: x, done: done, most: x.most, granted: answerStep}
		func() {
			defer func() {
				if p := recover(); p != nil && p != errAnswer {
					panic(p)
				}
			}()
			a.grow(3 << 20)
		}()
		if (a.err == nil) != done || len(a.leaves) > 0 {
			t.Errorf("of a mutation %v: %v, %d places", done, a.err, len(a.leaves))
		}
	}
}
