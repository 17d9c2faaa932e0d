package project

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"math"
	"sync"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/viz/umap"
)

// Radius is how far from the centre the places of a map reach, a few outliers aside.
const Radius = 100

const (
	sampleSize = 1024    // memories that a map is drawn of while somebody waits
	maxDrawn   = 250_000 // memories that a map is drawn of at all; more stay on the map of a sample
)

// Layout knows the places of a growing set of memories. The zero value is empty and
// ready. It is safe for concurrent use.
//
// It counts in units of the map, in which close neighbours stand about 0.1 apart, and
// scales what it answers by a factor that only a map drawn from scratch changes.
type Layout struct {
	sampleLimit int        // of a sample; 0: quick
	drawMu      sync.Mutex // one at a time

	mu        sync.Mutex
	base      *umap.Map // to place others on; nil: not yet
	complete  bool      // on is a map of all there was, not of a sample
	drawing   uint64    // names it
	scale     float64
	positions map[graph.ID]position
}

// position is the place of a memory, in units of the map.
type position struct {
	at          [3]float32
	fingerprint uint64 // of the vector that stands there
	drawn       bool   // it was in a map; else it was placed on one
}

// Point is a memory with its vector; nil while its embedding is still to come.
type Point struct {
	ID     graph.ID
	Vector []float32
}

// Places are the places of the points, in their order. Points whose vector cannot be
// drawn (none, not finite, of another dimension than most) stand on a shell outside
// the map. Where there is no map yet, or a small one that the set has outgrown, it
// draws one of at most 1,024 memories; what it costs beyond is some 50 µs for each memory that it did
// not know. The error is that of ctx.
func (l *Layout) Places(ctx context.Context, points []Point) ([][3]float32, error) {
	all := members(points)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.ensureMap(ctx, all); err != nil {
		return nil, err
	}
	var fresh []member
	for _, m := range all {
		if _, known := l.knownPosition(m); !known {
			fresh = append(fresh, m)
		}
	}
	spots, errs := make([]position, len(fresh)), make([]error, len(fresh))
	parallelFor(len(fresh), func(k int) {
		m := fresh[k]
		if errs[k] = ctx.Err(); errs[k] != nil {
			return
		}
		spots[k].fingerprint = m.fingerprint
		spots[k].at, errs[k] = l.base.Place(m.vector)
		for d, x := range direction(m.id) { // memories that say the same stand side by side
			spots[k].at[d] += x / 16
		}
	})
	for k, m := range fresh {
		if errs[k] != nil {
			return nil, errs[k]
		}
		l.positions[m.id] = spots[k]
	}
	out := make([][3]float32, len(points))
	for i, p := range points {
		out[i] = shellPosition(p.ID)
	}
	for _, m := range all {
		for d, x := range l.positions[m.id].at {
			out[m.index][d] = float32(float64(x) * l.scale)
		}
	}
	return out, nil
}

// Drawing names the map that places lie on: it is another whenever memories that were
// on the map may have moved, and the same for the same map. 0: there is none yet.
func (l *Layout) Drawing() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.drawing
}

// mapDigest is FNV-1a over the places and the scale of a map.
func mapDigest(m *umap.Map, scale float64) uint64 {
	h := fnv.New64a()
	var b [12]byte
	binary.LittleEndian.PutUint64(b[:], math.Float64bits(scale))
	h.Write(b[:8])
	for _, p := range m.Places {
		for d, x := range p {
			binary.LittleEndian.PutUint32(b[4*d:], math.Float32bits(x))
		}
		h.Write(b[:])
	}
	return h.Sum64()
}

// knownPosition is the spot of a memory, unless its vector is another by now.
func (l *Layout) knownPosition(m member) (position, bool) {
	s, ok := l.positions[m.id]
	return s, ok && s.fingerprint == m.fingerprint
}

