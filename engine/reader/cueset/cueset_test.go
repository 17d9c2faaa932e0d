package cueset

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/reader/tables"
)

func TestFind(t *testing.T) {
	if Count != tables.Classes {
		t.Fatalf("%d classes, the file has %d", Count, tables.Classes)
	}
	for text, want := range map[string]Set{
		"i no longer smoke":            NoLonger,
		"i use tabs now":               Now,
		"as of today i work there":     Now,
		"if it rains we stay":          If,
		"use tabs instead":             Instead,
		"the lamp stands in the hall":  0,
		"we are in lisbon until today": Bounded,
	} {
		if got := Find(strings.Fields(text), func(int) bool { return false }); got&want != want || want == 0 && got != 0 {
			t.Errorf("%q: %b, want %b", text, got, want)
		}
	}
	if got := Find(strings.Fields("as of today i work there"), func(int) bool { return false }); got&Bounded != 0 {
		t.Error("as of today has a bound")
	}
	if got := Find(strings.Fields("now"), func(int) bool { return true }); got != 0 {
		t.Errorf("a date is the cue %b", got)
	}
}

func TestOpener(t *testing.T) {
	if n := Opener(strings.Fields("by the way i moved")); n != 3 {
		t.Errorf("by the way has %d words", n)
	}
	if n := Opener(strings.Fields("i moved")); n != 0 {
		t.Errorf("i moved begins with an opener of %d words", n)
	}
}

func TestWithoutAdverbials(t *testing.T) {
	for text, want := range map[string]string{
		"i no longer smoke":       "i smoke, denied",
		"i use tabs now":          "i use tabs",
		"i do not smoke any more": "i do not smoke",
		"i live in oslo":          "i live in oslo",
		"":                        "",
	} {
		words := strings.Fields(text)
		kept, denied := WithoutAdverbials(words)
		var left []string
		for _, i := range kept {
			left = append(left, words[i])
		}
		got := strings.Join(left, " ")
		if denied {
			got += ", denied"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
