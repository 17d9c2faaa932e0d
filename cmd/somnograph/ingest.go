package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/upload"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/document"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/counted"
)

// ingestWorkers is the number of documents that are sent at once.
const ingestWorkers = 4

type ingestOptions struct {
	namespace, user, project, consent string
	path, mediaType                   string
	dryRun, json, noIgnore, prune     bool
}

func newIngest(env environment) *cobra.Command {
	o := ingestOptions{}
	cmd := &cobra.Command{
		Use:   "ingest PATH|URL...",
		Short: "Store documents: Markdown, text, HTML, PDF, DOCX, CSV, source code",
		Long: "Store documents in a running server, or with --data in a directory that no server has open: files, folders with all that is\n" +
			"in them, and patterns such as \"docs/**/*.md\". Of a folder, hidden files, symbolic links and what .gitignore excludes are left\n" +
			"out. - reads one document from standard input, named by --path.\n" +
			"The server downloads a URL if it was started with --ingest-urls, and never from a private address.\n" +
			"A document is named by its path as it is given: docs/a.md and ./docs/a.md are one document, /home/ana/docs/a.md is another. The\n" +
			"same command sends everything again: what has not changed writes nothing, what has changed becomes the next version. With\n" +
			"--prune, documents of files that are gone end. A file that is refused does not stop the others; the exit code is then 1.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("needs files, folders or patterns")}
			}
			return nil
		},
	}
	run := memoryFlags(cmd, env)
	f := cmd.Flags()
	f.StringVar(&o.namespace, "namespace", "", "namespace of the documents (default: default)")
	f.StringVar(&o.user, "user", "", "user that the documents belong to (default: nobody in particular)")
	f.StringVar(&o.project, "project", "", "project that the documents belong to")
	f.StringVar(&o.consent, "consent", "EXPLICIT", "EXPLICIT, IMPLICIT or NONE; empty: the default of the namespace or the server")
	f.StringVar(&o.path, "path", "", "path of the document, if there is only one")
	f.StringVar(&o.mediaType, "media-type", "", "media type of all documents (default: by the ending of the path and the content)")
	f.BoolVar(&o.dryRun, "dry-run", false, "read the files and say what they contain; send nothing")
	f.BoolVar(&o.json, "json", false, "print the result of each file as JSON")
	f.BoolVar(&o.noIgnore, "no-ignore", false, "also take what .gitignore excludes")
	f.BoolVar(&o.prune, "prune", false, "remove stored documents whose file is gone from the files and folders given; their past stays readable")
	run(func(ctx context.Context, c *client.Client, args []string) error {
		return ingestAll(ctx, env, c, cmd.InOrStdin(), args, o)
	})
	send := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if o.consent != "" && !graph.Consent(o.consent).Valid() {
			return usageError{errors.New("--consent must be EXPLICIT, IMPLICIT or NONE")}
		}
		if o.namespace != "" && !graph.ValidNamespace(o.namespace) {
			return usageError{errors.New("--namespace " + graph.NamespaceRule)}
		}
		if err := checkPrune(args, o); err != nil {
			return err
		}
		if o.dryRun && !o.prune { // needs no server
			return ingestAll(cmd.Context(), env, nil, cmd.InOrStdin(), args, o)
		}
		return send(cmd, args)
	}
	return cmd
}

// ingestSummary is what an ingest did, as --json prints it.
type ingestSummary struct {
	Documents  []upload.Result `json:"documents"`
	Files      int             `json:"files"`
	Unchanged  int             `json:"unchanged"`
	Refused    int             `json:"refused"`
	Written    int             `json:"written"`
	Superseded int             `json:"superseded"`
	Removed    int             `json:"removed"` // documents whose file is gone
	Seconds    float64         `json:"seconds"`
}

func (s *ingestSummary) add(x upload.Result) {
	s.Files++
	s.Written += x.Written
	s.Superseded += x.Superseded
	if x.Unchanged {
		s.Unchanged++
	}
	if x.Error != nil {
		s.Refused++
	}
}

// source is one document of the command line.
type source struct {
	upload.File
	open func() (io.ReadCloser, error)
	url  string // what the server downloads; empty: open gives the content
}

