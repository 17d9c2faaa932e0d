package recess

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

var errPower = errors.New("power is gone")

// powerDisk is a file system in memory that knows what is synced. It can fail at the n-th
// step that changes something, for good (power cut) or once (transient fault), and compute
// what is on the disk after a power cut.
type powerDisk struct {
	mu    sync.Mutex
	root  *node
	step  int
	fail  int  // step that fails; 0: none
	once  bool // only that step
	dead  bool
	clock int64
}

// node is a directory or a file.
type node struct {
	dir     bool
	entries map[string]*node // present entries
	log     []entryChange    // since the directory was last synced
	synced  map[string]*node
	data    []byte
	writes  []dataChange // since the file was last synced
	safe    []byte
	changed int64
}

type entryChange struct {
	removed, added string
	node           *node
}

type dataChange struct {
	at       int64
	data     []byte
	truncate bool
}

func newDir() *node { return &node{dir: true, entries: map[string]*node{}, synced: map[string]*node{}} }

func newPowerDisk() *powerDisk { return &powerDisk{root: newDir()} }

// tick counts a step; it returns errPower if the step must not happen.
func (d *powerDisk) tick() error {
	if d.dead {
		return errPower
	}
	d.step++
	d.clock++
	if d.fail > 0 && d.step == d.fail {
		d.dead = !d.once
		return errPower
	}
	return nil
}

func (d *powerDisk) walk(path string) *node {
	n := d.root
	for _, part := range strings.Split(filepath.ToSlash(path), "/") {
		if part == "" || part == "." {
			continue
		}
		if n == nil || !n.dir {
			return nil
		}
		n = n.entries[part]
	}
	return n
}

func (d *powerDisk) parent(path string) (*node, string) {
	return d.walk(filepath.Dir(path)), filepath.Base(path)
}

func (n *node) set(c entryChange) {
	if c.removed != "" {
		delete(n.entries, c.removed)
	}
	if c.node != nil {
		n.entries[c.added] = c.node
	}
	n.log = append(n.log, c)
}

func (d *powerDisk) MkdirAll(dir string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.root
	for _, part := range strings.Split(filepath.ToSlash(dir), "/") {
		if part == "" || part == "." {
			continue
		}
		if n.entries[part] == nil {
			if err := d.tick(); err != nil {
				return err
			}
			n.set(entryChange{added: part, node: newDir()})
		}
		n = n.entries[part]
	}
	return nil
}

func (d *powerDisk) Create(path string) (file, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.tick(); err != nil {
		return nil, err
	}
	p, name := d.parent(path)
	if p == nil {
		return nil, fs.ErrNotExist
	}
	n := p.entries[name]
	if n == nil {
		n = &node{}
		p.set(entryChange{added: name, node: n})
	} else {
		n.data, n.writes = nil, append(n.writes, dataChange{truncate: true})
	}
	n.changed = d.clock
	return &powerFile{d, n}, nil
}

func (d *powerDisk) Open(path string) (file, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return nil, errPower
	}
	n := d.walk(path)
	if n == nil || n.dir {
		return nil, fs.ErrNotExist
	}
	return &powerFile{d, n}, nil
}

func (d *powerDisk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.tick(); err != nil {
		return err
	}
	p, name := d.parent(from)
	q, other := d.parent(to)
	if p != q {
		return errors.New("rename across directories")
	}
	p.set(entryChange{removed: name, added: other, node: p.entries[name]})
	return nil
}

func (d *powerDisk) Remove(path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.tick(); err != nil {
		return err
	}
	if p, name := d.parent(path); p != nil && p.entries[name] != nil {
		p.set(entryChange{removed: name})
	}
	return nil
}

func (d *powerDisk) ReadDir(dir string) ([]dirEntry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return nil, errPower
	}
	n := d.walk(dir)
	if n == nil {
		return nil, nil
	}
	var list []dirEntry
	for _, name := range slices.Sorted(maps.Keys(n.entries)) {
		list = append(list, dirEntry{name, n.entries[name].dir})
	}
	return list, nil
}

func (d *powerDisk) SyncDir(dir string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.tick(); err != nil {
		return err
	}
	n := d.walk(dir)
	if n == nil {
		return fs.ErrNotExist
	}
	n.synced, n.log = maps.Clone(n.entries), nil
	return nil
}

