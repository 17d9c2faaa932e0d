package histories

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxFiles is the largest number of files in a folder or zip file.
const maxFiles = 200_000

// file is one file of a source.
type file struct {
	name     string // slash-separated, relative to the source
	size     int64  // uncompressed, as stated
	modified time.Time
	open     func() (io.ReadCloser, error)
}

func (f *file) base() string { return path.Base(f.name) }

// Source is a file, or the files of a folder or a zip file, ordered by name.
type Source struct {
	Path  string
	files []file
	alone bool // one file, not a folder or zip file
	zip   io.Closer
}

// Open opens a file, a folder or a zip file. It reads no contents.
func Open(name string) (*Source, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	s := &Source{Path: name}
	switch {
	case info.IsDir():
		err = s.addFolder(name)
	case strings.EqualFold(filepath.Ext(name), ".zip"):
		err = s.addZip(name)
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s is neither a file nor a folder", name)
	default:
		s.alone = true
		s.files = []file{{name: filepath.Base(name), size: info.Size(), modified: info.ModTime(), open: func() (io.ReadCloser, error) { return os.Open(name) }}}
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(s.files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	return s, nil
}

// Close closes the zip file.
func (s *Source) Close() error {
	if s.zip == nil {
		return nil
	}
	return s.zip.Close()
}

// Size is the number of bytes of all files, uncompressed.
func (s *Source) Size() (n int64) {
	for _, f := range s.files {
		n += f.size
	}
	return n
}

// Print identifies the state of the files: names, sizes and times of change.
func (s *Source) Print() string {
	h := sha256.New()
	for _, f := range s.files {
		fmt.Fprintf(h, "%s\x00%d\x00%d\n", f.name, f.size, f.modified.UnixNano())
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// addFolder lists the files below a folder. It does not follow links.
func (s *Source) addFolder(root string) error {
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != root && (d.Name() == ".git" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile
		}
		if err != nil {
			return err
		}
		if len(s.files) == maxFiles {
			return fmt.Errorf("%s has more than %d files", root, maxFiles)
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		s.files = append(s.files, file{name: filepath.ToSlash(relative), size: info.Size(), modified: info.ModTime(), open: func() (io.ReadCloser, error) { return os.Open(name) }})
		return nil
	})
}

// addZip lists the files of a zip file.
func (s *Source) addZip(name string) error {
	z, err := zip.OpenReader(name)
	if err != nil {
		return fmt.Errorf("%s: is not a zip file that can be read: %w", name, err)
	}
	s.zip = z
	if len(z.File) > maxFiles {
		return errors.Join(fmt.Errorf("%s has more than %d files", name, maxFiles), z.Close())
	}
	for _, f := range z.File {
		if f.FileInfo().IsDir() || strings.HasPrefix(f.Name, "__MACOSX/") {
			continue
		}
		s.files = append(s.files, file{name: f.Name, size: int64(f.UncompressedSize64), modified: f.Modified, open: f.Open})
	}
	return nil
}

// named returns the files whose base name matches.
func (s *Source) named(match func(base string) bool) (found []file) {
	for _, f := range s.files {
		if match(f.base()) {
			found = append(found, f)
		}
	}
	return found
}

// head returns the beginning of a file; empty if it can't be read.
func (f *file) head() []byte {
	r, err := f.open()
	if err != nil {
		return nil
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, 256<<10))
	if err != nil {
		return nil
	}
	return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
}

// stream opens a file for reading. What is read counts as progress.
func (r *reading) stream(f *file, use func(io.Reader) error) error {
	in, err := f.open()
	if err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	err = use(&counted{r, in})
	return errors.Join(err, in.Close())
}

// counted counts the bytes that are read, and ends with the context.
type counted struct {
	r  *reading
	in io.Reader
}

func (c *counted) Read(p []byte) (int, error) {
	if err := c.r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.in.Read(p)
	c.r.bytes += int64(n)
	c.r.sink.At(c.r.bytes)
	return n, err
}

// lines calls use for each line that is not blank, with its number. A line above MaxPiece is
// reported and left out. use may keep the line only during the call.
func (r *reading) lines(f *file, use func(number int, line []byte) error) error {
	return r.stream(f, func(in io.Reader) error {
		b := bufio.NewReaderSize(in, 64<<10)
		var line []byte
		for number := 1; ; number++ {
			line = line[:0]
			long := false
			var err error
			for {
				var part []byte
				part, err = b.ReadSlice('\n')
				if long = long || len(line)+len(part) > MaxPiece; !long {
					line = append(line, part...)
				}
				if !errors.Is(err, bufio.ErrBufferFull) {
					break
				}
			}
			if err != nil && !errors.Is(err, io.EOF) {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
			}
			if long {
				r.bad(fmt.Sprintf("%s, line %d", f.name, number), fmt.Errorf("is longer than %d bytes", MaxPiece))
				line = nil
			} else if text := bytes.TrimSpace(line); len(text) > 0 {
				if err := use(number, text); err != nil {
					return err
				}
			}
			if err != nil {
				return nil
			}
			if cap(line) > 1<<20 {
				line = nil // a long line is rare
			}
		}
	})
}
