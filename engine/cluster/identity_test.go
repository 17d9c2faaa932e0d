package cluster

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func idsOf(list string) []graph.ID {
	var out []graph.ID
	for _, x := range strings.Fields(list) {
		out = append(out, graph.ID(x))
	}
	return out
}

func TestIdentities(t *testing.T) {
	for _, c := range []struct {
		name        string
		before, now []string
		names       string
		events      []Event
	}{
		{"born", nil, []string{"a b c"}, "new0", []Event{{Born, "new0", nil, 3}}},
		{"kept", []string{"a b c"}, []string{"a b c d"}, "old0", nil},
		{"died", []string{"a b c"}, nil, "", []Event{{Died, "old0", nil, 3}}},
		{"merged", []string{"a b c", "d e f g"}, []string{"a b c d e f g"}, "old1", []Event{{Merged, "old1", []graph.ID{"old0"}, 7}}},
		{"split", []string{"a b c d e f g"}, []string{"a b c d", "e f g"}, "old0 new0", []Event{{Split, "new0", []graph.ID{"old0"}, 3}}},
		{"two from one and one from two", []string{"a b c d e", "f g h"}, []string{"a b c", "d e f g h"}, "old0 old1", nil},
		{"scattered", []string{"a b c d e f g h i"}, []string{"a k l m n", "b o p q r", "c s t u v", "d w x y z"}, "new0 new1 new2 new3", []Event{
			{Born, "new0", nil, 5}, {Born, "new1", nil, 5}, {Born, "new2", nil, 5}, {Born, "new3", nil, 5}, {Died, "old0", nil, 9},
		}},
	} {
		var before []Former
		for i, m := range c.before {
			before = append(before, Former{graph.ID(fmt.Sprint("old", i)), idsOf(m)})
		}
		var now [][]graph.ID
		for _, m := range c.now {
			now = append(now, idsOf(m))
		}
		names, events := identify(now, before, func(n int) graph.ID { return graph.ID(fmt.Sprint("new", n)) })
		if !reflect.DeepEqual(names, append([]graph.ID{}, idsOf(c.names)...)) || !reflect.DeepEqual(events, c.events) {
			t.Errorf("%s: %v %+v", c.name, names, events)
		}
	}
}

func TestJoinAndRelated(t *testing.T) {
	c := NewCentroids(2)
	if _, _, ok := c.Join(along(0)); ok || c.Nearest(along(0), 3) != nil {
		t.Error("something joins no cluster")
	}
	c.Add([][]float32{along(0), along(10), along(20)})
	c.Add([][]float32{along(90), along(92), along(94), {1}, {0, 0}})
	c.Add(nil)
	c.Add([][]float32{along(140), along(150), along(160)})
	for _, x := range []struct {
		degrees float64
		cluster int
		ok      bool
	}{{9, 0, true}, {1, 0, true}, {91, 1, true}, {60, 0, false}, {99, 1, false}, {151, 3, true}, {250, 0, false}} {
		k, strength, ok := c.Join(along(x.degrees))
		if ok != x.ok || ok && (k != x.cluster || strength < 0.5 || strength > 1) || !ok && strength != 0 {
			t.Errorf("%v degrees: cluster %d, strength %v, %v", x.degrees, k, strength, ok)
		}
	}
	if _, _, ok := c.Join([]float32{1}); ok {
		t.Error("a vector of another dimension joins")
	}
	near := c.Related(1, 5)
	if len(near) != 2 || near[0].Cluster != 3 || near[1].Cluster != 0 {
		t.Errorf("related: %+v", near)
	}
	close(t, "cosine", near[0].Cosine, 0.5299, 1e-3) // 58 degrees
	if c.Len() != 4 || len(c.Nearest(along(0), 1)) != 1 {
		t.Error("wrong numbers")
	}
}
