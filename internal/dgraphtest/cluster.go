// Package dgraphtest runs a real Dgraph for tests: one zero and one alpha on loopback, in their
// own directory. A missing program is a failure, not a reason to skip.
package dgraphtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/somnograph/somnograph/internal/certtest"
	"github.com/somnograph/somnograph/internal/proctest"
)

const (
	starting = 3 * time.Minute  // limit for a server to become healthy
	ending   = 20 * time.Second // limit for a server to end before it is killed
)

// Cluster is a running Dgraph.
type Cluster struct {
	Addr string // of the alpha's gRPC, host:port

	binary, dir string
	offset      int // of all ports from Dgraph's own
	zero, alpha *exec.Cmd
	guarded     []string     // arguments of an alpha with TLS and access control
	client      *http.Client // for health checks of the alpha
	scheme      string
}

// User and Password are the initial user of a cluster with access control.
const (
	User     = "groot"
	Password = "password"
)

// Default ports of Dgraph, to which an offset is added.
const (
	zeroGRPC  = 5080
	zeroHTTP  = 6080
	alphaPeer = 7080
	alphaHTTP = 8080
	alphaGRPC = 9080
)

// StartGuarded starts a cluster with access control whose alpha requires TLS and a client
// certificate of the same authority. acl adds options of access control, such as
// "access-ttl=3s".
func StartGuarded(ctx context.Context, dir string, files certtest.Files, acl ...string) (*Cluster, error) {
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("thirty-two bytes or more of a test"), 0o600); err != nil {
		return nil, err
	}
	c, err := files.ClientConfig()
	if err != nil {
		return nil, err
	}
	g, err := launch(ctx, &Cluster{
		dir: dir, scheme: "https", client: &http.Client{Transport: &http.Transport{TLSClientConfig: c}},
		guarded: []string{
			"--acl", strings.Join(append([]string{"secret-file=" + secret}, acl...), "; "),
			"--tls", "use-system-ca=false; client-auth-type=REQUIREANDVERIFY; ca-cert=" + files.CA + "; server-cert=" + files.Cert + "; server-key=" + files.Key,
		},
	})
	if err == nil {
		if err = g.known(ctx); err != nil {
			err = errors.Join(err, g.Stop())
		}
	}
	return g, err
}

// known waits until the alpha has created its user, some time after it is healthy.
func (c *Cluster) known(ctx context.Context) error {
	return proctest.Wait(ctx, c.dir, "alpha", starting, func(ctx context.Context) bool {
		body := strings.NewReader(`{"userid":"` + User + `","password":"` + Password + `"}`)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.scheme+"://"+local(c.offset+alphaHTTP)+"/login", body)
		if err != nil {
			return false
		}
		req.Header.Set("Content-Type", "application/json")
		res, err := c.client.Do(req)
		if err != nil {
			return false
		}
		answer, err := io.ReadAll(res.Body)
		return errors.Join(err, res.Body.Close()) == nil && strings.Contains(string(answer), "accessJWT")
	})
}

// Start starts a cluster in the directory and returns when it is healthy.
func Start(ctx context.Context, dir string) (*Cluster, error) {
	return launch(ctx, &Cluster{dir: dir, scheme: "http", client: http.DefaultClient})
}

