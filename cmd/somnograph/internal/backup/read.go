package backup

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// ErrNoBackup is returned for a target without a manifest.
var ErrNoBackup = errors.New("there is no backup")

// latest returns the text of the manifest of the last generation, ErrNoBackup if there is none.
func latest(ctx context.Context, t Target) ([]byte, error) {
	generations, err := generationsOf(ctx, t)
	if err != nil {
		return nil, err
	}
	if len(generations) == 0 {
		return nil, ErrNoBackup
	}
	return t.Get(ctx, manifestName(generations[len(generations)-1]))
}

// generationsOf lists the generations that have a manifest, ascending.
func generationsOf(ctx context.Context, t Target) (generations []int, err error) {
	names, err := t.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", t, err)
	}
	for _, name := range names {
		if path.Base(name) != "manifest" {
			continue
		}
		n, err := strconv.Atoi(path.Dir(name))
		if err == nil && n > 0 && manifestName(n) == name {
			generations = append(generations, n)
		}
	}
	slices.Sort(generations)
	return generations, nil
}

// StoreOf is the identity of the store of a backup, without a check of its signature.
func StoreOf(ctx context.Context, t Target) (string, error) {
	text, err := latest(ctx, t)
	if errors.Is(err, ErrNoBackup) {
		return "", fmt.Errorf("there is no backup in %s", t)
	}
	if err != nil {
		return "", err
	}
	m, err := peekManifest(text)
	if err != nil {
		return "", fmt.Errorf("%s: %w", t, err)
	}
	return m.Store, nil
}

// Reader reads a backup.
type Reader struct {
	// Older accepts a backup that ends before its last known end, such as an older copy.
	Older bool

	target Target
	key    Key
	heads  map[string]head
	store  string // identity that every object must have
}

// Open opens the backup of a store in a target, with the key and the known ends of [KeyOf].
func Open(t Target, store string, key Key, heads []byte) (*Reader, error) {
	known, err := parseHeads(heads)
	return &Reader{target: t, key: key, heads: known, store: store}, err
}

