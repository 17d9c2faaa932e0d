package histories

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/importer"
)

// Observation is an ObserveInput of the API.
type Observation struct {
	Session        string     `json:"session"`
	Role           string     `json:"role"`
	Text           string     `json:"text"`
	Consent        string     `json:"consent"`
	Namespace      string     `json:"namespace,omitempty"`
	User           string     `json:"user,omitempty"`
	Agent          string     `json:"agent,omitempty"`
	Project        string     `json:"project,omitempty"`
	OccurredAt     string     `json:"occurredAt"`
	IdempotencyKey string     `json:"idempotencyKey"`
	ToolCalls      []ToolCall `json:"toolCalls,omitempty"`
}

// ToolCall is a ToolCallInput of the API.
type ToolCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Result    string          `json:"result,omitempty"`
}

// Writer writes to a server, and returns an outcome for each, in order. An error means that the
// request failed; it may be repeated.
type Writer interface {
	ObservePast(ctx context.Context, batch []Observation) ([]importer.Outcome, error)
	RememberMany(ctx context.Context, batch []importer.Memory) ([]importer.Outcome, error)
}

// Target says how items become turns and memories.
type Target struct {
	Namespace    string
	User         string
	Project      string // of all; empty: of a turn, that of its directory
	Consent      string
	Since, Until time.Time // only what was said in [Since, Until); zero: open
	MaxContent   int       // bytes; longer content is split
	// ProjectOf returns the project of a directory in which an agent worked.
	ProjectOf func(dir string) string
	// Own removes from a text what recall put into the conversation.
	Own func(text string) string
}

// Limits of one batch, below those of the API.
const (
	batchItems = 400
	batchBytes = 1 << 20
)

// Summary counts what an import read and wrote.
type Summary struct {
	Conversations, Turns, Calls, Memories int // read, within the time range
	Outside                               int // not within it
	Written, Replayed, Changed, Merged    int // turns and memories, or their parts
	Failed                                int
	First, Last                           time.Time
	ByRole                                map[string]int
}

func (s Summary) String() string {
	text := fmt.Sprintf("%d imported", s.Written)
	for _, part := range []struct {
		n    int
		what string
	}{
		{s.Replayed, "already there"}, {s.Changed, "already there in another form"}, {s.Merged, "merged with a near-duplicate"},
		{s.Outside, "outside the time range"}, {s.Failed, "refused"},
	} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return text
}

// Progress receives the progress of an import.
type Progress interface {
	// At receives the summary so far and the number of bytes read. It is called often.
	At(s Summary, bytes int64)
	// Failed is called for every piece that was refused.
	Failed(where string, err error)
}

// Mark is how far an import came: of the items of an unchanged source, the first Items are written.
type Mark struct {
	Print  string `json:"print"` // Source.Print
	Items  int    `json:"items"`
	LastID string `json:"lastId"` // a memory written before the mark
}

// LoadMark reads a mark from a file; zero if there is none, or if the source has changed since.
func LoadMark(file string, s *Source) Mark {
	raw, err := os.ReadFile(file)
	var m Mark
	if err != nil || json.Unmarshal(raw, &m) != nil || m.Print != s.Print() || m.Items < 0 {
		return Mark{}
	}
	return m
}

// SaveMark replaces the mark in a file.
func SaveMark(file string, m Mark) error {
	raw, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if err := os.WriteFile(file+".next", raw, 0o600); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if err := os.Rename(file+".next", file); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}

// Import reads a source and writes it in batches; the next batch is read during the write of one. It
// goes on after from. save, if not nil, receives the mark after each batch. A nil writer only counts.
func Import(ctx context.Context, format string, s *Source, o Options, t Target, w Writer, from Mark, save func(Mark) error, p Progress) (Summary, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	x := &importing{
		ctx: ctx, target: t, writer: w, from: from, save: save, progress: p, print: s.Print(),
		conversations: map[string]struct{}{}, sum: Summary{ByRole: map[string]int{}},
		batches: make(chan batch), results: make(chan writeResult, 1),
	}
	if w != nil {
		go x.write()
	}
	err := Read(ctx, format, s, o, x)
	if err == nil {
		err = x.flush()
	}
	close(x.batches)
	if w != nil {
		if last := x.await(); err == nil || errors.Is(err, context.Canceled) && last != nil {
			err = last
		}
	}
	x.sum.Conversations = len(x.conversations)
	return x.sum, err
}

