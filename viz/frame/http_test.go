package frame

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func serve(t *testing.T, f *Frame, header http.Header) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/viz/graph", nil)
	r.Header = header
	w := httptest.NewRecorder()
	if err := Serve(w, r, f); err != nil {
		t.Fatal(err)
	}
	return w.Result()
}

func TestServe(t *testing.T) {
	want, _ := Encode(small())

	plain := serve(t, small(), http.Header{})
	body, _ := io.ReadAll(plain.Body)
	if plain.StatusCode != 200 || !bytes.Equal(body, want) || plain.Header.Get("Content-Type") != MediaType {
		t.Errorf("plain: %d, %d bytes, %v", plain.StatusCode, len(body), plain.Header)
	}
	if got := plain.Header.Get(NowHeader); got != "1785585600500" {
		t.Errorf("the clock says %q", got)
	}

	packed := serve(t, small(), http.Header{"Accept-Encoding": {"br, gzip"}})
	z, err := gzip.NewReader(packed.Body)
	if err != nil {
		t.Fatal(err)
	}
	if body, err = io.ReadAll(z); err != nil || !bytes.Equal(body, want) {
		t.Errorf("compressed: %d bytes, %v", len(body), err)
	}
}

func TestServeUnchanged(t *testing.T) {
	tag := serve(t, small(), http.Header{}).Header.Get("ETag")
	later := small()
	later.At = later.At.Add(time.Hour)
	same := serve(t, later, http.Header{"If-None-Match": {`"x", ` + tag}})
	if body, _ := io.ReadAll(same.Body); same.StatusCode != http.StatusNotModified || len(body) != 0 {
		t.Errorf("unchanged: %d with %d bytes", same.StatusCode, len(body))
	}
	if got := same.Header.Get(NowHeader); got != "1785589200500" {
		t.Errorf("the clock says %q", got)
	}

	moved := small()
	moved.Nodes[0].Position[1] = 5
	if got := serve(t, moved, http.Header{"If-None-Match": {tag}}).StatusCode; got != http.StatusOK {
		t.Errorf("after a move: %d", got)
	}
}

func TestServeFailsBeforeItWrites(t *testing.T) {
	broken := small()
	broken.Nodes[0].ID = "mouse"
	w := httptest.NewRecorder()
	if err := Serve(w, httptest.NewRequest(http.MethodGet, "/", nil), broken); err == nil || w.Body.Len() > 0 || len(w.Header()) > 0 {
		t.Errorf("%v after %d bytes", err, w.Body.Len())
	}
}

// A hundred thousand memories with two edges each must come over a slow line in seconds.
func TestSizeOnTheWire(t *testing.T) {
	w := serve(t, large(100_000), http.Header{"Accept-Encoding": {"gzip"}})
	body, _ := io.ReadAll(w.Body)
	t.Logf("%d bytes", len(body))
	if len(body) > 3_500_000 {
		t.Errorf("%d bytes", len(body))
	}
}
