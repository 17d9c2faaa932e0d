package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/tlsfiles"
)

// remote is the running server that a command uses.
type remote struct {
	addr, ca string
	password string // of the name in the address
}

// serverFlags adds the flags that name the server.
func serverFlags(cmd *cobra.Command, env environment) *remote {
	r := &remote{addr: "127.0.0.1:8420"}
	for _, e := range env.environ {
		for name, into := range map[string]*string{"SOMNOGRAPH_ADDR=": &r.addr, "SOMNOGRAPH_CA=": &r.ca, "SOMNOGRAPH_PASSWORD=": &r.password} {
			if v, ok := strings.CutPrefix(e, name); ok && v != "" {
				*into = v
			}
		}
	}
	cmd.Flags().StringVar(&r.addr, "addr", r.addr, "address of the server: host:port, or a URL such as https://name@memory.example with the password in SOMNOGRAPH_PASSWORD")
	cmd.Flags().StringVar(&r.ca, "ca", r.ca, "PEM file of the authorities for an https address (default: those of the machine)")
	return r
}

// client returns a client of the server.
func (r *remote) client() (*client.Client, error) {
	secure, err := tlsfiles.Files{CA: r.ca}.Config(false)
	if err != nil {
		return nil, usageError{fmt.Errorf("--ca: %w", err)}
	}
	c, err := client.New(r.addr, client.Options{TLS: secure, Password: r.password})
	if err != nil {
		return nil, usageError{err}
	}
	return c, nil
}
