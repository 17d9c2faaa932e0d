package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/audits"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/counted"
)

// csvColumns are the columns of an export as CSV.
var csvColumns = []string{
	"id", "namespace", "user", "project", "session", "external_id", "type", "status", "tier", "version", "supersedes", "content", "summary",
	"subject", "predicate", "object", "tags", "source_kind", "source", "consent", "sensitivity", "confidence", "uses",
	"created_at", "recorded_at", "occurred_at", "valid_from", "valid_to", "expires_at",
}

// csvRow is the row of a memory. Its texts come from others, so none is left that a spreadsheet takes for a formula.
func csvRow(m *graph.Memory) []string {
	s := m.State()
	row := []string{
		string(m.ID), m.Namespace, graph.UserOf(m.User), m.Project, m.Session, m.ExternalID, string(m.Type), string(s.Status), string(s.Tier), strconv.Itoa(m.Version), string(m.Supersedes), m.Content, m.Summary,
		m.Subject, m.Predicate, m.Object, strings.Join(m.Tags, ";"), string(m.SourceKind), m.Source, string(m.Consent), string(m.Sensitivity),
		strconv.FormatFloat(m.Confidence, 'g', -1, 64), strconv.Itoa(m.Usage.Count),
		csvTime(m.CreatedAt), csvTime(m.RecordedAt), csvTime(m.OccurredAt), csvTime(m.ValidFrom), csvTime(s.ValidTo), csvTime(m.ExpiresAt),
	}
	for i := range row {
		row[i] = audits.SafeCell(row[i])
	}
	return row
}

func csvTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// exportMemoriesCSV writes the memories of a server that are not erased as CSV, to a new file or, with -, to
// standard output.
func exportMemoriesCSV(ctx context.Context, env environment, c *client.Client, path string) (err error) {
	if path == "-" {
		_, err := writeMemoriesCSV(ctx, c, env.out)
		return err
	}
	if err := wantNewFile(path); err != nil {
		return err
	}
	next := path + ".next"
	f, err := os.OpenFile(next, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) // it holds every memory in clear
	if err != nil {
		return err
	}
	n, err := writeMemoriesCSV(ctx, c, f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(next))
	}
	if err := os.Rename(next, path); err != nil {
		return err
	}
	_, err = printf(env.out, "%s in %s\n", counted.Of(n, "memory"), path)
	return err
}

// writeMemoriesCSV converts an export while it arrives.
func writeMemoriesCSV(ctx context.Context, c *client.Client, w io.Writer) (n int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, pipe := io.Pipe()
	go func() { _ = pipe.CloseWithError(c.Export(ctx, pipe)) }() // the reader gets the error
	out := csv.NewWriter(w)
	if err := out.Write(csvColumns); err != nil {
		return 0, err
	}
	lines, complete := bufio.NewReaderSize(r, 1<<16), false
	for {
		b, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return n, err
		}
		complete = bytes.HasPrefix(b, []byte(`{"end":`))
		if !bytes.HasPrefix(b, []byte(`{"memory":`)) {
			continue
		}
		l, err := transfer.Decode(b)
		if err != nil {
			return n, err
		}
		m, _, err := l.Live()
		if err != nil {
			return n, err
		}
		if m == nil {
			continue
		}
		if err := out.Write(csvRow(m)); err != nil {
			return n, err
		}
		n++
	}
	if !complete {
		return n, errors.New("the export was cut off: its last line is missing")
	}
	out.Flush()
	return n, out.Error()
}
