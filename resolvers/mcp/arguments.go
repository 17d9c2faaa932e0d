package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// kind is the JSON type of an argument.
type kind string

// The kinds of arguments.
const (
	text    kind = "string"
	whole   kind = "integer"
	yesNo   kind = "boolean"
	texts   kind = "array"
	object  kind = "object"
	instant kind = "instant" // a string: RFC 3339, or a date
)

// param declares one argument of a tool. The schema that clients see and the check of what they
// send both come from it.
type param struct {
	name     string
	kind     kind
	about    string // description; empty: the name says it
	required bool
	enum     []string // of text: the allowed values
	min, max int      // of whole: the range
}

// schema returns the JSON Schema of the arguments.
func schema(params []param) json.RawMessage {
	properties := map[string]any{}
	var required []string
	for _, p := range params {
		s := map[string]any{"type": p.kind}
		switch p.kind {
		case instant:
			s["type"] = text
		case texts:
			s["items"] = map[string]any{"type": text}
		}
		if p.about != "" {
			s["description"] = p.about
		}
		if p.enum != nil {
			s["enum"] = p.enum
		}
		properties[p.name] = s
		if p.required {
			required = append(required, p.name)
		}
	}
	out := map[string]any{"type": object, "properties": properties}
	if required != nil {
		out["required"] = required
	}
	raw, err := json.Marshal(out)
	if err != nil {
		panic(err) // maps of strings
	}
	return raw
}

// arguments are the checked arguments of a call, by name.
type arguments map[string]any

// decode checks the arguments of a call. The error names the argument at fault and says what
// would be right.
func decode(params []param, raw json.RawMessage) (arguments, error) {
	if err := graph.CheckJSON("the text of the arguments", raw); err != nil { // over standard input nothing has looked at it
		return nil, err
	}
	given := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(raw)) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, graph.FieldError(graph.CodeInvalidRequest, "arguments", "must be a JSON object")
		}
	}
	out := arguments{}
	for _, p := range params {
		value, there := given[p.name]
		delete(given, p.name)
		if !there || string(value) == "null" {
			if p.required {
				return nil, graph.FieldError(graph.CodeInvalidRequest, p.name, "is required")
			}
			continue
		}
		decoded, message := p.decode(value)
		if message != "" {
			return nil, graph.FieldError(graph.CodeInvalidRequest, p.name, "%s", message)
		}
		out[p.name] = decoded
	}
	if len(given) > 0 {
		names := make([]string, len(params))
		for i, p := range params {
			names[i] = p.name
		}
		unknown := slices.Min(slices.Collect(maps.Keys(given)))
		return nil, graph.FieldError(graph.CodeInvalidRequest, shortened(unknown), "is no argument of this tool, which has %s", strings.Join(names, ", "))
	}
	return out, nil
}

// shortened cuts a name that came from outside.
func shortened(name string) string {
	if len(name) > 64 {
		return strings.ToValidUTF8(name[:64], "") + "…"
	}
	return name
}

// decode returns the value of an argument, or a message that says what would be right.
func (p param) decode(raw json.RawMessage) (value any, message string) {
	switch p.kind {
	case whole:
		var f float64
		if json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) || f < float64(p.min) || f > float64(p.max) {
			return nil, "must be a whole number from " + number(p.min) + " to " + number(p.max)
		}
		return int(f), ""
	case yesNo:
		var b bool
		if json.Unmarshal(raw, &b) != nil {
			return nil, "must be true or false"
		}
		return b, ""
	case texts:
		var list []string
		if json.Unmarshal(raw, &list) != nil {
			return nil, "must be a list of strings"
		}
		return list, ""
	case object:
		var o map[string]any
		if json.Unmarshal(raw, &o) != nil {
			return nil, "must be a JSON object"
		}
		return raw, ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return nil, "must be a string"
	}
	if p.required && strings.TrimSpace(s) == "" {
		return nil, "must not be empty"
	}
	if p.enum != nil && !slices.Contains(p.enum, s) {
		return nil, "must be one of " + strings.Join(p.enum, ", ")
	}
	if p.kind == instant {
		return parseInstant(s)
	}
	return s, ""
}

// parseInstant reads a time, or a date, which means the end of that day in UTC.
func parseInstant(s string) (any, string) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, ""
	}
	if d, err := time.Parse(time.DateOnly, s); err == nil {
		return d.AddDate(0, 0, 1).Add(-time.Millisecond), ""
	}
	return nil, "must be a date such as 2026-03-02, or a time such as 2026-03-02T09:00:00Z"
}

func number(n int) string { raw, _ := json.Marshal(n); return string(raw) }

func (a arguments) text(name string) string    { s, _ := a[name].(string); return s }
func (a arguments) yes(name string) bool       { b, _ := a[name].(bool); return b }
func (a arguments) texts(name string) []string { l, _ := a[name].([]string); return l }
func (a arguments) at(name string) time.Time   { t, _ := a[name].(time.Time); return t }

// whole returns an argument, or otherwise.
func (a arguments) whole(name string, otherwise int) int {
	if n, there := a[name].(int); there {
		return n
	}
	return otherwise
}
