package auth_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// connection is the writer of a request whose body is a pipe, with the read deadline of a connection.
type connection struct {
	*httptest.ResponseRecorder
	body *io.PipeReader
}

func (c connection) SetReadDeadline(at time.Time) error {
	if at.Before(time.Now()) {
		return c.body.CloseWithError(os.ErrDeadlineExceeded)
	}
	return nil
}

// readBody reads a body through Bodies, and returns what it read and the error.
func (d *door) readBody(t testing.TB, credential string, body *io.PipeReader) <-chan error {
	t.Helper()
	read := make(chan error, 1)
	h := d.Bodies(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err := d.Authenticate(r)
		if err == nil {
			_, err = io.ReadAll(r.Body)
		}
		read <- err
	}))
	r := request("192.0.2.1:5", credential)
	r.Body = body
	go h.ServeHTTP(connection{httptest.NewRecorder(), body}, r)
	return read
}

// A read that waits for the rest of a body ends with the credential, whatever it is. A body that comes in time is read.
func TestBodiesEndWithTheirCredential(t *testing.T) {
	options, token := withTokens(t, nil)
	d := newDoor(t, options)
	revoked, key := d.key(t, access.MemoryRead)
	_, other := d.key(t, access.MemoryRead)
	for _, x := range []struct {
		name, credential string
		end              func()
		want             graph.Code
	}{
		{"a key", other, func() {}, ""},
		{"a revoked key", key, func() {
			if _, err := d.keys.Revoke(t.Context(), revoked.ID); err != nil {
				t.Error(err)
			}
		}, graph.CodeUnauthenticated},
		{"an expired token", token(map[string]any{"exp": d.clock().Add(time.Minute).Unix()}), func() { d.advance(2 * time.Minute) }, graph.CodeUnauthenticated},
	} {
		body, send := io.Pipe()
		read := d.readBody(t, x.credential, body)
		if _, err := send.Write([]byte("the first ")); err != nil {
			t.Fatal(err)
		}
		x.end()
		if x.want == "" {
			if _, err := send.Write([]byte("bytes")); err != nil {
				t.Error(err)
			}
			_ = send.Close()
		}
		if err := <-read; x.want == "" && err != nil || x.want != "" && (err == nil || graph.CodeOf(err) != x.want) {
			t.Errorf("%s: %v", x.name, err)
		}
		if _, err := send.Write([]byte("more")); x.want != "" && !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: the connection takes more: %v", x.name, err)
		}
	}
}
