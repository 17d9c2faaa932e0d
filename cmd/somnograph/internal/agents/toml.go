package agents

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// tomlFile is a configuration in TOML: a table for each server.
type tomlFile struct {
	container string // name of the table that holds the servers
}

// add sets how the server is started, in its table or in a new one. Other keys of the table stay.
func (f tomlFile) add(text string, s Server) (string, error) {
	table := []string{f.container, s.Name}
	args := make([]string, len(s.Args))
	for i, a := range s.Args {
		args[i] = tomlString(a)
	}
	command, list := tomlString(s.Command), "["+strings.Join(args, ", ")+"]"
	lines, err := f.read(text, s.Name)
	if err != nil {
		return "", err
	}
	header := slices.IndexFunc(lines, func(l statement) bool { return l.header && slices.Equal(l.path, table) })
	if header < 0 {
		if text != "" {
			text = strings.TrimSuffix(text, "\n") + "\n\n"
		}
		return text + "[" + strings.Join(table, ".") + "]\ncommand = " + command + "\nargs = " + list + "\n", nil
	}
	body := lines[header+1:]
	if next := slices.IndexFunc(body, func(l statement) bool { return l.header }); next >= 0 {
		body = body[:next]
	}
	var b strings.Builder
	end, missing := lines[header].end, ""
	for _, key := range []struct{ name, value string }{{"command", command}, {"args", list}} {
		if !slices.ContainsFunc(body, func(l statement) bool { return l.last() == key.name && len(l.path) == len(table)+1 }) {
			missing += key.name + " = " + key.value + "\n"
		}
	}
	b.WriteString(text[:end])
	if missing != "" && !strings.HasSuffix(text[:end], "\n") {
		b.WriteString("\n")
	}
	b.WriteString(missing)
	for _, l := range body {
		b.WriteString(text[end:l.start])
		switch end = l.end; {
		case len(l.path) != len(table)+1:
			b.WriteString(text[l.start:l.end])
		case l.last() == "url": // it was a server of another kind
		case l.last() == "command":
			b.WriteString(text[l.start:l.value] + command + text[l.valueEnd:l.end])
		case l.last() == "args":
			b.WriteString(text[l.start:l.value] + list + text[l.valueEnd:l.end])
		default:
			b.WriteString(text[l.start:l.end])
		}
	}
	return b.String() + text[end:], nil
}

