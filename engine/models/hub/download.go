package hub

import (
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/models/internal/wire"
)

// attempts is the maximum number of requests per file.
const attempts = 3

// errBroken marks an error that a retry may fix.
var errBroken = errors.New("the download was interrupted")

// file downloads one file into dir. The file gets its final name after it is complete and
// durable.
func (h Hub) file(ctx context.Context, at *url.URL, dir string, f File) (err error) {
	part, err := os.CreateTemp(dir, "."+f.Name+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, part.Close(), os.Remove(part.Name()))
		}
	}()
	for n := range attempts {
		if err = h.download(ctx, at, part, f); !errors.Is(err, errBroken) || n == attempts-1 || ctx.Err() != nil {
			break
		}
		if _, err = part.Seek(0, io.SeekStart); err == nil {
			err = part.Truncate(0)
		}
		if err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if err = part.Sync(); err != nil {
		return err
	}
	if err = os.Rename(part.Name(), filepath.Join(dir, f.Name)); err != nil {
		return err
	}
	return errors.Join(part.Close(), syncDir(dir))
}

// download writes one response to part, and checks the digest that the hub names.
func (h Hub) download(outer context.Context, at *url.URL, part io.Writer, f File) error {
	ctx, stop := context.WithCancel(outer)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return err
	}
	if h.Token != "" {
		req.Header.Set("Authorization", "Bearer "+h.Token)
	}
	var said promise
	client := h.client(&said)
	defer client.CloseIdleConnections()
	res, err := client.Do(req)
	switch {
	case err != nil && outer.Err() != nil:
		return outer.Err()
	case err != nil:
		return fmt.Errorf("%w: %w", errBroken, wire.Root(err))
	}
	defer func() { _ = res.Body.Close() }() // read to its end, or abandoned
	if err := refused(res); err != nil {
		return err
	}
	said.read(res.Header)
	total := max(said.size, res.ContentLength, 0)
	if total > f.Most {
		return fmt.Errorf("has %d bytes, more than %d", total, f.Most)
	}
	digest := said.digest(total)
	body := &patient{body: res.Body, most: f.Most, stall: cmp.Or(h.Stall, 30*time.Second), stop: stop, tell: func(done int64) {
		if h.Progress != nil {
			h.Progress(f.Name, done, total)
		}
	}}
	n, err := io.Copy(io.MultiWriter(part, digest), body)
	switch {
	case errors.Is(err, errTooLong):
		return err
	case err != nil && outer.Err() != nil:
		return outer.Err()
	case err != nil:
		return fmt.Errorf("%w after %d bytes: %w", errBroken, n, wire.Root(err))
	case said.sum != "" && hex.EncodeToString(digest.Sum(nil)) != said.sum:
		return fmt.Errorf("%w: its digest differs from that of the hub", errBroken)
	}
	return nil
}

// client returns an HTTP client that follows the hub's redirects to the storage of large files
// and reads the file headers of each response. The standard library drops the token on a
// redirect to another host.
func (h Hub) client(said *promise) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 3 * time.Second}).DialContext,
			TLSHandshakeTimeout:   3 * time.Second,
			ResponseHeaderTimeout: 10 * time.Second,
			ForceAttemptHTTP2:     true,
		},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) >= 5 {
				return errors.New("has too many redirects")
			}
			if via[0].URL.Scheme == "https" && req.URL.Scheme != "https" {
				return errors.New("is redirected to an address without TLS")
			}
			said.read(req.Response.Header)
			return nil
		},
	}
}

// refused returns the error for a response that is not a file.
func refused(res *http.Response) error {
	switch code := res.StatusCode; {
	case code == http.StatusOK:
		return nil
	case code == http.StatusNotFound:
		return errAbsent
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return fmt.Errorf("the hub refuses (status %d): there is no such model, or it requires a token", code)
	case code >= 500 || code == http.StatusTooManyRequests:
		return fmt.Errorf("%w: status %d", errBroken, code)
	default:
		return fmt.Errorf("the hub answers with status %d", code)
	}
}

// promise is the metadata of a file from the response headers.
type promise struct {
	size int64
	sum  string // hexadecimal SHA-256 or git blob id; empty: neither
}

var sumPattern = regexp.MustCompile(`^"?([0-9a-f]{64}|[0-9a-f]{40})"?$`)

// read takes the metadata from a header. Values that are already set stay.
func (p *promise) read(h http.Header) {
	tag := h.Get("X-Linked-Etag")
	if tag == "" && h.Get("X-Repo-Commit") != "" { // the hub itself, not the target of a redirect
		tag = strings.TrimPrefix(h.Get("ETag"), "W/")
	}
	if m := sumPattern.FindStringSubmatch(tag); m != nil && p.sum == "" {
		p.sum = m[1]
	}
	if n, err := strconv.ParseInt(h.Get("X-Linked-Size"), 10, 64); err == nil && p.size == 0 {
		p.size = n
	}
}

// digest returns the hash for the comparison with sum. A git blob id needs the length in
// advance; without it there is no comparison.
func (p *promise) digest(size int64) hash.Hash {
	if len(p.sum) == 40 && size > 0 {
		d := sha1.New() // chosen by the hub; detects accidental damage only
		fmt.Fprintf(d, "blob %d\x00", size)
		return d
	}
	if len(p.sum) == 40 {
		p.sum = ""
	}
	return sha256.New()
}

// syncDir makes the entries of a directory durable (fsync).
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
