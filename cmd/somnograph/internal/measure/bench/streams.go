package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/websocket"
	"golang.org/x/sync/errgroup"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/engine"
)

// Streams holds the rates of durable single writes by one writer while subscriptions to
// memoryEvents are open, whose clients read everything and discard it.
type Streams struct {
	Open  int     `json:"open"`
	None  float64 `json:"writesPerSecondWithNone"` // median of the rounds
	With  float64 `json:"writesPerSecond"`         // median of the rounds
	Ratio float64 `json:"ratio"`                   // median of the ratios of each round
}

const (
	streamRounds    = 5
	streamWrites    = 300 // of each half of a round
	streamsOnSocket = 32
)

// streams compares the rate of writes with open subscriptions to that without, in interleaved
// rounds.
func (r *Result) streams(ctx context.Context, o Options, in *instance.Instance, c *corpus) error {
	url, end, err := o.Serve(in)
	if err != nil {
		return err
	}
	for _, n := range o.Streams {
		s := Streams{Open: n}
		var none, with, ratios []float64
		for range streamRounds {
			var rate float64
			failed := r.phase(o, "streams-0", streamWrites, func() (err error) { rate, err = writeRate(ctx, in, c); return err })
			if failed != nil {
				return errors.Join(failed, end())
			}
			var busy float64
			failed = r.phase(o, fmt.Sprintf("streams-%d", n), 2*streamWrites, func() (err error) {
				busy, err = rateWithStreams(ctx, url, n, func() (float64, error) { return writeRate(ctx, in, c) })
				return err
			})
			if failed != nil {
				return errors.Join(failed, end())
			}
			none, with, ratios = append(none, rate), append(with, busy), append(ratios, busy/rate)
		}
		s.None, s.With, s.Ratio = median(none), median(with), median(ratios)
		r.Streams = append(r.Streams, s)
	}
	return end()
}

// writeRate is the rate of single writes by one writer.
func writeRate(ctx context.Context, in *instance.Instance, c *corpus) (float64, error) {
	now := in.Engine.Now()
	began := time.Now()
	_, err := timed(streamWrites, func(i int) error {
		_, err := in.Engine.Remember(ctx, engine.Loopback(), c.input(i, now))
		return err
	})
	return streamWrites / time.Since(began).Seconds(), err
}

// rateWithStreams calls measure while n subscriptions are open.
func rateWithStreams(ctx context.Context, url string, n int, measure func() (float64, error)) (rate float64, err error) {
	var conns []*websocket.Conn
	var readers errgroup.Group
	defer func() {
		for _, conn := range conns {
			err = errors.Join(err, conn.Close())
		}
		_ = readers.Wait() // reading ends with the error of a closed connection
	}()
	for at := 0; at < n; at += streamsOnSocket {
		conn, err := subscribe(ctx, url, min(streamsOnSocket, n-at))
		if err != nil {
			return 0, err
		}
		conns = append(conns, conn)
		readers.Go(func() error { _, err := io.Copy(io.Discard, conn.NetConn()); return err })
	}
	if _, err := measure(); err != nil { // the subscriptions begin meanwhile
		return 0, err
	}
	return measure()
}

// subscribe opens a socket with n subscriptions.
func subscribe(ctx context.Context, url string, n int) (*websocket.Conn, error) {
	dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}}
	conn, resp, err := dialer.DialContext(ctx, "ws"+strings.TrimPrefix(url, "http")+"/graphql", nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	err = conn.WriteJSON(map[string]any{"type": "connection_init"})
	var ack struct{ Type string }
	for err == nil && ack.Type != "connection_ack" {
		err = conn.ReadJSON(&ack)
	}
	for i := 0; i < n && err == nil; i++ {
		err = conn.WriteJSON(map[string]any{"type": "subscribe", "id": fmt.Sprint(i), "payload": map[string]any{"query": `subscription { memoryEvents { cursor } }`}})
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// median returns the middle value, of an odd number.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