// batch is what is written together.
type batch struct {
	turns    []Observation
	memories []importer.Memory
	where    []string // of the turns, then of the memories
	items    int      // items complete after it
}

type writeResult struct {
	sum    Summary
	failed []failure
	err    error
}

type failure struct {
	where string
	err   error
}

// importing is one call of Import. It is the sink of the reading.
type importing struct {
	ctx           context.Context
	target        Target
	writer        Writer
	from          Mark
	save          func(Mark) error
	progress      Progress
	print         string
	conversations map[string]struct{}
	sum           Summary
	next          batch
	bytes         int // in next
	items         int // read so far
	pending       int // batches under way
	batches       chan batch
	results       chan writeResult
}

// At implements Sink.
func (x *importing) At(bytes int64) { x.progress.At(x.sum, bytes) }

// Bad implements Sink.
func (x *importing) Bad(where string, err error) {
	x.sum.Failed++
	x.progress.Failed(where, err)
}

// Put implements Sink.
func (x *importing) Put(item Item) error {
	x.items++
	switch {
	case item.Turn != nil:
		return x.turn(item.Turn, item.Where)
	case item.Memory != nil:
		return x.memory(item.Memory, item.Where)
	}
	return nil
}

// within reports whether a time is in the range, and counts it if it is not.
func (x *importing) within(at time.Time) bool {
	if !x.target.Since.IsZero() && at.Before(x.target.Since) || !x.target.Until.IsZero() && !at.Before(x.target.Until) {
		x.sum.Outside++
		return false
	}
	if !at.IsZero() && (x.sum.First.IsZero() || at.Before(x.sum.First)) {
		x.sum.First = at
	}
	if at.After(x.sum.Last) {
		x.sum.Last = at
	}
	return true
}

// turn adds a turn to the batch.
func (x *importing) turn(t *Turn, where string) error {
	text := t.Text
	if x.target.Own != nil {
		if text = clean(x.target.Own(text)); text == "" && len(t.Calls) == 0 {
			return nil
		}
	}
	if t.At.IsZero() {
		x.Bad(where, errors.New("has no time"))
		return nil
	}
	if !x.within(t.At) {
		return nil
	}
	x.sum.Turns++
	x.sum.ByRole[t.Role]++
	x.sum.Calls += len(t.Calls)
	x.conversations[t.Conversation] = struct{}{}
	o := Observation{
		Session: short(t.Conversation), Role: strings.ToUpper(t.Role), Consent: x.target.Consent, Namespace: x.target.Namespace, User: x.target.User,
		Agent: t.Agent, Project: x.target.Project, OccurredAt: t.At.Format(time.RFC3339Nano),
	}
	if t.Speaker != "" { // the name in front says whose "I" it is
		o.Agent, text = short(t.Speaker), t.Speaker+": "+text
	}
	if o.Agent == "" && t.Role == "assistant" {
		o.Agent = t.Format
	}
	if o.Project == "" && t.Dir != "" && x.target.ProjectOf != nil {
		o.Project = short(x.target.ProjectOf(t.Dir))
	}
	for _, c := range t.Calls {
		o.ToolCalls = append(o.ToolCalls, ToolCall(c))
	}
	parts := importer.Split(text, x.target.MaxContent)
	for i, part := range parts {
		if i > 0 {
			o.ToolCalls = nil
		}
		if i == len(parts)-1 {
			x.next.items = x.items
		}
		o.Text, o.IdempotencyKey = part, x.key(t.Format, t.ID, fmt.Sprint(i))
		x.next.turns = append(x.next.turns, o)
		x.next.where = append(x.next.where, where)
		if err := x.added(len(part) + 600); err != nil {
			return err
		}
	}
	return nil
}

