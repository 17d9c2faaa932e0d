// Command generate writes the typed parts of the Go and Python clients from schema.graphqls and
// clients/operations.graphql. Run it in the root of the module:
//
//	go run ./clients/generate
package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

const (
	schemaFile     = "schema.graphqls"
	operationsFile = "clients/operations.graphql"
)

// directives are those of the operations file. They are not sent to the server.
const directives = `
directive @filled on VARIABLE_DEFINITION
directive @retry on MUTATION
directive @slow(seconds: Int!) on MUTATION
`

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	m, err := load()
	if err != nil {
		return err
	}
	files, err := python(m)
	if err != nil {
		return err
	}
	ours, err := golang(m)
	if err != nil {
		return err
	}
	maps.Copy(files, ours)
	for path, text := range files {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// model is what the clients need of the schema.
type model struct {
	schema     *ast.Schema
	operations []operation
	records    []record          // results, each after those that it contains
	inputs     []*ast.Definition // inputs in variables, each after those that it contains
	enums      []*ast.Definition // enums of records and variables, by name
}

// operation is one method of the clients.
type operation struct {
	name, doc string
	kind      ast.Operation
	document  string   // as sent to the server
	path      []string // from the root field to the result
	variables []variable
	result    *ast.Type // with the name of a record in place of the object's
	retry     bool
	seconds   int // time the call may take; 0: the default of the client
}

// variable is one argument of a method.
type variable struct {
	name, doc string
	typ       *ast.Type
	filled    bool
}

// optional reports whether a caller may leave the variable out.
func (v variable) optional() bool { return v.filled || !v.typ.NonNull }

// record is the result of a fragment.
type record struct {
	name, doc string
	base      string  // the record that it extends; empty: none
	inherited []field // those of the base
	fields    []field // its own
}

// all are the fields of a record with those of its base.
func (r record) all() []field { return slices.Concat(r.inherited, r.fields) }

// field is one value of a record.
type field struct {
	name, doc string
	typ       *ast.Type // with the name of a record in place of the object's
	kind      ast.DefinitionKind
}

func load() (*model, error) {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return nil, err
	}
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: schemaFile, Input: string(text)}, &ast.Source{Name: "directives", Input: directives})
	if err != nil {
		return nil, err
	}
	source, err := os.ReadFile(operationsFile)
	if err != nil {
		return nil, err
	}
	doc, errs := gqlparser.LoadQueryWithRules(schema, string(source), rules.NewDefaultRules())
	if len(errs) > 0 {
		return nil, fmt.Errorf("%s: %w", operationsFile, errs)
	}
	m := &model{schema: schema}
	used := map[string]bool{}
	for _, f := range doc.Fragments {
		if err := m.addRecord(doc, f, used); err != nil {
			return nil, err
		}
	}
	for _, o := range doc.Operations {
		if err := m.addOperation(doc, o, used); err != nil {
			return nil, fmt.Errorf("%s: %w", o.Name, err)
		}
	}
	for name := range used {
		if d := schema.Types[name]; d.Kind == ast.Enum {
			m.enums = append(m.enums, d)
		}
	}
	slices.SortFunc(m.enums, func(a, b *ast.Definition) int { return strings.Compare(a.Name, b.Name) })
	return m, nil
}

// addRecord adds a fragment after those that it spreads.
func (m *model) addRecord(doc *ast.QueryDocument, f *ast.FragmentDefinition, used map[string]bool) error {
	if slices.ContainsFunc(m.records, func(r record) bool { return r.name == f.Name }) {
		return nil
	}
	r := record{name: f.Name, doc: f.Definition.Description}
	for i, s := range f.SelectionSet {
		selected, ok := s.(*ast.Field)
		if !ok {
			base, ok := s.(*ast.FragmentSpread)
			if !ok || i > 0 {
				return fmt.Errorf("fragment %s: select fields, and before them at most one fragment", f.Name)
			}
			if err := m.addRecord(doc, doc.Fragments.ForName(base.Name), used); err != nil {
				return err
			}
			at := slices.IndexFunc(m.records, func(r record) bool { return r.name == base.Name })
			r.base, r.inherited = base.Name, m.records[at].all()
			continue
		}
		d := selected.Definition
		target := m.schema.Types[d.Type.Name()]
		out := field{name: d.Name, doc: d.Description, typ: d.Type, kind: target.Kind}
		switch target.Kind {
		case ast.Object:
			name, err := spread(selected.SelectionSet)
			if err != nil {
				return fmt.Errorf("fragment %s: %s: %w", f.Name, d.Name, err)
			}
			if err := m.addRecord(doc, doc.Fragments.ForName(name), used); err != nil {
				return err
			}
			out.typ = renamed(d.Type, name)
		case ast.Enum:
			used[target.Name] = true
		}
		r.fields = append(r.fields, out)
	}
	m.records = append(m.records, r)
	return nil
}

