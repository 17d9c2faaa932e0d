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

// openStore opens the embedded store in the directory, or the one on a Dgraph cluster. The rest
// of the directory belongs to this server in either case.
func (o Options) openStore(ctx context.Context) (graph.Store, error) {
	if len(o.Dgraph) == 0 {
		s, err := badgerstore.Open(filepath.Join(o.Dir, "store"), badgerstore.Options{MinFree: uint64(o.MinFree), Logger: o.Engine.Logger})
		if err != nil {
			return nil, Explain(o.Dir, err)
		}
		return s, nil
	}
	d := o.Cluster
	d.Logger, d.UsageJournal = o.Engine.Logger, filepath.Join(o.Dir, "uses")
	if o.Peers != nil {
		d.OnCommit, d.PollEvery = o.Peers.Announce, pollEvery
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

// pollEvery is how often a server polls for commits of other servers that also notify it: if
// Redis is unavailable it still learns of them within a second.
const pollEvery = 500 * time.Millisecond

// explainDgraph turns an error of opening a cluster into one line that says what to do.
func explainDgraph(addresses []string, err error) error {
	if !errors.Is(err, graph.ErrUnavailable) {
		return err
	}
	return &explained{fmt.Sprintf("Dgraph at %s does not answer: %s; make cluster starts one on this machine", strings.Join(addresses, ", "), line(err)), err}
}
