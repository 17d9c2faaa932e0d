package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

func newRemember(env environment) *cobra.Command {
	var (
		d        client.Draft
		at, meta string
		asJSON   bool
	)
	cmd := &cobra.Command{
		Use:   "remember [TEXT | -]",
		Short: "Write one memory",
		Long: "Write one memory and print its id. The text is the arguments, or standard input with - or in a pipe. The command returns when the\n" +
			"memory is durable. Whoever runs it vouches for the consent; --consent names another one than EXPLICIT.",
		Example: "  somnograph remember \"Heron 3 may fly in winds up to 15 metres per second.\" --namespace kites\n" +
			"  git log -1 --format=%B | somnograph remember --project $PWD --external-id \"commit/$(git rev-parse HEAD)\"",
	}
	run := memoryFlags(cmd, env)
	f := cmd.Flags()
	f.StringVar(&d.Namespace, "namespace", "", "namespace of the memory (default \"default\")")
	f.StringVar(&d.User, "user", "", "user it belongs to")
	f.StringVar(&d.Project, "project", "", "project it belongs to")
	f.StringVar(&d.Session, "session", "", "session it belongs to")
	f.StringVar(&d.Type, "type", "", "EPISODIC, SEMANTIC, WORKING, DOCUMENT or PROCEDURAL (default: by the text)")
	f.StringVar(&d.Consent, "consent", "EXPLICIT", "EXPLICIT, IMPLICIT, NONE, or \"\" for the default of the namespace or the server")
	f.StringVar(&d.ExternalID, "external-id", "", "your own name of the memory, unique among what you see of its namespace: the same text is written once")
	f.StringVar(&d.Source, "source", "", "reference to the origin")
	f.StringSliceVar(&d.Tags, "tag", nil, "a tag (may be repeated)")
	f.StringVar(&meta, "meta", "", "JSON of your own")
	f.StringVar(&at, "at", "", "when it happened, such as 2026-02-19 or 2026-02-19T07:30:00Z (default now)")
	f.BoolVar(&d.Important, "important", false, "fades half as fast")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	run(func(ctx context.Context, c *client.Client, args []string) (err error) {
		if d.Content, err = textOf(args, "a text"); err != nil {
			return err
		}
		if d.Consent != "" {
			if d.Consent, err = oneOf("consent", d.Consent, "EXPLICIT", "IMPLICIT", "NONE"); err != nil {
				return err
			}
		}
		if d.Type != "" {
			if d.Type, err = oneOf("type", d.Type, "EPISODIC", "SEMANTIC", "WORKING", "DOCUMENT", "PROCEDURAL"); err != nil {
				return err
			}
		}
		if d.OccurredAt, err = instant("at", at); err != nil {
			return err
		}
		if meta != "" {
			if d.Meta = json.RawMessage(meta); !json.Valid(d.Meta) {
				return usageError{errors.New("--meta must be JSON")}
			}
		}
		r, err := c.Remember(ctx, d)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.out, r)
		}
		return printRemembered(env.out, r)
	})
	return cmd
}

// printRemembered prints what became of a write. The first word is the id.
func printRemembered(w io.Writer, r *client.Remembered) error {
	if r.Memory == nil {
		return errors.New("the server returned no memory")
	}
	what := "remembered"
	switch {
	case r.Replayed:
		what = "known already"
	case r.DuplicateOf != "":
		what = "reinforced: it says the same"
	}
	_, err := printf(w, "%s  %s/%s  %s\n", r.Memory.ID, r.Memory.Namespace, r.Memory.Type, what)
	for _, m := range r.Revised {
		if err == nil {
			_, err = printf(w, "  revises %s: %s\n", m.ID, shorten(m.Content, 100))
		}
	}
	for _, id := range r.ConflictsWith {
		if err == nil {
			_, err = printf(w, "  conflicts with %s\n", id)
		}
	}
	return err
}

// instant parses the value of a flag: a day, which is its beginning in the local zone, or RFC 3339.
// Empty: nil.
func instant(flag, value string) (*time.Time, error) {
	if value == "" {
		return nil, nil
	}
	for layout, zone := range map[string]*time.Location{time.RFC3339Nano: time.UTC, time.DateOnly: time.Local, "2006-01-02 15:04": time.Local} {
		if t, err := time.ParseInLocation(layout, value, zone); err == nil {
			return &t, nil
		}
	}
	return nil, usageError{fmt.Errorf("--%s must be a time such as 2026-02-19 or 2026-02-19T07:30:00Z (got %q)", flag, value)}
}
