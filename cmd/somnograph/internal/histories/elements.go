package histories

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// errTooLong marks an element that is left out because of its size.
var errTooLong = fmt.Errorf("is longer than %d bytes", MaxPiece)

// elements reads one JSON value from in: an array, or an object whose members may be arrays. It calls
// element for each element of such an array, in order, with the name of the member (empty for an
// array at the top) and the index from 0, and value for each other member of the object. The
// bytes are those of the source, not checked to be JSON: only brackets and strings are
// followed, so that a broken element does not spoil the others. An element above MaxPiece is
// not held: element gets errTooLong for it. The bytes are valid during the call only.
func elements(in io.Reader, element func(member string, index int, raw []byte, err error) error, value func(member string, raw []byte) error) error {
	s := &scanner{in: bufio.NewReaderSize(in, 64<<10)}
	switch c, err := s.next(); {
	case errors.Is(err, io.EOF):
		return errors.New("is empty")
	case err != nil:
		return err
	case c == '[':
		return s.array("", element)
	case c == '{':
		return s.object(element, value)
	default:
		return errors.New("is not a JSON array or object")
	}
}

// scanner follows the structure of JSON.
type scanner struct {
	in    *bufio.Reader
	piece []byte
	long  bool // the piece is above MaxPiece
	start bool // something was read
}

// read returns the next byte.
func (s *scanner) read() (byte, error) {
	c, err := s.in.ReadByte()
	if errors.Is(err, io.EOF) {
		return 0, io.ErrUnexpectedEOF
	}
	return c, err
}

// next returns the next byte that is not white space, and io.EOF at the end.
func (s *scanner) next() (byte, error) {
	for {
		c, err := s.in.ReadByte()
		if err != nil {
			return 0, err
		}
		switch c {
		case ' ', '\t', '\r', '\n':
		case 0xef, 0xbb, 0xbf: // a byte order mark at the beginning
			if s.start {
				return c, nil
			}
		default:
			s.start = true
			return c, nil
		}
	}
}

// must is next, for where the value has not ended.
func (s *scanner) must() (byte, error) {
	c, err := s.next()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return c, err
}

// keep adds a byte to the piece.
func (s *scanner) keep(c byte) {
	if len(s.piece) >= MaxPiece {
		s.long, s.piece = true, s.piece[:0]
	}
	if !s.long {
		s.piece = append(s.piece, c)
	}
}

// skip reads the rest of a value that begins with c into the piece. It returns the first byte after
// a value that is not a string, array or object, which belongs to what is around it; else 0.
func (s *scanner) skip(c byte) (after byte, err error) {
	if cap(s.piece) > 4<<20 {
		s.piece = nil // a long piece is rare
	}
	s.piece, s.long = s.piece[:0], false
	depth, inString := 0, false
	for {
		s.keep(c)
		switch {
		case inString && c == '\\':
			if c, err = s.read(); err != nil {
				return 0, err
			}
			s.keep(c)
		case inString && c == '"':
			inString = false
		case inString:
		case c == '"':
			inString = true
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
		if depth == 0 && !inString && (c == '"' || c == ']' || c == '}') {
			return 0, nil
		}
		if c, err = s.read(); err != nil {
			return 0, err
		}
		if depth == 0 && !inString && (c == ',' || c == ']' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == '\t') {
			return c, nil
		}
	}
}

// white reports whether a byte is white space of JSON.
func white(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// array reads the elements of an array whose bracket is read.
func (s *scanner) array(member string, element func(string, int, []byte, error) error) error {
	for i := 0; ; i++ {
		c, err := s.must()
		if err != nil {
			return err
		}
		if c == ']' {
			return nil
		}
		if c == ',' || c == '}' {
			return fmt.Errorf("has an unexpected %q after element %d", c, i)
		}
		after, err := s.skip(c)
		if err != nil {
			return err
		}
		var long error
		if s.long {
			long = errTooLong
		}
		if err := element(member, i, s.piece, long); err != nil {
			return err
		}
		if after == 0 || white(after) {
			if after, err = s.must(); err != nil {
				return err
			}
		}
		switch after {
		case ',':
		case ']':
			return nil
		default:
			return fmt.Errorf("has no comma after element %d", i+1)
		}
	}
}

// object reads the members of an object whose bracket is read.
func (s *scanner) object(element func(string, int, []byte, error) error, value func(string, []byte) error) error {
	for {
		c, err := s.must()
		if err != nil {
			return err
		}
		switch c {
		case '}':
			return nil
		case ',':
			continue
		case '"':
		default:
			return errors.New("is not JSON: a member has no name")
		}
		if _, err := s.skip(c); err != nil {
			return err
		}
		var name string
		if s.long || decode(s.piece, &name) != nil {
			return errors.New("is not JSON: a member has no name")
		}
		if c, err = s.must(); err != nil {
			return err
		}
		if c != ':' {
			return errors.New("is not JSON: a member has no value")
		}
		if c, err = s.must(); err != nil {
			return err
		}
		if c == '[' {
			if err := s.array(name, element); err != nil {
				return err
			}
			continue
		}
		after, err := s.skip(c)
		if err != nil {
			return err
		}
		if !s.long {
			if err := value(name, s.piece); err != nil {
				return err
			}
		}
		if after == '}' {
			return nil
		}
	}
}

// each reads the elements of the arrays of a file. A file that ends early, or is no JSON, is reported;
// what was read of it stays.
func (r *reading) each(f *file, what string, element func(member string, raw []byte, where string) error, value func(member string, raw []byte) error) error {
	if value == nil {
		value = func(string, []byte) error { return nil }
	}
	var stop error // of element or value
	err := r.stream(f, func(in io.Reader) error {
		return elements(in, func(member string, i int, raw []byte, err error) error {
			where := fmt.Sprintf("%s, %s %d", f.name, what, i+1)
			if member != "" {
				where = fmt.Sprintf("%s, %s %s %d", f.name, member, what, i+1)
			}
			if err != nil {
				r.bad(where, err)
				return nil
			}
			stop = element(member, raw, where)
			return stop
		}, func(member string, raw []byte) error {
			stop = value(member, raw)
			return stop
		})
	})
	switch {
	case stop != nil:
		return stop
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case errors.Is(err, io.ErrUnexpectedEOF):
		r.bad(f.name, errors.New("ends in the middle"))
	case err != nil:
		r.bad(f.name, err)
	}
	return nil
}

// firstElement returns the first element of the first array of a file, as far as its head holds it, and
// the name of its member.
func firstElement(f *file) (member string, raw []byte) {
	found := errors.New("found")
	head := f.head()
	if err := elements(sliceReader(head), func(m string, _ int, piece []byte, err error) error {
		member, raw = m, append([]byte(nil), piece...)
		return found
	}, func(string, []byte) error { return nil }); errors.Is(err, found) {
		return member, raw
	}
	return "", head // the first element is longer than the head
}
