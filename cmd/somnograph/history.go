package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/histories"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/counted"
	"github.com/somnograph/somnograph/internal/project"
	"github.com/somnograph/somnograph/resolvers/mcp"
)

// historyMemory is the soft limit of the memory of an import of histories in bytes. The files may be
// of any size.
const historyMemory = 48 << 20

// historyOptions are the flags of import for histories.
type historyOptions struct {
	from, user, me, project, data string
	since, until                  string
	dryRun                        bool
}

// target checks the flags. The default consent of a history is IMPLICIT: the one who imports it has it,
// and has not agreed to each statement in it.
func (o importOptions) target() (histories.Target, error) {
	t := histories.Target{
		Namespace: o.namespace, User: o.history.user, Project: o.history.project, Consent: cmp.Or(o.consent, string(graph.ConsentImplicit)),
		MaxContent: o.maxContent, Own: mcp.WithoutInjected, ProjectOf: projects(),
	}
	if o.namespace != "" && !graph.ValidNamespace(o.namespace) {
		return t, usageError{errors.New("--namespace " + graph.NamespaceRule)}
	}
	for _, x := range []struct {
		flag, value string
		to          *time.Time
	}{{"--since", o.history.since, &t.Since}, {"--until", o.history.until, &t.Until}} {
		if x.value == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, x.value)
		if err != nil {
			if at, err = time.Parse(time.DateOnly, x.value); err != nil {
				return t, usageError{fmt.Errorf("%s must be a day such as 2026-03-01, or a time such as 2026-03-01T09:00:00Z", x.flag)}
			}
		}
		*x.to = at
	}
	return t, nil
}

// projects returns the project of a directory, as the hooks of agents name it, and remembers it.
func projects() func(string) string {
	known := map[string]string{}
	return func(dir string) string {
		p, ok := known[dir]
		if !ok {
			p = cmp.Or(project.Of(dir), dir)
			known[dir] = p
		}
		return p
	}
}

// historyFormat returns the format of a source: the one that is named, or the one that it looks like;
// empty: it is none of them.
func historyFormat(s *histories.Source, named string) (string, error) {
	switch {
	case named == "auto":
		return histories.Detect(s), nil
	case !slices.Contains(histories.Formats(), named):
		return "", usageError{fmt.Errorf("--from must be auto, lines or one of %s", strings.Join(histories.Formats(), ", "))}
	}
	return named, nil
}

// importHistory imports a history of another product.
func importHistory(ctx context.Context, env environment, s *histories.Source, format string, o importOptions, b *backend) error {
	t, err := o.target()
	if err != nil {
		return err
	}
	if o.history.me != "" && format == "slack" && !histories.IsPerson(s, o.history.me) {
		return usageError{fmt.Errorf("--me: nobody in the export is called %q; its people are %s", o.history.me, strings.Join(histories.People(s), ", "))}
	}
	bar := &historyProgress{p: newProgress(env.err, "import", s.Size(), time.Now), began: time.Now()}
	var w histories.Writer
	var from histories.Mark
	var save func(histories.Mark) error
	mark := historyMark(env, s, format, o)
	if !o.history.dryRun {
		c, err := b.server(ctx)
		if err != nil {
			return err
		}
		if err := c.Ping(ctx); err != nil {
			return err
		}
		if w = c; mark != "" {
			save = func(m histories.Mark) error { return histories.SaveMark(mark, m) }
			if !o.restart {
				from = histories.LoadMark(mark, s)
			}
		}
		if from.Items > 0 {
			// The server may be another one by now: does it have the last memory?
			known, err := c.Knows(ctx, from.LastID)
			if err != nil {
				return err
			}
			if !known {
				from = histories.Mark{}
			}
		}
	}
	if b.own == nil {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(historyMemory))
	}
	if from.Items > 0 {
		_, _ = printf(env.err, "continuing after %s\n", counted.Of(from.Items, "entry"))
	}
	sum, err := histories.Import(ctx, format, s, histories.Options{Me: o.history.me}, t, w, from, save, bar)
	bar.p.end()
	if err != nil {
		_, _ = printf(env.err, "stopped: %s\n", sum)
		if ctx.Err() != nil {
			return errors.New("interrupted; the same command continues")
		}
		return fmt.Errorf("%w; the same command continues", err)
	}
	if from.Items == 0 && sum.Conversations+sum.Memories+sum.Outside+sum.Failed == 0 {
		switch looks := histories.Detect(s); looks {
		case format: // an account without conversations
		case "":
			return fmt.Errorf("%s holds nothing in the format %s", s.Path, format)
		default:
			return fmt.Errorf("%s holds nothing in the format %s; it looks like --from %s", s.Path, format, looks)
		}
	}
	if err := printHistory(env.out, format, sum, o.history.dryRun, time.Since(bar.began)); err != nil {
		return err
	}
	if sum.Failed > 0 {
		return fmt.Errorf("refused: %s", counted.Of(sum.Failed, "entry"))
	}
	return nil
}

