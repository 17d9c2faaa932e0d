package golden

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

// server is a running somnograph serve on a free loopback port.
type server struct {
	cmd *exec.Cmd
	url string
}

var explorer = regexp.MustCompile(`explorer +(http://[^/]+)/`)

func start(ctx context.Context, binary, dir string) (*server, error) {
	s := &server{cmd: exec.CommandContext(ctx, binary, "serve", "--addr", "127.0.0.1:0", "--data", dir, "--keys", dir+".keys", "--simulated-clock", "--session-idle", "24h", "--log-level", "warn")}
	s.cmd.Stderr = os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if m := explorer.FindStringSubmatch(lines.Text()); m != nil {
			s.url = m[1]
		}
		if strings.HasPrefix(lines.Text(), "ready in") {
			return s, nil
		}
	}
	return nil, errors.Join(errors.New("the server did not start"), s.cmd.Wait())
}

func (s *server) stop() error {
	return errors.Join(s.cmd.Process.Signal(syscall.SIGTERM), s.cmd.Wait())
}

// post runs one operation and returns the response, errors included.
func (s *server) post(ctx context.Context, query string, variables any) (json.RawMessage, error) {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return nil, err
	}
	if !json.Valid(raw) {
		return nil, fmt.Errorf("%s: %s", query, raw)
	}
	return raw, nil
}

// pack writes the files of a directory to a compressed tar archive.
func pack(dir, path string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || name == "clock.json" || name == filepath.Join("store", "reserve") {
			return err // a test sets the clock before it opens the directory; the reserve is 64 MiB without content
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := t.WriteHeader(&tar.Header{Name: filepath.ToSlash(name), Mode: 0o600, Size: int64(len(content))}); err != nil {
			return err
		}
		_, err = t.Write(content)
		return err
	})
	return errors.Join(err, t.Close(), z.Close())
}

// compress replaces a file by its gzip.
func compress(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = z.Write(content)
	if err = errors.Join(err, z.Close()); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(path+".gz", b.Bytes(), 0o644), os.Remove(path))
}
