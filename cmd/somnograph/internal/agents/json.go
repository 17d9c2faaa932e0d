package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// jsonFile is a configuration in JSON, which may have comments and trailing commas.
type jsonFile struct {
	container string // key of the object that holds the servers
	typed     bool   // an entry says its type
}

// member is one member of an object, by offsets in the text.
type member struct {
	key        string
	start      int // of the key
	value, end int // of the value; end is exclusive
}

// objectText is an object or an array, by offsets in the text.
type objectText struct {
	start, end int // of the brackets; end is exclusive
	members    []member
	comma      bool // after the last member
}

func (o *objectText) find(key string) (int, bool) {
	for i, m := range o.members {
		if m.key == key {
			return i, true
		}
	}
	return 0, false
}

func (f jsonFile) add(text string, s Server) (string, error) {
	if strings.TrimSpace(text) == "" {
		return "{\n  \"" + f.container + "\": {\n    \"" + s.Name + "\": " + s.entry(f.typed, "    ") + "\n  }\n}\n", nil
	}
	top, servers, err := f.parse(text)
	if err != nil {
		return "", err
	}
	if servers == nil {
		if i, there := top.find(f.container); there { // it is null
			m := top.members[i]
			return text[:m.value] + "{\n    \"" + s.Name + "\": " + s.entry(f.typed, "    ") + "\n  }" + text[m.end:], nil
		}
		return insert(text, top, "  ", "\""+f.container+"\": {\n    \""+s.Name+"\": "+s.entry(f.typed, "    ")+"\n  }"), nil
	}
	if i, there := servers.find(s.Name); there {
		return f.update(text, servers.members[i], s)
	}
	return insert(text, servers, "    ", "\""+s.Name+"\": "+s.entry(f.typed, "    ")), nil
}

// update sets how the server is started in its entry. Other members of the entry, such as its environment, stay.
func (f jsonFile) update(text string, m member, s Server) (string, error) {
	for _, x := range []struct {
		key   string
		value any
	}{{"command", s.Command}, {"args", s.Args}, {"type", "stdio"}} {
		if x.key == "type" && !f.typed {
			continue
		}
		entry, err := (&scanner{text: text, at: m.value}).object()
		if err != nil { // something else stands for the entry
			return text[:m.value] + s.entry(f.typed, "    ") + text[m.end:], nil
		}
		value := indented(x.value, "      ")
		if i, there := entry.find(x.key); there {
			at := entry.members[i]
			if !sameJSON(text[at.value:at.end], value) {
				text = text[:at.value] + value + text[at.end:]
			}
			continue
		}
		text = insert(text, entry, "      ", "\""+x.key+"\": "+value)
	}
	for _, other := range []string{"url", "headers"} { // it was a server of another kind
		entry, err := (&scanner{text: text, at: m.value}).object()
		if err != nil {
			return "", err
		}
		if i, there := entry.find(other); there {
			text = cut(text, entry, i)
		}
	}
	return text, nil
}

