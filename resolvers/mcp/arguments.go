package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/validator/core"

	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/graph"
)

// kind is the JSON type of an argument.
type kind string

// The kinds of arguments.
const (
	text   kind = "string"
	whole  kind = "integer"
	yesNo  kind = "boolean"
	texts  kind = "array"
	object kind = "object"
	asOf   kind = "asOf"  // a string: a time, and without a year the latest one; see parseTime
	until  kind = "until" // the same, and without a year the next one
)

// accepted says what a time may be written as, in the declaration of each. An error says more.
const accepted = `RFC 3339, a day (2026-03-01) or "last Friday"`

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
		case asOf, until:
			s["type"], p.about = text, p.about+": "+accepted
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

// decode checks the arguments of a call at the instant now. The error names the argument at fault and says what
// would be right.
func decode(params []param, raw json.RawMessage, now time.Time) (arguments, error) {
	if err := graph.CheckJSON("the text of the arguments", raw); err != nil { // over standard input nothing has looked at it
		return nil, err
	}
	given := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(raw)) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, graph.FieldError(graph.CodeInvalidRequest, "arguments", "must be a JSON object")
		}
	}
	if err := checkNames(params, given); err != nil { // first: what is missing may be there under another name
		return nil, err
	}
	out := arguments{}
	for _, p := range params {
		value, there := given[p.name]
		if !there || string(value) == "null" {
			if p.required {
				return nil, graph.FieldError(graph.CodeInvalidRequest, p.name, "is required")
			}
			continue
		}
		decoded, message := p.decode(value, now)
		if message != "" {
			return nil, graph.FieldError(graph.CodeInvalidRequest, p.name, "%s", message)
		}
		out[p.name] = decoded
	}
	return out, nil
}

// checkNames refuses an argument that the tool does not have. The error suggests what it may stand for: a name that is not given and
// differs little or, if there is none, the first that is missing.
func checkNames(params []param, given map[string]json.RawMessage) error {
	var names, free []string
	missing := ""
	for _, p := range params {
		names = append(names, p.name)
		if _, there := given[p.name]; !there {
			free = append(free, p.name)
			if p.required && missing == "" {
				missing = p.name
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if slices.Contains(names, name) {
			continue
		}
		hint := ""
		if near := core.SuggestionList(shortened(name), free); len(near) > 0 {
			hint = "; did you mean " + near[0] + "?"
		} else if missing != "" {
			hint = "; " + missing + " is required"
		}
		return graph.FieldError(graph.CodeInvalidRequest, shortened(name), "is no argument of this tool, which has %s%s", strings.Join(names, ", "), hint)
	}
	return nil
}

// shortened cuts a name that came from outside.
func shortened(name string) string {
	if len(name) > 64 {
		return strings.ToValidUTF8(name[:64], "") + "…"
	}
	return name
}

// decode returns the value of an argument, or a message that says what would be right.
func (p param) decode(raw json.RawMessage, now time.Time) (value any, message string) {
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
	if p.kind == asOf || p.kind == until {
		return parseTime(s, now, p.kind == until)
	}
	return s, ""
}

// parseTime reads a time of RFC 3339, or what names one day, week, month or year, which means its end in UTC: what was true as of a day
// was true when it ended, and what is true until a day is true on it.
func parseTime(s string, now time.Time, ahead bool) (any, string) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, ""
	}
	if d, err := time.Parse(time.DateOnly, s); err == nil {
		return d.AddDate(0, 0, 1).Add(-time.Millisecond), ""
	}
	if t, certain := temporal.EndOf(s, now, ahead); certain {
		return t, ""
	}
	return nil, "must be a date such as 2026-03-02 or 2026-03, a time such as 2026-03-02T09:00:00Z, or words for one day, week, month or year, " +
		"such as yesterday, last Friday or March 2026"
}

func number(n int) string { raw, _ := json.Marshal(n); return string(raw) }

func (a arguments) text(name string) string    { s, _ := a[name].(string); return s }
func (a arguments) yes(name string) bool       { b, _ := a[name].(bool); return b }
func (a arguments) texts(name string) []string { l, _ := a[name].([]string); return l }
func (a arguments) at(name string) time.Time   { t, _ := a[name].(time.Time); return t }

// asOf says how the argument asOf was read, in a line of its own; empty: it was not given.
func (a arguments) asOf() string {
	if t := a.at("asOf"); !t.IsZero() {
		return "As of " + t.UTC().Format(time.RFC3339) + ":\n"
	}
	return ""
}

// whole returns an argument, or otherwise.
func (a arguments) whole(name string, otherwise int) int {
	if n, there := a[name].(int); there {
		return n
	}
	return otherwise
}
