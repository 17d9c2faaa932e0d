package backup

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/ledger"
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

// bareGenerations lists the generations below newest that have segments and no manifest, ascending. The
// generation of a full export that is under way is newest + 1, so it is not listed.
func bareGenerations(ctx context.Context, t Target, newest int) (bare []int, err error) {
	names, err := t.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", t, err)
	}
	whole := map[int]bool{}
	for _, name := range names {
		if g, _, _, ok := parseName(name); ok && g < newest && !slices.Contains(bare, g) {
			bare = append(bare, g)
		} else if g, err := strconv.Atoi(path.Dir(name)); err == nil && name == manifestName(g) {
			whole[g] = true
		}
	}
	bare = slices.DeleteFunc(bare, func(g int) bool { return whole[g] })
	slices.Sort(bare)
	return bare, nil
}

// noBackup is the error for a target without a manifest. It says so if there are segments.
func noBackup(ctx context.Context, t Target) error {
	names, err := t.List(ctx)
	if err != nil {
		return fmt.Errorf("list %s: %w", t, err)
	}
	for _, name := range names {
		if path.Ext(name) == ".seg" {
			return damaged("%s has segments but no manifest, without which they can't be checked: the backup was cut; put %s/manifest back, or use an earlier copy", t, path.Dir(name))
		}
	}
	return fmt.Errorf("there is no backup in %s", t)
}

// StoreOf is the identity of the store of a backup by its newest manifest that can be read, without a check of
// its signature.
func StoreOf(ctx context.Context, t Target) (string, error) {
	generations, err := generationsOf(ctx, t)
	if err != nil {
		return "", err
	}
	if len(generations) == 0 {
		return "", noBackup(ctx, t)
	}
	var wrong []error
	for _, g := range slices.Backward(generations) {
		text, err := t.Get(ctx, manifestName(g))
		if err != nil {
			return "", fmt.Errorf("%s: %w", manifestName(g), err)
		}
		m, err := peekManifest(text)
		if err == nil {
			return m.Store, nil
		}
		wrong = append(wrong, &wrongManifest{manifestName(g), err})
	}
	return "", errors.Join(wrong...)
}

// Reader reads a backup.
type Reader struct {
	// Older accepts a backup that ends before its last known end, such as an older copy.
	Older bool

	target Target
	keys   *Keys
	heads  map[string]head
	store  string // identity that every object must have
}

// Open opens the backup of a store in a target, with the keys and the known ends of [KeyOf].
func Open(t Target, store string, keys *Keys, heads []byte) (*Reader, error) {
	known, err := parseHeads(heads)
	return &Reader{target: t, keys: keys, heads: known, store: store}, err
}