// sameJSON tells whether two texts without comments are the same value.
func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// indented is a value as JSON, with the indentation of its second and later lines.
func indented(value any, indent string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(indent, "  ")
	if err := e.Encode(value); err != nil {
		panic(err) // strings and lists of strings always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// insert adds a member at the end of an object.
func insert(text string, o *objectText, indent, added string) string {
	if len(o.members) == 0 {
		return text[:o.start+1] + "\n" + indent + added + "\n" + indent[2:] + text[o.end-1:]
	}
	last := o.members[len(o.members)-1].end
	return text[:last] + ",\n" + indent + added + text[last:]
}

func (f jsonFile) remove(text, name string) (string, error) {
	if strings.TrimSpace(text) == "" {
		return text, nil
	}
	top, servers, err := f.parse(text)
	if err != nil || servers == nil {
		return text, err
	}
	i, there := servers.find(name)
	switch {
	case !there:
		return text, nil
	case len(servers.members) > 1:
		return cut(text, servers, i), nil
	case len(top.members) > 1:
		at, _ := top.find(f.container)
		return cut(text, top, at), nil
	}
	return "", nil // nothing else was in it
}

// cut removes a member that is not the only one, with the comma that separates it.
func cut(text string, o *objectText, i int) string {
	if i > 0 {
		return text[:o.members[i-1].end] + text[o.members[i].end:]
	}
	return text[:o.members[0].start] + text[o.members[1].start:]
}

// parse finds the top-level object and the one that holds the servers; nil: there is none yet.
func (f jsonFile) parse(text string) (top, servers *objectText, err error) {
	p := &scanner{text: text}
	p.space()
	if top, err = p.object(); err != nil {
		return nil, nil, err
	}
	p.space()
	if p.at != len(text) {
		return nil, nil, p.fail("unexpected text after the object")
	}
	i, there := top.find(f.container)
	if !there || text[top.members[i].value:top.members[i].end] == "null" {
		return top, nil, nil
	}
	inner := &scanner{text: text, at: top.members[i].value}
	if servers, err = inner.object(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.container, err)
	}
	return top, servers, nil
}

// scanner reads JSON with comments.
type scanner struct {
	text string
	at   int
}

func (p *scanner) fail(message string) error {
	return fmt.Errorf("is not valid JSON at line %d: %s", 1+strings.Count(p.text[:min(p.at, len(p.text))], "\n"), message)
}

// next is the next byte; 0 at the end.
func (p *scanner) next() byte {
	if p.at >= len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// space skips white space, comments and a byte order mark.
func (p *scanner) space() {
	for p.at < len(p.text) {
		rest := p.text[p.at:]
		switch {
		case strings.ContainsRune(" \t\r\n", rune(rest[0])):
			p.at++
		case strings.HasPrefix(rest, "\ufeff"):
			p.at += len("\ufeff")
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			p.at += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				p.at = len(p.text)
				return
			}
			p.at += end + 2
		default:
			return
		}
	}
}

// object reads an object.
func (p *scanner) object() (*objectText, error) {
	if p.next() != '{' {
		return nil, p.fail("an object is expected")
	}
	o := &objectText{start: p.at}
	p.at++
	for {
		p.space()
		if p.next() == '}' {
			p.at++
			o.end = p.at
			return o, nil
		}
		if len(o.members) > 0 && !o.comma {
			return nil, p.fail("a comma or a brace is expected")
		}
		m := member{start: p.at}
		if err := p.string(&m.key); err != nil {
			return nil, err
		}
		p.space()
		if p.next() != ':' {
			return nil, p.fail("a colon is expected")
		}
		p.at++
		p.space()
		m.value = p.at
		if err := p.value(); err != nil {
			return nil, err
		}
		m.end = p.at
		o.members = append(o.members, m)
		p.space()
		if o.comma = p.next() == ','; o.comma {
			p.at++
		}
	}
}

// array reads an array. Its members have no keys; each starts with its value.
func (p *scanner) array() (*objectText, error) {
	if p.next() != '[' {
		return nil, p.fail("an array is expected")
	}
	a := &objectText{start: p.at}
	p.at++
	for {
		p.space()
		switch p.next() {
		case ']':
			p.at++
			a.end = p.at
			return a, nil
		case ',':
			p.at++
			continue
		}
		m := member{start: p.at, value: p.at}
		if err := p.value(); err != nil {
			return nil, err
		}
		m.end = p.at
		a.members = append(a.members, m)
	}
}

// value skips a value.
func (p *scanner) value() error {
	switch c := p.next(); {
	case c == '{':
		_, err := p.object()
		return err
	case c == '"':
		return p.string(new(string))
	case c == '[':
		_, err := p.array()
		return err
	}
	end := p.at
	for end < len(p.text) && !strings.ContainsRune(",]} \t\r\n/", rune(p.text[end])) {
		end++
	}
	if !json.Valid([]byte(p.text[p.at:end])) {
		return p.fail("a value is expected")
	}
	p.at = end
	return nil
}

// string reads a string.
func (p *scanner) string(out *string) error {
	if p.next() != '"' {
		return p.fail("a string is expected")
	}
	for end := p.at + 1; end < len(p.text); end++ {
		switch p.text[end] {
		case '\\':
			end++
		case '"':
			err := json.Unmarshal([]byte(p.text[p.at:end+1]), out)
			if err != nil {
				return errors.Join(p.fail("a string is wrong"), err)
			}
			p.at = end + 1
			return nil
		}
	}
	return p.fail("a string does not end")
}
