package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
)

// unknownCommand returns the error for a command line whose first word is no command. The library
// would complain of its flags first.
func unknownCommand(root *cobra.Command, args []string) error {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], "__") { // __complete is for the shells
		return nil
	}
	if args[0] == "help" && len(args) > 1 {
		args = args[1:]
	}
	c, rest, err := root.Find(args)
	switch {
	case err != nil || c == root:
		return noCommand(root, args[0])
	case c.HasParent() && c.Name() == "completion" && len(rest) > 0 && !strings.HasPrefix(rest[0], "-"):
		return noCommand(c, rest[0]) // the library would print its help
	}
	return nil
}

// noCommand is the error for an unknown command. It names the nearest one, if one is near.
func noCommand(cmd *cobra.Command, name string) error {
	var names []string
	near := ""
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
		if slices.Contains(c.SuggestFor, name) {
			near = c.Name()
		}
	}
	if near = cmp.Or(near, nearest(name, names)); near != "" {
		return usageError{fmt.Errorf("there is no command %q; did you mean %s? See %s --help", name, near, cmd.CommandPath())}
	}
	return usageError{fmt.Errorf("there is no command %q; see %s --help", name, cmd.CommandPath())}
}

// kinds describe the values of flags by their type.
var kinds = map[string]string{
	"int": "a whole number", "float64": "a number such as 0.5", "duration": "a duration such as 90s or 2h", "bool": "true or false",
}

// flagError puts an error of the flag library into words.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		name := unknown.GetSpecifiedName()
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := nearest(name, names); near != "" {
			return usageError{fmt.Errorf("there is no flag --%s for %s; did you mean --%s?", name, cmd.Name(), near)}
		}
		return usageError{fmt.Errorf("there is no flag --%s for %s; see %s --help", name, cmd.Name(), cmd.CommandPath())}
	case errors.As(err, &value) && kinds[value.GetFlag().Value.Type()] != "":
		return usageError{fmt.Errorf("--%s must be %s (got %q)", value.GetFlag().Name, kinds[value.GetFlag().Value.Type()], value.GetValue())}
	case errors.As(err, &missing):
		return usageError{fmt.Errorf("--%s needs a value", missing.GetFlag().Name)}
	}
	return usageError{err}
}

// nearest returns the name that begins with what was typed, or differs from it least and by at most
// a third of its letters; empty: none.
func nearest(typed string, names []string) string {
	best, least := "", len(typed)/3+1
	for _, n := range names {
		d := distance(typed, n)
		if strings.HasPrefix(n, typed) {
			d = min(d, 1)
		}
		if d < least || d == least && best == "" {
			best, least = n, d
		}
	}
	return best
}

// distance is the number of letters to insert, remove, replace or exchange with a neighbour that
// makes b of a: the optimal string alignment distance.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// flagGroup is a part of the flags of a command.
type flagGroup struct {
	title string // empty: all flags of a command without groups
	flags *pflag.FlagSet
}

// grouped is the annotation of commands whose flags are settings in groups.
const grouped = "somnograph_grouped"

// flagGroups returns the flags of a command as its help shows them: the settings in groups, then
// the other flags.
func flagGroups(cmd *cobra.Command) (groups []flagGroup) {
	if cmd.Annotations[grouped] == "" {
		return []flagGroup{{"", cmd.Flags()}}
	}
	listed := map[string]bool{}
	for _, g := range config.Groups() {
		some := pflag.NewFlagSet(g.Title, pflag.ContinueOnError)
		some.SortFlags = false
		for _, name := range g.Flags {
			if f := cmd.Flags().Lookup(name); f != nil {
				some.AddFlag(f)
				listed[name] = true
			}
		}
		groups = append(groups, flagGroup{g.Title, some})
	}
	rest := pflag.NewFlagSet("rest", pflag.ContinueOnError)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !listed[f.Name] {
			rest.AddFlag(f)
		}
	})
	return append(groups, flagGroup{"Other", rest})
}

// groupFlags makes the help of a command list its settings in groups, then its other flags.
func groupFlags(cmd *cobra.Command) {
	cmd.Annotations = map[string]string{grouped: "true"}
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		out := cmd.OutOrStderr()
		if _, err := fmt.Fprintf(out, "Usage:\n  %s\n", cmd.UseLine()); err != nil {
			return err
		}
		for _, g := range flagGroups(cmd) {
			if _, err := fmt.Fprintf(out, "\n%s:\n%s", g.title, g.flags.FlagUsagesWrapped(120)); err != nil {
				return err
			}
		}
		return nil
	})
}
