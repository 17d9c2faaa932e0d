package frame

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"
)

func serve(t *testing.T, f *Frame, header http.Header) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/viz/graph", nil)
	r.Header = header
	p, err := Pack(f)
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	p.Serve(w, r, f.At)
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

func TestPackFailsIfEncodeDoes(t *testing.T) {
	broken := small()
	broken.Nodes[0].ID = "mouse"
	if p, err := Pack(broken); err == nil || p != nil {
		t.Errorf("%v, %v", p, err)
	}
}

// One Packed serves concurrent requests with different headers.
func TestServeConcurrently(t *testing.T) {
	f := small()
	want, _ := Encode(f)
	p, err := Pack(f)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			w := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodGet, "/viz/graph", nil)
			if i%2 == 0 {
				r.Header.Set("Accept-Encoding", "gzip")
			}
			p.Serve(w, r, f.At.Add(time.Duration(i)*time.Second))
			var body io.Reader = w.Body
			if got := strconv.Itoa(w.Body.Len()); got != w.Header().Get("Content-Length") {
				t.Errorf("%s bytes, announced as %s", got, w.Header().Get("Content-Length"))
			}
			if i%2 == 0 {
				z, err := gzip.NewReader(w.Body)
				if err != nil {
					t.Error(err)
					return
				}
				body = z
			}
			if b, err := io.ReadAll(body); err != nil || !bytes.Equal(b, want) {
				t.Errorf("%d bytes, %v", len(b), err)
			}
			if got := w.Header().Get(NowHeader); got != strconv.FormatInt(f.At.UnixMilli()+int64(i)*1000, 10) {
				t.Errorf("the clock says %s", got)
			}
		})
	}
	all.Wait()
}

// A hundred thousand memories with two edges each must arrive over a slow line in seconds.
func TestEncodedSize(t *testing.T) {
	w := serve(t, large(100_000), http.Header{"Accept-Encoding": {"gzip"}})
	body, _ := io.ReadAll(w.Body)
	t.Logf("%d bytes", len(body))
	if len(body) > 3_000_000 {
		t.Errorf("%d bytes", len(body))
	}
}
