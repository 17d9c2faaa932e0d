package pattern

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// everydayWorlds reads worlds from a file: plants, each with the sentences of its sources, and noise.
func everydayWorlds(t testing.TB, file string) (names []string, worlds []world) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	noise := false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case strings.HasPrefix(line, "== "):
			names, worlds = append(names, line[3:]), append(worlds, world{})
		case line == "# noise":
			noise = true
		case strings.HasPrefix(line, "# "):
			noise = false
			w := &worlds[len(worlds)-1]
			w.plants = append(w.plants, plant{kind: graph.PatternKind(line[2:])})
		case noise:
			worlds[len(worlds)-1].noise = append(worlds[len(worlds)-1].noise, line)
		default:
			w := &worlds[len(worlds)-1]
			p := &w.plants[len(w.plants)-1]
			p.said = append(p.said, line)
		}
	}
	return names, worlds
}

// tenDays says everything in a world on ten days, each sentence of a plant on another one, and puts it into the clusters of a sleep.
func (w world) tenDays(t testing.TB) (sources []Source, of map[graph.ID]int) {
	t.Helper()
	of = map[graph.ID]int{}
	add := func(text string, day, plant int) {
		id := testID(t, len(sources))
		sources = append(sources, Source{ID: id, Text: text, At: testStart.AddDate(0, 0, day).Add(time.Duration(len(sources)) * time.Minute), Session: fmt.Sprint("of day ", day), Speaker: "Nadia"})
		of[id] = plant
	}
	for i, p := range w.plants {
		for k, text := range p.said {
			add(text, (3*k+i)%10, i)
		}
	}
	for k, text := range w.noise {
		add(text, (7*k)%10, -1)
	}
	return settled(t, sources, true), of
}

// Each of the worlds has eight patterns in everyday words, said five or six times on ten days. The mechanisms were made on the first
// file. The second one was written afterwards; its recall at first was .562. So was that of the third one. On that the mechanisms
// were made again, and on the fourth one, of which it was .792 at first. The fifth one was written afterwards, and its recall was .917 at first.
// Since "again" makes no failure, that of the twelve worlds of the first four files is .885, that of the fifth one .875.
func TestPatternsInEverydayWords(t *testing.T) {
	for file, least := range map[string]float64{"everyday.txt": 0.8, "everyday2.txt": 0.8, "everyday3.txt": 0.8, "everyday4.txt": 0.8, "everyday5.txt": 0.8} {
		names, worlds := everydayWorlds(t, file)
		right, found, planted := 0, 0, 0
		for i, w := range worlds {
			sources, of := w.tenDays(t)
			got, refused := Find(sources, nil)
			r, wrong, missed := w.score(t, sources, got, of)
			right, found, planted = right+r, found+len(got), planted+len(w.plants)
			t.Logf("%s: %d of %d, wrong %q", names[i], r, len(w.plants), wrong)
			for _, f := range got {
				t.Logf("  %s %q when %q: %q", f.Kind, f.Text, f.Conditions, f.Actions)
			}
			for _, m := range missed {
				in := 0
				for _, s := range sources {
					if of[s.ID] == m {
						in++
					}
				}
				t.Logf("  missed %s: %q, %d in clusters", w.plants[m].kind, w.plants[m].said[0], in)
				for _, x := range refused {
					if slices.ContainsFunc(x.Sources, func(id graph.ID) bool { return of[id] == m }) {
						t.Logf("    refused %s, %d: %s", x.Kind, x.Occurrences, x.Reason)
					}
				}
			}
		}
		precision, recall := float64(right)/float64(max(1, found)), float64(right)/float64(planted)
		t.Logf("%s: precision %.3f (%d of %d), recall %.3f (%d of %d)", file, precision, right, found, recall, right, planted)
		if precision < 0.9 || recall < least {
			t.Errorf("%s: precision %.3f, want ≥ 0.9; recall %.3f, want ≥ %.1f", file, precision, recall, least)
		}
	}
}
