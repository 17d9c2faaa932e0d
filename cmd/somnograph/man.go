package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/somnograph/somnograph/internal/counted"
)

// newMan writes the manual pages from the same help as --help prints.
func newMan(env environment) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages",
		Long: "Write a manual page for each command into a directory, which is made if it is missing. In a directory of MANPATH, such as\n" +
			"/usr/local/share/man/man1, man somnograph and man somnograph-serve show them. The archives of releases contain the pages.",
		Example: "  somnograph man ~/.local/share/man/man1",
		Args:    exactly(1, "a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			pages := 0
			for _, c := range manCommands(cmd.Root()) {
				file := filepath.Join(args[0], manName(c)+".1")
				if err := os.WriteFile(file, []byte(manPage(c)), 0o644); err != nil {
					return err
				}
				pages++
			}
			_, err := fmt.Fprintf(env.out, "%s in %s\n", counted.Of(pages, "page"), args[0])
			return err
		},
	}
}

// manCommands returns a command and those below it that its help lists.
func manCommands(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			all = append(all, manCommands(c)...)
		}
	}
	return all
}

// manName is the name of a command's page, such as somnograph-keys-create.
func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is the page of a command in the macros of man(7).
func manPage(cmd *cobra.Command) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`.TH "%s" "1" "" "somnograph %s" "Somnograph"`, strings.ToUpper(roff(manName(cmd))), roff(versionText()))
	line(".SH NAME\n%s \\- %s", roff(manName(cmd)), roff(cmd.Short))
	line(".SH SYNOPSIS\n.B %s", roff(cmd.UseLine()))
	line(".SH DESCRIPTION\n%s", roff(cmp.Or(cmd.Long, cmd.Short+".")))
	if cmd.HasAvailableSubCommands() {
		line(".SH COMMANDS")
		group := ""
		for _, c := range inGroups(cmd) {
			if title := groupTitle(cmd, c.GroupID); title != group {
				group = title
				line(".SS %s", roff(strings.TrimSuffix(title, ":")))
			}
			line(".TP\n.B %s\n%s", roff(c.Name()), roff(c.Short))
		}
	}
	cmd.InitDefaultHelpFlag()
	if cmd.HasAvailableFlags() {
		line(".SH OPTIONS")
		for _, g := range flagGroups(cmd) {
			if g.title != "" {
				line(".SS %s", roff(g.title))
			}
			g.flags.VisitAll(func(f *pflag.Flag) {
				if !f.Hidden {
					b.WriteString(manFlag(f))
				}
			})
		}
	}
	if cmd.Example != "" {
		line(".SH EXAMPLES\n.nf\n%s\n.fi", roff(cmd.Example))
	}
	line(".SH EXIT STATUS\n%d on success, %d on failure, %d for a wrong command line, %d if a signal ended it.", exitOK, exitFailed, exitUsage, exitKilled)
	line(".SH SEE ALSO\n%s", seeAlso(cmd))
	return b.String()
}

// manFlag is the entry of a flag.
func manFlag(f *pflag.Flag) string {
	value, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	text := fmt.Sprintf(".TP\n.B %s", roff(name))
	if value != "" {
		text += " \\fI" + roff(value) + "\\fR"
	}
	text += "\n" + roff(usage)
	if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "0s" && d != "[]" && !strings.Contains(usage, "(default") {
		text += roff(" (default " + d + ")")
	}
	return text + "\n"
}

// inGroups returns the commands below cmd in the order of their groups.
func inGroups(cmd *cobra.Command) (list []*cobra.Command) {
	ids := []string{}
	for _, g := range cmd.Groups() {
		ids = append(ids, g.ID)
	}
	for _, id := range append(ids, "") {
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() && c.GroupID == id {
				list = append(list, c)
			}
		}
	}
	return list
}

func groupTitle(cmd *cobra.Command, id string) string {
	for _, g := range cmd.Groups() {
		if g.ID == id {
			return g.Title
		}
	}
	return ""
}

// seeAlso names the pages above and below a command.
func seeAlso(cmd *cobra.Command) string {
	var names []string
	if cmd.HasParent() {
		names = append(names, manName(cmd.Parent()))
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			names = append(names, manName(c))
		}
	}
	if len(names) == 0 {
		names = []string{manName(cmd.Root())}
	}
	for i, n := range names {
		names[i] = "\\fB" + roff(n) + "\\fR(1)"
	}
	return strings.Join(names, ", ")
}

// roff is text without the meaning of its characters for troff.
func roff(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			b.WriteString(`\&`)
		}
		for _, r := range line {
			switch {
			case r == '\\':
				b.WriteString(`\e`)
			case r == '-':
				b.WriteString(`\-`)
			case r == '"':
				b.WriteString(`\(dq`)
			case r >= utf8.RuneSelf:
				fmt.Fprintf(&b, `\[u%04X]`, r)
			default:
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}
