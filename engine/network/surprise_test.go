package network

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestSurprise(t *testing.T) {
	for _, c := range []struct {
		name string
		f    Familiarity
		want float64
	}{
		{"the first memory of all", Familiarity{}, 1},
		{"the first, and it names three", Familiarity{Entities: 3}, 1},
		{"said before, word for word", Familiarity{Entities: 2, KnownEntities: 2, Relations: 1, KnownRelations: 1, Nearest: 1}, 0},
		{"no entities: meaning is all there is", Familiarity{Nearest: .8}, .2},
		{"the centroid is nearer", Familiarity{Nearest: .6, Centroid: .9}, .1},
		{"the memory is nearer", Familiarity{Nearest: .9, Centroid: .6}, .1},
		{"known people, nothing said of them", Familiarity{Entities: 2, KnownEntities: 2, Nearest: .6}, .2},
		{"half of them known", Familiarity{Entities: 2, KnownEntities: 1, Nearest: .6}, .45},
		{"known people, a new relation", Familiarity{Entities: 2, KnownEntities: 2, Relations: 1, Nearest: .6}, .45},
		{"a relation only", Familiarity{Relations: 4, KnownRelations: 1, Nearest: .5}, .625},
		{"far off", Familiarity{Nearest: -.3, Centroid: -1}, 1},
		{"a cosine just above 1", Familiarity{Nearest: 1.0000001}, 0},
		{"no number", Familiarity{Nearest: math.NaN()}, 1},
		{"more known than named", Familiarity{Entities: 1, KnownEntities: 5}, .5},
	} {
		near(t, c.name, Surprise(c.f), c.want, 1e-12)
	}
}

// Surprise is in [0,1], and more knowledge never raises it.
func TestKnowledgeNeverRaisesSurprise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Familiarity{
			Entities: rapid.IntRange(0, 9).Draw(t, "entities"), Relations: rapid.IntRange(0, 9).Draw(t, "relations"),
			Centroid: rapid.Float64Range(-1, 1).Draw(t, "centroid"), Nearest: rapid.Float64Range(-1, 1).Draw(t, "nearest"),
		}
		f.KnownEntities, f.KnownRelations = rapid.IntRange(0, f.Entities).Draw(t, "known"), rapid.IntRange(0, f.Relations).Draw(t, "said")
		before := Surprise(f)
		if !(before >= 0 && before <= 1) {
			t.Fatalf("%+v: %v", f, before)
		}
		more := f
		more.KnownEntities, more.KnownRelations = min(f.Entities, f.KnownEntities+1), min(f.Relations, f.KnownRelations+1)
		more.Centroid += .1
		if Surprise(more) > before {
			t.Fatalf("%+v surprises by %v, %+v by %v", f, before, more, Surprise(more))
		}
	})
}

func ExampleSurprise() {
	// One of two people is known, the relation is new, and a similar memory exists.
	fmt.Printf("%.3f\n", Surprise(Familiarity{Entities: 2, KnownEntities: 1, Relations: 1, Nearest: 0.7}))
	// Output: 0.525
}
