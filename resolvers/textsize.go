package resolvers

import (
	"encoding/json"
	"reflect"

	"github.com/vektah/gqlparser/v2/ast"
)

// textSize is the least size in bytes that a value has in JSON, 0 for objects, whose fields count apart.
func textSize(v any) int {
	switch v := v.(type) {
	case string:
		return stringSize(v)
	case *string:
		if v == nil {
			return 0
		}
		return stringSize(*v)
	case json.RawMessage:
		return len(v)
	case *json.RawMessage:
		if v == nil {
			return 0
		}
		return len(*v)
	case nil:
		return 0
	}
	return reflectedSize(reflect.ValueOf(v))
}

// stringSize is the size of a text in JSON.
func stringSize(s string) int {
	n := len(s) + len(`""`)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"', c == '\\', c == '\n', c == '\r', c == '\t':
			n++
		case c < ' ':
			n += len(`u0000`)
		}
	}
	return n
}

// reflectedSize is textSize for values of other types.
func reflectedSize(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.String:
		return stringSize(v.String())
	case reflect.Pointer, reflect.Interface:
		return reflectedSize(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			n += reflectedSize(v.Index(i)) + 1
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			n += reflectedSize(key) + reflectedSize(value) + 1
		}
	case reflect.Struct, reflect.Invalid:
	default:
		return 1
	}
	return n
}

// objects is the number of objects in the value of a field that returns an object or a list of them.
func objects(v any) int {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Slice:
		return r.Len()
	case reflect.Pointer:
		if r.IsNil() {
			return 0
		}
		return 1
	case reflect.Invalid:
		return 0
	default:
		return 1
	}
}

// typenameSize is the size of the names of types that an object with these selections has. gqlgen writes them without an interceptor.
func typenameSize(set ast.SelectionSet) (n int) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			if s.Name == "__typename" {
				n += fieldSize + len(s.Alias) + len(s.ObjectDefinition.Name)
			}
		case *ast.InlineFragment:
			n += typenameSize(s.SelectionSet)
		case *ast.FragmentSpread:
			n += typenameSize(s.Definition.SelectionSet)
		}
	}
	return n
}
