package index

import (
	"fmt"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/text"
)

// cast is an index with some entities; their ids are found by a short key.
func cast(t *testing.T) (*Index, map[string]graph.ID) {
	t.Helper()
	f := newFeed()
	ids := map[string]graph.ID{}
	for _, e := range []struct {
		key, namespace, user, canonical string
		kind                            graph.EntityType
	}{
		{"maria", "main", "", "maria silva", graph.Person},
		{"joe king", "main", "", "joe king", graph.Person},
		{"ann king", "main", "", "ann king", graph.Person},
		{"will", "main", "", "will", graph.Person},
		{"new york", "main", "", "new york", graph.Place},
		{"york", "main", "", "york", graph.Place},
		{"times", "main", "", "new york times", graph.Organization},
		{"zoe main", "main", "", "zoé", graph.Person},
		{"zoe side", "side", "", "zoé", graph.Person},
		{"secret", "main", "u1", "blue heron", graph.Project},
		{"file", "main", "", "main.go", graph.File},
		{"kyoto", "main", "", "京都", graph.Place},
	} {
		ids[e.key] = f.id(epoch)
		f.putEntity(&graph.Entity{ID: ids[e.key], Namespace: e.namespace, User: e.user, Name: e.canonical, Canonical: e.canonical, Type: e.kind, FirstSeen: epoch})
	}
	x := opened(t, f, Options{})
	settle(t, x, f)
	return x, ids
}

func TestFindEntities(t *testing.T) {
	x, ids := cast(t)
	for _, c := range []struct {
		text              string
		namespaces, users []string
		want              []string
	}{
		{text: "Where does Maria Silva live?", want: []string{"maria"}},
		{text: "MARIA SILVA'S flat", want: []string{"maria"}},
		{text: "did maria call?", want: []string{"maria"}},
		{text: "is Silva here", want: []string{"maria"}},
		{text: "the king said", want: nil}, // two of them
		{text: "Joe King and Ann King", want: []string{"joe king", "ann king"}},
		{text: "Joe met Ann", want: []string{"joe king", "ann king"}},
		{text: "will you come?", want: nil},
		{text: "When will Will come?", want: []string{"will"}},
		{text: "the New York Times of York", want: []string{"times", "york"}},
		{text: "New York, then York, then New York", want: []string{"new york", "york"}},
		{text: "York before Maria", want: []string{"york", "maria"}},
		{text: "Zoe?", want: []string{"zoe main", "zoe side"}},
		{text: "Zoé?", namespaces: []string{"side"}, want: []string{"zoe side"}},
		{text: "blue heron", want: []string{"secret"}},
		{text: "blue heron", users: []string{"u1", ""}, want: []string{"secret"}},
		{text: "blue heron", users: []string{"u2", ""}, want: nil},
		{text: "open main.go now", want: []string{"file"}},
		{text: "京都 in autumn", want: []string{"kyoto"}},
		{text: "new", want: nil},
		{text: "", want: nil},
	} {
		var want []graph.ID
		for _, k := range c.want {
			want = append(want, ids[k])
		}
		expectList(t, c.text, x.FindEntities(world, c.namespaces, c.users, c.text), want)
	}
}

func TestRenamedEntityIsFoundOnlyByNewName(t *testing.T) {
	a := newEntityIndex()
	n := text.New()
	put := func(name string) {
		tokens, _ := n.NameTokens(name)
		a.putEntity(&graph.Entity{ID: "e", Canonical: name, Type: graph.Person}, tokens)
	}
	find := func(text string) int {
		tokens, capital := n.NameTokens(text)
		return len(a.findInText(tokens, capital, entityScope{}))
	}
	put("anna berg")
	put("anna holm")
	expect(t, "old name", find("anna berg berg"), 1) // Anna alone is still hers
	expect(t, "old part", find("berg"), 0)
	expect(t, "new name", find("anna holm"), 1)
	a.dropEntity("e")
	expect(t, "dropped", find("anna holm"), 0)
	expect(t, "names left", len(a.byNameHash)+len(a.byNamePart)+len(a.tokens)+len(a.entities), 0)
}

func TestDeletedRelationIsRemovedFromBothEnds(t *testing.T) {
	a := newEntityIndex()
	a.putRelation(&relation{id: "r1", source: "a", target: "b", strength: 1})
	a.putRelation(&relation{id: "r2", source: "a", target: "a"})
	a.putRelation(&relation{id: "r1", source: "a", target: "b", strength: 2})
	expect(t, "around a", len(a.relationsOf("a")), 2)
	expect(t, "around b", a.relationsOf("b")[0].strength, 2)
	a.dropRelation("r1")
	a.dropRelation("r2")
	a.dropRelation("r3")
	expect(t, "left", len(a.edges)+len(a.relations), 0)
}

// Pages of relationsAfter give each relation with two visible ends once, in order.
func TestRelationsInPages(t *testing.T) {
	a := newEntityIndex()
	for i, n := range []string{"open", "open", "hidden"} {
		a.putEntity(&graph.Entity{ID: graph.ID(rune('a' + i)), Namespace: n, Canonical: string(rune('a' + i))}, nil)
	}
	var want []graph.ID
	for i := range 50 {
		id := graph.ID(fmt.Sprintf("%02d", i*37%50))
		end := graph.ID("b")
		if i%3 == 0 {
			end = "c"
		} else {
			want = append(want, id)
		}
		a.putRelation(newRelation(&graph.Relation{ID: id, Source: "a", Target: end}))
	}
	slices.Sort(want)
	for _, limit := range []int{1, 2, 7, 100} {
		var got []graph.ID
		for after := graph.ID(""); ; after = got[len(got)-1] {
			page := a.relationsAfter(func(e *graph.Entity) bool { return e.Namespace == "open" }, after, limit)
			if len(page) > limit {
				t.Fatalf("a page of %d has %d relations", limit, len(page))
			}
			if got = append(got, page...); len(page) < limit {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("in pages of %d: %v, want %v", limit, got, want)
		}
	}
}
