package region

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// country is a map of positions around centres. Each text has a word of its region and words
// that occur everywhere.
func country(n int, middles [][3]float32, names []string) ([][3]float32, []string) {
	var places [][3]float32
	var texts []string
	for i := range n {
		c := i % len(middles)
		p := middles[c]
		for d := range p {
			p[d] += float32(math.Sin(float64(7*i+d)) * 4)
		}
		places = append(places, p)
		texts = append(texts, fmt.Sprintf("The %s was seen by the keeper on day %d, after the %s.", names[c], i, []string{"rain", "storm", "frost", "snow", "thaw"}[i*7%5]))
	}
	return places, texts
}

var (
	corners = [][3]float32{{60, 0, 0}, {-60, 0, 0}, {0, 60, 0}, {0, 0, -60}}
	beasts  = []string{"heron", "otter", "badger", "marten"}
)

func TestRegionsAreNamedByTypicalWords(t *testing.T) {
	places, texts := country(200, corners, beasts)
	found := Find(places, texts)
	named := map[string]bool{}
	members := 0
	for _, r := range found {
		word := r.Words[0]
		named[word] = true
		c := slices.Index(beasts, word)
		if c < 0 {
			t.Fatalf("a region is named %v", r.Words)
		}
		if math.Sqrt(squaredDistance(r.Centre, corners[c])) > 8 || r.Radius <= 0 || r.Radius > 8 {
			t.Errorf("%s lies at %v, radius %v, want about %v", word, r.Centre, r.Radius, corners[c])
		}
		for _, w := range r.Words {
			if slices.Contains([]string{"the", "was", "seen", "keeper"}, w) {
				t.Errorf("%q occurs everywhere and names %v", w, r.Words)
			}
		}
		members += r.Count
	}
	if len(named) != 4 || members != 200 {
		t.Errorf("%d names for %d memories: %v", len(named), members, named)
	}
	if again := Find(places, texts); !reflect.DeepEqual(again, found) {
		t.Error("the same map has other regions")
	}
}

func TestNoRegions(t *testing.T) {
	places, texts := country(minMemories-1, corners, beasts)
	if found := Find(places, texts); found != nil {
		t.Errorf("%d memories have %d regions", len(places), len(found))
	}
	places, texts = country(100, corners, beasts)
	same := slices.Repeat([]string{"All of them say the very same."}, 100)
	if found := Find(places, same); found != nil {
		t.Errorf("nothing is typical, and there are %v", found)
	}
	one := slices.Repeat([][3]float32{{1, 2, 3}}, 100)
	if found := Find(one, texts); len(found) > 1 {
		t.Errorf("one place has %d regions", len(found))
	}
}

// A word that only one or two memories have would reveal them, so it names no region.
func TestRareWordsNameNoRegion(t *testing.T) {
	places, texts := country(100, corners, beasts)
	texts[0] += " Quillfeather Quillfeather Quillfeather"
	texts[4] += " Quillfeather"
	for _, r := range Find(places, texts) {
		if slices.Contains(r.Words, "quillfeather") {
			t.Errorf("a region is named %v", r.Words)
		}
	}
}

func TestWords(t *testing.T) {
	if got := strings.Join(tokens("The ferry's 2nd crew — Ünter 14:30, THE end"), " "); got != "crew end ferry the ünter" {
		t.Errorf("tokens %q", got)
	}
	for _, x := range []struct {
		a, b string
		akin bool
	}{{"ferry", "ferries", true}, {"boat", "boats", true}, {"gate", "gauge", false}, {"rope", "ropes", true}, {"mill", "milk", false}} {
		if akin(x.a, x.b) != x.akin || akin(x.b, x.a) != x.akin {
			t.Errorf("akin(%s, %s) is not %v", x.a, x.b, x.akin)
		}
	}
}

func BenchmarkFind100000(b *testing.B) {
	places, texts := country(100_000, corners, beasts)
	for b.Loop() {
		Find(places, texts)
	}
}
