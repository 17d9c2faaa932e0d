package storetest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/graph"
)

// without is the state of a tenant that never had what a sight does not show. It is written apart
// from graph.See, which it tests: it removes rows, and reads nothing through a filter.
func (state *tenantState) without(s graph.Sight) *tenantState {
	if s.Equal(graph.Sight{}) {
		return state
	}
	n := state.forWriting()
	shows := func(namespace, user string) bool {
		return (s.Namespaces == nil || slices.Contains(s.Namespaces, namespace)) && ownerShown(s, user)
	}
	rank := func(x graph.Sensitivity) int { return slices.Index(graph.Sensitivities, x) }
	for id, m := range state.memories.entries {
		gone := !shows(m.Namespace, m.User)
		if m.Status() != graph.Forgotten {
			gone = gone || s.Consents != nil && !slices.Contains(s.Consents, m.Consent) || s.Sensitivity != "" && rank(m.Sensitivity) > rank(s.Sensitivity)
		}
		if gone {
			n.memories.remove(id)
			n.vectors.remove(id)
			n.usage.remove(id)
		}
	}
	left := func(id graph.ID) bool { _, ok := n.memories.get(id); return ok }
	for k := range state.edges.entries {
		if !left(k.from) || !left(k.to) {
			n.edges.remove(k)
		}
	}
	mentioned := map[graph.ID]bool{}
	for _, m := range n.memories.entries {
		for _, id := range m.Entities {
			mentioned[id] = true
		}
	}
	for id, e := range state.entities.entries {
		if !shows(e.Namespace, e.User) || (s.Consents != nil || s.Sensitivity != "") && !mentioned[id] {
			n.entities.remove(id)
		}
	}
	if s.Namespaces != nil || s.User != "" || s.Agent != "" || s.Consents != nil || s.Sensitivity != "" {
		n.removeRelations()
	}
	for k, note := range state.notes.entries {
		if !noteLeft(&note, s, shows, left) {
			n.notes.remove(k)
		}
	}
	for id, r := range state.receipts.entries {
		if s.Receipts != "" && r.Owner != graph.PrincipalMark(string(id), s.Receipts) {
			n.receipts.remove(id)
			for k := range state.receiptIDs.entries {
				if k[0] == id {
					n.receiptIDs.remove(k)
				}
			}
		}
	}
	n.removeChanges(s, shows, left)
	return n
}

// removeRelations removes the relations with a removed end, and those that only removed memories
// state.
func (state *tenantState) removeRelations() {
	for id, rel := range state.relations.entries {
		_, from := state.entities.get(rel.Source)
		_, to := state.entities.get(rel.Target)
		stating := slices.DeleteFunc(slices.Clone(rel.Memories), func(id graph.ID) bool {
			m, ok := state.memories.get(id)
			return !ok || m.Status() == graph.Forgotten
		})
		if !from || !to || len(rel.Memories) > 0 && len(stating) == 0 {
			state.relations.remove(id)
			continue
		}
		c := *rel
		c.Memories = stating
		state.relations.set(id, &c)
	}
}

func noteLeft(n *graph.Note, s graph.Sight, shows func(namespace, user string) bool, left func(graph.ID) bool) bool {
	classes := s.Consents != nil || s.Sensitivity != ""
	if s.Namespaces == nil && s.User == "" && s.Agent == "" && !classes {
		return true
	}
	switch n.Kind {
	case graph.NoteClusters, graph.NoteClusterPart, graph.NoteClusterEvents:
		return shows(n.Namespace, "")
	}
	if len(n.Memories) == 0 && (n.Namespace == "" || classes) {
		return false
	}
	if n.Kind == graph.NoteDecision && n.Data == nil && (s.User != "" || s.Agent != "") {
		return false
	}
	var owned struct{ User string }
	if n.Data != nil && json.Unmarshal(n.Data, &owned) != nil {
		return false
	}
	return shows(n.Namespace, owned.User) && !slices.ContainsFunc(n.Memories, func(id graph.ID) bool { return !left(id) })
}

// removeChanges removes the changes of what is not left.
func (state *tenantState) removeChanges(s graph.Sight, shows func(namespace, user string) bool, left func(graph.ID) bool) {
	if s.Namespaces == nil && s.User == "" && s.Agent == "" && s.Consents == nil && s.Sensitivity == "" {
		return
	}
	state.changes = slices.DeleteFunc(slices.Clone(state.changes), func(ch graph.Change) bool {
		ok := false
		switch ch.Node {
		case graph.NodeMemory, graph.NodeUsage:
			ok = left(ch.ID)
		case graph.NodeEntity:
			_, ok = state.entities.get(ch.ID)
		case graph.NodeRelation:
			_, ok = state.relations.get(ch.ID)
		}
		return !ok || s.Namespaces != nil && !slices.Contains(s.Namespaces, ch.Namespace)
	})
}

// ownerShown reports whether a sight shows an owner, which has the agent that keeps it private after a unit separator.
func ownerShown(s graph.Sight, owner string) bool {
	user, agent, private := strings.Cut(owner, "\x1f")
	of := s.User == "" || user == s.User || user == ""
	return of && (!private || agent == s.Agent || s.User == "" && s.Agent == "")
}