// manifest reads and checks the manifest of a generation.
func (r *Reader) manifest(ctx context.Context, generation int) (*Manifest, error) {
	name := manifestName(generation)
	text, err := r.target.Get(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if foreign, err := peekManifest(text); err == nil && foreign.Store != r.store {
		return nil, fmt.Errorf("%s: it belongs to store %s, not to %s: a foreign object was put here", name, foreign.Store, r.store)
	}
	m, err := parseManifest(r.key, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if m.Generation != generation {
		return nil, fmt.Errorf("%w: %s: it is that of generation %d: manifests were swapped", graph.ErrIntegrity, name, m.Generation)
	}
	return m, nil
}

// Point is a boundary to which a store can be restored.
type Point struct {
	Generation int
	Objects    int // of the generation up to here
	At         time.Time
	Whole      bool // it is the last one of its generation
	manifest   *Manifest
	headers    []*header // of the objects up to here, without lines
}

// Size is the size of the lines up to the boundary in bytes.
func (p *Point) Size() (n int64) {
	for _, h := range p.headers {
		n += int64(h.Size)
	}
	return n
}

// Find returns the last boundary at or before an instant; zero: the last one. It authenticates
// every object up to it.
func (r *Reader) Find(ctx context.Context, at time.Time, progress func(done, total int)) (*Point, error) {
	generations, err := generationsOf(ctx, r.target)
	if err != nil {
		return nil, err
	}
	if len(generations) == 0 {
		return nil, fmt.Errorf("there is no backup in %s", r.target)
	}
	if err := r.checkEnd(ctx, generations[len(generations)-1], at); err != nil {
		return nil, err
	}
	var earliest time.Time
	var found *Point
	for _, g := range slices.Backward(generations) {
		m, err := r.manifest(ctx, g)
		if err != nil {
			return nil, err
		}
		earliest = m.FullAt
		if !at.IsZero() && m.FullAt.After(at) {
			continue
		}
		// Segments of the generation before go on while a full export is made.
		if found != nil && !m.At.After(found.At) {
			return found, nil
		}
		p, err := r.find(ctx, m, at, progress)
		if err != nil {
			return nil, err
		}
		if found != nil && !p.At.After(found.At) {
			return found, nil
		}
		if found != nil || at.IsZero() {
			return p, nil
		}
		found = p
	}
	if found == nil {
		return nil, fmt.Errorf("the backup begins at %s, after %s", earliest.Format(time.RFC3339), at.Format(time.RFC3339))
	}
	return found, nil
}

// checkEnd compares the end of the last generation with the known one, unless what comes after that
// end is not asked for.
func (r *Reader) checkEnd(ctx context.Context, generation int, at time.Time) error {
	m, err := r.manifest(ctx, generation)
	if err != nil {
		return err
	}
	if r.Older || !at.IsZero() && !at.After(m.At) {
		return nil
	}
	known, ok := r.heads[m.Backup]
	if ok && known.after(headOf(m)) {
		return fmt.Errorf("%w: the backup ends with segment %d of generation %d, and the keys know of segment %d of generation %d: its end was cut off, or it is an older copy; --older or an earlier --at restores it",
			graph.ErrIntegrity, m.Objects, m.Generation, known.Objects, known.Generation)
	}
	return nil
}

// find reads the headers of a generation up to the last boundary at or before an instant.
func (r *Reader) find(ctx context.Context, m *Manifest, at time.Time, progress func(done, total int)) (*Point, error) {
	p := &Point{Generation: m.Generation, manifest: m}
	var headers []*header
	chain := ""
	for n := 1; n <= m.Objects; n++ {
		h, _, hash, err := r.object(ctx, m, n, chain)
		if err != nil {
			return nil, err
		}
		if !at.IsZero() && h.At.After(at) {
			break
		}
		headers, chain = append(headers, h), hash
		if h.End {
			p.Objects, p.At, p.headers = n, h.At, headers
		}
		if progress != nil {
			progress(n, m.Objects)
		}
		if n == m.Objects {
			if chain != m.Chain {
				return nil, fmt.Errorf("%w: %s: it is not the segment that the manifest ends with: segments were swapped", graph.ErrIntegrity, objectName(m.Generation, n))
			}
			p.Whole = true
		}
	}
	if p.Objects == 0 {
		return nil, fmt.Errorf("%w: generation %d has no boundary up to %s", graph.ErrIntegrity, m.Generation, at.Format(time.RFC3339))
	}
	return p, nil
}

// object reads an object of a generation and checks that it belongs there. chain is the hash of the
// one before; "?" if it was checked already.
func (r *Reader) object(ctx context.Context, m *Manifest, n int, chain string) (*header, []byte, string, error) {
	name := objectName(m.Generation, n)
	b, err := r.target.Get(ctx, name)
	if errors.Is(err, ErrNoObject) {
		return nil, nil, "", fmt.Errorf("%w: segment %s is missing: the backup was cut", graph.ErrIntegrity, name)
	}
	if err != nil {
		return nil, nil, "", fmt.Errorf("%s: %w", name, err)
	}
	if h, _, err := parseHeader(b); err == nil && (h.Store != m.Store || h.Backup != m.Backup) {
		return nil, nil, "", fmt.Errorf("%w: segment %s belongs to another backup: a foreign segment was put here", graph.ErrIntegrity, name)
	}
	h, lines, err := openObject(r.key, b)
	if err != nil {
		return nil, nil, "", fmt.Errorf("segment %s: %w", name, err)
	}
	if h.Generation != m.Generation || h.Number != n {
		return nil, nil, "", fmt.Errorf("%w: segment %s is number %d of generation %d: segments were swapped", graph.ErrIntegrity, name, h.Number, h.Generation)
	}
	if chain != "?" && h.Previous != chain {
		return nil, nil, "", fmt.Errorf("%w: segment %s does not follow the one before it: segments were swapped", graph.ErrIntegrity, name)
	}
	return h, lines, hashOf(b), nil
}
