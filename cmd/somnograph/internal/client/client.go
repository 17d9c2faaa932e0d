// Package client calls a running server for the command line. It adds what only commands need to the
// package client of the module.
package client

import (
	"context"
	"crypto/tls"
	"net"

	"github.com/somnograph/somnograph/client"
)

// Error is an error that the server returned.
type Error = client.Error

// UnreachableError is returned if no server answers at the URL.
type UnreachableError = client.UnreachableError

// Event is a change of a memory.
type Event = client.MemoryEvent

// EventsOptions are the arguments of Events.
type EventsOptions = client.EventsOptions

// Client calls one server. It is safe for concurrent use.
type Client struct{ *client.Client }

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
	c, err := client.New(addr, client.WithTLS(o.TLS), client.WithPassword(o.Password), client.WithKey(o.Key), client.WithDial(o.Dial))
	if err != nil {
		return nil, err
	}
	return &Client{c}, nil
}
