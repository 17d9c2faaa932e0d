package frame

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// MediaType is the media type of a frame.
const MediaType = "application/vnd.somnograph.frame"

// NowHeader carries the server's clock in milliseconds since 1970. It stands beside
// the frame because a frame that has not changed is not sent again.
const NowHeader = "Somnograph-Now"

// ETag names the scene in an encoded frame: the same memories, places and edges give
// the same tag, whenever they were read.
func ETag(b []byte) string {
	h := sha256.New()
	var at [8]byte
	h.Write(b[:24])
	h.Write(at[:]) // the instant of reading does not count
	h.Write(b[32:])
	return `W/"` + hex.EncodeToString(h.Sum(nil)[:16]) + `"`
}

// Serve answers a request with the frame: compressed where the client takes gzip, and
// not at all (304) where it has this scene already. On an error nothing was written yet.
func Serve(w http.ResponseWriter, r *http.Request, f *Frame) error {
	b, err := Encode(f)
	if err != nil {
		return err
	}
	h, tag := w.Header(), ETag(b)
	h.Set("ETag", tag)
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Accept-Encoding, Authorization")
	h.Set(NowHeader, strconv.FormatInt(f.At.UnixMilli(), 10))
	if matches(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", MediaType)
	h.Set("X-Content-Type-Options", "nosniff")
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Length", strconv.Itoa(len(b)))
		_, _ = w.Write(b) // a client that went away needs no answer
		return nil
	}
	h.Set("Content-Encoding", "gzip")
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return fmt.Errorf("frame: %w", err)
	}
	if _, err := z.Write(b); err == nil {
		_ = z.Close()
	}
	return nil
}

// matches reports whether an If-None-Match header names the tag.
func matches(header, tag string) bool {
	for part := range strings.SplitSeq(header, ",") {
		if p := strings.TrimSpace(part); p == tag || p == "*" {
			return true
		}
	}
	return false
}
