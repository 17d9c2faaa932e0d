package grouping

import (
	"maps"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// The name of a user is that of a person, if the texts write it as a name.
func TestUsersArePeople(t *testing.T) {
	memories := []*graph.Memory{
		{Content: "We met Nadia at the pier.", User: "nadia.lathe@example.org"}, nil,
		{Content: "The lathe of Nadia is old.", User: "nadia.lathe@example.org"},
	}
	people := map[string]bool{}
	addUsers(people, termsOf(memories), memories)
	if want := map[string]bool{"nadia": true}; !maps.Equal(people, want) {
		t.Errorf("%v, want %v", people, want)
	}
}
