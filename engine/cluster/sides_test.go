package cluster

import (
	"reflect"
	"testing"
)

func TestLinked(t *testing.T) {
	texts := []string{"The ferry is late.", "The ferry has a lamp.", "A lamp flickers.", "The kiln cracked.", "Open the kiln."}
	for _, c := range []struct {
		nouns []string
		want  float64
	}{{[]string{"ferry", "lamp", "kiln"}, 0.6}, {[]string{"kiln"}, 0.4}, {nil, 0.2}} {
		if got := Linked(texts, c.nouns); got != c.want {
			t.Errorf("%v: %v, want %v", c.nouns, got, c.want)
		}
	}
	if got := Linked(nil, []string{"kiln"}); got != 0 {
		t.Errorf("no texts: %v", got)
	}
}

func TestSides(t *testing.T) {
	texts := []string{"The ferry is late.", "The ferry sank.", "A ferry and a kiln.", "The kiln cracked.", "The kiln is hot.", "Open the kiln.", "A lamp flickers.", "The lamp broke."}
	for _, c := range []struct {
		nouns []string
		want  [][]int
	}{
		{[]string{"ferry", "lamp", "kiln"}, [][]int{{0, 1, 2}, {2, 3, 4, 5}}}, // most of those without a ferry have a kiln
		{[]string{"ferry", "lamp"}, nil},                                      // two are too few
		{[]string{"ferry"}, nil},
		{nil, nil},
	} {
		if got := Sides(texts, c.nouns); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %v, want %v", c.nouns, got, c.want)
		}
	}
}