func launch(ctx context.Context, c *Cluster) (*Cluster, error) {
	binary, err := proctest.Program(ctx, "dgraph")
	if err != nil {
		return nil, err
	}
	offset, err := freeOffset()
	if err != nil {
		return nil, err
	}
	c.binary, c.offset, c.Addr = binary, offset, local(offset+alphaGRPC)
	if err := c.StartZero(ctx); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	if err := c.StartAlpha(ctx); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// Overwrite sets a predicate of the nodes whose key is that, past any store.
func (c *Cluster) Overwrite(ctx context.Context, key, predicate, value string) error {
	text := fmt.Sprintf("upsert { query { v as var(func: eq(node.key, %q)) } mutation { set { uid(v) <%s> %q . } } }", key, predicate, value)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.scheme+"://"+local(c.offset+alphaHTTP)+"/mutate?commitNow=true", strings.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/rdf")
	resp, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // it was only read
	answer, err := io.ReadAll(resp.Body)
	if err != nil || !bytes.Contains(answer, []byte(`"Success"`)) {
		return fmt.Errorf("dgraphtest: nothing was overwritten: %s: %w", answer, err)
	}
	return nil
}

func local(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }

// freeOffset finds an offset at which all ports are free.
func freeOffset() (int, error) {
	for range 100 {
		offset := 1000 + rand.IntN(20_000)
		free := true
		for _, port := range []int{zeroGRPC, zeroHTTP, alphaPeer, alphaHTTP, alphaGRPC} {
			l, err := net.Listen("tcp", local(offset+port))
			if err != nil {
				free = false
				break
			}
			if err := l.Close(); err != nil {
				return 0, err
			}
		}
		if free {
			return offset, nil
		}
	}
	return 0, errors.New("dgraphtest: no free ports")
}

// StartZero starts the zero, or restarts it on the same data.
func (c *Cluster) StartZero(ctx context.Context) (err error) {
	if c.zero, err = c.run("zero", "--my", local(c.offset+zeroGRPC), "--wal", "zw"); err != nil {
		return err
	}
	return healthy(ctx, c.dir, "zero", http.DefaultClient, "http://"+local(c.offset+zeroHTTP))
}

// StartAlpha starts the alpha, or restarts it on the same data.
func (c *Cluster) StartAlpha(ctx context.Context) (err error) {
	c.alpha, err = c.run("alpha", append([]string{"--my", local(c.offset + alphaPeer), "--zero", local(c.offset + zeroGRPC)},
		append([]string{"--postings", "p", "--wal", "w", "--survive", "filesystem", "--cache", "size-mb=64"}, c.guarded...)...)...)
	if err != nil {
		return err
	}
	return healthy(ctx, c.dir, "alpha", c.client, c.scheme+"://"+local(c.offset+alphaHTTP))
}

// SignalAlpha sends the alpha a signal, such as SIGSTOP or SIGCONT.
func (c *Cluster) SignalAlpha(sig syscall.Signal) error { return c.alpha.Process.Signal(sig) }

// KillAlpha ends the alpha as kill -9 does.
func (c *Cluster) KillAlpha() error { return proctest.Kill(&c.alpha) }

// KillZero ends the zero as kill -9 does.
func (c *Cluster) KillZero() error { return proctest.Kill(&c.zero) }

// run starts a server with its output in a file of the directory.
func (c *Cluster) run(role string, args ...string) (*exec.Cmd, error) {
	cmd := exec.Command(c.binary, append([]string{
		role, "--port_offset", fmt.Sprint(c.offset), "--bindall=false", "--telemetry", "reports=false; sentry=false",
	}, args...)...)
	if err := proctest.Start(cmd, c.dir, role); err != nil {
		return nil, err
	}
	return cmd, nil
}

// healthy waits until a server is healthy.
func healthy(ctx context.Context, dir, role string, client *http.Client, url string) error {
	return proctest.Wait(ctx, dir, role, starting, func(ctx context.Context) bool {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/health", nil)
		if err != nil {
			return false
		}
		res, err := client.Do(req)
		if err != nil {
			return false
		}
		_, err = io.Copy(io.Discard, res.Body)
		return errors.Join(err, res.Body.Close()) == nil && res.StatusCode == http.StatusOK
	})
}

// Kill kills the servers.
func (c *Cluster) Kill() error { return c.end(syscall.SIGKILL) }

// Stop ends the servers.
func (c *Cluster) Stop() error { return c.end(syscall.SIGTERM) }

func (c *Cluster) end(by syscall.Signal) error {
	var errs []error
	for _, cmd := range []*exec.Cmd{c.alpha, c.zero} {
		if cmd == nil {
			continue
		}
		if err := cmd.Process.Signal(by); err != nil && !errors.Is(err, os.ErrProcessDone) {
			errs = append(errs, err)
		}
		late := time.AfterFunc(ending, func() { _ = cmd.Process.Kill() }) // it may have ended by itself
		var exit *exec.ExitError
		if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
			errs = append(errs, err)
		}
		late.Stop()
	}
	c.alpha, c.zero = nil, nil
	return errors.Join(errs...)
}
