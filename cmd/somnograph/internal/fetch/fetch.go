// Package fetch downloads one document from a URL that a caller chose, without becoming a way
// into the network of the server.
//
// Only public addresses are contacted. The name is resolved once, each resolved address is
// checked, and the connection goes to a checked address and not to the name, so a name that
// resolves differently a moment later changes nothing. The same holds for each redirect, since
// each needs a connection. No proxy of the environment is used: it would resolve names itself.
//
// Documents use it only if an operator switched it on with --ingest-urls or
// SOMNOGRAPH_INGEST_URLS; it is off by default. The server makes one Client when it starts, and
// for a URL calls
//
//	page, err := client.Get(ctx, url)
//	doc, err := document.Read(ctx, bytes.NewReader(page.Body), int64(len(page.Body)), page.Path, page.MediaType, limits)
//
// with the URL as the path of the document in the store.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/publicnet"
)

// Options configure a Client. A zero field has its default.
type Options struct {
	// Bytes is the size of the largest document, after decompression. Default: 64 MiB.
	Bytes int64
	// Time is the longest time for one document with all redirects. Default: 30 seconds.
	Time time.Duration
	// Redirects is the largest number of redirects; negative: none. Default: 5.
	Redirects int
	// Allow reports whether an address may be contacted. Default: publicnet.Address. Tests replace it.
	Allow func(netip.Addr) bool
	// Resolve returns the addresses of a host name. Default: the resolver of the system.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	// Dial connects to an address that was checked. Default: TCP.
	Dial func(ctx context.Context, to netip.AddrPort) (net.Conn, error)
}

// Page is what a URL answered.
type Page struct {
	// URL is the address after all redirects.
	URL string
	// Path is the path of URL, whose extension can name the format.
	Path string
	// MediaType is that of the answer without parameters, or empty.
	MediaType string
	Body      []byte
}

// The reasons why a URL is not read. Errors of Get wrap one of them, or are those of the network
// or of the context.
var (
	ErrRefused  = errors.New("the address is refused")
	ErrTooLarge = errors.New("the document is too large")
	ErrStatus   = errors.New("the server did not answer with a document")
)

// Client downloads documents. It can be used by several goroutines at a time.
type Client struct {
	opt  Options
	http *http.Client
}

// New returns a client.
func New(opt Options) *Client {
	if opt.Bytes <= 0 {
		opt.Bytes = 64 << 20
	}
	if opt.Time <= 0 {
		opt.Time = 30 * time.Second
	}
	if opt.Redirects == 0 {
		opt.Redirects = 5
	}
	if opt.Allow == nil {
		opt.Allow = publicnet.Address
	}
	if opt.Resolve == nil {
		opt.Resolve = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	if opt.Dial == nil {
		opt.Dial = func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", to.String())
		}
	}
	c := &Client{opt: opt}
	c.http = &http.Client{
		CheckRedirect: c.redirect,
		Transport: &http.Transport{
			DialContext:            c.dial,
			DisableKeepAlives:      true,
			ForceAttemptHTTP2:      true,
			MaxResponseHeaderBytes: 64 << 10,
		},
	}
	return c
}

// Get downloads a document from an http or https URL without credentials. It answers only with
// a whole document.
func (c *Client) Get(ctx context.Context, rawURL string) (Page, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return Page{}, fmt.Errorf("%w: the URL is not valid", ErrRefused)
	}
	if err := c.checkURL(u); err != nil {
		return Page{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.opt.Time)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return Page{}, fmt.Errorf("%w: the URL is not valid", ErrRefused)
	}
	req.Header.Set("User-Agent", "somnograph")
	req.Header.Set("Accept", "text/markdown, text/html;q=0.9, */*;q=0.5")
	res, err := c.http.Do(req)
	if err != nil {
		return Page{}, fmt.Errorf("reading %s: %w", show(u), reason(err))
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return Page{}, fmt.Errorf("reading %s: %w: status %d", show(u), ErrStatus, res.StatusCode)
	}
	if res.ContentLength > c.opt.Bytes {
		return Page{}, fmt.Errorf("reading %s: %w: %d bytes; the limit is %d", show(u), ErrTooLarge, res.ContentLength, c.opt.Bytes)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, c.opt.Bytes+1))
	if err != nil {
		return Page{}, fmt.Errorf("reading %s: %w", show(u), reason(err))
	}
	if int64(len(body)) > c.opt.Bytes {
		return Page{}, fmt.Errorf("reading %s: %w: the limit is %d bytes", show(u), ErrTooLarge, c.opt.Bytes)
	}
	final := res.Request.URL
	page := Page{URL: final.String(), Path: path.Clean("/" + final.Path), Body: body}
	if kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type")); err == nil {
		page.MediaType = kind
	}
	return page, nil
}

// redirect checks the next URL of a redirect. Its address is checked when it is dialled.
func (c *Client) redirect(req *http.Request, via []*http.Request) error {
	if len(via) > c.opt.Redirects {
		return fmt.Errorf("%w: more than %d redirects", ErrRefused, max(c.opt.Redirects, 0))
	}
	if via[len(via)-1].URL.Scheme == "https" && req.URL.Scheme != "https" {
		return fmt.Errorf("%w: it redirects from https to %s", ErrRefused, req.URL.Scheme)
	}
	return c.checkURL(req.URL)
}

// checkURL refuses what is not a plain web address, and a host that can't be public.
func (c *Client) checkURL(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%w: the scheme is %q; right would be http or https", ErrRefused, u.Scheme)
	case u.User != nil:
		return fmt.Errorf("%w: the URL contains credentials", ErrRefused)
	case u.Hostname() == "":
		return fmt.Errorf("%w: the URL has no host", ErrRefused)
	}
	if err := publicnet.Host(u.Hostname(), c.opt.Allow); err != nil {
		return fmt.Errorf("%w: %s %w", ErrRefused, u.Hostname(), err)
	}
	return nil
}

// dial connects to the host of a URL. If one of its addresses is not allowed, none is contacted.
func (c *Client) dial(ctx context.Context, _, hostPort string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil {
		return nil, fmt.Errorf("%w: the host is not valid", ErrRefused)
	}
	number, err := net.DefaultResolver.LookupPort(ctx, "tcp", port)
	if err != nil {
		return nil, fmt.Errorf("%w: the port is not valid", ErrRefused)
	}
	var addrs []netip.Addr
	if literal, err := netip.ParseAddr(host); err == nil {
		addrs = []netip.Addr{literal}
	} else if addrs, err = c.opt.Resolve(ctx, host); err != nil {
		return nil, err
	}
	for _, a := range addrs {
		if !c.opt.Allow(a.Unmap()) {
			return nil, fmt.Errorf("%w: %s is at an address that is not public", ErrRefused, host)
		}
	}
	err = fmt.Errorf("%s has no address", host)
	for _, a := range addrs {
		var conn net.Conn
		if conn, err = c.opt.Dial(ctx, netip.AddrPortFrom(a.Unmap(), uint16(number))); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// show is a URL for errors: without its query, which can contain secrets.
func show(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// reason is the cause of an error without the URL, which the error of the HTTP client has in full, and without the addresses of this
// server and of its resolver, which those of the network have.
func reason(err error) error {
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.Is(err, ErrRefused):
	case errors.As(err, &dns):
		return errors.New("the name of the host can't be resolved")
	case errors.As(err, &op):
		return op.Err
	}
	if e := (*url.Error)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}
