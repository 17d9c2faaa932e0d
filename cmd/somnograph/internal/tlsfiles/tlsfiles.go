// Package tlsfiles builds the TLS configuration of a client or a server from PEM files.
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
		p, err := pool(f.CA)
		if err != nil {
			return nil, err
		}
		c.RootCAs = p
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

// Server reads the files of a server: its certificate and key, and in CA the authorities of the
// certificates that clients must show; empty: clients show none. The only version is TLS 1.3. An error names the setting.
func (f Files) Server() (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
	if err != nil {
		return nil, fmt.Errorf("tls-cert: can't read the server's certificate and its key: %w", err)
	}
	c := &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{pair}}
	if f.CA == "" {
		return c, nil
	}
	if c.ClientCAs, err = pool(f.CA); err != nil {
		return nil, fmt.Errorf("tls-client-ca: %w", err)
	}
	c.ClientAuth = tls.RequireAndVerifyClientCert
	return c, nil
}

// pool reads certificates of authorities.
func pool(path string) (*x509.CertPool, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("can't read the certificates of authorities: %w", err)
	}
	p := x509.NewCertPool()
	if !p.AppendCertsFromPEM(b) {
		return nil, fmt.Errorf("%s contains no PEM certificate", path)
	}
	return p, nil
}
