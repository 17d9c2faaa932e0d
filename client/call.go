package client

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"time"
)

// operation is one operation of the server and what is needed to send it.
type operation struct {
	name     string
	path     []string // fields from the root to the result
	document string
	filled   []string // variables that the client fills in
	retry    bool     // a repetition does what the first request did
	keyed    bool     // an idempotency key makes it so
	seconds  int      // time that the call may take; 0: that of the client
}

// set sets a variable, if the value is not its zero.
func set(variables map[string]any, name string, value any) {
	if v := reflect.ValueOf(value); !v.IsZero() {
		variables[name] = value
	}
}

// call runs an operation and decodes its result into out. It is repeated while that is safe and there is
// time.
func (c *Client) call(ctx context.Context, op operation, variables map[string]any, out any) error {
	for _, name := range op.filled {
		if _, given := variables[name]; !given && c.filled[name] != nil {
			variables[name] = c.filled[name]
		}
	}
	if _, given := variables["idempotencyKey"]; op.keyed && !given {
		variables["idempotencyKey"] = rand.Text()
	}
	if _, limited := ctx.Deadline(); !limited {
		limit := c.timeout
		if op.seconds > 0 {
			limit = time.Duration(op.seconds) * time.Second
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	for attempt := 0; ; attempt++ {
		var data map[string]json.RawMessage
		err := c.Do(ctx, op.document, variables, &data)
		if err == nil {
			return result(op, data, out)
		}
		pause := c.pause(attempt)
		var refused *Error
		if errors.As(err, &refused) {
			pause = max(pause, refused.RetryAfter)
		}
		if attempt+1 >= c.attempts || !repeatable(err, op.retry || op.keyed) || !wait(ctx, pause) {
			return err
		}
	}
}

// result decodes the value at the end of an operation's path.
func result(op operation, data map[string]json.RawMessage, out any) error {
	var raw json.RawMessage
	for i, field := range op.path {
		raw = data[field]
		if len(raw) == 0 || string(raw) == "null" {
			return &Error{Code: "PROTOCOL", Message: fmt.Sprintf("the answer to %s has no %s", op.name, field)}
		}
		if i < len(op.path)-1 {
			data = nil
			if err := json.Unmarshal(raw, &data); err != nil {
				return &Error{Code: "PROTOCOL", Message: fmt.Sprintf("the answer to %s: %v", op.name, err)}
			}
		}
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return &Error{Code: "PROTOCOL", Message: fmt.Sprintf("the answer to %s: %v", op.name, err)}
	}
	return nil
}

// repeatable reports whether a call may be repeated after an error. A RATE_LIMITED one was not executed, and
// one that was not sent neither.
func repeatable(err error, idempotent bool) bool {
	var refused *Error
	if errors.As(err, &refused) {
		return refused.Code == "RATE_LIMITED" || idempotent && refused.Code == "UNAVAILABLE"
	}
	var away *UnreachableError
	return errors.As(err, &away) && (idempotent || !away.sent)
}

// wait waits, and returns false if the context ends before or would end during the wait.
func wait(ctx context.Context, d time.Duration) bool {
	if end, limited := ctx.Deadline(); limited && time.Until(end) <= d {
		return false
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// pause is the time before the next attempt, after attempt number n, from 0: the upper half of
// min(longest, first · 2ⁿ).
func (s settings) pause(n int) time.Duration {
	d := s.longest
	if n < 30 {
		d = min(s.longest, s.first<<n)
	}
	if d <= 1 {
		return d
	}
	r, err := rand.Int(rand.Reader, big.NewInt(int64(d/2)))
	if err != nil {
		return d
	}
	return d - time.Duration(r.Int64())
}
