package bucket_test

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"encoding/xml"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// s3Server is the part of the S3 protocol that a Bucket uses, in memory and without
// signatures. It is safe for concurrent use.
type s3Server struct {
	mu      sync.Mutex
	buckets map[string]map[string]s3Object
}

type s3Object struct {
	data     []byte
	etag     string
	modified time.Time
}

func newS3Server() *s3Server { return &s3Server{buckets: map[string]map[string]s3Object{}} }

func (s *s3Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	objects, exists := s.buckets[bucket]
	switch {
	case key == "" && r.Method == http.MethodPut:
		s.buckets[bucket] = map[string]s3Object{}
	case !exists:
		s3Error(w, http.StatusNotFound, "NoSuchBucket")
	case key == "" && r.Method == http.MethodDelete:
		delete(s.buckets, bucket)
		w.WriteHeader(http.StatusNoContent)
	case key == "" && r.Method == http.MethodGet:
		s3List(w, objects, r.URL.Query().Get("prefix"))
	case key == "": // HEAD
	case r.Method == http.MethodPut:
		data, err := s3Body(r)
		if err != nil {
			s3Error(w, http.StatusBadRequest, "IncompleteBody")
			return
		}
		sum := md5.Sum(data)
		objects[key] = s3Object{data: data, etag: `"` + hex.EncodeToString(sum[:]) + `"`, modified: time.Now()}
		w.Header().Set("ETag", objects[key].etag)
	case r.Method == http.MethodDelete:
		delete(objects, key)
		w.WriteHeader(http.StatusNoContent)
	default: // GET and HEAD
		object, exists := objects[key]
		if !exists {
			s3Error(w, http.StatusNotFound, "NoSuchKey")
			return
		}
		w.Header().Set("ETag", object.etag)
		http.ServeContent(w, r, "", object.modified, bytes.NewReader(object.data))
	}
}

func s3Error(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_ = xml.NewEncoder(w).Encode(struct { // the client may have gone
		XMLName xml.Name `xml:"Error"`
		Code    string
	}{Code: code})
}

func s3List(w http.ResponseWriter, objects map[string]s3Object, prefix string) {
	type content struct {
		Key          string
		Size         int
		ETag         string
		LastModified string
	}
	var list []content
	for key, o := range objects {
		if strings.HasPrefix(key, prefix) {
			list = append(list, content{key, len(o.data), o.etag, o.modified.UTC().Format(time.RFC3339Nano)})
		}
	}
	slices.SortFunc(list, func(a, b content) int { return strings.Compare(a.Key, b.Key) })
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(struct { // the client may have gone
		XMLName     xml.Name `xml:"ListBucketResult"`
		IsTruncated bool
		Contents    []content
	}{Contents: list})
}

// s3Body reads the body of an upload. A signed upload without TLS comes in chunks, each after
// a line with its length in hexadecimal and its signature.
func s3Body(r *http.Request) ([]byte, error) {
	if !strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
		return io.ReadAll(r.Body)
	}
	var data []byte
	for in := bufio.NewReader(r.Body); ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		length, _, _ := strings.Cut(strings.TrimSpace(line), ";")
		n, err := strconv.ParseInt(length, 16, 32)
		if err != nil || n == 0 { // after the last chunk come only trailers
			return data, err
		}
		chunk := make([]byte, n+2) // with CR LF
		if _, err := io.ReadFull(in, chunk); err != nil {
			return nil, err
		}
		data = append(data, chunk[:n]...)
	}
}
