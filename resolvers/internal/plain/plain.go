// Package plain encodes answers that need no resolver below their root field, such as the hits of
// a search. Its output equals gqlgen's byte for byte, but it allocates no context, closure and
// path for each field and starts no goroutine for each list item. gqlgen encodes the whole answer
// if the selection has a field with a resolver or arguments, uses @defer, if a value is not
// valid in the schema, or if the answer is large: it is counted while it is written.
package plain

import (
	"context"
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/resolvers/internal/scalar"
)

// Answers is a gqlgen extension that encodes the results of the root fields of queries and
// mutations.
type Answers struct{}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
} = Answers{}

// ExtensionName returns the name of the extension in gqlgen.
func (Answers) ExtensionName() string { return "Plain" }

// Validate accepts every schema.
func (Answers) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext encodes what the resolvers of the operation's root fields return.
func (Answers) MutateOperationContext(_ context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	if oc.Operation.Operation == ast.Subscription {
		return nil
	}
	inner := oc.ResolverMiddleware
	oc.ResolverMiddleware = func(ctx context.Context, next graphql.Resolver) (any, error) {
		v, err := inner(ctx, next)
		fc := graphql.GetFieldContext(ctx)
		if err != nil || v == nil || !fc.IsResolver || fc.Object != "Query" && fc.Object != "Mutation" {
			return v, err
		}
		if b, ok := Append(nil, oc, fc.Field.Selections, v); ok {
			return encoded(b), nil
		}
		return v, nil
	}
	return nil
}

// encoded is a JSON value.
type encoded []byte

// MarshalGQL writes the value unchanged.
func (b encoded) MarshalGQL(w io.Writer) {
	_, _ = w.Write(b) // w is a buffer in memory, whose writes do not fail
}

// Size is the size in bytes of a root field that Answers encoded; 0: gqlgen encodes it.
func Size(field graphql.Marshaler) int {
	b, _ := field.(encoded)
	return len(b)
}

// Append appends the selected fields of v, a pointer to a model, as a JSON object. It returns
// false if gqlgen has to encode v; the returned slice is then not valid.
func Append(b []byte, oc *graphql.OperationContext, sel ast.SelectionSet, v any) ([]byte, bool) {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() || !isModel(p.Type().Elem()) {
		return b, false
	}
	plan, ok := planOf(oc, sel, p.Type().Elem())
	if !ok {
		return b, false
	}
	return plan.append(b, p.Elem())
}

// plan lists the selected fields of a model in the order of the selection.
type plan []step

// step is one field of a plan.
type step struct {
	key      string // the text before the value: separator, quoted name and colon
	field    int    // index of the struct field, or typename
	typ      *ast.Type
	children plan // if the field holds a model or a list of models
}

// typename as the field of a step says that the key includes the value.
const typename = -1

// planOf returns the plan of a selection on a model, and false if gqlgen has to encode it.
func planOf(oc *graphql.OperationContext, sel ast.SelectionSet, model reflect.Type) (plan, bool) {
	known := fieldsOf(model)
	fields := graphql.CollectFields(oc, sel, []string{model.Name()})
	p := make(plan, 0, len(fields))
	for i, f := range fields {
		sep := `,"`
		if i == 0 {
			sep = `{"`
		}
		s := step{key: sep + f.Alias + `":`}
		if f.Name == "__typename" {
			s.key, s.field = s.key+`"`+model.Name()+`"`, typename
			p = append(p, s)
			continue
		}
		at, has := known[f.Name]
		if !has || len(f.Deferrables) > 0 || len(f.Definition.Arguments) > 0 {
			return nil, false
		}
		s.field, s.typ = at, f.Definition.Type
		if inner := elementType(model.Field(at).Type); isModel(inner) {
			var ok bool
			if s.children, ok = planOf(oc, f.Selections, inner); !ok {
				return nil, false
			}
		}
		p = append(p, s)
	}
	return p, len(p) > 0
}

