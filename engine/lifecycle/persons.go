package lifecycle

import "github.com/somnograph/somnograph/graph"

// PersonsNamed returns the names of persons that a memory may contain: its user, its agent and the
// persons that it mentions.
func PersonsNamed(r graph.Reader, m *graph.Memory) ([]string, error) {
	names := []string{graph.UserOf(m.User), m.Agent}
	for _, id := range m.Entities {
		x, err := r.Entity(id)
		if known, err := graph.Found(err); err != nil {
			return nil, err
		} else if !known {
			continue // erased; its words are treated as possible names
		}
		if x.Type == graph.Person {
			names = append(names, x.Name, x.Canonical)
		}
	}
	return names, nil
}
