package oidc_test

import "testing"

// An empty agent is refused, as an empty user is: without an agent a token of a service reads what all agents keep private.
func TestAnEmptyAgentIsRefused(t *testing.T) {
	w := newWorld(t, newIssuer(t), map[string]any{"agent-claim": "agent", "user-claim": ""})
	refusedFor(t, w, "an empty agent", w.token(t, map[string]any{"agent": ""}), "claim")
}
