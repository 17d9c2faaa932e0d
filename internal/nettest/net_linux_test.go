package nettest

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// listen starts an echo server on a node.
func listen(t *testing.T, d *Node) net.Listener {
	t.Helper()
	l, err := d.Listen(t.Context(), d.Address(7000))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(c, c) }() // until the other end closes
		}
	}()
	return l
}

// says sends a byte and reports whether it came back in time.
func says(t *testing.T, c net.Conn, within time.Duration) bool {
	t.Helper()
	if err := c.SetDeadline(time.Now().Add(within)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Write([]byte{1}); err != nil {
		t.Fatal(err)
	}
	_, err := io.ReadFull(c, make([]byte, 1))
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("the cut link still transferred data: %v", err)
	}
	return err == nil
}

// A cut connection is silent. Data sent during the cut arrives when it is restored, by
// retransmission. Other connections are not affected.
func TestCutLineIsSilent(t *testing.T) {
	n := New(t)
	a, b, c := n.Node("a"), n.Node("b"), n.Node("c")
	l := listen(t, a)
	dial := func(d *Node, within time.Duration) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		conn, err := d.DialContext(ctx, "tcp", l.Addr().String())
		if err == nil {
			t.Cleanup(func() { _ = conn.Close() })
		}
		return conn, err
	}
	fromB, err := dial(b, 10*time.Second)
	if err != nil || !says(t, fromB, 10*time.Second) {
		t.Fatalf("b does not reach a: %v", err)
	}
	n.Cut(a, b)
	if says(t, fromB, 500*time.Millisecond) {
		t.Error("data passed a cut link")
	}
	if _, err := dial(b, 500*time.Millisecond); !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a new connection does not time out: %v", err)
	}
	fromC, err := dial(c, 10*time.Second)
	if err != nil || !says(t, fromC, 10*time.Second) {
		t.Errorf("c does not reach a: %v", err)
	}
	n.Mend(a, b)
	if err := fromB.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(fromB, make([]byte, 1)); err != nil {
		t.Errorf("data sent during the cut did not arrive: %v", err)
	}
}
