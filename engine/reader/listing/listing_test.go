package listing

import (
	"strings"
	"testing"
)

func parts(texts ...string) (out []Part) {
	for _, t := range texts {
		rest, comma := strings.CutPrefix(t, ", ")
		out = append(out, Part{comma, strings.Fields(rest)})
	}
	return out
}

func TestList(t *testing.T) {
	for _, x := range []struct {
		parts []Part
		want  int
	}{
		{parts(", Bo and Cy"), 1},
		{parts(", Bo", ", Cy and Dee", "in Kiel"), 2},
		{parts(", Bo"), 0},
		{parts("in Kiel", ", Bo and Cy"), 0},
		{parts(", Bo and"), 0},
		{nil, 0},
	} {
		if got := List(x.parts); got != x.want {
			t.Errorf("%v: %d, want %d", x.parts, got, x.want)
		}
	}
}

func TestNamed(t *testing.T) {
	for _, x := range []struct {
		thing string
		parts []Part
		want  bool
	}{
		{"a new dentist", parts(", Dr Hay"), true},
		{"a cat", parts(", Miso", ", Kiel"), false},
		{"a dentist", parts(", finally"), false},
		{"the dentist", parts(", Hay"), false},
		{"a dentist", parts("in Kiel"), false},
		{"a dentist", parts(", I"), false},
	} {
		if got := Named(strings.Fields(x.thing), x.parts); got != x.want {
			t.Errorf("%s %v: %v", x.thing, x.parts, got)
		}
	}
}
