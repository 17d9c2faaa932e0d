package grouping_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/topictest"
)

// A few memories that share a noun are a cluster of that name. If they share only a person, who takes part in many
// matters, or a unit, they are none.
func TestASmallGroupNeedsAName(t *testing.T) {
	for _, c := range []struct {
		label string // "": they are no cluster
		texts []string
	}{
		{"Kiln", []string{"The kiln cracked at noon.", "Nobody forgot the kiln.", "The kiln whistles loudly.", "He overslept beside the kiln."}},
		{"", []string{"Eva cracked up at noon.", "Nobody forgot Eva.", "Eva whistles loudly.", "He overslept, and so did Eva."}},
		{"", []string{"It was 40 crowns at noon.", "Nobody forgot the 7 crowns.", "She lost 90 crowns.", "He overslept for 3 crowns."}},
	} {
		w := village(t)
		for _, text := range c.texts {
			in := engine.RememberInput{Content: text, Tags: []string{"odd"}, Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert}
			if _, err := w.Engine.Remember(t.Context(), w.Caller, in); err != nil {
				t.Fatal(err)
			}
		}
		night(w)
		var small []string
		for _, x := range clusters(w, w.Caller) {
			if x.Size < 10 {
				small = append(small, x.Label.Text)
			}
		}
		if c.label == "" && len(small) > 0 || c.label != "" && (len(small) != 1 || small[0] != c.label) {
			t.Errorf("%q: small clusters %q, want %q", c.texts[1], small, c.label)
		}
	}
}

// Pairs of few memories are hardly less alike than neighbours. Memories about nothing in common are no cluster, and two
// matters are not one.
func TestAFewMemoriesAreOneClusterOnlyIfTheyShareAName(t *testing.T) {
	nothing := []string{
		"The hedge is cut in autumn.", "Ruth lent Max her drill.", "A parcel lies at the kiosk.", "The lamp above the sink flickers.", "Theo speaks Portuguese.",
		"Our train leaves from platform nine.", "The dentist moved to the mill.", "Nora collects stamps.", "Two chairs wobble.", "The fuse box is in the cellar.", "Olaf cannot stand coriander.", "The museum closes on Mondays.",
	}
	kiln := []string{
		"The kiln cracked at noon.", "Nobody may open the kiln before it is cold.", "We load the kiln from the top.", "The kiln whistles loudly.", "The shelf of the kiln is bent.", "A new kiln costs too much.", "Pots dry beside the kiln.",
	}
	ferry := []string{
		"The ferry leaves at six.", "A seat on the ferry costs four euros.", "The ferry was late because of fog.", "Bicycles travel on the lower deck of the ferry.", "Our ferry broke a propeller.", "The captain of the ferry retires.",
	}
	for _, c := range []struct {
		texts []string
		want  map[string]int // size by label; one member may be missing
	}{
		{nothing, map[string]int{}},
		{append(nothing[:5:5], kiln...), map[string]int{"Kiln": len(kiln)}},
		{slices.Concat(nothing[:4], kiln, ferry), map[string]int{"Kiln": len(kiln), "Ferry": len(ferry)}},
	} {
		w := enginetest.New(t)
		for _, text := range c.texts {
			in := engine.RememberInput{Content: text, Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert}
			if _, err := w.Engine.Remember(t.Context(), w.Caller, in); err != nil {
				t.Fatal(err)
			}
		}
		night(w)
		got := map[string]int{}
		for _, x := range clusters(w, w.Caller) {
			got[x.Label.Text] = x.Size
		}
		if !maps.EqualFunc(got, c.want, func(a, b int) bool { return a == b || a == b-1 }) {
			t.Errorf("%d memories: %v, want %v", len(c.texts), got, c.want)
		}
	}
}

// Memories of one topic that share nouns only by others of it are one cluster.
func TestMemoriesThatShareNounsAreACluster(t *testing.T) {
	w := enginetest.New(t)
	var ids []graph.ID
	for _, line := range slices.Concat(topictest.Read(t, "second").Topics[:6]...) {
		r, err := w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: line, Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.Memory.ID)
	}
	night(w)
	of, err := w.ClustersOfMemories(t.Context(), w.Caller, ids)
	if err != nil {
		t.Fatal(err)
	}
	in := 0
	for _, c := range of {
		if c != nil {
			in++
		}
	}
	t.Logf("%d of %d", in, len(ids))
	if 10*in < 8*len(ids) {
		t.Errorf("%d of %d memories on a topic are in a cluster", in, len(ids))
	}
}

// Clusters of two namespaces of a user have labels of their own for who sees both, and one label for who sees one.
func TestLabelsOfNamespacesDiffer(t *testing.T) {
	w := enginetest.New(t)
	for namespace, texts := range map[string][]string{
		"east": {"The kiln cracked in the frost.", "Ben lit the kiln at dawn.", "The kiln needs a new door.", "Nobody opened the kiln.", "A kiln costs too much."},
		"west": {"The glaze in the kiln ran.", "We sold the kiln.", "The glaze of the kiln flaked.", "They moved the kiln by cart.", "Our kiln smoked."},
	} {
		for _, text := range texts {
			in := engine.RememberInput{Namespace: namespace, Content: text, Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert}
			if _, err := w.Engine.Remember(t.Context(), w.Caller, in); err != nil {
				t.Fatal(err)
			}
		}
	}
	night(w)
	for _, c := range []struct {
		namespaces []string
		want       []string
	}{{nil, []string{"Kiln", "Kiln and glaze"}}, {[]string{"east"}, []string{"Kiln"}}, {[]string{"west"}, []string{"Kiln"}}} {
		caller := w.Caller
		caller.Namespaces = c.namespaces
		var got []string
		for _, x := range clusters(w, caller) {
			got = append(got, x.Label.Text)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.namespaces, got, c.want)
		}
	}
}

// Who takes part is not what a label says, although each memory has another name for that person.
func TestALabelKnowsAPersonOfOneMemory(t *testing.T) {
	w := village(t)
	for _, text := range []string{
		"The rudder of the Petrel cracked, and Eva Lund left.", "On the Petrel the rudder bent.", "Nobody painted the rudder, only the Petrel.",
		"Yesterday Eva Holm sold the Petrel.", "They met Eva Brandt beside the Petrel.", "We slept on the Petrel.",
	} {
		in := engine.RememberInput{Content: text, Tags: []string{"odd"}, Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert}
		if _, err := w.Engine.Remember(t.Context(), w.Caller, in); err != nil {
			t.Fatal(err)
		}
	}
	night(w)
	var labels []string
	for _, x := range clusters(w, w.Caller) {
		labels = append(labels, x.Label.Text)
	}
	if !slices.Contains(labels, "Rudder and Petrel") {
		t.Errorf("%q", labels)
	}
}

// Tags are part of a label that is shown, and make no cluster.
func TestALabelReadsTags(t *testing.T) {
	w := village(t)
	for i, text := range []string{"The Petrel sailed at dawn.", "Late again, the Petrel.", "Nobody painted the Petrel.", "The Petrel needs a crew.", "We slept on the Petrel.", "They moored the Petrel.", "Somebody hid the Petrel."} {
		in := engine.RememberInput{Content: text, Tags: []string{[]string{"regatta", "odd"}[i%2]}, Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert}
		if _, err := w.Engine.Remember(t.Context(), w.Caller, in); err != nil {
			t.Fatal(err)
		}
	}
	night(w)
	var labels []string
	for _, x := range clusters(w, w.Caller) {
		labels = append(labels, x.Label.Text)
	}
	if !slices.Contains(labels, "Petrel and regatta") {
		t.Errorf("%q", labels)
	}
}
