package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"time"
)

// sqlite is FTS5 in a process of its own, peer.py. Requests and answers are lines of JSON. The
// process measures its own time, so that the pipe does not count.
type sqlite struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
}

func (*sqlite) name() string { return "SQLite FTS5" }

func (s *sqlite) build(texts []string) (err error) {
	s.process = exec.Command("python3", "peer.py")
	if s.in, err = s.process.StdinPipe(); err != nil {
		return err
	}
	out, err := s.process.StdoutPipe()
	if err != nil {
		return err
	}
	s.out = json.NewDecoder(bufio.NewReader(out))
	if err := s.process.Start(); err != nil {
		return err
	}
	_, err = s.tell("build", texts)
	return err
}

type answer struct {
	Hits    [][]int
	Seconds float64
}

func (s *sqlite) tell(verb string, texts []string) (a answer, err error) {
	if err := json.NewEncoder(s.in).Encode(map[string]any{"verb": verb, "texts": texts, "limit": limit}); err != nil {
		return a, err
	}
	return a, s.out.Decode(&a)
}

func (s *sqlite) ask(questions []string) ([][]int, time.Duration, error) {
	a, err := s.tell("ask", questions)
	return a.Hits, time.Duration(a.Seconds * float64(time.Second)), err
}

func (s *sqlite) close() error {
	if s.process == nil {
		return nil
	}
	return errors.Join(s.in.Close(), s.process.Wait())
}
