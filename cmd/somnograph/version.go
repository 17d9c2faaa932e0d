package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version, commit and date are set by the linker for releases.
var version, commit, date = "", "", ""

// versionText is the version set by the linker, else that of the module, else the commit.
func versionText() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	revision, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+changes"
		}
	}
	if revision == "" {
		return "devel"
	}
	return "devel-" + revision + changed
}

// versionLine is the version with the commit, its date, and what it was built with and for.
func versionLine() string {
	from := commitText()
	if from != "" {
		from += ", "
	}
	return fmt.Sprintf("somnograph %s (%s%s, %s/%s)", versionText(), from, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// commitText is the commit with its date: those set by the linker, else those of the build. It is
// empty if neither knows.
func commitText() string {
	revision, at := commit, date
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision" && revision == "":
				revision = s.Value
			case s.Key == "vcs.time" && at == "":
				at = s.Value
			}
		}
	}
	if revision == "" {
		return ""
	}
	text := "commit " + revision[:min(12, len(revision))]
	if at != "" {
		text += " of " + at
	}
	return text
}

func newVersion(env environment) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit and its date",
		Args:  none,
		RunE: func(*cobra.Command, []string) error {
			_, err := printf(env.out, "%s\n", versionLine())
			return err
		},
	}
}