// historyMark is the file that holds how far an import came; empty: there is no directory for it.
func historyMark(env environment, s *histories.Source, format string, o importOptions) string {
	base := stateDir(env)
	abs, err := filepath.Abs(s.Path)
	if base == "" || err != nil {
		return ""
	}
	h := o.history
	sum := sha256.Sum256([]byte(strings.Join([]string{
		abs, o.server.addr, h.data, format, o.namespace, o.consent, h.user, h.me, h.project, h.since, h.until, fmt.Sprint(o.maxContent),
	}, "\x00")))
	return filepath.Join(base, "somnograph", "history-"+hex.EncodeToString(sum[:12])+".json")
}

// printHistory prints what was read and written.
func printHistory(w io.Writer, format string, s histories.Summary, dryRun bool, spent time.Duration) error {
	var b strings.Builder
	printf(&b, "%s: ", format)
	if s.Conversations > 0 {
		var roles []string
		for _, role := range []string{"user", "assistant", "tool"} {
			if n := s.ByRole[role]; n > 0 && s.Turns > 0 {
				roles = append(roles, fmt.Sprintf("%d %s", n, role))
			}
		}
		printf(&b, "%s, %s (%s), %s", counted.Of(s.Conversations, "conversation"), counted.Of(s.Turns, "turn"), strings.Join(roles, ", "), counted.Of(s.Calls, "call")+" of tools")
	}
	if s.Memories > 0 {
		if s.Conversations > 0 {
			b.WriteString("; ")
		}
		printf(&b, "%s", counted.Of(s.Memories, "memory"))
	}
	if s.Conversations+s.Memories == 0 {
		b.WriteString("nothing")
	}
	if !s.First.IsZero() {
		printf(&b, ", from %s to %s", s.First.Format("2006-01-02"), s.Last.Format("2006-01-02"))
	}
	b.WriteString("\n")
	if dryRun {
		printf(&b, "dry run: nothing was written; %d outside the time range, %d would be refused\n", s.Outside, s.Failed)
	} else {
		printf(&b, "%s in %.1f s (%.0f per second)\n", s, spent.Seconds(), float64(s.Written+s.Replayed)/max(spent.Seconds(), 1e-3))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// historyProgress shows the progress of an import of histories.
type historyProgress struct {
	p     *progress
	began time.Time
	shown int
}

func (h *historyProgress) At(s histories.Summary, bytes int64) {
	rate := float64(s.Written+s.Replayed) / max(time.Since(h.began).Seconds(), 1e-3)
	h.p.at(bytes, fmt.Sprintf("%s, %.0f per second", counted.Of(s.Turns+s.Memories, "entry"), rate))
}

func (h *historyProgress) Failed(where string, err error) {
	switch h.shown++; {
	case h.shown <= maxShown:
		h.p.note(where + ": " + err.Error())
	case h.shown == maxShown+1:
		h.p.note("more pieces were refused; they are counted, not printed")
	}
}