// ensureMap sees to it that there is a map to place others on: the kept one, where most is
// known from it, else one of a sample; and a new one where a small set has outgrown the
// one it has.
func (l *Layout) ensureMap(ctx context.Context, all []member) error {
	if l.positions == nil {
		l.positions = map[graph.ID]position{}
	}
	limit := l.sampleLimit
	if limit == 0 {
		limit = sampleSize
	}
	grown := outgrown(l.compare(all).drawn, len(all))
	if len(all) == 0 || l.base != nil && (!grown || len(l.base.Places) >= limit) {
		return nil
	}
	if l.base == nil && !grown {
		var have []member
		for _, m := range all {
			if s, ok := l.knownPosition(m); ok && s.drawn {
				have = append(have, m)
			}
		}
		have = evenSample(have, limit)
		places, _ := l.startPositions(have, false)
		m, err := umap.Restore(ctx, vectors(have), places, umap.Options{})
		if err == nil {
			l.base, l.drawing = m, mapDigest(m, l.scale)
		}
		return err
	}
	some := evenSample(all, limit)
	places, stands := l.startPositions(some, true)
	m, err := umap.Grow(ctx, vectors(some), func(k int) ([3]float32, umap.PointState) { return places[k], stands[k] }, umap.Options{})
	if err == nil {
		l.install(m, some, len(some) == len(all), true)
	}
	return err
}

// NeedsRedraw reports whether it is time for Redraw: the map is one of a sample so far, or one
// in twenty memories has come or gone since it was drawn.
func (l *Layout) NeedsRedraw(points []Point) bool {
	all := members(points)
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(all) > 0 && len(all) <= maxDrawn && (!l.complete || l.compare(all).stale())
}

// Redraw draws the map of the points, which takes seconds for ten thousands of them, on
// a number of processors at most. Until it is done, Places answers as before. What was
// in the map before stays about there; drift is its median move in radii of the map, 0
// where the map is drawn from scratch: the first time, and when a third of it is new.
// Where next to nothing has changed, nothing moves at all. Points that are not named
// are forgotten. The error is that of ctx.
func (l *Layout) Redraw(ctx context.Context, points []Point, workers int) (drift float64, err error) {
	l.drawMu.Lock()
	defer l.drawMu.Unlock()
	all := members(points)
	l.mu.Lock()
	count := l.compare(all)
	scratch := outgrown(count.drawn, len(all))
	places, stands := l.startPositions(all, scratch)
	l.mu.Unlock()

	o := umap.Options{Workers: workers}
	var m *umap.Map
	if count.known == len(all) && !scratch && !count.stale() {
		m, err = umap.Restore(ctx, vectors(all), places, o)
	} else {
		m, err = umap.Grow(ctx, vectors(all), func(k int) ([3]float32, umap.PointState) { return places[k], stands[k] }, o)
	}
	if err != nil {
		return 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.install(m, all, true, scratch)
	return m.Drift, nil
}

// startPositions is where and how memories stand before a drawing. From scratch, what was
// drawn may leave its place too.
func (l *Layout) startPositions(all []member, scratch bool) ([][3]float32, []umap.PointState) {
	places, stands := make([][3]float32, len(all)), make([]umap.PointState, len(all))
	for k, m := range all {
		s, ok := l.knownPosition(m)
		switch {
		case !ok:
			continue
		case s.drawn && !scratch:
			stands[k] = umap.Drawn
		default:
			stands[k] = umap.Placed
		}
		places[k] = s.at
	}
	return places, stands
}

// install takes the places of a map, and lets go of all others.
func (l *Layout) install(m *umap.Map, all []member, whole, scratch bool) {
	l.base, l.complete = m, whole
	l.positions = make(map[graph.ID]position, len(all))
	for k, member := range all {
		l.positions[member.id] = position{m.Places[k], member.fingerprint, whole}
	}
	if scratch {
		l.scale = Radius / outerRadius(m.Places)
	}
	l.drawing = mapDigest(m, l.scale)
}

// count compares a set with the map.
type setChange struct{ all, known, drawn, gone int }

func (l *Layout) compare(all []member) setChange {
	c := setChange{all: len(all)}
	for _, m := range all {
		if s, ok := l.knownPosition(m); ok {
			c.known++
			if s.drawn {
				c.drawn++
			}
		}
	}
	for _, s := range l.positions {
		if s.drawn {
			c.gone++
		}
	}
	c.gone -= c.drawn
	return c
}

// stale reports whether five, and one in twenty, have come or gone since the drawing.
func (c setChange) stale() bool { return (c.all-c.drawn+c.gone-5)*20 >= c.all }

// outgrown reports whether more than a third of n memories are not in the map.
func outgrown(drawn, n int) bool { return drawn*3 < n*2 }
