// Package tlsfiles reads what a client needs to know a server by, and to be known by it.
package tlsfiles

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// Files are paths of PEM files. Without CA the authorities of the machine count.
type Files struct {
	CA        string // of the authorities that the server's certificate must come from
	Cert, Key string // of this client, where the server wants to see one; both or none
}

// Config reads the files; nil where none is named and TLS is not asked for. TLS 1.3 is the
// least that is spoken.
func (f Files) Config(on bool) (*tls.Config, error) {
	if !on && f == (Files{}) {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS13}
	if f.CA != "" {
		b, err := os.ReadFile(f.CA)
		if err != nil {
			return nil, fmt.Errorf("read the certificates of authorities: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(b) {
			return nil, fmt.Errorf("%s holds no certificate in PEM", f.CA)
		}
	}
	if f.Cert == "" && f.Key == "" {
		return c, nil
	}
	pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
	if err != nil {
		return nil, fmt.Errorf("read the client's certificate and its key: %w", err)
	}
	c.Certificates = []tls.Certificate{pair}
	return c, nil
}
