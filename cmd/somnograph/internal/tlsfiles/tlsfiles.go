// Package tlsfiles builds the TLS configuration of a client from PEM files.
package tlsfiles

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// Files are paths of PEM files.
type Files struct {
	CA        string // authorities of the server's certificate; empty: those of the machine
	Cert, Key string // client certificate, if the server asks for one; both or neither
}

// Config reads the files. It returns nil if none is named and TLS is not enabled. The minimum
// version is TLS 1.3.
func (f Files) Config(enabled bool) (*tls.Config, error) {
	if !enabled && f == (Files{}) {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS13}
	if f.CA != "" {
		b, err := os.ReadFile(f.CA)
		if err != nil {
			return nil, fmt.Errorf("can't read the certificates of authorities: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(b) {
			return nil, fmt.Errorf("%s contains no PEM certificate", f.CA)
		}
	}
	if f.Cert == "" && f.Key == "" {
		return c, nil
	}
	pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
	if err != nil {
		return nil, fmt.Errorf("can't read the client certificate and its key: %w", err)
	}
	c.Certificates = []tls.Certificate{pair}
	return c, nil
}
