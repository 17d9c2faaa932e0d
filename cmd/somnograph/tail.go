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

// tailWait is the longest pause before a broken stream is opened again.
const tailWait = 5 * time.Second

func newTail(env environment) *cobra.Command {
	var (
		after      string
		namespaces []string
		number     int
		asJSON     bool
	)
	cmd := &cobra.Command{
		Use:   "tail",
		Short: "Follow changes of memories as they happen",
		Long: "Print every change of a memory from now on, until Ctrl-C. If the server restarts, the command goes on after the last change that it\n" +
			"printed. With --json each line is one event; its cursor is for --after.",
		Example: "  somnograph tail --namespace kites\n  somnograph tail --json | jq .memory.content",
		Args:    none,
	}
	run := memoryFlags(cmd, env)
	f := cmd.Flags()
	f.StringVar(&after, "after", "", "begin after this cursor instead of now")
	f.StringSliceVar(&namespaces, "namespace", nil, "only this namespace (may be repeated)")
	f.IntVarP(&number, "number", "n", 0, "end after this many changes (default: never)")
	f.BoolVar(&asJSON, "json", false, "print one JSON object per line")
	run(func(ctx context.Context, c *client.Client, _ []string) error {
		if number < 0 {
			return usageError{fmt.Errorf("--number must be at least 1 (got %d)", number)}
		}
		if after == "" {
			var err error
			if after, err = c.EventCursor(ctx); err != nil {
				return err
			}
		} else if err := c.Ready(ctx); err != nil { // later it may go away for a while
			return err
		}
		t := &tail{out: env.out, json: json.NewEncoder(env.out), asJSON: asJSON, after: after, left: number}
		return t.follow(ctx, env, c, namespaces)
	})
	return cmd
}

// tail prints events.
type tail struct {
	out    io.Writer
	json   *json.Encoder
	asJSON bool
	after  string // cursor of the last printed event
	left   int    // events until the end; 0: no end
}

// errEnough ends the command after the requested number of events.
var errEnough = errors.New("enough")

// follow opens the stream again while no server answers, with growing pauses.
func (t *tail) follow(ctx context.Context, env environment, c *client.Client, namespaces []string) error {
	told := false
	for wait := 200 * time.Millisecond; ; wait = min(2*wait, tailWait) {
		var err error
		for e, failed := range c.Events(ctx, client.EventsOptions{After: t.after, Namespaces: namespaces}) {
			if err = failed; err == nil {
				wait, told, err = 200*time.Millisecond, false, t.print(e)
			}
			if err != nil {
				break
			}
		}
		var gone *client.UnreachableError
		switch {
		case errors.Is(err, errEnough), ctx.Err() != nil:
			return nil
		case err == nil, errors.As(err, &gone), client.Temporary(err):
		default:
			return err
		}
		if !told {
			if _, err := fmt.Fprintln(env.err, "the stream ended; trying again"); err != nil {
				return err
			}
			told = true
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// print prints an event.
func (t *tail) print(e client.Event) error {
	t.after = e.Cursor
	err := error(nil)
	switch {
	case t.asJSON:
		err = t.json.Encode(e)
	case e.Memory == nil:
		_, err = printf(t.out, "%s  %-12s  %s\n", e.At.Local().Format(time.TimeOnly), e.Kind, e.ID)
	default:
		_, err = printf(t.out, "%s  %-12s  %s  %s/%s  %s\n", e.At.Local().Format(time.TimeOnly), e.Kind, e.ID, e.Memory.Namespace, e.Memory.Type,
			shorten(e.Memory.Content, 100))
	}
	if t.left > 0 && err == nil {
		if t.left--; t.left == 0 {
			return errEnough
		}
	}
	return err
}