// manifest reads and checks the manifest of a generation.
func (r *Reader) manifest(ctx context.Context, generation int) (*Manifest, error) {
	name := manifestName(generation)
	text, err := r.target.Get(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if foreign, err := peekManifest(text); err == nil && foreign.Store != r.store {
		return nil, &wrongManifest{name, fmt.Errorf("it belongs to store %s, not to %s: a foreign object was put here", foreign.Store, r.store)}
	}
	m, err := r.keys.parseManifest(text, r.Older)
	if err != nil {
		return nil, &wrongManifest{name, err}
	}
	if m.Generation != generation {
		return nil, &wrongManifest{name, damaged("it is that of generation %d: manifests were swapped", m.Generation)}
	}
	return m, nil
}

// wrongManifest is the error of a manifest that was read and is not as it was written.
type wrongManifest struct {
	name string
	err  error
}

func (w *wrongManifest) Error() string { return w.name + ": " + w.err.Error() }
func (w *wrongManifest) Unwrap() error { return w.err }

// Point is a boundary to which a store can be restored.
type Point struct {
	Generation int
	Objects    int // of the generation up to here
	At         time.Time
	Whole      bool  // it is the last one of its generation
	Unread     error // what is wrong with the manifest of the generation before, which may end later by the time of a full export; nil: nothing
	in         *generation
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
// every object up to it. The wrong manifest of another generation is no error. A generation whose manifest
// is wrong or missing between the boundary and the instant is one.
func (r *Reader) Find(ctx context.Context, at time.Time, progress func(done, total int)) (*Point, error) {
	generations, err := generationsOf(ctx, r.target)
	if err != nil {
		return nil, err
	}
	p, err := r.findIn(ctx, generations, at, progress)
	if err != nil || at.IsZero() || !p.Whole || p.At.Equal(at) { // of one that is not whole the next boundary is later
		return p, err
	}
	bare, err := bareGenerations(ctx, r.target, generations[len(generations)-1])
	if err != nil {
		return nil, err
	}
	if len(bare) > 0 && bare[len(bare)-1] > p.Generation {
		return nil, damaged("%s; the newest boundary before it is restored with --at %s", noManifest(bare[len(bare)-1]), BoundaryText(p.At))
	}
	return p, nil
}

// noManifest says that a generation has no manifest.
func noManifest(generation int) string {
	return fmt.Sprintf("generation %d has segments but no manifest, without which they can't be checked: put %s back, or remove the segments", generation, manifestName(generation))
}

// findIn finds a boundary in generations, which are ascending.
func (r *Reader) findIn(ctx context.Context, generations []int, at time.Time, progress func(done, total int)) (*Point, error) {
	if len(generations) == 0 {
		return nil, noBackup(ctx, r.target)
	}
	err := r.checkEnd(ctx, generations[len(generations)-1], at)
	if wrong := (*wrongManifest)(nil); errors.As(err, &wrong) && at.IsZero() {
		if m, others := r.newestManifest(ctx); others == nil {
			err = fmt.Errorf("%w; the newest boundary before it is restored with --at %s", err, BoundaryText(m.At))
		}
		return nil, err
	} else if err != nil && wrong == nil {
		return nil, err
	}
	var earliest time.Time
	var found *Point
	var unread error // of the manifest of a later generation, which may begin after the instant
	for _, g := range slices.Backward(generations) {
		m, err := r.manifest(ctx, g)
		if wrong := (*wrongManifest)(nil); errors.As(err, &wrong) {
			if found == nil {
				unread = errors.Join(unread, err)
				continue
			}
			if !errors.Is(err, errLate) { // a generation under a later key is not in question because of it
				found.Unread = err
			}
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		if found == nil && unread != nil && m.At.Before(at) {
			return nil, fmt.Errorf("%w; the newest boundary before it is restored with --at %s", unread, BoundaryText(m.At))
		}
		earliest = m.FullAt
		if !at.IsZero() && m.FullAt.After(at) {
			continue
		}
		// Segments of the generation before go on while a full export is made, and may end later.
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
		if found != nil {
			return p, nil
		}
		found = p
	}
	if found == nil && unread != nil {
		return nil, unread
	}
	if found == nil {
		return nil, fmt.Errorf("the backup begins at %s, after %s", BoundaryText(earliest), BoundaryText(at))
	}
	return found, nil
}

// Checked says what a check of all generations read.
type Checked struct {
	Generations, Objects int
	From, To             time.Time // the first and the last boundary that --at reaches
}

// CheckAll authenticates every object of every generation, newest first. The error names all generations
// in which something is wrong.
func (r *Reader) CheckAll(ctx context.Context, progress func(done, total int)) (c Checked, err error) {
	generations, err := generationsOf(ctx, r.target)
	if err != nil {
		return c, err
	}
	var wrong []error
	for _, g := range slices.Backward(generations) {
		m, err := r.manifest(ctx, g)
		if err == nil {
			_, err = r.find(ctx, m, time.Time{}, progress)
		}
		if ctx.Err() != nil {
			return c, ctx.Err()
		}
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		if c.Generations == 0 || m.At.After(c.To) {
			c.To = m.At
		}
		c.Generations, c.Objects, c.From = c.Generations+1, c.Objects+m.Objects, m.FullAt
	}
	if len(generations) == 0 {
		return c, noBackup(ctx, r.target)
	}
	bare, err := bareGenerations(ctx, r.target, generations[len(generations)-1])
	if err != nil {
		return c, err
	}
	for _, g := range bare {
		if g > generations[0] { // below it are the rests of generations that were removed
			wrong = append(wrong, damaged("%s", noManifest(g)))
		}
	}
	return c, errors.Join(wrong...)
}

// Ledger is how far the records of the directory of keys had come when the backup was last written. It is
// empty in backups of earlier versions.
func (r *Reader) Ledger(ctx context.Context) (map[string]ledger.Position, error) {
	m, err := r.newestManifest(ctx)
	if err != nil {
		return nil, err
	}
	return m.Ledger, nil
}

// newestManifest returns the newest manifest that is as it was written.
func (r *Reader) newestManifest(ctx context.Context) (*Manifest, error) {
	generations, err := generationsOf(ctx, r.target)
	if err == nil && len(generations) == 0 {
		err = ErrNoBackup
	}
	if err != nil {
		return nil, err
	}
	var wrong error
	for _, g := range slices.Backward(generations) {
		m, err := r.manifest(ctx, g)
		if is := (*wrongManifest)(nil); !errors.As(err, &is) {
			return m, err
		}
		if wrong == nil {
			wrong = err
		}
	}
	return nil, wrong
}

// Notes are what a person should know about a backup that is read up to a point. last says that the
// point was not asked for by its time.
func (r *Reader) Notes(ctx context.Context, p *Point, last bool) (notes []string, err error) {
	if p.Unread != nil {
		notes = append(notes, fmt.Sprintf("an older generation can't be read: %v", p.Unread))
	}
	if !last {
		return notes, nil
	}
	generations, err := generationsOf(ctx, r.target)
	if err != nil {
		return notes, err
	}
	bare, err := bareGenerations(ctx, r.target, generations[0])
	if err != nil {
		return notes, err
	}
	for _, g := range bare {
		notes = append(notes, fmt.Sprintf("generation %d has segments but no manifest: it was removed in part, or its manifest is missing and can be put back as %s", g, manifestName(g)))
	}
	later, err := r.Later(ctx)
	if err == nil && !later.IsZero() {
		notes = append(notes, "another backup of this store ends later, at "+BoundaryText(later))
	}
	return notes, err
}

// Later returns the end of another backup of the store that the keys know to end later than this one;
// zero: there is none.
func (r *Reader) Later(ctx context.Context) (at time.Time, err error) {
	m, err := r.newestManifest(ctx)
	if err != nil {
		return at, err
	}
	for backup, h := range r.heads {
		if backup != m.Backup && h.At.After(m.At) && h.At.After(at) {
			at = h.At
		}
	}
	return at, nil
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
		return damaged("the backup ends with segment %d of generation %d, and the keys know of segment %d of generation %d: its end was cut off, or it is an older copy; --older or an earlier --at restores it",
			m.Objects, m.Generation, known.Objects, known.Generation)
	}
	return nil
}

// generation is a generation with the names of its objects.
type generation struct {
	*Manifest
	names []string // by number - 1; empty: the target has none
}

// generation finds the objects of a generation. Of several that were written at one place, by processes
// that were interrupted or too late, the manifest and the objects after it say which one belongs to it.
func (r *Reader) generation(ctx context.Context, m *Manifest) (*generation, error) {
	all, err := r.target.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", r.target, err)
	}
	places := make([][]string, m.Objects)
	for _, name := range all {
		if g, n, _, ok := parseName(name); ok && g == m.Generation && n > 0 && n <= m.Objects {
			places[n-1] = append(places[n-1], name)
		}
	}
	found := &generation{m, make([]string, m.Objects)}
	for i := m.Objects - 1; i >= 0; i-- {
		switch len(places[i]) {
		case 0:
		case 1:
			found.names[i] = places[i][0]
		default:
			if found.names[i], err = r.choose(ctx, found, i, places[i]); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// choose returns the object at a place that the next one names, or the manifest.
func (r *Reader) choose(ctx context.Context, g *generation, i int, names []string) (string, error) {
	want := g.Chain
	if i+1 < g.Objects {
		if g.names[i+1] == "" {
			return names[0], nil // the next one is missing, which is found later
		}
		b, err := r.target.Get(ctx, g.names[i+1])
		if err != nil {
			return "", fmt.Errorf("%s: %w", g.names[i+1], err)
		}
		h, _, err := parseHeader(b)
		if err != nil {
			return names[0], nil //nolint:nilerr // that it is damaged is found later
		}
		want = h.Previous
	}
	for _, name := range names {
		_, _, hash, _ := parseName(name)
		if hash == "" { // of version 1
			b, err := r.target.Get(ctx, name)
			if err != nil {
				return "", fmt.Errorf("%s: %w", name, err)
			}
			hash = hashOf(b)[:nameHash]
		}
		if strings.HasPrefix(want, hash) {
			return name, nil
		}
	}
	return names[0], nil
}

// find reads the headers of a generation up to the last boundary at or before an instant.
func (r *Reader) find(ctx context.Context, m *Manifest, at time.Time, progress func(done, total int)) (*Point, error) {
	g, err := r.generation(ctx, m)
	if err != nil {
		return nil, err
	}
	p := &Point{Generation: m.Generation, in: g}
	var headers []*header
	chain := ""
	for n := 1; n <= m.Objects; n++ {
		h, _, hash, err := r.object(ctx, g, n, chain)
		if errors.Is(err, graph.ErrIntegrity) && p.Objects > 0 {
			return nil, damaged("%v; the newest boundary before it is restored with --at %s", err, BoundaryText(p.At))
		}
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
				return nil, damaged("%s: it is not the segment that the manifest ends with: segments were swapped", g.names[n-1])
			}
			p.Whole = true
		}
		if h.End && h.At.Equal(at) { // what follows is later, and may be missing
			break
		}
	}
	if p.Objects == 0 {
		return nil, damaged("generation %d has no boundary up to %s", m.Generation, at.Format(time.RFC3339))
	}
	return p, nil
}

// BoundaryText is the instant of a boundary for people and for --at.
func BoundaryText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// object reads an object of a generation and checks that it belongs there. chain is the hash of the
// one before; "?" if it was checked already.
func (r *Reader) object(ctx context.Context, g *generation, n int, chain string) (*header, []byte, string, error) {
	name := g.names[n-1]
	if name == "" {
		return nil, nil, "", damaged("segment %s is missing: the backup was cut", objectName(g.Generation, n))
	}
	b, err := r.target.Get(ctx, name)
	if errors.Is(err, ErrNoObject) {
		return nil, nil, "", damaged("segment %s is missing: the backup was cut", name)
	}
	if err != nil {
		return nil, nil, "", fmt.Errorf("%s: %w", name, err)
	}
	if h, _, err := parseHeader(b); err == nil && (h.Store != g.Store || h.Backup != g.Backup) {
		return nil, nil, "", damaged("segment %s belongs to another backup: a foreign segment was put here", name)
	}
	h, lines, err := openObject(g.key, b)
	if err != nil {
		return nil, nil, "", fmt.Errorf("segment %s: %w", name, err)
	}
	if h.Generation != g.Generation || h.Number != n {
		return nil, nil, "", damaged("segment %s is number %d of generation %d: segments were swapped", name, h.Number, h.Generation)
	}
	if chain != "?" && h.Previous != chain {
		return nil, nil, "", damaged("segment %s does not follow the one before it: segments were swapped", name)
	}
	return h, lines, hashOf(b), nil
}
