package hub

import (
	"errors"
	"io"
	"time"
)

var (
	errTooLong = errors.New("exceeds the size limit")
	errStalled = errors.New("timed out without data")
)

// patient reads a body with an idle timeout and a size limit.
type patient struct {
	body  io.Reader
	most  int64
	stall time.Duration
	stop  func() // cancels the request
	tell  func(done int64)
	done  int64
	told  int64
}

// tellEvery is the number of bytes between two progress reports.
const tellEvery = 1 << 20

// Read reads. It fails if no data arrives within the idle timeout or if the body is too large.
func (p *patient) Read(b []byte) (int, error) {
	timer := time.AfterFunc(p.stall, p.stop)
	n, err := p.body.Read(b)
	if inTime := timer.Stop(); !inTime && err != nil && err != io.EOF {
		return n, errStalled
	}
	p.done += int64(n)
	if p.done > p.most {
		return n, errTooLong
	}
	if p.done-p.told >= tellEvery || err == io.EOF {
		p.told = p.done
		p.tell(p.done)
	}
	return n, err
}
