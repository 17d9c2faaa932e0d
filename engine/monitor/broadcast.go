package monitor

import (
	"context"
	"sync"
)

// unread is the number of unread events that a listener can have before it loses the oldest.
const unread = 64

// broadcast sends events to every listener and never waits for one. The zero value is ready.
type broadcast struct {
	mu        sync.Mutex
	listeners map[chan Event]struct{}
}

func (b *broadcast) send(e Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for l := range b.listeners {
		for sent := false; !sent; {
			select {
			case l <- e:
				sent = true
			default:
				select {
				case <-l: // drop the oldest
				default:
				}
			}
		}
	}
}

// subscribe returns a channel of all events from now on, until ctx or end is done.
func (b *broadcast) subscribe(ctx, end context.Context) <-chan Event {
	l := make(chan Event, unread)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listeners == nil {
		b.listeners = map[chan Event]struct{}{}
	}
	b.listeners[l] = struct{}{}
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
