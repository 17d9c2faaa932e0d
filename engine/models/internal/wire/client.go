// Package wire is the HTTP layer that all model adapters share: timeouts, size limits, typed
// errors and the splitting of texts into calls.
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

// Limits of a call.
const (
	Connect = 3 * time.Second  // timeout of the connection, TLS included
	Read    = 10 * time.Second // timeout of the whole response
	MaxBody = 32 << 20         // bytes of a response; 32 vectors of 4,096 numbers need about 3 MiB
)

// Client calls a model. Do returns a response with status 200 and the whole body in memory, or
// *models.Error, or the error of the request's context.
type Client struct {
	client  *http.Client
	read    time.Duration
	maxBody int64
}

// NewClient makes a Client with its own connections. It does not follow redirects, so that the
// key is sent only to the configured host.
func NewClient() *Client { return NewBounded(MaxBody) }

// NewBounded makes a Client that accepts responses of at most maxBody bytes.
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

// CloseIdle closes idle connections.
func (c *Client) CloseIdle() { c.client.CloseIdleConnections() }

// Post sends a question as JSON, with key as the bearer token if it is not empty, and returns
// the response body in memory. The errors are those of Do.
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
	defer func() { _ = res.Body.Close() }() // read as far as needed
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

// failed returns the error of a call without a response: the caller cancelled it, it timed
// out, or the connection failed.
func (c *Client) failed(outer, inner context.Context, err error) error {
	if outer.Err() != nil {
		return outer.Err()
	}
	if inner.Err() != nil {
		return &models.Error{Temporary: true, Message: fmt.Sprintf("no answer within %v", c.read)}
	}
	return &models.Error{Temporary: true, Message: "the model can't be reached", Err: Root(err)}
}

// Root returns the root error. The errors around it contain the URL, which may hold a
// secret.
func Root(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// refused returns the error for a response with another status. It keeps only a short code of
// the body, because messages may quote the embedded text.
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

// codeOf returns the error code in the body formats of common servers: {"error_type":
// "Overloaded"} or {"error": {"type": …, "code": …}}.
func codeOf(body []byte) string {
	var answer struct {
		Type  string          `json:"error_type"`
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return "" // not JSON, for example a proxy's error page
	}
	var inner struct {
		Type any `json:"type"`
		Code any `json:"code"`
	}
	if json.Unmarshal(answer.Error, &inner) != nil {
		inner.Type, inner.Code = nil, nil // the error is a string
	}
	for _, code := range []any{answer.Type, inner.Code, inner.Type} {
		if s, ok := code.(string); ok && codePattern.MatchString(s) {
			return s
		}
	}
	return ""
}

// retryAfter parses the Retry-After header in both forms. A date is relative to the date of
// the response, so that no clock is needed. It returns 0 if the header is missing, invalid or
// in the past.
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
