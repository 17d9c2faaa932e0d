// Command somnograph is long-term memory for AI agents: the server and the tools
// around it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	_ "time/tzdata" // sleep.zone, also where the machine knows no zones

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/auth"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	exitKilled = 130 // a signal ended the command before it was done
)

func main() {
	ctx, stop := signals()
	code := run(ctx, os.Args[1:], environment{os.Stdout, os.Stderr, os.Environ()})
	stop()
	os.Exit(code)
}

// environment is the part of the process that commands use.
type environment struct {
	out, err io.Writer
	environ  []string
}

// variable returns an environment variable; empty: it is not set.
func variable(environ []string, name string) string {
	for _, e := range environ {
		if v, ok := strings.CutPrefix(e, name+"="); ok && v != "" {
			return v
		}
	}
	return ""
}

// errInterrupted is the cause of a context that SIGINT has cancelled.
var errInterrupted = fmt.Errorf("interrupted: %w", context.Canceled)

// signals returns a context that the first SIGINT or SIGTERM cancels. The second one ends
// the process.
func signals() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	go func() {
		if <-ch == os.Interrupt {
			cancel(errInterrupted)
		}
		cancel(nil)
		<-ch
		os.Exit(exitKilled)
	}()
	return ctx, func() { signal.Stop(ch); cancel(nil) }
}

// usageError is an error in the command line.
type usageError struct{ error }

// Unwrap returns the wrapped error.
func (e usageError) Unwrap() error { return e.error }

// run executes a command line and returns the exit code. It prints errors as one line.
func run(ctx context.Context, args []string, env environment) int {
	root := newRoot(env)
	root.SetArgs(args)
	err := unknownCommand(root, args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage):
		report(env, err)
		return exitUsage
	case ctx.Err() != nil:
		report(env, err)
		return exitKilled
	}
	report(env, err)
	return exitFailed
}

func report(env environment, err error) {
	// An error of stderr has nowhere to go.
	_, _ = printf(env.err, "somnograph: %s\n", strings.Join(strings.Fields(err.Error()), " "))
}

func newRoot(env environment) *cobra.Command {
	root := &cobra.Command{
		Use:           "somnograph",
		Short:         "Long-term memory for AI agents, as a knowledge graph",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(env.out)
	root.SetErr(env.err)
	root.SetFlagErrorFunc(flagError)
	root.Version = versionText()
	root.SetVersionTemplate(versionLine() + "\n")
	for _, g := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"server", "Run a server:", []*cobra.Command{newServe(env), newKeys(env), newTenants(env), newConfig(env), newReady(env), newAlarms(env), newAudit(env), newRestore(env),
			newDoctor(env)}},
		{"agents", "Connect an agent:", []*cobra.Command{newInit(env), newMCP(env), newHook(env)}},
		{"memory", "Use the memory of a running server:", []*cobra.Command{newRemember(env), newSearch(env), newContext(env), newFacts(env), newClusters(env), newPatterns(env), newForget(env), newReceipt(env), newVerify(env), newTail(env),
			newSleep(env), newReembed(env)}},
		{"data", "Move data in and out of a running server:", []*cobra.Command{newIngest(env), newImport(env), newExport(env), newBackup(env)}},
		{"measure", "Measure:", []*cobra.Command{newEval(env), newBench(env)}},
	} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.id
			root.AddCommand(c)
		}
	}
	root.AddGroup(&cobra.Group{ID: "help", Title: "Help:"})
	for _, c := range []*cobra.Command{newVersion(env), newMan(env)} {
		c.GroupID = "help"
		root.AddCommand(c)
	}
	root.SetHelpCommandGroupID("help")
	root.SetCompletionCommandGroupID("help")
	return root
}

// exactly is cobra.ExactArgs with a usage error.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return usageError{fmt.Errorf("needs %s", what)}
		}
		return nil
	}
}

// none refuses arguments.
func none(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("takes no argument, but got %q", args[0])}
	}
	return nil
}

// newConfig prints the settings in force.
func newConfig(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print every setting and where its value comes from",
		Long: "Print the settings that serve would start with, and where each value comes from. Flags take precedence over environment\n" +
			"variables, those over the file, that over the defaults.",
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, settings, err := config.Load(cmd.Flags(), env.environ)
			if err != nil {
				return err
			}
			return printSettings(env.out, inForce(c, settings))
		},
	}
	config.Flags(cmd.Flags())
	groupFlags(cmd)
	return cmd
}

// inForce replaces empty defaults of paths by the paths that serve would use.
func inForce(c *config.Config, settings []config.Setting) []config.Setting {
	settings = slices.Clone(settings)
	for i := range settings {
		s := &settings[i]
		if s.Value != "" {
			continue
		}
		switch s.Key {
		case "keys":
			if dir, err := keysDir(c); err == nil {
				s.Value = dir
			}
		case "pepper-file":
			s.Value = auth.PepperFile(c.Data)
		}
	}
	return settings
}

func printSettings(w io.Writer, settings []config.Setting) error {
	wide := 0
	for _, s := range settings {
		wide = max(wide, len(s.Key))
	}
	for _, s := range settings {
		value := s.Value
		if value == "" {
			value = `""`
		}
		origin := s.Origin
		if s.Now != "" {
			origin += ", now called " + s.Now
		}
		if _, err := printf(w, "%-*s  %-24s # %s\n", wide+1, s.Key+":", value, origin); err != nil {
			return err
		}
	}
	return nil
}
