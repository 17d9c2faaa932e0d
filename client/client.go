// Package client calls a Somnograph server: long-term memory for agents.
//
//	c, err := client.New("http://127.0.0.1:8420", client.WithUser("ana"), client.WithConsent(client.ConsentExplicit))
//	…
//	_, err = c.Add(ctx, "I moved from Oslo to Bergen in May.")
//	prompt, err := c.Context(ctx, "Where do I live?", client.ContextOptions{})
//
// Reads, and writes with an idempotency key, are repeated after a lost connection; the client gives
// every write a key. Errors of the server are *Error; Code tells the code of any error.
package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxResponse is the largest response, in bytes.
const maxResponse = 256 << 20

// Error is an error that the server returned.
type Error struct {
	// Code is a code of the API, such as CONSENT_REQUIRED, or PROTOCOL: the answer is not one of a Somnograph server.
	Code string
	// Field is the path of the argument at fault; empty: none.
	Field   string
	Message string
	// RequestID is the id of the entry in the server's log of an INTERNAL error.
	RequestID string
	// RetryAfter is how long the server asks to wait, of a RATE_LIMITED error.
	RetryAfter time.Duration
}

func (e *Error) Error() string {
	s := e.Message
	if e.Field != "" && !strings.HasPrefix(s, e.Field) {
		s = e.Field + ": " + s
	}
	if e.Code == "" { // a route that is not GraphQL has only a text
		return s
	}
	return e.Code + ": " + s
}

// Code returns the code of an error of this package as the other clients have it: that of an *Error, UNREACHABLE of an
// *UnreachableError, TIMEOUT where the time for the call ran out, ABORTED where its context was cancelled. Empty: it is
// another error.
func Code(err error) string {
	var refused *Error
	var away *UnreachableError
	switch {
	case errors.As(err, &refused):
		return refused.Code
	case errors.As(err, &away):
		return "UNREACHABLE"
	case errors.Is(err, context.DeadlineExceeded):
		return "TIMEOUT"
	case errors.Is(err, context.Canceled):
		return "ABORTED"
	}
	return ""
}

// UnreachableError is returned if the server was not reached, or the connection was lost before the answer.
type UnreachableError struct {
	URL string
	Err error
	// sent is whether the server may have got the request.
	sent bool
}

func (e *UnreachableError) Error() string {
	if e.sent {
		cause := e.Err
		if u, ok := errors.AsType[*url.Error](cause); ok {
			cause = u.Err
		}
		return fmt.Sprintf("no answer from the server at %s: %v", e.URL, cause)
	}
	return fmt.Sprintf("no server answers at %s; start one with: somnograph serve", e.URL)
}

// Unwrap returns the error of the network.
func (e *UnreachableError) Unwrap() error { return e.Err }

// Client calls one server. It is safe for concurrent use.
type Client struct {
	base           *url.URL // without name and password
	name, password string   // basic authentication, for a proxy in front of the server
	key            string   // API key; empty: none
	http           *http.Client
	filled         map[string]any // arguments of calls that give none, by name
	timeout        time.Duration
	attempts       int
	pause          func(attempt int) time.Duration
}

// settings are what the options of New set.
type settings struct {
	tls            *tls.Config
	key, password  string
	dial           func(ctx context.Context, network, address string) (net.Conn, error)
	filled         map[string]any
	timeout        time.Duration
	attempts       int
	first, longest time.Duration
}

// Option is an option of New.
type Option func(*settings)

// WithKey sends an API key with every request, over https, or to this machine.
func WithKey(key string) Option { return func(s *settings) { s.key = key } }

// WithTLS sets the TLS configuration of an https address; without it the authorities of the machine
// are used.
func WithTLS(c *tls.Config) Option { return func(s *settings) { s.tls = c } }

// WithPassword gives the password that belongs to the name in the address, for a proxy in front of
// the server.
func WithPassword(password string) Option { return func(s *settings) { s.password = password } }

// WithDial sets how connections are made; without it over the network, within 3 s.
func WithDial(dial func(ctx context.Context, network, address string) (net.Conn, error)) Option {
	return func(s *settings) { s.dial = dial }
}

// WithUser sets the user of reads and writes that name none.
func WithUser(user string) Option { return with("user", user) }

// WithNamespace sets the namespace of reads and writes that name none.
func WithNamespace(namespace string) Option {
	return func(s *settings) {
		s.filled["namespace"], s.filled["namespaces"] = namespace, []string{namespace}
	}
}

// WithConsent sets the consent of writes that name none.
func WithConsent(consent Consent) Option { return with("consent", consent) }

// WithProject sets the project of writes and contexts that name none.
func WithProject(project string) Option { return with("project", project) }

// WithAgent sets the agent of writes that name none.
func WithAgent(agent string) Option { return with("agent", agent) }

// WithSession sets the conversation of contexts and searches that name none; without it contexts
// belong to a conversation of this client.
func WithSession(session string) Option {
	return func(s *settings) { s.filled["session"], s.filled["askedIn"] = session, session }
}

func with(name string, value any) Option { return func(s *settings) { s.filled[name] = value } }

// WithTimeout limits a call with its repetitions if its context has no deadline; without it 30 s.
func WithTimeout(d time.Duration) Option { return func(s *settings) { s.timeout = d } }

// WithRetry sets how often a call is tried, at least once, the first pause, and the longest. The pauses
// double, and are drawn from the upper half of their range. Without it 8 attempts, 100 ms and 5 s.
func WithRetry(attempts int, first, longest time.Duration) Option {
	return func(s *settings) { s.attempts, s.first, s.longest = max(attempts, 1), first, longest }
}

