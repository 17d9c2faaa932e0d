package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/tlsfiles"
)

// remote is the running server that a command uses.
type remote struct {
	addr, ca string
	password string // of the name in the address
	key      string // API key or token; empty: none
}

// serverFlags adds the flags that name the server.
func serverFlags(cmd *cobra.Command, env environment) *remote {
	r := &remote{
		addr: cmp.Or(variable(env.environ, "SOMNOGRAPH_ADDR"), "127.0.0.1:8420"),
		ca:   variable(env.environ, "SOMNOGRAPH_CA"), password: variable(env.environ, "SOMNOGRAPH_PASSWORD"),
		key: strings.TrimSpace(variable(env.environ, "SOMNOGRAPH_KEY")), // a key that was read from a file ends with a line feed
	}
	cmd.Flags().StringVar(&r.addr, "addr", r.addr, "address of the server: host:port, or a URL such as https://name@memory.example with the password in SOMNOGRAPH_PASSWORD; SOMNOGRAPH_KEY holds an API key or a token")
	cmd.Flags().StringVar(&r.ca, "ca", r.ca, "PEM file of the authorities for an https address (default: those of the machine)")
	return r
}

// run makes a command's RunE: it connects to the server.
func (r *remote) run(fn func(ctx context.Context, c *client.Client, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c, err := r.client()
		if err != nil {
			return err
		}
		defer c.Close()
		return fn(cmd.Context(), c, args)
	}
}

// printJSON prints a value as indented JSON.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// printIndented writes a JSON document with indentation. Its values stay as they are written.
func printIndented(w io.Writer, document []byte) error {
	var b bytes.Buffer
	if err := json.Indent(&b, document, "", "  "); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String()+"\n")
	return err
}

// client returns a client of the server.
func (r *remote) client() (*client.Client, error) {
	secure, err := tlsfiles.Files{CA: r.ca}.Config(false)
	if err != nil {
		return nil, usageError{fmt.Errorf("--ca: %w", err)}
	}
	c, err := client.New(r.addr, client.Options{TLS: secure, Password: r.password, Key: r.key})
	if err != nil {
		return nil, usageError{err}
	}
	return c, nil
}
