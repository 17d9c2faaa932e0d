package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"strings"
	"time"
)

const (
	// silence is how long a stream may be without a byte. The server sends a comment more often.
	silence = time.Minute
	// maxEvent is the largest line of a stream, in bytes.
	maxEvent = 16 << 20
)

// EventsOptions are the optional arguments of Events.
type EventsOptions struct {
	// After is the cursor of the event after which to begin; empty: from now on.
	After string
	// Namespaces: empty: that of the client.
	Namespaces []string
}

// Events yields changes of memories in the order of commit, until the context or the loop ends. After a
// lost connection it resumes after the last event, without loss or repetition. It ends with an error if the
// server refuses, or if no connection can be made in the attempts of WithRetry.
func (c *Client) Events(ctx context.Context, o EventsOptions) iter.Seq2[MemoryEvent, error] {
	return func(yield func(MemoryEvent, error) bool) {
		s := &stream{c: c, after: o.After, variables: map[string]any{}, yield: yield}
		set(s.variables, "namespaces", o.Namespaces)
		if _, given := s.variables["namespaces"]; !given && c.filled["namespaces"] != nil {
			s.variables["namespaces"] = c.filled["namespaces"]
		}
		for failures := 0; ; failures++ {
			n, err := s.connect(ctx)
			if s.done || ctx.Err() != nil {
				return
			}
			if n > 0 {
				failures = 0
			}
			if err != nil && (!repeatable(err, true) || failures+1 >= c.attempts) {
				yield(MemoryEvent{}, err)
				return
			}
			pause := c.pause(failures)
			var refused *Error
			if errors.As(err, &refused) {
				pause = max(pause, refused.RetryAfter)
			}
			if !wait(ctx, pause) {
				return
			}
		}
	}
}

// stream is the state of Events between connections.
type stream struct {
	c         *Client
	after     string
	variables map[string]any
	yield     func(MemoryEvent, error) bool
	done      bool // the loop has ended
}

// connect yields the events of one connection and returns their number.
func (s *stream) connect(ctx context.Context) (n int, err error) {
	if s.after == "" {
		if s.after, err = s.c.EventCursor(ctx); err != nil {
			return 0, err
		}
	}
	s.variables["after"] = s.after
	body, err := json.Marshal(map[string]any{"query": opEvents.document, "variables": s.variables})
	if err != nil {
		return 0, fmt.Errorf("client: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	quiet := time.AfterFunc(silence, cancel)
	defer quiet.Stop()
	resp, err := s.c.Send(ctx, http.MethodPost, "/graphql", bytes.NewReader(body), func(req *http.Request) {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "text/event-stream")
	})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	if media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); resp.StatusCode != http.StatusOK || media != "text/event-stream" {
		return 0, s.refusal(resp)
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, maxEvent)
	name := ""
	for lines.Scan() {
		quiet.Reset(silence)
		key, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case key == "event":
			name = value
		case key == "data" && name == "complete":
			return n, nil
		case key == "data" && name == "next":
			again, err := s.next([]byte(value))
			n++
			if !again || err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// next yields one event. It returns false where the stream has to begin anew, or the loop has ended.
func (s *stream) next(raw []byte) (bool, error) {
	var answer struct {
		Data   struct{ MemoryEvents *MemoryEvent }
		Errors []graphqlError
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return false, fmt.Errorf("client: unexpected event: %w", err)
	}
	if len(answer.Errors) > 0 {
		return false, answer.Errors[0].error()
	}
	e := answer.Data.MemoryEvents
	if e == nil {
		return false, errors.New("client: an event has no data")
	}
	s.after = e.Cursor
	if e.Kind == MemoryEventKindLagged {
		return false, nil
	}
	s.done = !s.yield(*e, nil)
	return !s.done, nil
}

// refusal is the error of an answer that is no stream.
func (s *stream) refusal(resp *http.Response) error {
	raw, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return &UnreachableError{URL: s.c.URL(), Err: err}
	}
	var none struct{}
	if err := decode(resp, raw, &none); err != nil {
		return err
	}
	return fmt.Errorf("client: the answer %q is not a stream", resp.Status)
}
