// Package hint says what would be right where a request is refused: the input at fault by its path,
// the values of an enum, and the nearest name of the schema.
//
// Everything is read from the schema, so a new field or enum needs no entry here. Literals are
// covered by validation rules (Rules), variables and decoded arguments by their paths (Explain).
package hint

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// Explain returns what is wrong at a path below an input of type typ, and what would be right.
// message is the text of the error, which is kept unless the schema says more. With names false
// the result has no name of the schema that was not in the request.
func Explain(schema *ast.Schema, typ *ast.Type, path ast.Path, message string, names bool) string {
	def := schema.Types[typ.Name()]
	for _, part := range path {
		name, isName := part.(ast.PathName)
		if !isName || def == nil {
			continue // an item of a list has the type that its list names
		}
		field := def.Fields.ForName(string(name))
		if field == nil {
			message = fmt.Sprintf("is not a field of %s", def.Name)
			if names {
				message += nearest(string(name), fieldNames(def))
			}
			return message
		}
		def = schema.Types[field.Type.Name()]
	}
	if def != nil && names {
		message = message + allowed(def)
	}
	return message
}

// allowed lists the values of an enum, and is empty for every other type.
func allowed(def *ast.Definition) string {
	if def.Kind != ast.Enum {
		return ""
	}
	values := make([]string, len(def.EnumValues))
	for i, v := range def.EnumValues {
		values[i] = v.Name
	}
	return "; allowed: " + strings.Join(values, ", ")
}

// nearest suggests the names that differ least from what was written; if none is near, it lists all.
func nearest(written string, names []string) string {
	if near := core.SuggestionList(written, names); len(near) > 0 {
		return "; did you mean " + core.OrList(near...) + "?"
	}
	return "; it has " + strings.Join(names, ", ")
}

func fieldNames(def *ast.Definition) []string {
	names := make([]string, len(def.Fields))
	for i, f := range def.Fields {
		names[i] = f.Name
	}
	return names
}

// Dotted is a path as a field of an error: names and indexes with dots between them. A leading
// "input" is left out if a name follows it.
func Dotted(path ast.Path) string {
	if len(path) > 1 && path[0] == ast.PathName("input") {
		if _, named := path[1].(ast.PathName); named {
			path = path[1:]
		}
	}
	words := make([]string, len(path))
	for i, p := range path {
		words[i] = fmt.Sprint(p)
	}
	return strings.Join(words, ".")
}
