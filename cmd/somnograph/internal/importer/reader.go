package importer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the length of the longest line, in bytes.
const MaxLine = 256 << 20

// LineError is an error in one line. The lines after it can still be read.
type LineError struct {
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the error in the line.
func (e *LineError) Unwrap() error { return e.Err }

// Reader reads a file of either form, or of both.
type Reader struct {
	lines   *lines
	o       Options
	queue   []Item
	resumed bool // it does not begin at the start of the file
}

// NewReader reads items from r.
func NewReader(r io.Reader, o Options) *Reader {
	return &Reader{lines: &lines{r: bufio.NewReaderSize(r, 1<<20)}, o: o}
}

// From sets the position at which the input begins.
func (r *Reader) From(m Mark) *Reader {
	r.lines.number, r.lines.offset, r.resumed = m.Line, m.Offset, m.Offset > 0
	return r
}

// Next returns the next item, a *LineError for a bad line, after which Next may be called
// again, or io.EOF.
func (r *Reader) Next() (Item, error) {
	for len(r.queue) == 0 {
		raw, err := r.lines.next()
		if err != nil {
			return Item{}, err
		}
		memories, labels, err := r.decode(raw)
		if err != nil {
			return Item{}, &LineError{r.lines.number, err}
		}
		for i, m := range memories {
			r.queue = append(r.queue, Item{Memory: m, Line: r.lines.number, Label: labels[i], End: r.lines.offset})
		}
	}
	item := r.queue[0]
	r.queue = r.queue[1:]
	return item, nil
}

// Line is the number of the line read last.
func (r *Reader) Line() int { return r.lines.number }

func (r *Reader) decode(raw []byte) (memories []Memory, labels []string, err error) {
	var form struct {
		Turns   json.RawMessage `json:"turns"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(raw, &form); err != nil {
		return nil, nil, notAnObject(err)
	}
	switch {
	case form.Turns != nil && form.Content != nil:
		return nil, nil, errors.New("has both content and turns; a line is one memory or one conversation")
	case form.Turns != nil:
		return r.conversation(raw)
	case form.Content == nil:
		return nil, nil, errors.New("has neither content (one memory) nor turns (one conversation)")
	}
	m, err := r.memory(raw)
	if err != nil {
		return nil, nil, err
	}
	memories, err = m.split(r.o.MaxContent)
	return memories, make([]string, len(memories)), err
}

func (r *Reader) memory(raw []byte) (Memory, error) {
	var m Memory
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, notAnObject(err)
	}
	if m.Namespace == "" {
		m.Namespace = r.o.Namespace
	}
	if m.Consent == "" {
		m.Consent = r.o.Consent
	}
	if m.IdempotencyKey == "" {
		m.IdempotencyKey = key(m.Namespace, string(raw))
	}
	return m, nil
}

func (r *Reader) conversation(raw []byte) (memories []Memory, labels []string, err error) {
	c, err := decodeConversation(raw)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range c.Turns {
		m, err := c.memory(t, r.o)
		if err != nil {
			return nil, nil, fmt.Errorf("turn %s: %w", t.Key, err)
		}
		parts, err := m.split(r.o.MaxContent)
		if err != nil {
			return nil, nil, fmt.Errorf("turn %s: %w", t.Key, err)
		}
		for _, p := range parts {
			memories, labels = append(memories, p), append(labels, t.Key)
		}
	}
	return memories, labels, nil
}

func decodeConversation(raw []byte) (Conversation, error) {
	var c Conversation
	if err := json.Unmarshal(raw, &c); err != nil {
		return c, notAnObject(err)
	}
	return c, c.validate()
}

// Conversations reads every line of r as a conversation, for its questions.
func Conversations(r io.Reader) ([]Conversation, error) {
	l := &lines{r: bufio.NewReaderSize(r, 1<<20)}
	var all []Conversation
	for {
		raw, err := l.next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		c, err := decodeConversation(raw)
		if err != nil {
			return nil, &LineError{l.number, err}
		}
		all = append(all, c)
	}
}

// errSyntax is in the error of a line that is no JSON.
var errSyntax = errors.New("is not JSON")

// notAnObject shortens an error of package json, which may quote content.
func notAnObject(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("%w: %w at byte %d", errSyntax, err, syntax.Offset)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%s must not be a %s", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("must be a JSON object, not a %s", kind.Value)
	}
	return err
}

// lines reads the lines that are not blank, and counts all lines.
type lines struct {
	r      *bufio.Reader
	number int
	offset int64 // after the last line
}

func (l *lines) next() ([]byte, error) {
	for {
		var line []byte
		for {
			part, err := l.r.ReadSlice('\n')
			line = append(line, part...)
			l.offset += int64(len(part))
			if err == nil {
				break
			}
			if errors.Is(err, io.EOF) && len(line) > 0 {
				break
			}
			if len(line) > MaxLine {
				return nil, fmt.Errorf("line %d is longer than %d bytes", l.number+1, MaxLine)
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				return nil, err
			}
		}
		l.number++
		if l.number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}
