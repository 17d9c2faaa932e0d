package grouping

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

const (
	textsOfOwner = 8192 // texts that the labels of an owner's clusters are made from
	mostTexts    = 64   // texts of one cluster
	leastTexts   = 8    // texts of one cluster if the owner has many
	mostEntities = 16   // entities of one cluster that are looked up
	// Memories that must mention a person, so that a name is known as that of one: for a label that is shown, and to decide
	// whether a group is a cluster.
	shownPeople, groupPeople = 1, 2
)

// textsOfEach is the number of texts that name one of n clusters.
func textsOfEach(n int) int { return max(leastTexts, min(mostTexts, textsOfOwner/max(1, n))) }

// unnamed is a group of memories without a label.
type unnamed struct {
	key     graph.ID   // orders groups of one size
	members []graph.ID // those that are read, the most central first
}

// named is the label of a group, and the text of its most central memory.
type named struct {
	cluster.ClusterLabel
	medoid string
	texts  map[graph.ID]string // of the members that were read
}

// nameAll names groups of one owner in comparison with each other, in their order. Of groups with one label, the
// largest keeps it. It adds the labels to those that are taken. A name is known as that of a person if leastPeople memories
// of the group mention one.
func (svc *Service) nameAll(ctx context.Context, scope graph.Scope, groups []unnamed, taken map[string]bool, leastPeople int) ([]named, error) {
	counts := make([]*cluster.Terms, len(groups))
	people := make([]map[string]bool, len(groups))
	out := make([]named, len(groups))
	err := svc.Store.View(ctx, scope, func(r graph.Reader) error {
		for i, g := range groups {
			found, err := graph.Undamaged(r, g.members)
			if err != nil {
				return err
			}
			out[i].texts = map[graph.ID]string{}
			for k, m := range found {
				if m == nil {
					continue
				}
				out[i].texts[m.ID] = m.Content
				if k == 0 {
					out[i].medoid = m.Content
				}
			}
			counts[i] = termsOf(found)
			if people[i], err = svc.peopleIn(r, scope, g.members, leastPeople); err != nil {
				return err
			}
			if leastPeople == shownPeople {
				addUsers(people[i], counts[i], found)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := cluster.NewTerms()
	all.Merge(counts...)
	spread := cluster.Spread(counts)
	for _, i := range largestFirst(groups, counts) {
		l := cluster.Label(cluster.LabelInput{Members: counts[i], All: all, Classes: len(groups), Spread: spread, Medoid: out[i].medoid, Taken: taken, People: people[i]})
		taken[l.Text] = true
		out[i].ClusterLabel = l
	}
	return out, nil
}

// addUsers adds the lemmas of the names of the users of memories to those of people, as far as their texts write them as names.
func addUsers(people map[string]bool, said *cluster.Terms, memories []*graph.Memory) {
	for _, m := range memories {
		if m == nil {
			continue
		}
		for w := range strings.FieldsFuncSeq(strings.ToLower(m.User), func(r rune) bool { return !unicode.IsLetter(r) }) {
			if lemma := english.Lemma(w); said.Names(lemma) {
				people[lemma] = true
			}
		}
	}
}

// termsOf counts the terms of memories, each statement once, and their tags, and keeps which of them has each. nil entries are left out.
func termsOf(memories []*graph.Memory) *cluster.Terms {
	terms := cluster.NewIndexed()
	for i, said := range cluster.Statements(textsOf(memories)) {
		if said == "" {
			continue
		}
		terms.Add(said)
		terms.AddTags(memories[i].Tags)
	}
	return terms
}

// textsOf returns the texts of memories; an empty one for nil.
func textsOf(memories []*graph.Memory) []cluster.Text {
	texts := make([]cluster.Text, len(memories))
	for i, m := range memories {
		if m != nil {
			texts[i] = cluster.Text{Content: m.Content, Derived: m.SourceKind == graph.FromConsolidation}
		}
	}
	return texts
}

// peopleIn returns the lemmas of the names of people whom least memories or more mention, of the most frequent entities.
func (svc *Service) peopleIn(r graph.Reader, scope graph.Scope, members []graph.ID, least int) (map[string]bool, error) {
	count := map[graph.ID]int{}
	for _, id := range members {
		if d, ok := svc.Index.Doc(scope, id); ok {
			for _, e := range d.Entities {
				count[e]++
			}
		}
	}
	maps.DeleteFunc(count, func(_ graph.ID, n int) bool { return n < least })
	people := map[string]bool{}
	for _, id := range mostFrequent(count, mostEntities) {
		e, err := r.Entity(id)
		known, err := graph.Found(err)
		if err != nil {
			return nil, err
		}
		if !known || e.Type != graph.Person {
			continue
		}
		addName(people, e.Name)
	}
	return people, nil
}

// addName adds the lemmas of the words of a person's name; if one has a capital, only of those with one: not those of "Grandma's hip
// operation", which may be taken for a person.
func addName(people map[string]bool, name string) {
	lower := strings.ToLower(name) == name
	for w := range strings.FieldsSeq(name) {
		if first, _ := utf8.DecodeRuneInString(w); lower || unicode.IsUpper(first) {
			w, _ = strings.CutSuffix(english.Lower(w), "'s")
			people[english.Lemma(w)] = true
		}
	}
}

// mostFrequent returns at most limit ids, those with the highest count first, ties by id.
func mostFrequent(count map[graph.ID]int, limit int) []graph.ID {
	ids := slices.SortedFunc(maps.Keys(count), func(a, b graph.ID) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })
	return ids[:min(limit, len(ids))]
}

// largestFirst returns the places of groups: those with the most visible texts first, then by key.
func largestFirst(groups []unnamed, counts []*cluster.Terms) []int {
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(counts[b].Texts()-counts[a].Texts(), cmp.Compare(groups[a].key, groups[b].key))
	})
	return order
}

// names says what groups of memories have in common that a person would name them by.
func (svc *Service) names(ctx context.Context, t *workspace.Tenant, groups [][]graph.ID) ([]cluster.Name, error) {
	all := make([]unnamed, len(groups))
	for i, members := range groups {
		all[i] = unnamed{key: members[0], members: members[:min(len(members), textsOfEach(len(groups)))]}
	}
	labels, err := svc.nameAll(ctx, t.Scope.Whole(), all, map[string]bool{}, groupPeople)
	if err != nil {
		return nil, err
	}
	out := make([]cluster.Name, len(groups))
	for i, l := range labels {
		out[i] = cluster.Name{Share: l.Share, Weak: l.Weak, Matter: l.Matter}
		if len(l.texts) < len(groups[i]) {
			continue // some were not read
		}
		texts := make([]string, len(groups[i]))
		for at, id := range groups[i] {
			texts[at] = l.texts[id]
		}
		out[i].Linked, out[i].Sides = cluster.Linked(texts, l.Nouns), cluster.Sides(texts, l.Nouns)
	}
	return out, nil
}
