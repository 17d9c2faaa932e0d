package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/histories"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/importer"
	"github.com/somnograph/somnograph/internal/counted"
)

// maxShown is how many refused lines an import prints. It counts all of them.
const maxShown = 20

type importOptions struct {
	server     *remote
	namespace  string
	consent    string
	maxContent int
	restart    bool
	history    historyOptions
}

func newImport(env environment) *cobra.Command {
	o := importOptions{}
	cmd := &cobra.Command{
		Use:   "import PATH | -",
		Short: "Import memories, conversations, chat histories or an export",
		Long: "Import a file of JSON lines, one memory or one conversation per line (docs/formats/import.md), a chat history of another\n" +
			"product with its own times (docs/guide/import.md), or a file that somnograph export wrote, which is imported unchanged into an\n" +
			"empty server. The same command continues an interrupted import, and imports nothing twice. With -\n" +
			"or a pipe the whole input is read first. Histories:\n\n" + describeFormats(),
		Args: exactly(1, "one file or folder, or -"),
	}
	o.server = serverFlags(cmd, env)
	cmd.Flags().StringVar(&o.namespace, "namespace", "", "namespace of memories that name none, and of all conversations (default: one per conversation)")
	cmd.Flags().StringVar(&o.consent, "consent", "", "consent of memories that state none: EXPLICIT, IMPLICIT or NONE (conversations default to EXPLICIT)")
	cmd.Flags().IntVar(&o.maxContent, "max-content", 32<<10, "largest memory in bytes; longer content is split")
	cmd.Flags().BoolVar(&o.restart, "restart", false, "send the whole file again, from the beginning")
	h := &o.history
	cmd.Flags().StringVar(&h.from, "from", "auto", "what PATH is: auto, lines (JSON lines) or "+strings.Join(histories.Formats(), ", "))
	cmd.Flags().StringVar(&h.user, "user", "", "user whose history it is (default: that of the credentials, or as exported)")
	cmd.Flags().StringVar(&h.me, "me", "", "how that user is called in a Slack export: an id, a name or an e-mail address")
	cmd.Flags().StringVar(&h.project, "project", "", "project of all (default: of an agent's transcript, the Git repository that it worked in)")
	cmd.Flags().StringVar(&h.since, "since", "", "only what was said from this day or time on")
	cmd.Flags().StringVar(&h.until, "until", "", "only what was said before this day or time")
	cmd.Flags().BoolVar(&h.dryRun, "dry-run", false, "print what a history holds and what would be refused; write nothing")
	cmd.Flags().StringVar(&h.data, "data", "", "import a history into this data directory, through the server that has it open if there is one")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch o.consent {
		case "", "EXPLICIT", "IMPLICIT", "NONE":
		default:
			return usageError{fmt.Errorf("--consent must be EXPLICIT, IMPLICIT or NONE (got %q)", o.consent)}
		}
		if o.maxContent < 64 {
			return usageError{fmt.Errorf("--max-content must be at least 64")}
		}
		return importPath(cmd.Context(), env, args[0], o)
	}
	return cmd
}

// describeFormats lists the formats of histories.
func describeFormats() string {
	var b strings.Builder
	for _, name := range histories.Formats() {
		printf(&b, "  %-12s %s\n", name, histories.Describe(name))
	}
	return b.String()
}

// importPath imports a history if the path is one, and otherwise a file of JSON lines or an export.
func importPath(ctx context.Context, env environment, path string, o importOptions) (err error) {
	lines := func() error {
		if h := o.history; h.user+h.me+h.project+h.since+h.until+h.data != "" || h.dryRun {
			return usageError{errors.New("--user, --me, --project, --since, --until, --dry-run and --data are for histories; " + importer.InputName(path) + " is not recognised as one (see --from; somnograph ingest stores documents)")}
		}
		return importFile(ctx, env, path, o)
	}
	if info, err := os.Stat(path); o.history.from == "lines" || path == "-" || err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return lines()
	}
	s, err := histories.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if o.history.from == "auto" {
		if exported, err := isExportFile(path); err != nil || exported {
			return errors.Join(err, lines())
		}
	}
	format, err := historyFormat(s, o.history.from)
	if err != nil {
		return err
	}
	if format == "" {
		return lines()
	}
	b := &backend{env: env, remote: o.server, data: o.history.data, fixed: o.history.data == ""}
	defer b.close()
	return importHistory(ctx, env, s, format, o, b)
}

// isExportFile reports whether a path is a file that somnograph export wrote.
func isExportFile(path string) (exported bool, err error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return isExport(f)
}

