package instance

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/dgraphstore"
)

// openStore opens the truth: the embedded store below the directory, or that of a Dgraph
// cluster. What else is in the directory is this server's own in either case.
func (o Options) openStore(ctx context.Context) (graph.Store, error) {
	if len(o.Dgraph) == 0 {
		s, err := badgerstore.Open(filepath.Join(o.Dir, "store"), badgerstore.Options{MinFree: uint64(o.MinFree), Logger: o.Logger})
		if err != nil {
			return nil, Explain(o.Dir, err)
		}
		return s, nil
	}
	d := dgraphstore.Options{Logger: o.Logger, UsageJournal: filepath.Join(o.Dir, "uses"), IndexVectors: o.VectorsInDgraph, TLS: o.DgraphTLS}
	if o.DgraphUser != "" {
		d.Login = &dgraphstore.Login{User: o.DgraphUser, Password: o.DgraphPassword}
	}
	if o.Peers != nil {
		d.OnCommit, d.PollEvery = o.Peers.Announce, lookEvery
		d.WriteLeases = o.Peers.WriteLeases(time.Now)
	}
	s, err := dgraphstore.Open(ctx, o.Dgraph, d)
	if err != nil {
		return nil, explainDgraph(o.Dgraph, err)
	}
	if o.Peers != nil {
		o.Peers.Listen(s.PollNow)
	}
	return s, nil
}

// lookEvery is how often a server looks for what others committed that wake it up besides:
// with Redis away it hears of them within a second all the same.
const lookEvery = 500 * time.Millisecond

// explainDgraph turns an error of opening a cluster into a line that says what to do.
func explainDgraph(addresses []string, err error) error {
	if !errors.Is(err, graph.ErrUnavailable) {
		return err
	}
	return &explained{fmt.Sprintf("Dgraph at %s does not answer: %s; make cluster starts one on this machine", strings.Join(addresses, ", "), line(err)), err}
}