// models caches fieldsOf.
var models sync.Map // reflect.Type → map[string]int

// fieldsOf returns the indices of the struct fields of a model by their names in the schema.
func fieldsOf(model reflect.Type) map[string]int {
	if m, cached := models.Load(model); cached {
		return m.(map[string]int)
	}
	m := make(map[string]int, model.NumField())
	for i := range model.NumField() {
		name, _, _ := strings.Cut(model.Field(i).Tag.Get("json"), ",")
		if name != "" && name != "-" {
			m[name] = i
		}
	}
	models.Store(model, m)
	return m
}

var (
	timeType = reflect.TypeFor[time.Time]()
	jsonType = reflect.TypeFor[json.RawMessage]()
	enumType = reflect.TypeFor[graphql.Marshaler]()
)

// isModel reports whether a Go type is an object type of the schema.
func isModel(t reflect.Type) bool { return t.Kind() == reflect.Struct && t != timeType }

// elementType removes pointers and lists from a type.
func elementType(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice && t != jsonType {
		t = t.Elem()
	}
	return t
}

// append appends the JSON object of a model.
func (p plan) append(b []byte, model reflect.Value) ([]byte, bool) {
	for i := range p {
		s := &p[i]
		b = append(b, s.key...)
		if s.field == typename {
			continue
		}
		var ok bool
		if b, ok = s.value(b, model.Field(s.field), s.typ); !ok {
			return b, false
		}
	}
	return append(b, '}'), true
}

// largest is the size in bytes up to which answers are encoded here.
const largest = 1 << 20

// value appends a value whose type in the schema is t.
func (s *step) value(b []byte, v reflect.Value, t *ast.Type) ([]byte, bool) {
	if len(b) > largest {
		return b, false
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return null(b, t)
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() != timeType {
			return s.children.append(b, v)
		}
		at := v.Interface().(time.Time)
		if at.IsZero() {
			return null(b, t)
		}
		return append(at.UTC().AppendFormat(append(b, '"'), scalar.Layout), '"'), true
	case reflect.Slice:
		if v.Type() == jsonType {
			if v.Len() == 0 {
				return null(b, t)
			}
			return append(b, v.Bytes()...), true
		}
		return s.list(b, v, t)
	case reflect.String:
		if v.Type().Implements(enumType) {
			return strconv.AppendQuote(b, v.String()), true
		}
		return quoted(b, v.String()), true
	case reflect.Int:
		return strconv.AppendInt(b, v.Int(), 10), int64(int32(v.Int())) == v.Int()
	case reflect.Float64:
		f := v.Float()
		if f-f != 0 { // not finite
			return null(b, t)
		}
		return strconv.AppendFloat(b, f, 'g', -1, 64), true
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), true
	}
	return b, false
}

// list appends a list whose type in the schema is t.
func (s *step) list(b []byte, v reflect.Value, t *ast.Type) ([]byte, bool) {
	if t.Elem == nil {
		return b, false
	}
	if v.IsNil() && !t.NonNull {
		return null(b, t)
	}
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		var ok bool
		if b, ok = s.value(b, v.Index(i), t.Elem); !ok {
			return b, false
		}
	}
	return append(b, ']'), true
}

// null appends null. It returns false if the type t is non-null.
func null(b []byte, t *ast.Type) ([]byte, bool) { return append(b, "null"...), !t.NonNull }

const hex = "0123456789ABCDEF"

// quoted appends a string as gqlgen encodes it: control characters, quotes and backslashes are
// escaped, all other bytes are unchanged.
func quoted(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '\\' && c != '"' {
			continue
		}
		b = append(b, s[from:i]...)
		switch c {
		case '\t':
			b = append(b, `\t`...)
		case '\r':
			b = append(b, `\r`...)
		case '\n':
			b = append(b, `\n`...)
		case '\\', '"':
			b = append(b, '\\', c)
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		from = i + 1
	}
	return append(append(b, s[from:]...), '"')
}
