package importer

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// OpenInput opens a file for reading. Standard input ("-") and files that can't be read twice, such
// as pipes, are first copied to a temporary file, which close removes; spooled is then true.
func OpenInput(path string) (f *os.File, spooled bool, closeInput func() error, err error) {
	in := os.Stdin
	if path != "-" {
		if in, err = os.Open(path); err != nil {
			return nil, false, nil, err
		}
	}
	info, err := in.Stat()
	switch {
	case err != nil:
		return nil, false, nil, errors.Join(err, in.Close())
	case info.IsDir():
		return nil, false, nil, errors.Join(fmt.Errorf("%s is a directory", InputName(path)), in.Close())
	case info.Mode().IsRegular() && path != "-":
		return in, false, in.Close, nil
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if f, err = os.CreateTemp("", "somnograph-import-"); err != nil {
		return nil, false, nil, err
	}
	closeInput = func() error { return errors.Join(f.Close(), os.Remove(f.Name())) }
	if _, err = io.Copy(f, in); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, false, nil, errors.Join(err, closeInput())
	}
	return f, true, closeInput, nil
}

// InputName is what messages call the file that an argument names.
func InputName(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}
