package frame

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// MediaType is the media type of a frame.
const MediaType = "application/vnd.somnograph.frame"

// NowHeader is the header with the server's time in milliseconds since 1970. It is separate
// from the frame because an unchanged frame is neither sent nor packed again.
const NowHeader = "Somnograph-Now"

// TileHeader is the header with the key of the tile that is sent, if the client requested the
// tile of a memory.
const TileHeader = "Somnograph-Tile"

// Packed is a frame that is encoded and compressed once for all requests. It is safe for
// concurrent use.
type Packed struct {
	etag    string
	size    int
	gzipped []byte
}

// Pack encodes and compresses the frame. It fails if [Encode] does.
func Pack(f *Frame) (*Packed, error) {
	b, err := Encode(f)
	if err != nil {
		return nil, err
	}
	var zip bytes.Buffer
	zip.Grow(len(b) / 4)
	z, err := gzip.NewWriterLevel(&zip, gzip.BestSpeed)
	if err == nil {
		_, err = z.Write(b)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("frame: %w", err)
	}
	return &Packed{etag: ETag(b), size: len(b), gzipped: bytes.Clone(zip.Bytes())}, nil
}

// ETag identifies the scene in an encoded frame: the same memories, positions and edges give
// the same tag, at whatever time they were read.
func ETag(b []byte) string {
	h := sha256.New()
	var at [8]byte
	h.Write(b[:24])
	h.Write(at[:]) // without the time of reading
	h.Write(b[32:])
	return `W/"` + hex.EncodeToString(h.Sum(nil)[:16]) + `"`
}

// Serve writes the frame: compressed if the client accepts gzip, or 304 if the client has the
// scene. now is the server's time.
func (p *Packed) Serve(w http.ResponseWriter, r *http.Request, now time.Time) {
	h := w.Header()
	h.Set("ETag", p.etag)
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Accept-Encoding, Authorization")
	h.Set(NowHeader, strconv.FormatInt(now.UnixMilli(), 10))
	if etagMatches(r.Header.Get("If-None-Match"), p.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", MediaType)
	h.Set("X-Content-Type-Options", "nosniff")
	// Write errors mean that the client disconnected; they are ignored.
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		h.Set("Content-Length", strconv.Itoa(len(p.gzipped)))
		_, _ = w.Write(p.gzipped)
		return
	}
	h.Set("Content-Length", strconv.Itoa(p.size))
	if z, err := gzip.NewReader(bytes.NewReader(p.gzipped)); err == nil {
		_, _ = io.Copy(w, z)
	}
}

// etagMatches reports whether an If-None-Match header contains the tag.
func etagMatches(header, tag string) bool {
	for part := range strings.SplitSeq(header, ",") {
		if p := strings.TrimSpace(part); p == tag || p == "*" {
			return true
		}
	}
	return false
}
