// Package strictjson decodes JSON that somebody may have changed so that two readers read it differently. encoding/json takes the last of
// repeated members, a member in another letter case, and a missing member as zero; these are refused here.
package strictjson

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Decode decodes one JSON value. Objects for structs have the members of the struct with exactly their names, each once and no others; those
// without omitempty or omitzero are required. Only a slice, map, pointer or interface may be null.
func Decode(text []byte, into any) error { return decode(text, into, true) }

// DecodeExact decodes one JSON value as Decode, but members may be missing, and others are ignored unless they differ from a member of the
// struct in letter case only. It is for what later versions may add to.
func DecodeExact(text []byte, into any) error { return decode(text, into, false) }

func decode(text []byte, into any, whole bool) error {
	w := &walk{d: json.NewDecoder(bytes.NewReader(text)), whole: whole, known: map[reflect.Type]map[string]member{}}
	w.d.UseNumber()
	if err := w.value(reflect.TypeOf(into).Elem(), 0); err != nil {
		return err
	}
	if _, err := w.d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is something after the end")
	}
	return json.Unmarshal(text, into)
}

// maxDepth is the deepest nesting.
const maxDepth = 64

// walk reads the members of a value before it is decoded.
type walk struct {
	d     *json.Decoder
	whole bool
	known map[reflect.Type]map[string]member
}

// member is a member of the objects for a struct.
type member struct {
	of       reflect.Type
	required bool
}

var (
	decodesItself = reflect.TypeFor[json.Unmarshaler]()
	decodesText   = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// members are those of the objects for a struct. Embedded structs are not for documents that are checked.
func (w *walk) members(t reflect.Type) map[string]member {
	all, ok := w.known[t]
	if ok {
		return all
	}
	all = map[string]member{}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		all[name] = member{f.Type, !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero")}
	}
	w.known[t] = all
	return all
}

// value reads one value for a type; nil: for none that is known.
func (w *walk) value(t reflect.Type, depth int) error {
	if depth > maxDepth {
		return errors.New("it is nested too deeply")
	}
	token, err := w.d.Token()
	if err != nil {
		return err
	}
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
		if token == nil {
			return nil
		}
	}
	if t != nil && (reflect.PointerTo(t).Implements(decodesItself) || reflect.PointerTo(t).Implements(decodesText)) {
		if token == nil && t.Kind() == reflect.Struct && w.whole {
			return errors.New("a value is null")
		}
		t = nil
	}
	kind := reflect.Interface
	if t != nil {
		kind = t.Kind()
	}
	switch token {
	case nil:
		if kind != reflect.Slice && kind != reflect.Map && kind != reflect.Interface && w.whole {
			return errors.New("a value is null")
		}
	case json.Delim('['):
		if t = elements(t, reflect.Slice, reflect.Array); t == nil && kind != reflect.Interface {
			return errors.New("a list is in the place of something else")
		}
		for w.d.More() {
			if err := w.value(t, depth+1); err != nil {
				return err
			}
		}
		_, err = w.d.Token()
	case json.Delim('{'):
		err = w.object(t, kind, depth)
	}
	return err
}

// elements is the type of the elements of a type of one of the kinds; nil: it is of another one.
func elements(t reflect.Type, kinds ...reflect.Kind) reflect.Type {
	for _, k := range kinds {
		if t != nil && t.Kind() == k {
			return t.Elem()
		}
	}
	return nil
}

// object reads the members of an object, after its begin.
func (w *walk) object(t reflect.Type, kind reflect.Kind, depth int) error {
	var known map[string]member
	switch kind {
	case reflect.Struct:
		known = w.members(t)
	case reflect.Map, reflect.Interface:
	default:
		return errors.New("an object is in the place of something else")
	}
	seen := map[string]bool{}
	for w.d.More() {
		token, err := w.d.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		if seen[name] {
			return fmt.Errorf("the member %q is there twice", name)
		}
		seen[name] = true
		of := elements(t, reflect.Map)
		if kind == reflect.Struct {
			m, ok := known[name]
			if err := w.other(known, name, ok); err != nil {
				return err
			}
			of = m.of
		}
		if err := w.value(of, depth+1); err != nil {
			return err
		}
	}
	for name, m := range known {
		if w.whole && m.required && !seen[name] {
			return fmt.Errorf("the member %q is missing", name)
		}
	}
	_, err := w.d.Token()
	return err
}

// other refuses a member that the struct does not have.
func (w *walk) other(known map[string]member, name string, ok bool) error {
	if ok {
		return nil
	}
	for k := range known {
		if strings.EqualFold(k, name) {
			return fmt.Errorf("the member %q is not %q", name, k)
		}
	}
	if w.whole {
		return fmt.Errorf("the member %q is unknown", name)
	}
	return nil
}
