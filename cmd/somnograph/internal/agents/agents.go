// Package agents edits the configuration files of agents: it adds a tool server to them and
// removes it, and leaves everything else in the files as it is, comments included.
package agents

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Server is the entry in a configuration: how the agent starts the server.
type Server struct {
	Name    string // letters, digits, - and _
	Command string
	Args    []string

	// Of Hooks only, whose command passes events on: where the others are sent, and the
	// environment variable that holds the key; empty: no key.
	URL, KeyVariable string
}

// Agent is a program that uses tool servers.
type Agent struct {
	Name    string // as the command line names it
	Desktop bool   // it is started by the desktop, whose PATH is not that of a shell
	path    func(m Machine) string
	edit    format
}

// Machine is where the files of an agent are looked for.
type Machine struct {
	OS       string // as runtime.GOOS
	Home     string
	Variable func(name string) string // environment variable; empty: not set
}

// format edits the text of a configuration.
type format interface {
	add(text string, s Server) (string, error)
	remove(text string, name string) (string, error)
}

// All lists the agents.
var All = []Agent{
	{"claude-code", false, func(m Machine) string {
		return filepath.Join(cmp.Or(m.Variable("CLAUDE_CONFIG_DIR"), m.Home), ".claude.json")
	}, jsonFile{"mcpServers", true}},
	{"claude-desktop", true, func(m Machine) string { return filepath.Join(m.settings(), "Claude", "claude_desktop_config.json") }, jsonFile{"mcpServers", false}},
	{"cursor", true, func(m Machine) string { return filepath.Join(m.Home, ".cursor", "mcp.json") }, jsonFile{"mcpServers", false}},
	{"vscode", true, func(m Machine) string { return filepath.Join(m.settings(), "Code", "User", "mcp.json") }, jsonFile{"servers", true}},
	{"codex", false, func(m Machine) string {
		if dir := m.Variable("CODEX_HOME"); dir != "" {
			return filepath.Join(dir, "config.toml")
		}
		return filepath.Join(m.Home, ".codex", "config.toml")
	}, tomlFile{"mcp_servers"}},
}

// settings is the directory of the settings of desktop programs.
func (m Machine) settings() string {
	switch m.OS {
	case "darwin":
		return filepath.Join(m.Home, "Library", "Application Support")
	case "windows":
		if dir := m.Variable("APPDATA"); dir != "" {
			return dir
		}
		return filepath.Join(m.Home, "AppData", "Roaming")
	}
	if dir := m.Variable("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	return filepath.Join(m.Home, ".config")
}

// Named returns an agent by name.
func Named(name string) (Agent, error) {
	i := slices.IndexFunc(All, func(a Agent) bool { return a.Name == name })
	if i < 0 {
		names := make([]string, len(All))
		for i, a := range All {
			names[i] = a.Name
		}
		return Agent{}, fmt.Errorf("there is no agent %q; known are %s", name, strings.Join(names, ", "))
	}
	return All[i], nil
}

// Change is a change of a file that is not written yet.
type Change struct {
	Path          string
	Before, After string
	existed       bool
}

// Add plans to add the server, or to replace its entry.
func (a Agent) Add(m Machine, s Server) (*Change, error) {
	return a.plan(m, func(text string) (string, error) { return a.edit.add(text, s) })
}

// Remove plans to remove the server.
func (a Agent) Remove(m Machine, name string) (*Change, error) {
	return a.plan(m, func(text string) (string, error) { return a.edit.remove(text, name) })
}

func (a Agent) plan(m Machine, edit func(string) (string, error)) (*Change, error) {
	c := &Change{Path: a.path(m)}
	if target, err := filepath.EvalSymlinks(c.Path); err == nil {
		c.Path = target // a link to a file that is kept elsewhere stays a link
	}
	raw, err := os.ReadFile(c.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	c.existed, c.Before = err == nil, string(raw)
	if c.After, err = edit(c.Before); err != nil {
		return nil, fmt.Errorf("%s: %w; nothing was changed", c.Path, err)
	}
	return c, nil
}

// Write writes the change. The file is replaced at once, so that it is never half-written. A
// file that would be empty is removed.
func (c *Change) Write() (err error) {
	switch {
	case c.Before == c.After:
		return nil
	case c.After == "":
		return os.Remove(c.Path)
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(c.Path); err == nil {
		mode = info.Mode().Perm()
	}
	if now, err := os.ReadFile(c.Path); string(now) != c.Before || errors.Is(err, fs.ErrNotExist) == c.existed {
		return fmt.Errorf("%s changed meanwhile; nothing was written, try again", c.Path)
	}
	if err := os.MkdirAll(filepath.Dir(c.Path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(c.Path), ".somnograph-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.WriteString(c.After)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), c.Path)
}

// Diff shows the change as lines that begin with - and +, with two lines around them.
func (c *Change) Diff() string {
	before, after := lines(c.Before), lines(c.After)
	same := 0
	for same < len(before) && same < len(after) && before[same] == after[same] {
		same++
	}
	tail := 0
	for tail < len(before)-same && tail < len(after)-same && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	var b strings.Builder
	show := func(mark string, list []string) {
		for _, l := range list {
			b.WriteString(mark + l + "\n")
		}
	}
	show("  ", before[max(0, same-around):same])
	show("- ", before[same:len(before)-tail])
	show("+ ", after[same:len(after)-tail])
	show("  ", after[len(after)-tail:min(len(after), len(after)-tail+around)])
	return b.String()
}

// around is the number of unchanged lines that Diff shows on each side.
const around = 2

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// entry is a server as JSON, with the indentation of its second and later lines.
func (s Server) entry(typed bool, indent string) string {
	type plain struct {
		Type    string   `json:"type,omitempty"`
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	p := plain{Command: s.Command, Args: s.Args}
	if typed {
		p.Type = "stdio"
	}
	return indented(p, indent)
}