// isURL reports whether an argument names a document on the web.
func isURL(arg string) bool {
	scheme, _, ok := strings.Cut(arg, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// sources lists the documents that the arguments name.
func sources(stdin io.Reader, args []string, o ingestOptions) ([]source, error) {
	if len(args) == 1 && args[0] == "-" {
		if o.path == "" {
			return nil, usageError{errors.New("- needs --path, which names the document")}
		}
		text, err := io.ReadAll(io.LimitReader(stdin, maxDocument+1))
		if err != nil {
			return nil, err
		}
		return []source{{upload.File{Name: "-", Path: o.path, Size: int64(len(text))}, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }, ""}}, nil
	}
	var all []source
	paths := slices.DeleteFunc(slices.Clone(args), func(arg string) bool {
		if isURL(arg) {
			nothing := func() (io.ReadCloser, error) { return http.NoBody, nil }
			all = append(all, source{upload.File{Name: arg, Path: arg}, nothing, arg})
		}
		return isURL(arg)
	})
	for _, name := range paths {
		if _, err := os.Lstat(name); err != nil && strings.Contains(name, "://") {
			return nil, usageError{fmt.Errorf("%s: only http:// and https:// are downloaded", name)}
		}
	}
	if len(paths) > 0 {
		if o.prune { // what is gone altogether has no files
			paths = slices.DeleteFunc(paths, func(name string) bool { _, err := os.Lstat(name); return errors.Is(err, fs.ErrNotExist) })
		}
		files, err := upload.Find(paths, !o.noIgnore)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			all = append(all, source{f, func() (io.ReadCloser, error) { return os.Open(f.Name) }, ""})
		}
	}
	switch {
	case len(all) == 0 && !o.prune:
		return nil, errors.New("there is no file to ingest")
	case o.dryRun && slices.ContainsFunc(args, isURL):
		return nil, usageError{errors.New("--dry-run reads files; URLs are downloaded by the server")}
	case o.path != "" && len(all) > 1:
		return nil, usageError{fmt.Errorf("--path names one document, but there are %d", len(all))}
	case o.path != "":
		all[0].Path = o.path
	}
	return all, nil
}

// ingestAll sends the documents to the server c, several at once, and prints what became of them in
// their order. A dry run reads them and needs no server.
func ingestAll(ctx context.Context, env environment, c *client.Client, stdin io.Reader, args []string, o ingestOptions) error {
	all, err := sources(stdin, args, o)
	if err != nil {
		return err
	}
	one := func(ctx context.Context, s source) (upload.Result, error) {
		return inspect(ctx, env, s, o.mediaType), nil
	}
	if !o.dryRun {
		if err := c.Ping(ctx); err != nil {
			return err
		}
		one = func(ctx context.Context, s source) (upload.Result, error) { return sendDocument(ctx, c, s, o) }
	}
	var missing []client.Document
	if o.prune {
		if missing, err = gone(ctx, c, args, all, o); err != nil {
			return err
		}
	}
	began := time.Now()
	sum, err := eachSource(ctx, env, all, one)
	if err == nil {
		var ended int
		sum.Removed, ended, err = prune(ctx, env, c, missing, o.dryRun)
		sum.Superseded += ended
	}
	sum.Seconds = time.Since(began).Seconds()
	if err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted after %d of %d files; the same command continues", sum.Files, len(all))
		}
		return fmt.Errorf("%w; %d of %d files were sent, the same command continues", err, sum.Files, len(all))
	}
	if o.json {
		err = printJSON(env.out, sum)
	} else {
		err = printIngest(env, sum, o.dryRun)
	}
	if err == nil && sum.Refused > 0 {
		err = fmt.Errorf("%d of %d files were refused", sum.Refused, sum.Files)
	}
	return err
}

// eachSource handles the documents, several at once. The first error that is not about one document
// ends it.
func eachSource(ctx context.Context, env environment, all []source, one func(context.Context, source) (upload.Result, error)) (*ingestSummary, error) {
	total := int64(0)
	for _, s := range all {
		total += s.Size
	}
	bar, began := newProgress(env.err, "ingest", total, time.Now), time.Now()
	sum := &ingestSummary{Documents: make([]upload.Result, len(all))}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mu sync.Mutex
	var group sync.WaitGroup
	next, sent := 0, int64(0)
	for range min(ingestWorkers, len(all)) {
		group.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(all) || ctx.Err() != nil {
					return
				}
				x, err := one(ctx, all[i])
				if err != nil {
					stop(err)
					return
				}
				mu.Lock()
				sum.Documents[i], sent = x, sent+all[i].Size
				sum.add(x)
				seconds := max(time.Since(began).Seconds(), 1e-3)
				bar.at(sent, fmt.Sprintf("%d files, %.0f files and %.0f chunks per second", sum.Files, float64(sum.Files)/seconds, float64(sum.Written)/seconds))
				mu.Unlock()
			}
		})
	}
	group.Wait()
	bar.end()
	if ctx.Err() != nil {
		return sum, context.Cause(ctx)
	}
	return sum, nil
}

