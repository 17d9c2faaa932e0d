// Package client asks a running server over GraphQL.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxAnswer is the largest answer that is read, in bytes.
const maxAnswer = 256 << 20

// Error is an error that the server answered.
type Error struct {
	Code    string
	Field   string
	Message string
}

func (e *Error) Error() string {
	s := e.Message
	if e.Field != "" && !strings.HasPrefix(s, e.Field) {
		s = e.Field + ": " + s
	}
	if e.Code == "" {
		return s
	}
	return e.Code + ": " + s
}

// NoServerError is returned where nothing answers.
type NoServerError struct {
	URL string
	Err error
}

func (e *NoServerError) Error() string {
	return fmt.Sprintf("no server answers at %s; start one with: somnograph serve", e.URL)
}

// Unwrap is what the network said.
func (e *NoServerError) Unwrap() error { return e.Err }

// Client asks one server. It is safe for concurrent use.
type Client struct {
	base *url.URL
	http *http.Client
}

// New makes a client for the server at addr: host:port, or a URL.
func New(addr string) (*Client, error) {
	if !strings.Contains(addr, "://") {
		addr = "http://" + addr
	}
	u, err := url.Parse(addr)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("%q is not the address of a server, such as 127.0.0.1:8420", addr)
	}
	u.Path, u.RawQuery, u.Fragment = strings.TrimSuffix(u.Path, "/"), "", ""
	t := &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 3 * time.Second}).DialContext,
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     30 * time.Second,
		ForceAttemptHTTP2:   true,
	}
	return &Client{base: u, http: &http.Client{Transport: t}}, nil
}

// URL is the address of the server.
func (c *Client) URL() string { return c.base.String() }

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Do runs one operation and decodes its data into out. Errors are a *NoServerError
// where nothing answers and an *Error where the server refused.
func (c *Client) Do(ctx context.Context, query string, variables, out any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.String()+"/graphql", bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/graphql-response+json, application/json")
	resp, err := c.http.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &NoServerError{c.base.String(), err}
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return fmt.Errorf("client: read the answer: %w", err)
	}
	if len(raw) > maxAnswer {
		return fmt.Errorf("client: the answer is larger than %d bytes", maxAnswer)
	}
	return decode(resp, raw, out)
}

func decode(resp *http.Response, raw []byte, out any) error {
	var answer struct {
		Data   json.RawMessage `json:"data"`
		Errors []struct {
			Message    string            `json:"message"`
			Extensions map[string]any    `json:"extensions"`
			Path       []json.RawMessage `json:"path"`
		} `json:"errors"`
	}
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if !strings.HasSuffix(media, "json") || json.Unmarshal(raw, &answer) != nil {
		if resp.StatusCode == http.StatusServiceUnavailable {
			return &Error{Code: "UNAVAILABLE", Message: "the server is not ready"}
		}
		return fmt.Errorf("client: what answers with %q is not a Somnograph server", resp.Status)
	}
	if len(answer.Errors) > 0 {
		first := answer.Errors[0]
		code, _ := first.Extensions["code"].(string)
		field, _ := first.Extensions["field"].(string)
		return &Error{Code: code, Field: field, Message: first.Message}
	}
	if err := json.Unmarshal(answer.Data, out); err != nil {
		return fmt.Errorf("client: the answer does not fit: %w", err)
	}
	return nil
}
