package agents

import (
	"encoding/json"
	"strings"
)

// tomlFile is a configuration in TOML: a table for each server.
type tomlFile struct {
	container string // name of the table that holds the servers
}

func (f tomlFile) add(text string, s Server) (string, error) {
	rest, err := f.remove(text, s.Name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(rest)
	if rest != "" {
		if !strings.HasSuffix(rest, "\n") {
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
	b.WriteString("[" + f.container + "." + s.Name + "]\ncommand = " + tomlString(s.Command) + "\nargs = [")
	for i, a := range s.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(tomlString(a))
	}
	b.WriteString("]\n")
	return b.String(), nil
}

// tomlString is a basic string. Its escapes are those of JSON.
func tomlString(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings always encode
	}
	return string(raw)
}

// remove removes the table of a server and the tables under it, with the empty line before them.
func (f tomlFile) remove(text, name string) (string, error) {
	table := f.container + "." + name
	var kept []string
	within := false
	for _, line := range strings.SplitAfter(text, "\n") {
		if header, ok := tableOf(line); ok {
			own := header == table || strings.HasPrefix(header, table+".")
			if own && !within && len(kept) > 0 && strings.TrimSpace(kept[len(kept)-1]) == "" {
				kept = kept[:len(kept)-1]
			}
			within = own
		}
		if !within {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, ""), nil
}

// tableOf is the name of the table that a line begins, without quotes and spaces.
func tableOf(line string) (string, bool) {
	line, _, _ = strings.Cut(line, "#")
	inner, opened := strings.CutPrefix(strings.TrimSpace(line), "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !opened || !closed {
		return "", false
	}
	return strings.NewReplacer(" ", "", `"`, "", "'", "", "[", "", "]", "").Replace(inner), true
}
