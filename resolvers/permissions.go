package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// target is the rule for what a field may concern, besides the caller's scope. The engine
// enforces it.
type target string

const (
	// seen: what the caller's namespaces and user let it see.
	seen target = "seen"
	// owned: what belongs to the caller's user. What belongs to nobody needs MEMORY_SHARE, what
	// belongs to others MEMORY_ADMIN.
	owned target = "owned"
	// judged: what the caller sees and whose authority is at most its grant. What belongs to
	// nobody needs MEMORY_SHARE where everybody is affected.
	judged target = "judged"
	// mine: receipts of the caller's own principal.
	mine target = "mine"
	// tenant: the whole tenant, for credentials that are not bound to a user or namespaces.
	tenant target = "tenant"
	// server: all tenants.
	server target = "server"
	// self: the caller.
	self target = "self"
)

// permission is the scope that a root field requires, and what the field may concern. An empty
// scope is for every caller.
type permission struct {
	scope  access.Scope
	target target
}

// permissions has an entry for every root field of the schema. A field without one is refused.
var permissions = map[string]map[string]permission{
	"Query": {
		"memory": {access.MemoryRead, seen}, "memoryByExternalId": {access.MemoryRead, seen}, "memories": {access.MemoryRead, seen}, "search": {access.MemoryRead, seen},
		"lineage": {access.MemoryRead, seen}, "context": {access.MemoryRead, seen}, "core": {access.MemoryRead, seen},
		"entities": {access.MemoryRead, seen}, "entityLineage": {access.MemoryRead, seen}, "relations": {access.MemoryRead, seen},
		"related": {access.MemoryRead, seen}, "path": {access.MemoryRead, seen}, "timeline": {access.MemoryRead, seen},
		"vizGraph": {access.MemoryRead, seen}, "reconsolidations": {access.MemoryRead, seen}, "tasks": {access.MemoryRead, seen},
		"decayForecast": {access.MemoryRead, seen}, "facts": {access.MemoryRead, seen}, "known": {access.MemoryRead, seen},
		"conflicts": {access.MemoryRead, seen}, "health": {access.MemoryRead, seen}, "alarms": {access.MemoryRead, tenant}, "eventCursor": {access.MemoryRead, seen}, "namespacePolicy": {access.MemoryRead, seen},
		"documents": {access.MemoryRead, seen}, "document": {access.MemoryRead, seen},
		"clusters": {access.MemoryRead, seen}, "cluster": {access.MemoryRead, seen}, "clusterEvolution": {access.MemoryRead, seen},
		"patterns": {access.MemoryRead, seen}, "pattern": {access.MemoryRead, seen}, "patternLineage": {access.MemoryRead, seen},
		"patternProvenance": {access.MemoryRead, seen}, "patternConflicts": {access.MemoryRead, seen},
		"deletionReceipt": {access.MemoryRead, mine}, "deletionReceipts": {access.MemoryRead, mine},
		"sleepReports": {access.MemoryRead, tenant}, "sleepReport": {access.MemoryRead, tenant}, "sleepStatus": {access.MemoryRead, tenant},
		"deadLetters": {access.MemoryAdmin, seen}, "reembedding": {access.MemoryAdmin, tenant},
		"performance": {access.ServerAdmin, server}, "apiKeys": {access.ServerAdmin, server},
		"tenants": {access.ServerAdmin, server}, "tenant": {access.MemoryAdmin, tenant},
		"webhooks": {access.MemoryAdmin, tenant},
		"audit":    {access.AuditRead, tenant}, "auditCheck": {access.AuditRead, tenant}, "proofKey": {access.MemoryRead, mine},
		"whoami": {"", self}, "rateLimit": {"", self},
	},
	"Mutation": {
		"ingest": {access.MemoryWrite, owned}, "removeDocument": {access.MemoryWrite, judged},
		"remember": {access.MemoryWrite, owned}, "rememberMany": {access.MemoryWrite, owned}, "share": {access.MemoryWrite, owned}, "observe": {access.MemoryWrite, owned},
		"observePast":  {access.MemoryWrite, owned},
		"closeSession": {access.MemoryWrite, owned}, "supersede": {access.MemoryWrite, judged}, "adjudicate": {access.MemoryWrite, owned},
		"feedback": {access.MemoryWrite, seen}, "forget": {access.MemoryWrite, owned}, "confirmTask": {access.MemoryWrite, owned},
		"completeTask": {access.MemoryWrite, owned}, "dismissTask": {access.MemoryWrite, owned},
		"update": {access.MemoryCurate, judged}, "expire": {access.MemoryCurate, judged}, "pin": {access.MemoryCurate, judged},
		"unpin": {access.MemoryCurate, judged}, "correctClaim": {access.MemoryCurate, judged}, "confirmClaim": {access.MemoryCurate, judged}, "undoRevision": {access.MemoryCurate, judged},
		"resolveConflict": {access.MemoryCurate, judged}, "extractPattern": {access.MemoryCurate, judged}, "validatePattern": {access.MemoryCurate, judged},
		"resolvePattern": {access.MemoryCurate, judged}, "resetAlarm": {access.MemoryCurate, tenant},
		"sleep": {access.MemoryAdmin, tenant}, "consolidate": {access.MemoryAdmin, tenant}, "rollback": {access.MemoryAdmin, tenant},
		"reembed": {access.MemoryAdmin, tenant}, "retryDeadLetter": {access.MemoryAdmin, seen}, "discardDeadLetter": {access.MemoryAdmin, seen}, "releaseEngrams": {access.MemoryAdmin, seen},
		"withdrawSource": {access.MemoryAdmin, tenant}, "setNamespacePolicy": {access.MemoryAdmin, tenant},
		"advanceClock": {access.ServerAdmin, server}, "resetBreaker": {access.ServerAdmin, server}, "createApiKey": {access.ServerAdmin, server}, "revokeApiKey": {access.ServerAdmin, server},
		"createTenant": {access.ServerAdmin, server}, "setTenantQuotas": {access.ServerAdmin, server}, "deleteTenant": {access.ServerAdmin, server},
		"createWebhook": {access.MemoryAdmin, tenant}, "deleteWebhook": {access.MemoryAdmin, tenant}, "retryWebhook": {access.MemoryAdmin, tenant},
	},
	"Subscription": {
		"memoryEvents": {access.MemoryRead, seen}, "vizChanges": {access.MemoryRead, seen}, "ingestProgress": {access.MemoryRead, seen},
		"clusterEvents": {access.MemoryRead, seen},
		"sleepProgress": {access.MemoryRead, tenant}, "sleepReports": {access.MemoryRead, tenant}, "alarms": {access.MemoryRead, tenant},
	},
}

