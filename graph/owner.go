package graph

import (
	"slices"
	"strings"
)

// The owner of a memory is its User: a user, or nobody, the empty text. What an agent keeps to itself
// has an owner of its own, which names the user and the agent. So everything that never crosses owners,
// such as duplicates, revisions, entities and neighbour graphs, does not cross it either.

// ownerMark separates the user from the agent in the owner of a private memory. No name of a caller has
// it, see [ValidOwnerName].
const ownerMark = "\x1f"

// PrivateOwner is the owner of what an agent keeps to itself about a user, who may be nobody.
func PrivateOwner(user, agent string) string { return user + ownerMark + agent }

// SplitOwner returns the user of an owner, and the agent that keeps it private; empty: none does.
func SplitOwner(owner string) (user, agent string) {
	user, agent, _ = strings.Cut(owner, ownerMark)
	return user, agent
}

// UserOf is the user of an owner; empty: nobody.
func UserOf(owner string) string { user, _ := SplitOwner(owner); return user }

// AgentOf is the agent that keeps what belongs to the owner private; empty: none does.
func AgentOf(owner string) string { _, agent := SplitOwner(owner); return agent }

// ValidOwnerName reports whether a user or an agent may have the name.
func ValidOwnerName(name string) bool { return !strings.Contains(name, ownerMark) }

// Owners returns the owners whose memories an owner's are compared and linked with: itself, and those
// that everybody who sees it sees too. Nobody is last.
func Owners(owner string) []string {
	switch user, agent := SplitOwner(owner); {
	case owner == "":
		return []string{""}
	case agent == "" || user == "":
		return []string{owner, ""}
	default:
		return []string{owner, user, PrivateOwner("", agent), ""}
	}
}

// Contests reports whether a memory of the owner rival counts in the conflict signal of one that it
// contradicts. What an agent keeps private does not count where somebody else sees the other one: that
// would show that it exists.
func Contests(rival, owner string) bool {
	return AgentOf(rival) == "" || slices.Contains(Owners(owner), rival)
}
