// Package client calls a running server over GraphQL.
package client

import (
	"bytes"
	"context"
	"crypto/tls"
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

	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
)

// maxResponse is the largest response, in bytes.
const maxResponse = 256 << 20

// Error is an error that the server returned.
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

// NoServerError is returned if no server answers at the URL.
type NoServerError struct {
	URL string
	Err error
}

func (e *NoServerError) Error() string {
	return fmt.Sprintf("no server answers at %s; start one with: somnograph serve", e.URL)
}

// Unwrap returns the error of the network.
func (e *NoServerError) Unwrap() error { return e.Err }

// Client calls one server. It is safe for concurrent use.
type Client struct {
	base           *url.URL // without name and password
	name, password string   // basic authentication, for a proxy in front of the server
	key            string   // API key; empty: none
	http           *http.Client
}

// Options say how to connect. The zero value is for a server on this machine.
type Options struct {
	// TLS is the configuration for an https address. Nil: the authorities of the machine.
	TLS *tls.Config
	// Password belongs to the name in the address, if that has none.
	Password string
	// Key is the API key of the caller; empty: none. It excludes a name in the address.
	Key string
	// Dial connects. Nil: over the network, within 3 s.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// New makes a client for the server at addr: host:port, or a URL, which may contain a user
// name for a proxy in front of the server.
func New(addr string, o Options) (*Client, error) {
	if !strings.Contains(addr, "://") {
		addr = "http://" + addr
	}
	u, err := url.Parse(addr)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("%q is not the address of a server, such as 127.0.0.1:8420", addr)
	}
	c := &Client{base: u, name: u.User.Username(), password: o.Password}
	if p, given := u.User.Password(); given {
		c.password = p
	}
	if c.password != "" && c.name != "" && u.Scheme != "https" {
		return nil, fmt.Errorf("a password is sent over https only, and %s is not", u.Redacted())
	}
	if o.Key != "" {
		switch {
		case c.name != "":
			return nil, errors.New("an API key and a name in the address exclude each other")
		case u.Scheme != "https" && !config.Loopback(u.Host):
			return nil, fmt.Errorf("an API key is sent over https only, and %s is not", u.Redacted())
		}
	}
	c.key = o.Key
	u.User = nil
	u.Path, u.RawQuery, u.Fragment = strings.TrimSuffix(u.Path, "/"), "", ""
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: 3 * time.Second}).DialContext
	}
	t := &http.Transport{
		DialContext:         o.Dial,
		TLSClientConfig:     o.TLS,
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     30 * time.Second,
		ForceAttemptHTTP2:   true,
	}
	c.http = &http.Client{Transport: t}
	return c, nil
}

// request makes a request for a path of the server.
func (c *Client) request(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base.String()+path, body)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	c.authorize(req)
	return req, nil
}

// authorize adds the credentials of the client to a request.
func (c *Client) authorize(req *http.Request) {
	switch {
	case c.key != "":
		req.Header.Set("Authorization", "Bearer "+c.key)
	case c.name != "":
		req.SetBasicAuth(c.name, c.password)
	}
}

// RoundTrip sends a request for any host to the server, with the credentials of the client. It
// implements http.RoundTripper for other protocols than GraphQL.
func (c *Client) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.URL.Scheme, req.URL.Host, req.Host = c.base.Scheme, c.base.Host, ""
	req.URL.Path = c.base.Path + req.URL.Path
	c.authorize(req)
	return c.http.Transport.RoundTrip(req)
}

// Ready returns nil if the server can read and write now, and otherwise the reason.
func (c *Client) Ready(ctx context.Context) error {
	req, err := c.request(ctx, http.MethodGet, "/readyz", nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return &NoServerError{c.base.String(), err}
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, 256))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return fmt.Errorf("client: read the response: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the server at %s is not ready: %s", c.base, strings.TrimSpace(string(text)))
	}
	return nil
}

// URL is the address of the server.
func (c *Client) URL() string { return c.base.String() }

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Do runs one operation and decodes its data into out. Errors are a *NoServerError if no
// server answers and an *Error if the server refused.
func (c *Client) Do(ctx context.Context, query string, variables, out any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	req, err := c.request(ctx, http.MethodPost, "/graphql", bytes.NewReader(body))
	if err != nil {
		return err
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
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse+1))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return fmt.Errorf("client: read the response: %w", err)
	}
	if len(raw) > maxResponse {
		return fmt.Errorf("client: the response is larger than %d bytes", maxResponse)
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
		return fmt.Errorf("client: the answer %q is not from a Somnograph server", resp.Status)
	}
	if len(answer.Errors) > 0 {
		first := answer.Errors[0]
		code, _ := first.Extensions["code"].(string)
		field, _ := first.Extensions["field"].(string)
		return &Error{Code: code, Field: field, Message: first.Message}
	}
	if err := json.Unmarshal(answer.Data, out); err != nil {
		return fmt.Errorf("client: unexpected response: %w", err)
	}
	return nil
}