// permit returns FORBIDDEN unless the caller may select the root field.
func permit(c engine.Caller, object, field string) error {
	p, known := permissions[object][field]
	if !known {
		return graph.Errorf(graph.CodeForbidden, "%s is not granted to anybody", field)
	}
	if p.scope == "" {
		return nil
	}
	return c.Require(p.scope, "", field)
}

// beyond are the fields of what a write answers with that lead to other memories. They need MEMORY_READ, so that a key that
// only writes lists nothing.
var beyond = map[string]map[string]bool{
	"Memory": {"cluster": true, "pattern": true, "document": true, "derivedFrom": true, "learnedFrom": true, "consolidatedInto": true, "supersedes": true, "supersededBy": true},
	"Claim":  {"contestedBy": true},
}

// permitter checks each root field before its resolver runs, and gives it a row in the audit. It is a
// gqlgen extension.
type permitter struct{ verbs Verbs }

var _ interface {
	graphql.HandlerExtension
	graphql.FieldInterceptor
} = permitter{}

func (permitter) ExtensionName() string                   { return "Permissions" }
func (permitter) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptField refuses a root field that the caller may not select. Introspection has no
// entry: Config.Development decides about it, and it shows the schema, no data. Fields that tell only
// the caller about itself have no row in the audit.
func (p permitter) InterceptField(ctx context.Context, next graphql.Resolver) (_ any, err error) {
	fc := graphql.GetFieldContext(ctx)
	fields, root := permissions[fc.Object]
	name := fc.Field.Name
	if beyond[fc.Object][name] {
		if err := caller(ctx).Require(access.MemoryRead, "", name); err != nil {
			return nil, err
		}
	}
	if !root || name == "__schema" || name == "__type" || fields[name].target == self {
		return next(ctx)
	}
	c := caller(ctx)
	ctx, end := p.verbs.BeginRequest(ctx, c, name)
	defer func() { end(err) }()
	if err := permit(c, fc.Object, name); err != nil {
		return nil, err
	}
	return next(ctx)
}