// sendDocument sends one document.
func sendDocument(ctx context.Context, c *client.Client, s source, o ingestOptions) (upload.Result, error) {
	if s.Size > maxDocument {
		return upload.Result{Path: s.Path, Phase: "FAILED", Error: &upload.Fault{
			Code: string(graph.CodeLimitExceeded), Field: "text", Message: fmt.Sprintf("the file has %d bytes, more than %d", s.Size, maxDocument),
		}}, nil
	}
	q := url.Values{"path": {s.Path}}
	for name, value := range map[string]string{"url": s.url, "namespace": o.namespace, "user": o.user, "project": o.project, "consent": o.consent, "mediaType": o.mediaType} {
		if value != "" {
			q.Set(name, value)
		}
	}
	x, err := c.Ingest(ctx, q, s.open)
	if err != nil {
		var path *os.PathError
		if errors.As(err, &path) { // a file that can't be opened is refused like others
			return upload.Result{Path: s.Path, Phase: "FAILED", Error: &upload.Fault{Code: string(graph.CodeInvalidRequest), Field: "path", Message: path.Err.Error()}}, nil
		}
		return upload.Result{}, err
	}
	return *x, nil
}

// inspect reads a document without storing it.
func inspect(ctx context.Context, env environment, s source, mediaType string) upload.Result {
	x := upload.Result{Path: s.Path, Phase: "FAILED"}
	fault := func(err error) upload.Result {
		x.Error = &upload.Fault{Code: string(graph.CodeInvalidRequest), Field: "text", Message: err.Error()}
		if shown, ofContent := engine.IngestRefusal(err); ofContent {
			x.Error.Code, x.Error.Message = string(shown.Code), shown.Message
		}
		return x
	}
	f, err := s.open()
	if err != nil {
		return fault(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	content, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	if err != nil {
		return fault(err)
	}
	limits := document.Limits{Bytes: maxDocument}
	if dir := stateDir(env); dir != "" {
		limits.CacheDir = filepath.Join(dir, "somnograph", "pdf")
	}
	d, err := document.Read(ctx, bytes.NewReader(content), int64(len(content)), s.Path, mediaType, limits)
	if err != nil {
		return fault(err)
	}
	x.Phase, x.Chunks = "READING", len(document.Chunks(d, document.MaxTokens))
	return x
}

// printIngest prints the refused files and a summary.
func printIngest(env environment, s *ingestSummary, dryRun bool) error {
	chunks := 0
	for _, x := range s.Documents {
		switch {
		case x.Error != nil:
			_, _ = printf(env.err, "refused: %s: %s\n", x.Path, strings.TrimPrefix(x.Error.Message, x.Error.Field+": "))
		case dryRun:
			chunks += x.Chunks
			if _, err := printf(env.out, "%s: %s\n", x.Path, counted.Of(x.Chunks, "chunk")); err != nil {
				return err
			}
		}
	}
	seconds := max(s.Seconds, 1e-3)
	var err error
	if dryRun {
		_, err = printf(env.out, "%s with %s would be sent, %d would be refused\n", counted.Of(s.Files-s.Refused, "file"), counted.Of(chunks, "chunk"), s.Refused)
	} else {
		removed := ""
		if s.Removed > 0 {
			removed = fmt.Sprintf(", %d removed", s.Removed)
		}
		_, err = printf(env.out, "%s: %d stored, %d unchanged, %d refused%s; %s written, %d ended; %.1f s (%.0f files and %.0f chunks per second)\n",
			counted.Of(s.Files, "file"), s.Files-s.Unchanged-s.Refused, s.Unchanged, s.Refused, removed, counted.Of(s.Written, "chunk"), s.Superseded, s.Seconds, float64(s.Files)/seconds, float64(s.Written)/seconds)
	}
	return err
}