// tomlString is a basic string. Its escapes are those of JSON.
func tomlString(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // strings always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// remove removes the table of a server and the tables under it, with the empty line before them.
func (f tomlFile) remove(text, name string) (string, error) {
	lines, err := f.read(text, name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	done, within := 0, false
	for _, l := range lines {
		own := under(l.path, []string{f.container, name})
		switch {
		case own && !within:
			kept := text[done:l.start]
			if before, empty := strings.CutSuffix(kept, "\n\n"); empty {
				kept = before + "\n"
			} else if kept == "\n" && done > 0 {
				kept = ""
			}
			b.WriteString(kept)
			done = l.end
		case own:
			done = l.end // with what stands between
		}
		within = own
	}
	return b.String() + text[done:], nil
}

// read reads the statements of a file, and refuses one in which the server, or the table of all servers, is
// written in a form that can't be added to.
func (f tomlFile) read(text, name string) ([]statement, error) {
	p := &tomlScanner{text: text}
	lines, err := p.statements()
	if err != nil {
		return nil, err
	}
	table := []string{f.container, name}
	for i, l := range lines {
		inline := !l.header && (slices.Equal(l.path, table[:1]) || slices.Equal(l.path, table))
		dotted := !l.header && under(l.path, table) && !slices.ContainsFunc(lines[:i], func(h statement) bool { return h.header && under(h.path, table) })
		if inline || dotted || l.header && l.array && under(table, l.path) {
			return nil, fmt.Errorf("line %d: %s has a form that can't be changed here; write it as a table [%s]", p.line(l.start), strings.Join(l.path, "."),
				strings.Join(table, "."))
		}
	}
	return lines, nil
}

// under tells whether a path begins with another.
func under(path, start []string) bool {
	return len(path) >= len(start) && slices.Equal(path[:len(start)], start)
}

// statement is the header of a table, or a key with its value. Offsets are in the text.
type statement struct {
	header, array   bool
	path            []string // of the table or, with that of its table, of the key
	start, end      int      // of its lines; end is exclusive
	value, valueEnd int      // of a key
}

func (l statement) last() string { return l.path[len(l.path)-1] }

// tomlScanner finds the statements of a TOML text. It checks how strings, lists and lines end, and not what
// values mean.
type tomlScanner struct {
	text string
	at   int
}

func (p *tomlScanner) line(at int) int { return 1 + strings.Count(p.text[:min(at, len(p.text))], "\n") }

func (p *tomlScanner) fail(message string) error {
	return fmt.Errorf("is not valid TOML at line %d: %s", p.line(p.at), message)
}

func (p *tomlScanner) rest() string { return p.text[p.at:] }

func (p *tomlScanner) next() byte {
	if p.at >= len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// skip skips white space and comments; lines tells whether also the ends of lines.
func (p *tomlScanner) skip(lines bool) {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ' ' || c == '\t' || c == '\r' || lines && c == '\n':
			p.at++
		case strings.HasPrefix(p.rest(), "\ufeff"):
			p.at += len("\ufeff")
		case c == '#':
			end := strings.IndexByte(p.rest(), '\n')
			if end < 0 {
				end = len(p.rest())
			}
			p.at += end
		default:
			return
		}
	}
}

func (p *tomlScanner) statements() ([]statement, error) {
	var all []statement
	var table []string
	for {
		p.skip(true)
		if p.at == len(p.text) {
			return all, nil
		}
		l := statement{start: 1 + strings.LastIndexByte(p.text[:p.at], '\n')}
		var err error
		if p.next() == '[' {
			l.header, err = true, p.header(&l)
			table = l.path
		} else {
			err = p.pair(&l, table)
		}
		if err != nil {
			return nil, err
		}
		p.skip(false)
		switch p.next() {
		case '\n':
			p.at++
		case 0:
		default:
			return nil, p.fail("the end of the line is expected")
		}
		l.end = p.at
		all = append(all, l)
	}
}

// header reads the header of a table.
func (p *tomlScanner) header(l *statement) (err error) {
	open, end := "[", "]"
	if l.array = strings.HasPrefix(p.rest(), "[["); l.array {
		open, end = "[[", "]]"
	}
	p.at += len(open)
	if l.path, err = p.key(); err != nil {
		return err
	}
	if !strings.HasPrefix(p.rest(), end) {
		return p.fail(end + " is expected")
	}
	p.at += len(end)
	return nil
}

// pair reads a key and its value.
func (p *tomlScanner) pair(l *statement, table []string) error {
	key, err := p.key()
	if err != nil {
		return err
	}
	l.path = slices.Concat(table, key)
	if p.next() != '=' {
		return p.fail("= is expected")
	}
	p.at++
	p.skip(false)
	l.value = p.at
	err = p.skipValue()
	l.valueEnd = p.at
	return err
}

// key reads a key, which may have dots, and the white space after it.
func (p *tomlScanner) key() ([]string, error) {
	var path []string
	for {
		p.skip(false)
		begin := p.at
		switch c := p.next(); c {
		case '"', '\'':
			if err := p.skipString(); err != nil {
				return nil, err
			}
			part := p.text[begin+1 : p.at-1]
			if c == '"' && json.Unmarshal([]byte(p.text[begin:p.at]), &part) != nil {
				return nil, p.fail("a key is wrong")
			}
			path = append(path, part)
		default:
			for p.at < len(p.text) && (p.next() == '_' || p.next() == '-' || p.next() >= '0' && p.next() <= '9' || p.next()|' ' >= 'a' && p.next()|' ' <= 'z') {
				p.at++
			}
			if begin == p.at {
				return nil, p.fail("a key is expected")
			}
			path = append(path, p.text[begin:p.at])
		}
		if p.skip(false); p.next() != '.' {
			return path, nil
		}
		p.at++
	}
}

// skipValue skips a value.
func (p *tomlScanner) skipValue() error {
	switch c := p.next(); c {
	case '"', '\'':
		return p.skipString()
	case '[', '{':
		end := byte(']')
		if c == '{' {
			end = '}'
		}
		for p.at++; ; {
			p.skip(true)
			switch p.next() {
			case end:
				p.at++
				return nil
			case ',', '=', '.': // what is between the values is not looked at
				p.at++
			case 0:
				return p.fail(string(end) + " is missing")
			default:
				if err := p.skipValue(); err != nil {
					return err
				}
			}
		}
	}
	end := strings.IndexAny(p.rest(), ",=]}# \t\r\n")
	if end < 0 {
		end = len(p.rest())
	}
	if end == 0 {
		return p.fail("a value is expected")
	}
	p.at += end
	return nil
}

// skipString skips a string of any of the four kinds.
func (p *tomlScanner) skipString() error {
	quote := p.rest()[:1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(p.rest(), long) {
		quote = long
	}
	for p.at += len(quote); p.at < len(p.text); p.at++ {
		switch {
		case strings.HasPrefix(p.rest(), quote):
			p.at += len(quote)
			for len(quote) == 3 && p.next() == quote[0] { // quotes before the end belong to the text
				p.at++
			}
			return nil
		case p.next() == '\\' && quote[0] == '"':
			p.at++
		case p.next() == '\n' && len(quote) == 1:
			return p.fail("a string does not end")
		}
	}
	return p.fail("a string does not end")
}