// memory adds a memory to the batch.
func (x *importing) memory(m *Memory, where string) error {
	if !x.within(m.At) {
		return nil
	}
	x.sum.Memories++
	x.sum.ByRole[strings.ToLower(m.Kind)]++
	in := importer.Memory{
		Consent: x.target.Consent, Type: m.Type, Namespace: x.target.Namespace, User: cmp.Or(x.target.User, m.User), Session: m.Session,
		Project: x.target.Project, Agent: m.Agent, SourceKind: m.Kind, Source: m.Source, Tags: m.Tags,
	}
	if !m.At.IsZero() {
		in.OccurredAt = m.At.Format(time.RFC3339Nano)
	}
	if !m.ValidTo.IsZero() {
		in.ValidTo, in.ValidFrom = m.ValidTo.Format(time.RFC3339Nano), in.OccurredAt
	}
	meta := map[string]any{"importedFrom": m.Format}
	for k, v := range m.Meta {
		meta[k] = v
	}
	raw, err := json.Marshal(meta)
	if err != nil {
		x.Bad(where, errors.New("metadata cannot be written as JSON"))
		return nil
	}
	in.Meta = raw
	parts := importer.Split(m.Text, x.target.MaxContent)
	for i, part := range parts {
		if i == len(parts)-1 {
			x.next.items = x.items
		}
		in.Content, in.IdempotencyKey = part, x.key(m.Format, m.ID, fmt.Sprint(i))
		x.next.memories = append(x.next.memories, in)
		x.next.where = append(x.next.where, where)
		if err := x.added(len(part) + 600); err != nil {
			return err
		}
	}
	return nil
}

// key identifies a turn or memory for one user in one namespace, whichever export it comes from.
func (x *importing) key(parts ...string) string {
	return "history:" + importer.Key(append([]string{x.target.Namespace, x.target.User}, parts...)...)
}

// short cuts a name to what the API accepts; two long names stay apart.
func short(name string) string {
	if len(name) <= 512 {
		return name
	}
	return cut(name, 480) + digest(name)
}

// added counts bytes of the batch, and passes it on if it is full.
func (x *importing) added(bytes int) error {
	x.bytes += bytes
	if x.bytes < batchBytes && len(x.next.turns)+len(x.next.memories) < batchItems {
		return nil
	}
	return x.flush()
}

// flush passes the batch to the writer. It waits for the batch before it.
func (x *importing) flush() error {
	b := x.next
	x.next, x.bytes = batch{items: b.items}, 0
	if len(b.turns)+len(b.memories) == 0 || b.items <= x.from.Items && x.from.Items > 0 {
		return x.ctx.Err()
	}
	if x.writer == nil {
		return x.ctx.Err()
	}
	if err := x.await(); err != nil {
		return err
	}
	x.pending++
	x.batches <- b
	return nil
}

// await takes the result of the batch that is under way.
func (x *importing) await() error {
	if x.pending == 0 {
		return nil
	}
	r := <-x.results
	x.pending--
	x.sum.Written += r.sum.Written
	x.sum.Replayed += r.sum.Replayed
	x.sum.Changed += r.sum.Changed
	x.sum.Merged += r.sum.Merged
	for _, f := range r.failed {
		x.Bad(f.where, f.err)
	}
	return r.err
}

// write writes batches until there are no more.
func (x *importing) write() {
	for b := range x.batches {
		x.results <- x.writeOne(b)
	}
}

func (x *importing) writeOne(b batch) (r writeResult) {
	mark := Mark{Print: x.print, Items: b.items}
	count := func(outcomes []importer.Outcome, where []string) {
		for i, o := range outcomes {
			switch {
			case o.Reused:
				r.sum.Changed++
			case o.Err != nil:
				place := ""
				if i < len(where) {
					place = where[i]
				}
				r.failed = append(r.failed, failure{place, o.Err})
			case o.Replayed:
				r.sum.Replayed++
			case o.Merged:
				r.sum.Merged++
			default:
				r.sum.Written++
			}
			if o.ID != "" {
				mark.LastID = o.ID
			}
		}
	}
	if len(b.turns) > 0 {
		outcomes, err := x.writer.ObservePast(x.ctx, b.turns)
		if err != nil {
			return writeResult{err: err}
		}
		count(outcomes, b.where)
	}
	if len(b.memories) > 0 {
		outcomes, err := x.writer.RememberMany(x.ctx, b.memories)
		if err != nil {
			r.err = err
			return r
		}
		count(outcomes, b.where[min(len(b.turns), len(b.where)):])
	}
	if x.save != nil && mark.LastID != "" {
		r.err = x.save(mark)
	}
	return r
}
