package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"unsafe"
)

// peer is hnswlib in a process of its own.
type peer struct {
	set *set
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// hire starts the peer with the vectors of a set, which it reads from files in dir.
func hire(program, dir string, s *set) (*peer, error) {
	data, queries := filepath.Join(dir, "data"), filepath.Join(dir, "queries")
	for name, v := range map[string][]float32{data: s.data, queries: s.queries} {
		if err := os.WriteFile(name, unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), 4*len(v)), 0o600); err != nil {
			return nil, err
		}
	}
	count := func(v []float32) string { return strconv.Itoa(len(v) / s.dim) }
	p := &peer{set: s, cmd: exec.Command(program, data, count(s.data), queries, count(s.queries),
		strconv.Itoa(s.dim), strconv.Itoa(m), strconv.Itoa(construction))}
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, p.cmd.Start()
}

// dismiss stops the peer.
func (p *peer) dismiss() error {
	if err := p.in.Close(); err != nil {
		return err
	}
	return p.cmd.Wait()
}

func (p *peer) say(format string, args ...any) ([]string, error) {
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		return nil, err
	}
	line, err := p.out.ReadString('\n')
	return strings.Fields(line), err
}

func (p *peer) build() (float64, error) {
	words, err := p.say("build")
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(words[0], 64)
}

func (p *peer) search(effort, k int) (float64, [][]uint32, error) {
	words, err := p.say("search %d %d", effort, k)
	if err != nil {
		return 0, nil, err
	}
	seconds, err := strconv.ParseFloat(words[0], 64)
	if err != nil {
		return 0, nil, err
	}
	var all []uint32
	for _, w := range words[1:] {
		id, err := strconv.ParseUint(w, 10, 32)
		if err != nil {
			return 0, nil, err
		}
		all = append(all, uint32(id))
	}
	n := len(p.set.queries) / p.set.dim
	if len(all) != n*k {
		return 0, nil, fmt.Errorf("peer: %d numbers for %d queries", len(all), n)
	}
	out := make([][]uint32, n)
	for i := range out {
		out[i] = all[i*k : (i+1)*k]
	}
	return seconds, out, nil
}
