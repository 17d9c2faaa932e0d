package hashed

import (
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		"Don't STOP-me_now":                 "dont stop me now",
		"Bob's dogs' bowls, it's":           "bob dogs bowls it",
		"v2.3 at 10:30":                     "v2 3 at 10 30",
		"naïve Ærø Łódź straße ﬁn":          "naive aero lodz strasse fin",
		"ｆｕｌｌ ｗｉｄｔｈ １２":                     "full width 12",
		"see 東京都 now":                       "see 東 東京 京 京都 都 now",
		"party🎉 tonight":                    "party 🎉 tonight",
		"Straße\u0301":                      "strasse",
		"":                                  "",
		"'s 's":                             "s s",
		strings.Repeat("a", maxWord) + "bc": strings.Repeat("a", maxWord),
	} {
		s := new(scratch)
		s.split(text)
		var got []string
		for _, w := range s.words {
			got = append(got, string(s.bytes[w.from:w.to]))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("split(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestNamesAreSeenByTheirCapitals(t *testing.T) {
	for text, want := range map[string][]string{
		"When did Ada meet Grace Hopper?":  {"ada", "grace", "hopper"},
		"Yesterday it rained. Nothing new": nil,
		"Ada Byron: hello there":           {"ada", "byron"},
		"one two three four: no label":     nil,
		"first line\nNext line":            nil,
	} {
		s := new(scratch)
		s.split(text)
		var got []string
		for _, w := range s.words {
			if w.capital {
				got = append(got, string(s.bytes[w.from:w.to]))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("names of %q: %q, want %q", text, got, want)
		}
	}
}

func TestRelatedWordsShareAStem(t *testing.T) {
	for _, family := range []string{
		"plan plans planned planning planner",
		"deploy deploys deployed deploying deployment deployments",
		"decide decides decided deciding",
		"organize organizes organised organising organization organisations",
		"study studies studied studying",
		"happy happily happiness happier happiest",
		"go went gone goes going",
		"buy buys bought buying",
		"child children",
		"box boxes boxed",
		"bus buses",
		"class classes",
		"paint paints painted painting painter",
		"create creates created creating creation",
		"hope hopes hoped hoping hopeful",
		"agree agrees agreed agreeing agreement",
		"write writes wrote written writing",
		"store stores stored storing",
		"allergy allergies",
		"install installs installed installing",
		"migrate migrates migrated migrating migration migrations",
	} {
		words := strings.Fields(family)
		want := string(stem([]byte(words[0])))
		for _, w := range words[1:] {
			if got := string(stem([]byte(w))); got != want {
				t.Errorf("stem of %s is %s, that of %s is %s", w, got, words[0], want)
			}
		}
	}
}

func TestUnrelatedWordsHaveDifferentStems(t *testing.T) {
	for _, pair := range []string{
		"news new", "bed bead", "red read", "sing sin", "thing thin",
		"later latin", "string strip", "port portion", "hotel hot", "business bus", "species special",
		"bring brine", "king kin", "spring sprint", "family familiar", "number numb",
	} {
		a, b, _ := strings.Cut(pair, " ")
		if x, y := string(stem([]byte(a))), string(stem([]byte(b))); x == y {
			t.Errorf("%s and %s have the one stem %s", a, b, x)
		}
	}
}

func TestStemKeepsOtherTokens(t *testing.T) {
	for _, w := range []string{"", "a", "is2s", "x86", "встр", "usb", "gas"} {
		if got := string(stem([]byte(w))); got != w {
			t.Errorf("stem of %q is %q", w, got)
		}
	}
}
