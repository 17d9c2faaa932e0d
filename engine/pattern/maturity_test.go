package pattern

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// young makes sources of one cluster that is not mature, by turns on each of some days and in each of some sessions.
func young(t *testing.T, n, days, sessions int, texts []string) []Source {
	t.Helper()
	sources := sourcesOf(t, 0, repeated(n, texts...)...)
	for i := range sources {
		sources[i].Mature, sources[i].At, sources[i].Session = false, testStart.AddDate(0, 0, i%days).Add(time.Duration(i)*time.Second), fmt.Sprint(i%sessions)
	}
	return sources
}

func TestWhatIsSaidOnSeveralOccasionsNeedsNoMatureCluster(t *testing.T) {
	for _, c := range []struct {
		n, days, sessions int
		want              bool
	}{
		{4, 4, 4, true}, {5, 5, 5, true}, {5, 5, 1000, true}, {12, 6, 6, true}, {30, 30, 29, true},
		{3, 3, 3, false},   // three occasions
		{30, 1, 30, false}, // one day
		{30, 30, 1, false}, // one conversation
		{30, 3, 30, false}, // three days
	} {
		got, refused := Find(young(t, c.n, c.days, c.sessions, windLimit), nil)
		if c.want != (len(got) == 1) {
			t.Errorf("%d on %d days in %d sessions: %q, refused %+v", c.n, c.days, c.sessions, said(got), refused)
		}
		if !c.want && (len(refused) != 1 || !strings.Contains(refused[0].Reason, "occasions")) {
			t.Errorf("%d on %d days in %d sessions: refused %+v", c.n, c.days, c.sessions, refused)
		}
	}
	loose := young(t, 12, 12, 12, windLimit)
	for i := range loose[:9] {
		loose[i].Cluster = ""
	}
	if got, _ := Find(loose, nil); len(got) != 0 {
		t.Errorf("three of twelve are in clusters: %q", said(got))
	}
}

// Among many sources more occasions are needed.
func TestManySourcesNeedMoreOccasions(t *testing.T) {
	for n, want := range map[int]int{0: 4, 69: 4, 70: 5, 139: 5, 140: 6, 280: 7, 560: 8, 5000: 11} {
		if got := occasionsFor(n); got != want {
			t.Errorf("%d sources: %d occasions, want %d", n, got, want)
		}
	}
}

// Sessions that share a day are one occasion, also if they go on on other days.
func TestOccasionsAreSeparate(t *testing.T) {
	at := func(day int, session string) Source {
		return Source{At: testStart.AddDate(0, 0, day), Session: session}
	}
	for _, c := range []struct {
		sources []Source
		want    int
	}{
		{nil, 0},
		{[]Source{at(0, ""), at(1, ""), at(2, "")}, 3},
		{[]Source{at(0, "a"), at(1, "a"), at(1, "b"), at(2, "b"), at(3, "")}, 2},
		{[]Source{at(0, "a"), at(5, "b"), at(3, "c"), at(3, "a"), at(5, "c")}, 1},
	} {
		if got := occasionsOf(c.sources, false); got != c.want {
			t.Errorf("%+v: %d, want %d", c.sources, got, c.want)
		}
	}
}

// Less than a fifth of what was said on a matter makes no pattern, on however many occasions.
func TestAMinorityOfManyOccasionsMakesNoPattern(t *testing.T) {
	for _, poison := range []int{1, 4, 5} {
		sources := young(t, 26, 26, 26, windLimit)
		for i, s := range sourcesOf(t, 100, repeated(poison, otherLimit...)...) {
			s.Mature, s.At, s.Session = false, testStart.AddDate(0, 0, 40+i), fmt.Sprint("other ", i)
			sources = append(sources, s)
		}
		got, _ := Find(sources, nil)
		if len(got) != 1 || !strings.Contains(got[0].Text, "12 knots") || len(got[0].Against) != poison {
			t.Errorf("%d against 26: %q", poison, said(got))
		}
	}
}

// told makes a statement recorded at an instant and said on a day before it.
func told(s Source, said, recorded int) Source {
	s.Mature, s.At, s.Recorded, s.Session = false, testStart.AddDate(0, 0, said), testStart.AddDate(0, 0, recorded), fmt.Sprint(s.ID)
	return s
}

// A day that only the caller names counts half, and nothing if the matter is contested.
func TestClaimedDaysCountLess(t *testing.T) {
	at := func(said, recorded int) Source { return told(Source{}, said, recorded) }
	for i, c := range []struct {
		sources   []Source
		contested bool
		want      int
	}{
		{[]Source{at(0, 0), at(1, 1), at(2, 3), at(4, 4)}, true, 4}, // a day later
		{[]Source{at(0, 1), at(1, 1), at(2, 1)}, false, 1},          // said on the days around one day
		{[]Source{at(0, 90), at(1, 90), at(2, 90), at(3, 90)}, false, 2},
		{[]Source{at(0, 90), at(1, 90), at(2, 90), at(3, 90)}, true, 1},
		{[]Source{at(200, 90), at(300, 90), at(400, 91)}, true, 2},
		{[]Source{at(0, 90), at(1, 90), at(90, 90), at(91, 91)}, false, 3},
	} {
		for k := range c.sources {
			c.sources[k].Session = ""
		}
		if got := occasionsOf(c.sources, c.contested); got != c.want {
			t.Errorf("case %d: %d, want %d", i, got, c.want)
		}
	}
}

// Four statements on made-up days are no pattern, whether others disagree, nobody does, or a pattern is stored that they contradict.
func TestMadeUpDaysMakeNoPattern(t *testing.T) {
	for _, others := range []int{0, 5, 6, 16} {
		var sources []Source
		for i, s := range sourcesOf(t, 0, repeated(others, windLimit...)...) {
			sources = append(sources, told(s, i, i))
		}
		honest, _ := Find(sources, nil)
		if (len(honest) == 1) != (others > 0) {
			t.Fatalf("%d others: %q", others, said(honest))
		}
		for i, s := range sourcesOf(t, 100, repeated(4, otherLimit...)...) {
			sources = append(sources, told(s, 3*i-40, 50))
		}
		var known []Known
		for _, h := range honest {
			known = append(known, Known{ID: testID(t, 500), Kind: h.Kind, Text: h.Text, Conditions: h.Conditions, Actions: h.Actions, Occurrences: others, Confidence: h.Confidence})
		}
		for _, stored := range [][]Known{nil, known} {
			got, _ := Find(sources, stored)
			for _, f := range got {
				if !strings.Contains(f.Text, "12 knots") {
					t.Errorf("%d others, %d stored: %q", others, len(stored), f.Text)
				}
			}
		}
	}
}

// An imported history makes a pattern of what was said on twice as many days.
func TestAnImportedHistoryMakesAPattern(t *testing.T) {
	for days, want := range map[int]int{7: 0, 8: 1, 12: 1} {
		var sources []Source
		for i, s := range sourcesOf(t, 0, repeated(days, windLimit...)...) {
			sources = append(sources, told(s, 7*i, 200))
		}
		if got, _ := Find(sources, nil); len(got) != want {
			t.Errorf("%d days: %q", days, said(got))
		}
	}
}