// New makes a client for the server at addr: host:port, or a URL, which may contain a user
// name for a proxy in front of the server.
func New(addr string, options ...Option) (*Client, error) {
	s := settings{filled: map[string]any{"session": "go-" + rand.Text()}, timeout: 30 * time.Second, attempts: 8, first: 100 * time.Millisecond, longest: 5 * time.Second}
	for _, o := range options {
		o(&s)
	}
	if !strings.Contains(addr, "://") {
		addr = "http://" + addr
	}
	u, err := url.Parse(addr)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("%q is not the address of a server, such as 127.0.0.1:8420", redacted(u, addr))
	}
	c := &Client{base: u, name: u.User.Username(), password: s.password, key: s.key, filled: s.filled, timeout: s.timeout, attempts: s.attempts, pause: s.pause}
	if p, given := u.User.Password(); given {
		c.password = p
	}
	if c.password != "" && c.name != "" && u.Scheme != "https" {
		return nil, fmt.Errorf("a password is sent over https only, and %s is not", u.Redacted())
	}
	if s.key != "" {
		switch {
		case c.name != "":
			return nil, errors.New("an API key and a name in the address exclude each other")
		case u.Scheme != "https" && !loopback(u.Hostname()):
			return nil, fmt.Errorf("an API key is sent over https only, and %s is not", u.Redacted())
		}
	}
	u.User = nil
	u.Path, u.RawQuery, u.Fragment = strings.TrimSuffix(u.Path, "/"), "", ""
	if s.dial == nil {
		s.dial = (&net.Dialer{Timeout: 3 * time.Second}).DialContext
	}
	c.http = &http.Client{Transport: &http.Transport{
		DialContext:         s.dial,
		TLSClientConfig:     s.tls,
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     30 * time.Second,
		ForceAttemptHTTP2:   true,
	}}
	return c, nil
}

// redacted is an address for an error, without its password.
func redacted(u *url.URL, addr string) string {
	if u == nil {
		_, after, found := strings.Cut(addr, "@")
		if found {
			return after
		}
		return addr
	}
	return u.Redacted()
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// String names the server, without credentials.
func (c *Client) String() string { return "client of " + c.base.String() }

// GoString is String: a printed client shows no credentials.
func (c *Client) GoString() string { return c.String() }

// URL is the address of the server.
func (c *Client) URL() string { return c.base.String() }

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Send makes a request for a path of the server and sends it with the credentials of the client. prepare, if it is not nil, may change the
// request before. The caller closes the body of the response. The error is a *UnreachableError if no server answers.
func (c *Client) Send(ctx context.Context, method, path string, body io.Reader, prepare func(*http.Request)) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base.String()+path, body)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	c.authorize(req)
	if prepare != nil {
		prepare(req)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var op *net.OpError
		return nil, &UnreachableError{URL: c.base.String(), Err: err, sent: !errors.As(err, &op) || op.Op != "dial"}
	}
	return resp, nil
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
	resp, err := c.Send(ctx, http.MethodGet, "/readyz", nil, nil)
	if err != nil {
		return err
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

// Do runs one GraphQL operation, once, and decodes its data into out. Errors are a *UnreachableError if no
// server answers and an *Error if the server refused.
func (c *Client) Do(ctx context.Context, query string, variables, out any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	resp, err := c.Send(ctx, http.MethodPost, "/graphql", bytes.NewReader(body), func(req *http.Request) {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/graphql-response+json, application/json")
	})
	if err != nil {
		return err
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse+1))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("client: read the response: %w", &UnreachableError{URL: c.base.String(), Err: err, sent: true})
	}
	if len(raw) > maxResponse {
		return fmt.Errorf("client: the response is larger than %d bytes", maxResponse)
	}
	return decode(resp, raw, out)
}

// graphqlError is one entry of errors in an answer.
type graphqlError struct {
	Message    string         `json:"message"`
	Extensions map[string]any `json:"extensions"`
}

func (g graphqlError) error() *Error {
	e := &Error{Message: g.Message}
	code, _ := g.Extensions["code"].(string)
	e.Code = cmp.Or(code, "PROTOCOL")
	e.Field, _ = g.Extensions["field"].(string)
	e.RequestID, _ = g.Extensions["id"].(string)
	seconds, _ := g.Extensions["retryAfter"].(float64)
	e.RetryAfter = time.Duration(seconds * float64(time.Second))
	return e
}

// statusCodes are the codes of answers that are not GraphQL, such as those of a proxy, by their status.
var statusCodes = map[int]string{
	401: "UNAUTHENTICATED", 403: "FORBIDDEN", 413: "LIMIT_EXCEEDED", 429: "RATE_LIMITED", 502: "UNAVAILABLE", 503: "UNAVAILABLE", 504: "UNAVAILABLE",
}

func decode(resp *http.Response, raw []byte, out any) error {
	var answer struct {
		Data   json.RawMessage `json:"data"`
		Errors []graphqlError  `json:"errors"`
	}
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if !strings.HasSuffix(media, "json") || json.Unmarshal(raw, &answer) != nil {
		if code, known := statusCodes[resp.StatusCode]; known {
			return &Error{Code: code, Message: fmt.Sprintf("the server answered with status %q", resp.Status), RetryAfter: retryAfter(resp)}
		}
		return &Error{Code: "PROTOCOL", Message: fmt.Sprintf("the answer with status %q is not from a Somnograph server; check the URL", resp.Status)}
	}
	if len(answer.Errors) > 0 {
		return answer.Errors[0].error()
	}
	if err := json.Unmarshal(answer.Data, out); err != nil {
		return &Error{Code: "PROTOCOL", Message: "unexpected response: " + err.Error()}
	}
	return nil
}

func retryAfter(resp *http.Response) time.Duration {
	seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
	return time.Duration(seconds) * time.Second
}