func importFile(ctx context.Context, env environment, path string, o importOptions) (err error) {
	f, spooled, closeInput, err := importer.OpenInput(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeInput()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	c, err := o.server.client()
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Ping(ctx); err != nil {
		return err
	}
	exported, err := isExport(f)
	if err != nil {
		return err
	}
	if exported {
		return importExport(ctx, env, c, f)
	}
	from, save, clear, err := importer.Mark{}, (func(importer.Mark) error)(nil), func() error { return nil }, error(nil)
	if !spooled {
		if from, save, clear, err = checkpoint(ctx, env, c, f, path, o); err != nil {
			return err
		}
	}
	if _, err := f.Seek(from.Offset, io.SeekStart); err != nil {
		return err
	}
	if from.Offset > 0 {
		_, _ = printf(env.err, "continuing after line %d\n", from.Line)
	}
	bar := &importProgress{p: newProgress(env.err, "import", info.Size(), time.Now), began: time.Now()}
	r := importer.NewReader(f, importer.Options{Namespace: o.namespace, Consent: o.consent, MaxContent: o.maxContent}).From(from)
	sum, err := importer.Import(ctx, r, c.RememberMany, bar, save)
	bar.p.end()
	if err != nil {
		_, _ = printf(env.err, "stopped at line %d: %s\n", r.Line(), sum)
		if errors.Is(err, importer.ErrNotLines) {
			return fmt.Errorf("%s: %w", importer.InputName(path), err)
		}
		if ctx.Err() != nil {
			return errors.New("interrupted; the same command continues")
		}
		return fmt.Errorf("%w; the same command continues", err)
	}
	seconds := time.Since(bar.began).Seconds()
	if _, err := printf(env.out, "%s in %.1f s (%.0f per second)\n", sum, seconds, float64(sum.Read)/max(seconds, 1e-3)); err != nil {
		return err
	}
	if sum.Failed > 0 {
		return fmt.Errorf("refused: %s", counted.Of(sum.Failed, "entry"))
	}
	return clear()
}

// checkpoint returns where to begin, a function that saves the progress, and one that deletes
// it at the end. Without a directory to save it in, an import begins at the start.
func checkpoint(ctx context.Context, env environment, c *client.Client, f *os.File, path string, o importOptions) (importer.Mark, func(importer.Mark) error, func() error, error) {
	none := func() error { return nil }
	base := stateDir(env)
	if base == "" {
		return importer.Mark{}, nil, none, nil
	}
	target := fmt.Sprintf("%s\x00%s\x00%s\x00%d", c.URL(), o.namespace, o.consent, o.maxContent)
	cp, err := importer.NewCheckpoint(filepath.Join(base, "somnograph"), path, target)
	if err != nil {
		return importer.Mark{}, nil, none, err
	}
	again, err := os.Open(path)
	if err != nil {
		return importer.Mark{}, nil, none, err
	}
	save := func(m importer.Mark) error { return cp.Save(again, m) }
	done := func() error { return errors.Join(cp.Clear(), again.Close()) }
	if o.restart {
		return importer.Mark{}, save, done, cp.Clear()
	}
	mark, err := cp.Load(f)
	if err != nil || mark.Offset == 0 {
		return importer.Mark{}, save, done, err
	}
	// The server may be another one by now: does it have the last memory?
	known, err := c.Knows(ctx, mark.LastID)
	if err != nil || !known {
		return importer.Mark{}, save, done, err
	}
	return mark, save, done, nil
}

// importProgress shows the progress of an import.
type importProgress struct {
	p     *progress
	began time.Time
	shown int
}

func (i *importProgress) At(s importer.Summary, offset int64) {
	rate := float64(s.Read) / max(time.Since(i.began).Seconds(), 1e-3)
	i.p.at(offset, fmt.Sprintf("%s, %.0f per second", counted.Of(s.Read, "memory"), rate))
}

func (i *importProgress) Failed(where string, err error) {
	switch i.shown++; {
	case i.shown <= maxShown:
		i.p.note(where + ": " + err.Error())
	case i.shown == maxShown+1:
		i.p.note("more lines were refused; they are counted, not printed")
	}
}

// stateDir is the user's cache directory, as os.UserCacheDir finds it in the environment;
// empty: there is none.
func stateDir(env environment) string {
	if dir := variable(env.environ, "XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	if home := variable(env.environ, "HOME"); home != "" {
		return filepath.Join(home, ".cache")
	}
	return ""
}
