package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/stdio"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/project"
)

// newMCP serves MCP on standard input and output.
func newMCP(env environment) *cobra.Command {
	var namespace, profile, data string
	q := map[string]*string{}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve MCP on standard input and output, for the configuration of an agent",
		Long: "Serve the Model Context Protocol on standard input and output. An agent starts it by itself. It uses the server at --addr;\n" +
			"without --addr the one on this machine's default address; and if none runs there, it opens the data directory itself, and\n" +
			"serves it to others until it ends. With --data it uses that directory only, through the server that has it open if there is one.",
		Args: none,
	}
	server := serverFlags(cmd, env)
	f := cmd.Flags()
	f.StringVar(&data, "data", variable(env.environ, "SOMNOGRAPH_DATA"), "data directory (default: "+defaultData(env.environ)+")")
	f.StringVar(&namespace, "namespace", "", "namespace of this agent's memory (default: reads see all, writes go to default)")
	f.StringVar(&profile, "profile", "full", "full or minimal: how many tools are offered")
	for name, usage := range map[string]string{
		"user":    "user whose memories are read and written",
		"project": "project of new memories (default: the Git repository around the working directory; empty: none)",
		"agent":   "name of the agent (default: as the agent says)",
		"session": "name of the conversation (default: a new one)",
	} {
		q[name] = f.String(name, "", usage)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if namespace != "" && !graph.ValidNamespace(namespace) {
			return usageError{fmt.Errorf("--namespace %s", graph.NamespaceRule)}
		}
		if profile != "full" && profile != "minimal" {
			return usageError{errors.New("--profile must be full or minimal")}
		}
		if cmd.Flags().Changed("addr") && cmd.Flags().Changed("data") {
			return usageError{errors.New("--data and --addr exclude each other")}
		}
		if !cmd.Flags().Changed("project") {
			*q["project"] = project.Of(".")
		}
		if *q["session"] == "" {
			*q["session"] = "mcp-" + rand.Text()
		}
		query := url.Values{"profile": {profile}}
		for name, value := range q {
			if *value != "" {
				query.Set(name, *value)
			}
		}
		b := &backend{env: env, remote: server, data: data}
		b.fixed = cmd.Flags().Changed("addr") || variable(env.environ, "SOMNOGRAPH_ADDR") != "" && !cmd.Flags().Changed("data")
		defer b.close()
		endpoint := url.URL{Scheme: "http", Host: "somnograph", Path: "/mcp", RawQuery: query.Encode()}
		if namespace != "" {
			endpoint = *endpoint.JoinPath(url.PathEscape(namespace)) // one segment, also with slashes
		}
		err := stdio.Run(cmd.Context(), stdio.Options{Endpoint: endpoint.String(), HTTP: b, Transport: stdio.Lines(os.Stdin, os.Stdout), Explain: b.explain, Version: versionText()})
		if cmd.Context().Err() != nil && errors.Is(err, context.Canceled) {
			return nil // a signal
		}
		return err
	}
	return cmd
}

// defaultData is the data directory of a user. An agent starts the command anywhere, so the
// working directory is of no use.
func defaultData(environ []string) string {
	if dir := variable(environ, "XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "somnograph")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "somnograph-data"
	}
	return filepath.Join(home, ".local", "share", "somnograph")
}

// backend sends requests to a server: a running one, or one of its own. If the server has gone, it
// looks for another, so that several agents share a directory whoever opened it first.
type backend struct {
	env    environment
	remote *remote
	data   string // --data; empty: not given
	fixed  bool   // the address was given: no other server is used
	brief  bool   // a server of this process is for one command: it leaves the default address alone

	settings map[string]string // further flags of a server of this process

	mu      sync.Mutex
	client  *client.Client
	own     *process // the server of this process
	failure error    // why the last request failed, in words for a person; nil: it did not
}

// RoundTrip implements http.RoundTripper. A request that did not reach a server is sent to the
// next one. One that may have been served is not repeated. explain then says why it failed.
func (b *backend) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := b.send(req)
	failure := err
	var op *net.OpError
	switch {
	case err == nil && resp.StatusCode >= http.StatusBadRequest:
		failure = b.refusal(resp)
	case errors.As(err, &op) && op.Op == "dial":
		failure = fmt.Errorf("no server answers at %s; start one with: somnograph serve", b.remote.addr)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failure = failure
	return resp, err
}

