package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// about makes points of nouns; a word with a capital is a name, and one with # a tag.
func about(texts ...string) *settling {
	s := &settling{of: make([]int32, len(texts)), places: sequence(len(texts))}
	s.in.Nouns, s.in.Marks, s.in.Proper = make([][]string, len(texts)), make([][]Mark, len(texts)), map[string]bool{}
	for i, text := range texts {
		for word := range strings.FieldsSeq(text) {
			if tag, ok := strings.CutPrefix(word, "#"); ok {
				s.in.Marks[i] = append(s.in.Marks[i], Mark{Name: TagMark + tag, Weight: 0.5, Topic: true})
				continue
			}
			lemma := strings.ToLower(word)
			s.in.Nouns[i] = append(s.in.Nouns[i], lemma)
			s.in.Proper[lemma] = s.in.Proper[lemma] || lemma != word
		}
	}
	return s
}

// A topic covers points, or two that occur together. What a group must share is not a chain of words.
func TestCover(t *testing.T) {
	for _, c := range []struct {
		why     string
		points  []string // those of the group
		others  []string
		share   float64
		covered bool
	}{
		{"one noun", []string{"kiln", "kiln glaze", "kiln", "vase", "shed"}, nil, 0.6, true},
		{"one noun of two fifths", []string{"kiln", "kiln", "hay", "vase", "shed"}, nil, 0.4, false},
		{"two nouns that a point has both of", []string{"kiln", "kiln glaze", "glaze", "shed", "hay"}, nil, 0.6, true},
		{"two nouns that no point has both of", []string{"kiln", "kiln", "glaze", "glaze", "hay"}, nil, 0.4, false},
		{"a chain of words, none of which fits", []string{"kiln shed", "shed hay", "hay mast", "mast rope", "rope kiln", "moss", "vase"}, nil, 0, false},
		{"a noun that most others have too", []string{"kiln", "kiln", "kiln", "shed"}, strings.Fields(strings.Repeat("kiln ", 20)), 0, false},
		{"a name", []string{"Orrin", "Orrin", "Orrin", "shed"}, nil, 0.75, true},
		{"a noun and a name", []string{"kiln", "kiln Orrin", "kiln Orrin", "Orrin", "moss", "hay"}, nil, 0.5, false},
		{"two of three", []string{"kiln", "kiln", "glaze"}, nil, 2. / 3, false},
		{"three by two nouns", []string{"kiln", "kiln glaze", "glaze"}, nil, 1, true},
		{"two nouns of which others have one", []string{"kiln", "kiln glaze", "glaze", "shed", "hay"}, strings.Fields(strings.Repeat("glaze ", 9)), 0.4, false},
		{"a tag", []string{"kiln #clay", "vase #clay", "shed #clay", "hay"}, nil, 0.75, true},
		{"a noun and a tag with its lemma are one topic", []string{"clay", "vase #clay", "shed #clay", "hay"}, nil, 0.75, true},
		{"a noun and a tag of the kind", []string{"kiln", "kiln #plan", "shed #plan", "hay", "moss"}, nil, 0.4, false},
		{"points that say the same count once", []string{"kiln vase mast", "kiln vase mast", "kiln vase mast", "shed", "hay"}, nil, 0, false},
		{"two points", []string{"kiln", "shed"}, nil, 1, true},
	} {
		x := about(append(slices.Clone(c.points), c.others...)...).topics()
		points := sequence32(len(c.points))
		share, _ := x.cover(points)
		if x.covers(points) != c.covered || share < c.share-1e-9 || share > c.share+1e-9 {
			t.Errorf("%s: %.3f, covered %v; want %.3f, %v", c.why, share, x.covers(points), c.share, c.covered)
		}
	}
}

// What is not covered leaves a group; a covered group stays as it is.
func TestCore(t *testing.T) {
	for _, c := range []struct {
		why    string
		points []string
		want   []int32
	}{
		{"covered", []string{"kiln", "kiln", "kiln", "shed"}, []int32{0, 1, 2, 3}},
		{"one topic", []string{"kiln", "hay", "kiln", "shed", "moss"}, []int32{0, 2}},
		{"two topics", []string{"kiln", "kiln glaze", "glaze", "shed", "hay", "moss"}, []int32{0, 1, 2}},
		{"no topic", []string{"kiln", "hay", "shed", "moss"}, nil},
	} {
		got := about(c.points...).topics().core(sequence32(len(c.points)))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.why, got, c.want)
		}
	}
}

// Groups of nouns are covered, whether they began with single points or with former clusters.
func TestGroupsOfNounsAreCovered(t *testing.T) {
	words := strings.Fields("kiln glaze vase hay stable mare mast rope sail tide moss fern")
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 195))
		texts := make([]string, 60)
		for i := range texts {
			texts[i] = words[r.IntN(len(words))] + " " + words[r.IntN(len(words))] + fmt.Sprint(" once", i)
		}
		s := about(texts...)
		s.space = &space{inverse: slices.Repeat([]float32{1}, len(texts))}
		for name, first := range map[string][][]int32{"single points": nil, "former clusters": {sequence32(15), sequence32(40)[15:]}} {
			x := s.newWording()
			x.group(first)
			for _, g := range x.firm(LeastMembers, first) {
				if !s.topics().covers(g) {
					t.Errorf("seed %d, from %s: a group of %d is not covered", seed, name, len(g))
				}
			}
		}
	}
}
