package tlsfiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/internal/certtest"
)

// An error of the files of a server names the setting.
func TestErrorsNameTheSetting(t *testing.T) {
	f, err := certtest.Make(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, files := range map[string]Files{
		"tls-client-ca: ": {CA: empty, Cert: f.Cert, Key: f.Key},
		"tls-cert: ":      {CA: f.CA, Cert: empty, Key: f.Key},
	} {
		if _, err := files.Server(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want an error that begins with %q", err, want)
		}
	}
	if c, err := (Files{CA: f.CA, Cert: f.Cert, Key: f.Key}).Server(); err != nil || c == nil {
		t.Errorf("%v, %v", c, err)
	}
}
