package sleep

import (
	"context"
	"sync"
)

// broadcastBuffer is how many messages a listener may be behind before it misses some.
const broadcastBuffer = 64

// broadcast tells every listener what happens. A slow one never holds up the speaker: it
// misses the oldest of what it has not read. The zero value is ready.
type broadcast[M any] struct {
	mu        sync.Mutex
	listeners map[chan M]struct{}
	latest    *M // told to whoever comes; nil: nothing under way
}

// say tells everybody. With keep, whoever comes later is told too, until quiet.
func (b *broadcast[M]) send(m M, keep bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if keep {
		b.latest = &m
	}
	for l := range b.listeners {
		for {
			select {
			case l <- m:
			default:
				select {
				case <-l: // the oldest makes room
				default:
				}
				continue
			}
			break
		}
	}
}

// quiet forgets what newcomers would be told.
func (b *broadcast[M]) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.latest = nil
}

// listen hears everything from now on, until ctx or end is over.
func (b *broadcast[M]) subscribe(ctx, end context.Context) <-chan M {
	l := make(chan M, broadcastBuffer)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listeners == nil {
		b.listeners = map[chan M]struct{}{}
	}
	b.listeners[l] = struct{}{}
	if b.latest != nil {
		l <- *b.latest
	}
	leave := func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if _, here := b.listeners[l]; here {
			delete(b.listeners, l)
			close(l)
		}
	}
	forget := context.AfterFunc(end, leave)
	context.AfterFunc(ctx, func() { forget(); leave() })
	return l
}