func (d *powerDisk) Stat(path string) (int64, time.Time, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return 0, time.Time{}, errPower
	}
	n := d.walk(path)
	if n == nil {
		return 0, time.Time{}, fs.ErrNotExist
	}
	return int64(len(n.data)), time.Unix(n.changed, 0), nil
}

type powerFile struct {
	d *powerDisk
	n *node
}

func (f *powerFile) ReadAt(p []byte, at int64) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.d.dead {
		return 0, errPower
	}
	if at >= int64(len(f.n.data)) {
		return 0, io.EOF
	}
	k := copy(p, f.n.data[at:])
	if k < len(p) {
		return k, io.EOF
	}
	return k, nil
}

func (n *node) write(c dataChange) {
	if c.truncate {
		n.data = slices.Clone(n.data[:min(c.at, int64(len(n.data)))])
		return
	}
	if end := c.at + int64(len(c.data)); end > int64(len(n.data)) {
		n.data = append(n.data, make([]byte, end-int64(len(n.data)))...)
	}
	copy(n.data[c.at:], c.data)
}

func (f *powerFile) change(c dataChange) {
	f.n.write(c)
	f.n.writes = append(f.n.writes, c)
	f.n.changed = f.d.clock
}

func (f *powerFile) WriteAt(p []byte, at int64) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	dead := f.d.dead
	if err := f.d.tick(); err != nil {
		if !dead { // the failing write is torn
			f.change(dataChange{at: at, data: slices.Clone(p[:len(p)/2])})
		}
		return 0, err
	}
	f.change(dataChange{at: at, data: slices.Clone(p)})
	return len(p), nil
}

func (f *powerFile) Truncate(size int64) error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.tick(); err != nil {
		return err
	}
	f.change(dataChange{at: size, truncate: true})
	return nil
}

func (f *powerFile) Sync() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.tick(); err != nil {
		return err
	}
	f.n.safe, f.n.writes = slices.Clone(f.n.data), nil
	return nil
}

func (f *powerFile) Size() (int64, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.d.dead {
		return 0, errPower
	}
	return int64(len(f.n.data)), nil
}

func (f *powerFile) Close() error { return nil }

// How much unsynced data is on the disk after a power cut.
const (
	keepNothing = iota
	keepAll     // as after kill -9
	keepSome    // the first changes of each file and directory; the last change of a file is torn
	keepModes
)

// after is the disk after a power cut.
func (d *powerDisk) after(mode int, seed uint64) *powerDisk {
	rng := rand.New(rand.NewPCG(seed, 5))
	return &powerDisk{root: d.root.after(mode, rng), clock: d.clock + 1}
}

func (n *node) after(mode int, rng *rand.Rand) *node {
	if !n.dir {
		c := &node{data: slices.Clone(n.safe), changed: n.changed + 1}
		writes := n.writes
		switch mode {
		case keepNothing:
			writes = nil
		case keepSome:
			writes = slices.Clone(writes[:rng.IntN(len(writes)+1)])
			if k := len(writes) - 1; k >= 0 && !writes[k].truncate {
				writes[k].data = writes[k].data[:rng.IntN(len(writes[k].data)+1)]
			}
		}
		for _, w := range writes {
			c.write(w)
		}
		c.safe = slices.Clone(c.data)
		return c
	}
	now := &node{dir: true, entries: maps.Clone(n.synced)}
	log := n.log
	switch mode {
	case keepNothing:
		log = nil
	case keepSome:
		log = log[:rng.IntN(len(log)+1)]
	}
	for _, e := range log {
		now.set(e)
	}
	c := newDir()
	for _, name := range slices.Sorted(maps.Keys(now.entries)) {
		c.entries[name] = now.entries[name].after(mode, rng)
	}
	c.synced = maps.Clone(c.entries)
	return c
}

// files lists every file with its content.
func (d *powerDisk) files() map[string][]byte {
	out := map[string][]byte{}
	var walk func(path string, n *node)
	walk = func(path string, n *node) {
		if !n.dir {
			out[path] = n.data
			return
		}
		for name, c := range n.entries {
			walk(path+"/"+name, c)
		}
	}
	walk("", d.root)
	return out
}

// clone is a copy of the disk with everything synced.
func (d *powerDisk) clone() *powerDisk { return d.after(keepAll, 0) }
