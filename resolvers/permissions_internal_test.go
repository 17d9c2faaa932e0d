package resolvers

import (
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// Every root field of the schema has an entry in the table, and the table has no other.
func TestEveryRootFieldHasAPermission(t *testing.T) {
	s := gql.NewExecutableSchema(gql.Config{}).Schema()
	for object, fields := range permissions {
		d := s.Types[object]
		for _, f := range d.Fields {
			if p, known := fields[f.Name]; !known && f.Name != "__schema" && f.Name != "__type" {
				t.Errorf("%s.%s has no entry in permissions", object, f.Name)
			} else if known && p.target == "" {
				t.Errorf("%s.%s has no rule for its target", object, f.Name)
			}
		}
		for name := range fields {
			if d.Fields.ForName(name) == nil {
				t.Errorf("permissions has %s.%s, which is not in the schema", object, name)
			}
		}
	}
	all := engine.Caller{Scopes: access.AllScopes, Admin: true}
	if permit(all, "Query", "newField") == nil || permit(all, "Nothing", "memory") == nil {
		t.Error("a field without an entry is granted")
	}
}
