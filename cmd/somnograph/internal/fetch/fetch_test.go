package fetch

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// internet resolves names to addresses and leads every connection to a local server.
type internet struct {
	names  map[string]string // host: addresses, separated by spaces
	server string
	dialed atomic.Int32
}

func (i *internet) options() Options {
	return Options{
		Resolve: func(_ context.Context, host string) (addrs []netip.Addr, err error) {
			for _, a := range strings.Fields(i.names[host]) {
				addrs = append(addrs, netip.MustParseAddr(a))
			}
			if len(addrs) == 0 {
				return nil, errors.New("no such host")
			}
			return addrs, nil
		},
		Dial: func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
			i.dialed.Add(1)
			return new(net.Dialer).DialContext(ctx, "tcp", i.server)
		},
	}
}

// serve starts a server that answers for every host of an internet.
func serve(t *testing.T, handler http.HandlerFunc) *internet {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return &internet{server: s.Listener.Addr().String(), names: map[string]string{
		"public.test": "93.184.216.34", "six.test": "2606:2800:220:1:248:1893:25c8:1946", "private.test": "10.1.2.3", "local.test": "127.0.0.1", "mixed.test": "93.184.216.34 192.168.1.1", "metadata.test": "::ffff:169.254.169.254",
	}}
}

func TestGet(t *testing.T) {
	i := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "http://six.test/docs/new.md?x=1", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		_, _ = fmt.Fprintf(w, "# %s %s", r.Host, r.Header.Get("Authorization"))
	})
	page, err := New(i.options()).Get(t.Context(), "http://public.test/old")
	if err != nil || string(page.Body) != "# six.test " || page.MediaType != "text/markdown" || page.Path != "/docs/new.md" || page.URL != "http://six.test/docs/new.md?x=1" {
		t.Errorf("%+v, %v", page, err)
	}
}

func TestPrivateAddressesAreRefused(t *testing.T) {
	i := serve(t, func(http.ResponseWriter, *http.Request) {})
	for _, u := range []string{
		"http://private.test/", "http://local.test/", "http://mixed.test/", "http://metadata.test/", "http://127.0.0.1/", "http://[::1]/", "http://[::ffff:10.0.0.1]/", "http://0.0.0.0/",
		"http://169.254.169.254/", "http://localhost/", "http://2130706433/", "http://0x7f.1/", "http://printer.local/", "file:///etc/passwd", "ftp://public.test/", "http://user:secret@public.test/", "http:///x", "://", "gopher://public.test",
	} {
		if _, err := New(i.options()).Get(t.Context(), u); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", u, err)
		}
	}
	if n := i.dialed.Load(); n > 0 {
		t.Errorf("%d connections were made", n)
	}
}

func TestRedirectsToPrivateAddressesAreRefused(t *testing.T) {
	for _, to := range []string{"http://private.test/", "http://127.0.0.1:8080/", "http://[::1]/", "//local.test/", "file:///etc/passwd", "http://a:b@public.test/", "/again"} {
		i := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		})
		_, err := New(i.options()).Get(t.Context(), "http://public.test/?token=secret")
		if !errors.Is(err, ErrRefused) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", to, err)
		}
		if n := i.dialed.Load(); to != "/again" && n != 1 || n > 6 {
			t.Errorf("%s: %d connections", to, n)
		}
	}
}

func TestNoRedirectFromHTTPS(t *testing.T) {
	from, to := &url.URL{Scheme: "https", Host: "a"}, &url.URL{Scheme: "http", Host: "a"}
	err := New(Options{}).redirect(&http.Request{URL: to}, []*http.Request{{URL: from}})
	if !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
}

func TestLimits(t *testing.T) {
	i := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/declared":
			w.Header().Set("Content-Length", "1001")
		case "/streamed":
			for range 1001 {
				_, _ = w.Write([]byte("x"))
				w.(http.Flusher).Flush()
			}
		case "/compressed":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write(make([]byte, 1<<20))
			_ = z.Close()
		case "/missing":
			w.WriteHeader(http.StatusNotFound)
		case "/silent":
			<-r.Context().Done()
		}
	})
	opt := i.options()
	opt.Bytes = 1000
	for path, want := range map[string]error{"/declared": ErrTooLarge, "/streamed": ErrTooLarge, "/compressed": ErrTooLarge, "/missing": ErrStatus} {
		if _, err := New(opt).Get(t.Context(), "http://public.test"+path); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
	opt.Time = 20 * time.Millisecond
	if _, err := New(opt).Get(t.Context(), "http://public.test/silent"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// What is told of a download that failed names no address of this machine or its network: who asks for a URL is not its operator.
func TestAFailureNamesNoAddressOfTheServer(t *testing.T) {
	i := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, buf, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = buf.WriteString("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
		_ = buf.Flush()
		_ = conn.(*net.TCPConn).SetLinger(0) // the client gets a reset
		_ = conn.Close()
	})
	unresolved, refused := i.options(), i.options()
	unresolved.Resolve = func(_ context.Context, host string) ([]netip.Addr, error) {
		return nil, &net.DNSError{Err: "no such host", Name: host, Server: "10.7.7.7:53", IsNotFound: true}
	}
	refused.Dial = func(context.Context, netip.AddrPort) (net.Conn, error) {
		from, to := &net.TCPAddr{IP: net.IPv4(10, 7, 7, 8), Port: 4711}, &net.TCPAddr{IP: net.IPv4(93, 184, 216, 34), Port: 80}
		return nil, &net.OpError{Op: "dial", Net: "tcp", Source: from, Addr: to, Err: errors.New("connection refused")}
	}
	for name, o := range map[string]Options{"no such name": unresolved, "no connection": refused, "a connection that breaks": i.options()} {
		_, err := New(o).Get(t.Context(), "http://public.test/doc.md")
		if err == nil || strings.Contains(err.Error(), "10.7.7.") || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
