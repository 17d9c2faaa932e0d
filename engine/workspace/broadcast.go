package workspace

import (
	"context"
	"sync"
)

// broadcastBuffer is the number of unread messages that a listener can have before it loses
// some.
const broadcastBuffer = 64

// Broadcast sends messages to every listener. A slow listener never blocks the sender: it
// loses its oldest unread message. The zero value is ready to use.
type Broadcast[M any] struct {
	mu        sync.Mutex
	listeners map[chan M]struct{}
	latest    *M // sent to each new listener; nil: none
}

// Send sends a message to every listener. With keep, later listeners receive it too, until
// Clear.
func (b *Broadcast[M]) Send(m M, keep bool) {
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
				case <-l: // drop the oldest
				default:
				}
				continue
			}
			break
		}
	}
}

// Clear removes the message for new listeners.
func (b *Broadcast[M]) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.latest = nil
}

// Subscribe returns a channel of all messages from now on, until ctx or end is done.
func (b *Broadcast[M]) Subscribe(ctx, end context.Context) <-chan M {
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
