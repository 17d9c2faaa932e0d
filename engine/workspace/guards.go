package workspace

import (
	"context"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// Guards are the restrictions that alarms put on the verbs. The zero value restricts nothing; it
// is safe for concurrent use. Package engine/monitor sets them.
type Guards struct {
	mu    sync.RWMutex
	rules Rules
}

// Rules are the restrictions in force.
type Rules struct {
	ReadsHalted  map[graph.Tenant]bool // reads of these tenants are refused
	WritesHalted bool                  // writes are refused
	LeastQuorum  float64               // least quorum of a namespace; 0: that of its policy
	EtaFactor    float64               // factor of η in sleeps that start; 0: 1
	// EmbedderAvoided says that the built-in model takes the place of the embedder in searches.
	EmbedderAvoided bool
}

// Set replaces the rules.
func (g *Guards) Set(r Rules) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rules = r
}

// Quorum returns the quorum in force where the policy has q.
func (g *Guards) Quorum(q float64) float64 {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return max(q, g.rules.LeastQuorum)
}

// Eta returns the factor of η for a sleep that starts, at least 1.
func (g *Guards) Eta() float64 {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return max(1, g.rules.EtaFactor)
}

// AvoidsEmbedder reports whether searches do without the embedder.
func (g *Guards) AvoidsEmbedder() bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.rules.EmbedderAvoided
}

// readVerbs answer with memories or with what was derived from them. A halt of reads refuses them.
var readVerbs = set(
	"search", "context", "memory", "memoryByExternalId", "memoriesByID", "memories", "core", "facts", "known", "contesting", "feedback",
	"lineage", "edges", "related", "path", "scene", "entities", "entitiesByID", "entityLineage", "relations", "timeline", "tasks",
	"conflicts", "reconsolidations", "decayForecast", "clusters", "cluster", "clusterEvolution", "clusterEvents", "vizGraph", "memoryEvents",
	"patterns", "pattern", "patternLineage", "patternProvenance", "patternConflicts", "documents", "document", "documentChunks", "export",
)

// writeVerbs store or change memories. A halt of writes refuses them. Erasures, and what an
// administrator needs to repair the memory, go on.
var writeVerbs = set(
	"remember", "rememberMany", "share", "observe", "observePast", "closeSession", "supersede", "adjudicate", "update", "ingest", "removeDocument",
	"pin", "unpin", "expire", "correctClaim", "confirmClaim", "feedback", "undoRevision", "resolveConflict", "confirmTask", "completeTask", "dismissTask",
	"extractPattern", "validatePattern", "resolvePattern", "sleep", "consolidate", "reembed", "import",
)

// closingVerbs write in a tenant that was deleted.
var closingVerbs = set("deleteTenant", "deleteWebhook", "forget")

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// WritesHalted reports whether an alarm has halted writes.
func (g *Guards) WritesHalted() bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.rules.WritesHalted
}

// Refuse returns UNAVAILABLE if an alarm has halted the verb for a tenant.
func (g *Guards) Refuse(t graph.Tenant, verb string) error {
	g.mu.RLock()
	defer g.mu.RUnlock()
	switch {
	case g.rules.WritesHalted && writeVerbs[verb]:
		return graph.Errorf(graph.CodeUnavailable, "an alarm has halted writes; nothing was written: see the query alarms, which names the alarm for resetAlarm")
	case g.rules.ReadsHalted[t] && readVerbs[verb]:
		return graph.Errorf(graph.CodeUnavailable, "an alarm has halted the reads of this tenant: see the query alarms, which names the alarm for resetAlarm")
	}
	return nil
}

type verbKey struct{}

// withVerb returns a context of a call of a verb.
func withVerb(ctx context.Context, verb string) context.Context {
	return context.WithValue(ctx, verbKey{}, verb)
}

// WithinVerb returns ctx with the verb that another context belongs to.
func WithinVerb(ctx, from context.Context) context.Context { return withVerb(ctx, verbOf(from)) }

// verbOf returns the verb that a context belongs to; empty: none.
func verbOf(ctx context.Context) string {
	verb, _ := ctx.Value(verbKey{}).(string)
	return verb
}
