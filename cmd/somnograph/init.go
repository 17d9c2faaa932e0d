package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/agents"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/plain"
	"github.com/somnograph/somnograph/graph"
)

// newInit writes the configuration of an agent.
func newInit(env environment) *cobra.Command {
	var names []string
	for _, a := range agents.All {
		names = append(names, a.Name)
	}
	var undo, dryRun, hooks bool
	var addr, data, namespace, user, profile string
	cmd := &cobra.Command{
		Use:   "init " + strings.Join(names, "|"),
		Short: "Give an agent memory: add somnograph mcp to its configuration",
		Long: "Show and write the change of an agent's configuration that adds somnograph mcp to its tools. Everything else in the file\n" +
			"stays as it is. Run it again to change the entry. --undo removes it.\n\n" +
			"--hooks adds hooks to Claude Code's settings instead: the server at --addr is asked at every prompt and records the\n" +
			"conversation. If SOMNOGRAPH_KEY is set, the hooks send it; Claude Code reads it from its own environment.",
		Args:      exactly(1, "the name of an agent: "+strings.Join(names, ", ")),
		ValidArgs: names,
	}
	f := cmd.Flags()
	f.BoolVar(&undo, "undo", false, "remove the entry")
	f.BoolVar(&hooks, "hooks", false, "change the hooks of Claude Code instead of its tools; needs a running server")
	f.BoolVar(&dryRun, "dry-run", false, "show the change and write nothing")
	f.StringVar(&addr, "addr", "", "server that the agent uses (default: a running one, or its own)")
	f.StringVar(&data, "data", "", "data directory that the agent uses")
	f.StringVar(&namespace, "namespace", "", "namespace of the agent's memory")
	f.StringVar(&user, "user", "", "user whose memories the agent reads and writes")
	f.StringVar(&profile, "profile", "", "full or minimal: how many tools are offered")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		agent, err := agents.Named(args[0])
		if err != nil {
			return usageError{err}
		}
		if namespace != "" && !graph.ValidNamespace(namespace) {
			return usageError{fmt.Errorf("--namespace %s", graph.NamespaceRule)}
		}
		if profile != "" && profile != "full" && profile != "minimal" {
			return usageError{errors.New("--profile must be full or minimal")}
		}
		if addr != "" && data != "" {
			return usageError{errors.New("--data and --addr exclude each other")}
		}
		if addr != "" {
			if _, err := client.New(addr, client.Options{}); err != nil {
				return usageError{err}
			}
		}
		home, err := os.UserHomeDir()
		if err != nil {
			return err
		}
		m := agents.Machine{OS: runtime.GOOS, Home: home, Variable: func(name string) string { return variable(env.environ, name) }}
		if hooks {
			switch {
			case agent.Name != agents.Hooks.Name:
				return usageError{fmt.Errorf("--hooks is for %s", agents.Hooks.Name)}
			case data != "" || profile != "":
				return usageError{fmt.Errorf("--hooks calls a running server: --data and --profile do not go with it")}
			}
			agent = agents.Hooks
		}
		if undo {
			change, err := agent.Remove(m, entryName)
			return apply(env, change, err, dryRun)
		}
		server := agents.Server{Name: entryName, Args: []string{"mcp"}}
		if server.Command, err = ownCommand(agent.Desktop); err != nil {
			return err
		}
		if hooks {
			addr = cmp.Or(addr, variable(env.environ, "SOMNOGRAPH_ADDR"), "127.0.0.1:8420")
			if server.URL, err = hooksURL(addr, namespace, user); err != nil {
				return usageError{err}
			}
			if variable(env.environ, "SOMNOGRAPH_KEY") != "" {
				server.KeyVariable = "SOMNOGRAPH_KEY"
			}
			server.Args = []string{"hook", agents.Hooks.Name}
		}
		if data != "" {
			if data, err = filepath.Abs(data); err != nil { // the agent starts the command elsewhere
				return err
			}
		}
		for _, o := range []struct{ name, value string }{
			{"addr", addr}, {"data", data}, {"namespace", namespace}, {"user", user}, {"profile", profile},
		} {
			if o.value != "" {
				server.Args = append(server.Args, "--"+o.name, o.value)
			}
		}
		change, err := agent.Add(m, server)
		return apply(env, change, err, dryRun)
	}
	return cmd
}

// hooksURL is where Claude Code sends the events of a session.
func hooksURL(addr, namespace, user string) (string, error) {
	if !strings.Contains(addr, "://") {
		addr = "http://" + addr
	}
	u, err := url.Parse(addr)
	if err != nil || u.Host == "" || u.User != nil {
		return "", fmt.Errorf("--addr must be host:port or a URL without a password")
	}
	if u = u.JoinPath(agents.HooksPath); namespace != "" {
		u = u.JoinPath(url.PathEscape(namespace))
	}
	if user != "" {
		u.RawQuery = url.Values{"user": {user}}.Encode()
	}
	return u.String(), nil
}

// entryName is the name of the server in configurations.
const entryName = "somnograph"

// ownCommand is how an agent starts this program: by name if the name leads to it, else by path. The desktop starts programs
// without the PATH of a shell.
func ownCommand(desktop bool) (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	if named, err := exec.LookPath("somnograph"); err == nil {
		a, errA := os.Stat(named)
		b, errB := os.Stat(path)
		if errA == nil && errB == nil && os.SameFile(a, b) {
			if desktop {
				return filepath.Abs(named)
			}
			return "somnograph", nil
		}
	}
	return path, nil
}

// apply shows a change and writes it.
func apply(env environment, c *agents.Change, err error, dryRun bool) error {
	if err != nil {
		return err
	}
	if c.Before == c.After {
		_, err := printf(env.out, "%s needs no change\n", c.Path)
		return err
	}
	if _, err := printf(env.out, "%s\n%s", c.Path, plain.Indented(c.Diff(), "")); err != nil || dryRun {
		return err
	}
	if err := c.Write(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(env.out, "written; restart the agent")
	return err
}