// refusal says why the server refused a request. The body of the response stays readable.
func (b *backend) refusal(resp *http.Response) error {
	if resp.StatusCode == http.StatusUnauthorized {
		if b.remote.key == "" {
			return errors.New("the server asks for a key: set SOMNOGRAPH_KEY in the environment of the agent")
		}
		return errors.New("the server does not accept the key in SOMNOGRAPH_KEY")
	}
	head, err := io.ReadAll(io.LimitReader(resp.Body, 1024))
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), resp.Body), resp.Body}
	text := strings.TrimSpace(string(head))
	if err != nil || text == "" || strings.HasPrefix(text, "{") { // the latter is an answer of the protocol
		return nil
	}
	return errors.New(text)
}

// explain returns why the last request failed, if that is known better than err says.
func (b *backend) explain(err error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return cmp.Or(b.failure, err)
}

// send sends a request to the server in use, or to the next one.
func (b *backend) send(req *http.Request) (*http.Response, error) {
	for try := 0; ; try++ {
		c, err := b.server(req.Context())
		if err != nil {
			return nil, err
		}
		resp, err := c.RoundTrip(req)
		var op *net.OpError
		if err == nil || !errors.As(err, &op) || op.Op != "dial" || b.fixed || try == maxServers {
			return resp, err
		}
		b.drop(c)
		if req.GetBody != nil {
			if req.Body, err = req.GetBody(); err != nil {
				return nil, err
			}
		}
	}
}

// maxServers is how many servers a request tries after the first.
const maxServers = 2

// drop forgets a server that has gone.
func (b *backend) drop(gone *client.Client) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.client == gone {
		b.client = nil
	}
}

// server returns a client of the server in use. It finds or starts one if there is none.
func (b *backend) server(ctx context.Context) (*client.Client, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.client != nil {
		return b.client, nil
	}
	c, err := b.remote.client()
	if err != nil {
		return nil, err
	}
	if b.fixed || b.data == "" && ready(ctx, c) {
		b.client = c
		return c, nil
	}
	if b.client, err = b.directory(ctx, cmp.Or(b.data, defaultData(b.env.environ))); err != nil {
		return nil, err
	}
	return b.client, nil
}

// openTime is how long another process may take to open the directory and to say its address.
const openTime = time.Minute

// directory opens the data directory, or finds the server that has it open.
func (b *backend) directory(ctx context.Context, dir string) (*client.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	for {
		err := b.open(ctx, dir)
		if err == nil {
			return client.New(b.own.server.Addr().String(), client.Options{Key: b.remote.key})
		}
		if !errors.Is(err, graph.ErrLocked) {
			return nil, err
		}
		if addr, err := os.ReadFile(filepath.Join(dir, addressFile)); err == nil {
			if c, err := client.New(strings.TrimSpace(string(addr)), client.Options{Key: b.remote.key}); err == nil && ready(ctx, c) {
				return c, nil
			}
		}
		select { // it is opening or closing
		case <-ctx.Done():
			return nil, err
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// open starts a server in this process. Its address is the default one if that is free. Standard
// output belongs to the client, so the server prints to standard error.
func (b *backend) open(ctx context.Context, dir string) error {
	env := b.env
	env.out = env.err
	var err error
	addrs := []string{"127.0.0.1:8420", "127.0.0.1:0"}
	if b.brief {
		addrs = addrs[1:]
	}
	for _, addr := range addrs {
		flags := newServe(env).Flags()
		if err := errors.Join(flags.Set("data", dir), flags.Set("addr", addr)); err != nil {
			return err
		}
		for name, value := range b.settings {
			if err := flags.Set(name, value); err != nil {
				return err
			}
		}
		c, _, err2 := config.Load(flags, env.environ)
		if err2 != nil {
			return err2
		}
		p := &process{env: env, config: c, log: c.Logger(env.err), began: time.Now()}
		if err = p.open(context.WithoutCancel(ctx)); err == nil {
			b.own = p
			return nil
		}
		if closing := p.close(); closing != nil || !errors.Is(err, syscall.EADDRINUSE) {
			return errors.Join(err, closing)
		}
	}
	return err
}

// close closes the server of this process, if there is one.
func (b *backend) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.own == nil {
		return
	}
	if err := b.own.close(); err != nil {
		_, _ = printf(b.env.err, "somnograph: %s\n", err) // an error of stderr has nowhere to go
	}
}

// ready reports whether a server answers.
func ready(ctx context.Context, c *client.Client) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	return c.Ready(ctx) == nil
}
