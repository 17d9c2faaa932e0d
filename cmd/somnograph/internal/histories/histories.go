// Package histories reads chat histories and memories that other products exported: a stream of
// items with their own times and with ids that are the same in every later export. It reads
// files, folders and zip files piece by piece, in memory that does not depend on their size. A
// piece that cannot be read is reported with its place and left out. It writes nothing and
// connects to nothing. docs/guide/import.md describes the formats.
package histories

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Turn is one thing said in a conversation.
type Turn struct {
	Format       string // name of the format
	Conversation string // id of the conversation in its format
	ID           string // of the turn, unique in its format; the same in every export of it
	Role         string // user, assistant or tool
	Speaker      string // a person other than the owner of the history; empty: the owner, the assistant or the tool
	Agent        string // program that took part; empty: unknown
	Text         string // may be empty if there are calls
	At           time.Time
	Dir          string // directory in which an agent worked; empty: unknown
	Calls        []Call
}

// Call is one call of a tool.
type Call struct {
	Name      string
	Arguments json.RawMessage // nil: unknown
	Result    string
}

// Memory is a statement that another product kept, or a line of a file of rules.
type Memory struct {
	Format   string
	ID       string // unique in its format; the same in every export of it
	Text     string
	User     string // as exported; empty: unknown
	Agent    string
	Session  string
	Source   string // reference to where it comes from
	Kind     string // USER or EXTRACTION
	Type     string // PROCEDURAL for a standing rule; empty: as read
	Tags     []string
	Meta     map[string]any
	At       time.Time // when it was said or recorded; zero: unknown
	ValidTo  time.Time // when it stopped being true; zero: it still is
	Headings []string  // above a line of a file of rules
}

// Item is a turn or a memory.
type Item struct {
	Turn   *Turn
	Memory *Memory
	Where  string // its place in the source, for messages; it has no content
}

// Sink receives what is read, in the order of the source.
type Sink interface {
	// Put receives an item. An error ends the reading.
	Put(Item) error
	// Bad receives the place of a piece that could not be read, and why. The reason has no content.
	Bad(where string, err error)
	// At receives the number of bytes read so far.
	At(bytes int64)
}

// MaxPiece is the largest conversation, message or line in bytes. A larger one is left out.
const MaxPiece = 16 << 20

// format is one way in which a product exports.
type format struct {
	name  string
	about string
	// owns reports whether a source is of the format. It reads little.
	owns func(*Source) bool
	read func(*reading) error
}

// formats in the order in which a source is tried.
var formats = []format{
	{"slack", "a Slack export: a zip file or a folder with users.json and a folder per channel", ownsSlack, readSlack},
	{"chatgpt", "a ChatGPT export: conversations.json, or the zip file or folder with it", ownsChatGPT, readChatGPT},
	{"claude", "a Claude export: conversations.json, or the zip file or folder with it", ownsClaude, readClaude},
	{"claude-code", "transcripts of Claude Code: a .jsonl file, or a folder of projects", ownsClaudeCode, readClaudeCode},
	{"codex", "transcripts of Codex: a .jsonl file, or a folder of sessions", ownsCodex, readCodex},
	{"mem0", "memories of mem0: the JSON of get_all or of an export", ownsMem0, readMem0},
	{"zep", "facts, episodes or messages of Zep as JSON", ownsZep, readZep},
	{"rules", "a file of rules such as CLAUDE.md, AGENTS.md or .cursorrules, or a folder with some", ownsRules, readRules},
}

// Formats are the names of the formats.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Describe is what a format reads; empty: there is no such format.
func Describe(name string) string {
	for _, f := range formats {
		if f.name == name {
			return f.about
		}
	}
	return ""
}

// Detect returns the name of the format of a source; empty: it is none of them.
func Detect(s *Source) string {
	for _, f := range formats {
		if f.owns(s) {
			return f.name
		}
	}
	return ""
}

// ErrUnknownFormat means that a format has no such name.
var ErrUnknownFormat = errors.New("unknown format")

// Options say how a source is read.
type Options struct {
	// Me is how the owner is called in a Slack export: an id, a name or an e-mail address. Empty: every
	// person is a speaker of their own.
	Me string
}

// Read reads all items of a source in the named format. It returns the first error of the sink, of the
// context, or of reading the files.
func Read(ctx context.Context, name string, s *Source, o Options, sink Sink) error {
	for _, f := range formats {
		if f.name == name {
			r := &reading{ctx: ctx, source: s, sink: sink, o: o}
			return f.read(r)
		}
	}
	return fmt.Errorf("%w %q: one of %s", ErrUnknownFormat, name, strings.Join(Formats(), ", "))
}

// reading is one call of Read.
type reading struct {
	ctx    context.Context
	source *Source
	sink   Sink
	o      Options
	bytes  int64 // read so far
}

// bad reports a piece that is left out.
func (r *reading) bad(where string, err error) { r.sink.Bad(where, err) }

// put passes a turn on. A turn without a text and without calls is nothing.
func (r *reading) put(t Turn, where string) error {
	t.Text = clean(t.Text)
	if t.Text == "" && len(t.Calls) == 0 {
		return nil
	}
	return r.sink.Put(Item{Turn: &t, Where: where})
}

// remember passes a memory on.
func (r *reading) remember(m Memory, where string) error {
	m.Text = clean(m.Text)
	if m.Text == "" {
		return nil
	}
	return r.sink.Put(Item{Memory: &m, Where: where})
}

// clean removes what is not UTF-8, NUL bytes and white space around a text.
func clean(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", ""))
}

// unix is a time in seconds; zero for a number that is no time of a chat.
func unix(seconds float64) time.Time {
	if seconds <= 0 || seconds > 1<<40 || seconds != seconds {
		return time.Time{}
	}
	whole := int64(seconds)
	return time.Unix(whole, int64((seconds-float64(whole))*1e9)).UTC().Truncate(time.Millisecond)
}

// stamp is a time as text; zero if it is none.
func stamp(text string) time.Time {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999", "2006-01-02 15:04:05.999999-07:00", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC().Truncate(time.Millisecond)
		}
	}
	return time.Time{}
}

// decode reads JSON into v. Its error has no content.
func decode(raw []byte, v any) error {
	err := json.Unmarshal(raw, v)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("is not JSON: error at byte %d", syntax.Offset)
	case errors.As(err, &kind):
		return fmt.Errorf("%s must not be a %s", cmp.Or(kind.Field, "the value"), kind.Value)
	case err != nil:
		return errors.New("is not JSON")
	}
	return nil
}

// digest is a short hash of texts, for ids where a format has none.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
