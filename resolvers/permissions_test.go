package resolvers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
)

// roles are callers with one scope each, and one without any.
var roles = map[string][]access.Scope{
	"nobody": nil, "reader": {access.MemoryRead}, "writer": {access.MemoryWrite}, "sharer": {access.MemoryShare}, "curator": {access.MemoryCurate},
	"administrator": {access.MemoryAdmin}, "auditor": {access.AuditRead}, "operator": {access.ServerAdmin},
}

// granted is what each role may select, written down apart from the table of the code.
var granted = map[string]string{
	"nobody": "Query.whoami Query.rateLimit",
	"reader": `Query.memory Query.memoryByExternalId Query.memories Query.search Query.lineage Query.context Query.core Query.entities Query.entityLineage
		Query.relations Query.related Query.path Query.timeline Query.vizGraph Query.eventCursor Query.reconsolidations Query.tasks Query.decayForecast Query.facts Query.known
		Query.conflicts Query.health Query.alarms Subscription.alarms Query.namespacePolicy Query.deletionReceipt Query.deletionReceipts Query.proofKey Query.sleepReports Query.sleepReport Query.sleepStatus
		Query.documents Query.document Query.clusters Query.cluster Query.clusterEvolution Query.patterns Query.pattern Query.patternLineage
		Query.patternProvenance Query.patternConflicts Subscription.clusterEvents Subscription.ingestProgress Subscription.memoryEvents Subscription.vizChanges Subscription.sleepProgress Subscription.sleepReports`,
	"writer": `Mutation.ingest Mutation.removeDocument Mutation.remember Mutation.rememberMany Mutation.share Mutation.observe Mutation.observePast Mutation.closeSession Mutation.supersede Mutation.adjudicate Mutation.feedback
		Mutation.forget Mutation.confirmTask Mutation.completeTask Mutation.dismissTask`,
	"sharer":  "",
	"curator": `Mutation.resetAlarm Mutation.extractPattern Mutation.validatePattern Mutation.resolvePattern Mutation.update Mutation.expire Mutation.pin Mutation.unpin Mutation.correctClaim Mutation.confirmClaim Mutation.undoRevision Mutation.resolveConflict`,
	"administrator": `Mutation.resetAlarm Query.tenant Query.webhooks Mutation.createWebhook Mutation.deleteWebhook Mutation.retryWebhook Query.deadLetters Query.reembedding Mutation.sleep Mutation.consolidate Mutation.rollback Mutation.reembed
		Mutation.extractPattern Mutation.validatePattern Mutation.resolvePattern Mutation.retryDeadLetter Mutation.discardDeadLetter Mutation.releaseEngrams Mutation.withdrawSource Mutation.setNamespacePolicy
		Mutation.update Mutation.expire Mutation.pin Mutation.unpin Mutation.correctClaim Mutation.confirmClaim Mutation.undoRevision Mutation.resolveConflict`,
	"auditor": "Query.audit Query.auditCheck",
	"operator": `Query.performance Query.apiKeys Mutation.advanceClock Mutation.resetBreaker Mutation.createApiKey Mutation.revokeApiKey
		Query.tenants Mutation.createTenant Mutation.setTenantQuotas Mutation.deleteTenant`,
}

// The matrix of every root field and every role: a field that the role is not granted is refused before it runs, and no other
// field is refused for a missing scope. Operations are made from the schema.
func TestMatrixOfRootFieldsAndRoles(t *testing.T) {
	schema := load(t, "../schema.graphqls")
	var role string
	s := start(t, func(c *resolversConfig) {
		c.Authenticate = func(*http.Request) (engine.Caller, error) {
			return engine.Caller{Tenant: "default", Name: role, Grant: 1, Scopes: roles[role], Admin: access.Grants(roles[role], access.MemoryAdmin)}, nil
		}
	})
	cells := 0
	for role = range roles {
		may := map[string]bool{}
		for _, name := range strings.Fields(granted["nobody"] + " " + granted[role]) {
			may[name] = true
		}
		for _, d := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
			for _, f := range d.Fields {
				name := d.Name + "." + f.Name
				if strings.HasPrefix(f.Name, "__") {
					continue
				}
				cells++
				if may[name] {
					delete(may, name)
					if d == schema.Query { // a mutation would do its work, a subscription would not end
						if a := s.ask(minimal(schema, d, f), nil); strings.Contains(string(a.Body), "requires the scope") {
							t.Errorf("%s may select %s, but: %s", role, name, a.Body)
						}
					}
					continue
				}
				var body string
				if d == schema.Subscription {
					body = s.firstEvent(minimal(schema, d, f))
				} else {
					body = string(s.ask(minimal(schema, d, f), nil).Body)
				}
				if !strings.Contains(body, `"FORBIDDEN"`) || !strings.Contains(body, "requires the scope") {
					t.Errorf("%s may not select %s, but: %s", role, name, body)
				}
			}
		}
		for name := range may {
			t.Errorf("the test grants %s to %s, which is not in the schema", name, role)
		}
	}
	if cells < 8*60 {
		t.Errorf("only %d cells", cells)
	}
}

// firstEvent is the first event of a subscription.
func (s *server) firstEvent(query string) string {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.http.URL+"/graphql", strings.NewReader(fmt.Sprintf(`{"query":%q}`, query)))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	return string(s.do(r).Body)
}

// minimal is an operation with one root field, its required arguments and a scalar of each type.
func minimal(s *ast.Schema, d *ast.Definition, f *ast.FieldDefinition) string {
	var args []string
	for _, a := range f.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil {
			args = append(args, a.Name+": "+literal(s, a.Type))
		}
	}
	list := ""
	if len(args) > 0 {
		list = "(" + strings.Join(args, ", ") + ")"
	}
	selection := ""
	if s.Types[f.Type.Name()].Kind == ast.Object {
		selection = " { __typename }"
	}
	return strings.ToLower(d.Name) + " { " + f.Name + list + selection + " }"
}

// literal is a value of a type, with the required fields of an input.
func literal(s *ast.Schema, t *ast.Type) string {
	if t.Elem != nil {
		return "[" + literal(s, t.Elem) + "]"
	}
	switch d := s.Types[t.NamedType]; {
	case d.Kind == ast.Enum:
		return d.EnumValues[0].Name
	case d.Kind == ast.InputObject:
		var fields []string
		for _, f := range d.Fields {
			if f.Type.NonNull && f.DefaultValue == nil {
				fields = append(fields, f.Name+": "+literal(s, f.Type))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case d.Name == "Int" || d.Name == "Float":
		return "1"
	case d.Name == "Boolean":
		return "false"
	case d.Name == "Time":
		return `"2026-03-02T09:00:00Z"`
	case d.Name == "ID":
		return `"019ca8a0-5208-7038-9351-be7b34b4f571"`
	}
	return `"x"`
}
