// Package wire is the part of talking to a model over HTTP that is the
// same for every protocol: limits of time and size, and errors that say what to do.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/somnograph/somnograph/engine/models"
)

// The limits of a call.
const (
	Connect = 3 * time.Second  // until the connection stands, TLS included
	Read    = 10 * time.Second // until the whole answer is there
	MaxBody = 32 << 20         // bytes of an answer: 32 vectors of 4,096 numbers need about 3 MiB
)

// Client calls a model. Its Do answers a response whose body was read whole and is
// in memory, with status 200, or *models.Error, or the error of the request's context.
type Client struct {
	client  *http.Client
	read    time.Duration
	maxBody int64
}

// NewClient makes a Client over its own connections. Redirects are not followed: the
// key must not travel where nobody sent it.
func NewClient() *Client { return NewBounded(MaxBody) }

// NewBounded makes a Client that takes answers of at most so many bytes.
func NewBounded(maxBody int64) *Client {
	dialer := &net.Dialer{Timeout: Connect, KeepAlive: 30 * time.Second}
	return newClient(&http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		TLSHandshakeTimeout: Connect,
		MaxIdleConnsPerHost: 8,
		IdleConnTimeout:     90 * time.Second,
		ForceAttemptHTTP2:   true,
	}, Read, maxBody)
}

func newClient(rt http.RoundTripper, read time.Duration, maxBody int64) *Client {
	return &Client{read: read, maxBody: maxBody, client: &http.Client{
		Transport:     rt,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// CloseIdle closes the connections that nobody uses.
func (c *Client) CloseIdle() { c.client.CloseIdleConnections() }

// Post sends a question as JSON, with a bearer's key where there is one, and answers what
// the model wrote, all of it in memory. The errors are those of Do.
func (c *Client) Post(ctx context.Context, url, key string, question any) (io.Reader, error) {
	body, err := json.Marshal(question)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	return res.Body, nil
}

// Do makes the call.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	outer := req.Context()
	ctx, cancel := context.WithTimeout(outer, c.read)
	defer cancel()
	res, err := c.client.Do(req.WithContext(ctx))
	if err != nil {
		return nil, c.failed(outer, ctx, err)
	}
	defer func() { _ = res.Body.Close() }() // what matters of it was read
	body, err := io.ReadAll(io.LimitReader(res.Body, c.maxBody+1))
	if err != nil {
		return nil, c.failed(outer, ctx, err)
	}
	if int64(len(body)) > c.maxBody {
		return nil, &models.Error{Message: fmt.Sprintf("the answer has more than %d bytes", c.maxBody)}
	}
	if res.StatusCode != http.StatusOK {
		return nil, refused(res, body)
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}

// failed says why no answer came: the caller gave up, it took too long, or the
// connection failed.
func (c *Client) failed(outer, inner context.Context, err error) error {
	if outer.Err() != nil {
		return outer.Err()
	}
	if inner.Err() != nil {
		return &models.Error{Temporary: true, Message: fmt.Sprintf("no answer within %v", c.read)}
	}
	return &models.Error{Temporary: true, Message: "the model can't be reached", Err: reason(err)}
}

// reason is the innermost error: the ones around it name the URL, which may hold a
// secret.
func reason(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// refused makes an error of an answer with another status. Of the body only a short
// code is taken over: its sentences may quote what was to be embedded.
func refused(res *http.Response, body []byte) error {
	e := &models.Error{Status: res.StatusCode, RetryAfter: retryAfter(res.Header), Message: "the model refused"}
	switch res.StatusCode {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		e.Temporary = true
	}
	if code := codeOf(body); code != "" {
		e.Message += ": " + code
	}
	return e
}

var codePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)

// codeOf finds the code in the error of the usual servers:
// {"error_type": "Overloaded"} or {"error": {"type": …, "code": …}}.
func codeOf(body []byte) string {
	var answer struct {
		Type  string          `json:"error_type"`
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return "" // no JSON: a proxy's page, perhaps
	}
	var inner struct {
		Type any `json:"type"`
		Code any `json:"code"`
	}
	if json.Unmarshal(answer.Error, &inner) != nil {
		inner.Type, inner.Code = nil, nil // the error is a sentence
	}
	for _, code := range []any{answer.Type, inner.Code, inner.Type} {
		if s, ok := code.(string); ok && codePattern.MatchString(s) {
			return s
		}
	}
	return ""
}

// retryAfter reads the header in both its forms; a date counts from the date of the
// answer, so that no clock is needed. 0 where it is missing, unreadable or past.
func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return max(0, time.Duration(min(seconds, 86400))*time.Second)
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return min(max(0, until.Sub(now)), 24*time.Hour)
}