func (m *model) addOperation(doc *ast.QueryDocument, o *ast.OperationDefinition, used map[string]bool) error {
	if len(o.SelectionSet) != 1 {
		return fmt.Errorf("select one root field")
	}
	root := o.SelectionSet[0].(*ast.Field)
	path, last := []string{root.Name}, root
	for len(last.SelectionSet) == 1 {
		next, ok := last.SelectionSet[0].(*ast.Field)
		if !ok {
			break
		}
		path, last = append(path, next.Name), next
	}
	name, err := spread(last.SelectionSet)
	if err != nil {
		return err
	}
	result := renamed(last.Definition.Type, name)
	result.NonNull = true // a root field that is null comes with an error
	out := operation{
		name: o.Name, doc: comment(o.Comment), kind: o.Operation, path: path, result: result,
		retry: o.Operation == ast.Query || o.Directives.ForName("retry") != nil,
	}
	if d := o.Directives.ForName("slow"); d != nil {
		if out.seconds, err = strconv.Atoi(d.Arguments.ForName("seconds").Value.Raw); err != nil {
			return err
		}
	}
	described := m.descriptions(root)
	for _, v := range o.VariableDefinitions {
		out.variables = append(out.variables, variable{
			name: v.Variable, doc: described[v.Variable], typ: v.Type, filled: v.Directives.ForName("filled") != nil,
		})
		m.addInput(v.Definition, used)
	}
	out.document = document(doc, o)
	m.operations = append(m.operations, out)
	return nil
}

// addInput adds an input type, or notes the use of an enum.
func (m *model) addInput(d *ast.Definition, used map[string]bool) {
	switch d.Kind {
	case ast.Enum:
		used[d.Name] = true
	case ast.InputObject:
		if slices.Contains(m.inputs, d) {
			return
		}
		for _, f := range d.Fields {
			m.addInput(m.schema.Types[f.Type.Name()], used)
		}
		m.inputs = append(m.inputs, d)
	}
}

// descriptions are those of the schema's arguments and input fields, by the variable that they get.
func (m *model) descriptions(root *ast.Field) map[string]string {
	out := map[string]string{}
	describe(ast.SelectionSet{root}, out)
	return out
}

func describe(set ast.SelectionSet, out map[string]string) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.FragmentSpread:
			describe(s.Definition.SelectionSet, out)
		case *ast.Field:
			for _, a := range s.Arguments {
				if a.Value.Kind == ast.Variable {
					out[a.Value.Raw] = s.Definition.Arguments.ForName(a.Name).Description
				}
				for _, c := range a.Value.Children {
					out[c.Value.Raw] = a.Value.Definition.Fields.ForName(c.Name).Description
				}
			}
			describe(s.SelectionSet, out)
		}
	}
}

// spread returns the fragment of a selection that is nothing else.
func spread(set ast.SelectionSet) (string, error) {
	if len(set) == 1 {
		if s, ok := set[0].(*ast.FragmentSpread); ok {
			return s.Name, nil
		}
	}
	return "", fmt.Errorf("select an object by one fragment")
}

// renamed is a type with another name at its core.
func renamed(t *ast.Type, name string) *ast.Type {
	c := *t
	if c.Elem != nil {
		c.Elem = renamed(c.Elem, name)
	} else {
		c.NamedType = name
	}
	return &c
}

// document is the text of one operation with the fragments that it needs.
func document(doc *ast.QueryDocument, o *ast.OperationDefinition) string {
	sent := *o
	sent.Directives, sent.Comment = nil, nil
	sent.VariableDefinitions = nil
	for _, v := range o.VariableDefinitions {
		c := *v
		c.Directives, c.Comment = nil, nil
		sent.VariableDefinitions = append(sent.VariableDefinitions, &c)
	}
	out := &ast.QueryDocument{Operations: ast.OperationList{&sent}}
	var need func(ast.SelectionSet)
	need = func(set ast.SelectionSet) {
		for _, s := range set {
			switch s := s.(type) {
			case *ast.Field:
				need(s.SelectionSet)
			case *ast.FragmentSpread:
				if out.Fragments.ForName(s.Name) == nil {
					f := *doc.Fragments.ForName(s.Name)
					f.Comment = nil
					out.Fragments = append(out.Fragments, &f)
					need(f.SelectionSet)
				}
			}
		}
	}
	need(o.SelectionSet)
	var text bytes.Buffer
	formatter.NewFormatter(&text, formatter.WithIndent("")).FormatQueryDocument(out)
	return strings.Join(strings.Fields(text.String()), " ")
}

// comment is the text of the comment directly above an operation.
func comment(g *ast.CommentGroup) string {
	if g == nil {
		return ""
	}
	var lines []string
	line := 0
	for _, c := range g.List {
		if line != 0 && c.Position.Line != line+1 {
			lines = nil
		}
		line = c.Position.Line
		lines = append(lines, strings.TrimSpace(strings.TrimPrefix(c.Value, "#")))
	}
	return strings.Join(lines, " ")
}

// words cuts a name into lower-case words: ttlSeconds → ttl seconds.
func words(name string) []string {
	var out []string
	start := 0
	for i, r := range name {
		if i > start && r >= 'A' && r <= 'Z' {
			out = append(out, strings.ToLower(name[start:i]))
			start = i
		}
	}
	return append(out, strings.ToLower(name[start:]))
}

// snake is a name with underscores.
func snake(name string) string { return strings.Join(words(name), "_") }

// wrapped breaks a text into lines of at most width characters, each after a prefix.
func wrapped(text, prefix string, width int) string {
	var out strings.Builder
	line := prefix
	for _, w := range strings.Fields(text) {
		if line != prefix && len(line)+1+len(w) > width {
			out.WriteString(strings.TrimRight(line, " ") + "\n")
			line = prefix
		}
		if line != prefix {
			line += " "
		}
		line += w
	}
	if line != prefix {
		out.WriteString(line + "\n")
	}
	return out.String()
}
