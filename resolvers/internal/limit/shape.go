package limit

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/graph"
)

// countLimit stops counting: nested fragments can expand to more fields than an int holds.
const countLimit = 1 << 30

// shape is the size of a selection set with fragments expanded.
type shape struct{ fields, aliases, depth int }

// shapeMeter measures a document that is parsed but not validated. Each fragment is measured
// once. A recursive fragment counts nothing; validation refuses it.
type shapeMeter struct {
	fragments  map[string]*ast.FragmentDefinition
	measured   map[string]*shape // nil while the fragment is being measured
	directives int
	widest     int // largest selection set
	introspect bool
}

func (g *Guard) checkShape(doc *ast.QueryDocument) *gqlerror.Error {
	r := &shapeMeter{fragments: map[string]*ast.FragmentDefinition{}, measured: map[string]*shape{}}
	for _, f := range doc.Fragments {
		r.fragments[f.Name] = f
		r.directives += len(f.Directives)
	}
	for _, f := range doc.Fragments {
		r.fragmentShape(f.Name)
	}
	var worst shape
	roots := 0
	for _, op := range doc.Operations {
		r.directives += len(op.Directives)
		for _, v := range op.VariableDefinitions {
			r.directives += len(v.Directives)
		}
		m := r.selectionShape(op.SelectionSet)
		worst = shape{max(worst.fields, m.fields), max(worst.aliases, m.aliases), max(worst.depth, m.depth)}
		roots = max(roots, r.countRoots(op.SelectionSet, map[string]bool{}))
	}
	switch {
	case r.widest > g.Selections:
		return exceeded("a selection set has %d selections, more than %d", r.widest, g.Selections)
	case worst.fields > g.Fields:
		return exceeded("the operation has more than %d fields", g.Fields)
	case worst.aliases > g.Aliases:
		return exceeded("the operation has more than %d aliases", g.Aliases)
	case worst.depth > g.Depth:
		return exceeded("the operation is %d levels deep, more than %d", worst.depth, g.Depth)
	case roots > g.RootFields:
		return exceeded("the operation has more than %d root fields", g.RootFields)
	case r.directives > g.Directives:
		return exceeded("the document has %d directives, more than %d", r.directives, g.Directives)
	case r.introspect && !g.Introspection:
		return refuse(graph.CodeInvalidRequest, "introspection is disabled; see schema.graphqls")
	}
	return nil
}

func (r *shapeMeter) selectionShape(set ast.SelectionSet) shape {
	r.widest = max(r.widest, len(set))
	var m shape
	for _, s := range set {
		var part shape
		switch s := s.(type) {
		case *ast.Field:
			r.directives += len(s.Directives)
			part = r.selectionShape(s.SelectionSet)
			part.fields++
			part.depth++
			if s.Alias != s.Name {
				part.aliases++
			}
			if s.Name == "__schema" || s.Name == "__type" {
				r.introspect = true
				part.depth = 1 // a validation rule limits the nesting of introspection
			}
		case *ast.InlineFragment:
			r.directives += len(s.Directives)
			part = r.selectionShape(s.SelectionSet)
		case *ast.FragmentSpread:
			r.directives += len(s.Directives)
			part = r.fragmentShape(s.Name)
		}
		m.fields = min(countLimit, m.fields+part.fields)
		m.aliases = min(countLimit, m.aliases+part.aliases)
		m.depth = max(m.depth, part.depth)
	}
	return m
}

func (r *shapeMeter) fragmentShape(name string) shape {
	m, begun := r.measured[name]
	if m != nil {
		return *m
	}
	f := r.fragments[name]
	if begun || f == nil {
		return shape{}
	}
	r.measured[name] = nil
	found := r.selectionShape(f.SelectionSet)
	r.measured[name] = &found
	return found
}

// countRoots counts the root fields; each fragment counts once.
func (r *shapeMeter) countRoots(set ast.SelectionSet, seen map[string]bool) int {
	n := 0
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			n++
		case *ast.InlineFragment:
			n += r.countRoots(s.SelectionSet, seen)
		case *ast.FragmentSpread:
			if f := r.fragments[s.Name]; f != nil && !seen[s.Name] {
				seen[s.Name] = true
				n += r.countRoots(f.SelectionSet, seen)
			}
		}
	}
	return n
}

// RootFields are the root fields of a valid operation that are resolved, those of its fragments among them.
func RootFields(op *ast.OperationDefinition) []*ast.Field {
	return slices.DeleteFunc(rootFields(op.SelectionSet), func(f *ast.Field) bool { return f.Name == "__typename" })
}

// rootFields are the fields at the root of a selection.
func rootFields(set ast.SelectionSet) []*ast.Field {
	var fields []*ast.Field
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			fields = append(fields, s)
		case *ast.InlineFragment:
			fields = append(fields, rootFields(s.SelectionSet)...)
		case *ast.FragmentSpread:
			fields = append(fields, rootFields(s.Definition.SelectionSet)...)
		}
	}
	return fields
}
