// Package webhooks sends webhooks over HTTP, to public addresses unless the configuration allows others.
package webhooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/publicnet"
	"github.com/somnograph/somnograph/engine"
)

// maxAnswer is how much of an answer is read, so that the connection can be used again.
const maxAnswer = 16 << 10

// Sender implements engine.WebhookSender.
type Sender struct {
	private  bool
	resolver Resolver
	http     *http.Client
}

// Resolver finds the addresses of a host. net.Resolver implements it.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// resolveTimeout limits the resolution of a name when a webhook is made.
const resolveTimeout = 3 * time.Second

var errPrivate = errors.New("the address is not a public one")

// New makes a Sender. private: addresses of this machine and of private networks are allowed, and so is http.
// resolver finds the addresses of new webhooks; with private it is not asked.
func New(private bool, resolver Resolver) *Sender {
	s := &Sender{private: private, resolver: resolver}
	dialer := &net.Dialer{Timeout: 5 * time.Second, Control: s.control}
	s.http = &http.Client{
		// An answer that points elsewhere is a failure: the other place was not checked and gets no signed message.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			// No proxy of the environment: the address that is checked must be the endpoint's own.
			Proxy:                  nil,
			DialContext:            dialer.DialContext,
			TLSHandshakeTimeout:    5 * time.Second,
			MaxIdleConnsPerHost:    2,
			IdleConnTimeout:        30 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			ForceAttemptHTTP2:      true,
		},
	}
	return s
}

// control is called with the address that a connection is about to be made to, after its name was resolved.
func (s *Sender) control(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return errPrivate
	}
	if !s.private && !publicnet.Address(at.Addr()) {
		return errPrivate
	}
	return nil
}

// Check implements engine.WebhookSender. A name that can't be resolved now is accepted: a message is sent
// only to an address that is checked again.
func (s *Sender) Check(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return errors.New("must be an https URL, such as https://app.example/memory")
	case u.Scheme == "http" && !s.private:
		return errors.New("must be an https URL: http is allowed with the setting webhooks.allow-private")
	case u.User != nil:
		return errors.New("must hold no name and no password: messages are signed")
	case u.Fragment != "":
		return errors.New("must have no fragment")
	}
	if s.private {
		return nil
	}
	if err := publicnet.Host(u.Hostname(), nil); err != nil {
		return fmt.Errorf("must be public, and the host %w: private addresses are allowed with the setting webhooks.allow-private", err)
	}
	ctx, cancel := context.WithTimeout(ctx, resolveTimeout)
	defer cancel()
	found, err := s.resolver.LookupNetIP(ctx, "ip", u.Hostname())
	if err == nil && slices.ContainsFunc(found, func(a netip.Addr) bool { return !publicnet.Address(a) }) {
		return errors.New("must be public, and the name of the host leads to an address that is not: private addresses are allowed with the setting webhooks.allow-private")
	}
	return nil
}

// Send implements engine.WebhookSender.
func (s *Sender) Send(ctx context.Context, r engine.WebhookRequest) (engine.WebhookAnswer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return engine.WebhookAnswer{}, errors.New("the URL is not valid")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "somnograph")
	req.Header.Set("webhook-id", r.ID)
	req.Header.Set("webhook-timestamp", strconv.FormatInt(r.At.Unix(), 10))
	req.Header.Set("webhook-signature", r.Signature)
	resp, err := s.http.Do(req)
	if err != nil {
		return engine.WebhookAnswer{}, reason(err)
	}
	// The status says whether the message was accepted. The rest is read so that the connection can be used again.
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxAnswer))
	_ = resp.Body.Close()
	answer := engine.WebhookAnswer{Status: resp.StatusCode}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds > 0 {
		answer.RetryAfter = time.Duration(min(seconds, 1<<20)) * time.Second
	}
	return answer, nil
}

// reason is why a request failed, without the URL, which may hold a secret.
func reason(err error) error {
	var dns *net.DNSError
	var op *net.OpError
	var failed *url.Error
	switch {
	case errors.Is(err, errPrivate):
		return errPrivate
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("the endpoint did not answer in time")
	case errors.As(err, &dns):
		return errors.New("the name of the endpoint can't be resolved")
	case errors.As(err, &op):
		return fmt.Errorf("the connection to the endpoint failed: %w", op.Err)
	case errors.As(err, &failed):
		return fmt.Errorf("the request failed: %w", failed.Err)
	}
	return errors.New("the request failed")
}
