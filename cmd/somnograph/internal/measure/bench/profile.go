package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/measure/retrieval"
)

// phase runs one part of a measurement of n operations and notes the processor time
// that the whole process spent on each: on a busy machine it says more than the clock on
// the wall. With a directory for profiles it leaves two there, of the processor and of what was
// allocated since the process began; what a phase allocates is the difference to the
// one before it (go tool pprof -diff_base).
func (r *Result) phase(o Options, name string, n int, run func() error) (err error) {
	if o.Profiles != "" {
		stop, err := profile(filepath.Join(o.Profiles, fmt.Sprintf("%d-%s", r.Memories, name)))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, stop()) }()
	}
	before := processorTime()
	err = run()
	r.Processor[name] = retrieval.Millis(processorTime()-before) / float64(max(1, n))
	return err
}

// profile begins a profile of the processor; what it answers ends it and adds that of
// the allocations.
func profile(path string) (stop func() error, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.Create(path + ".cpu")
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		err := f.Close()
		allocs, failed := os.Create(path + ".allocs")
		if failed != nil {
			return errors.Join(err, failed)
		}
		return errors.Join(err, pprof.Lookup("allocs").WriteTo(allocs, 0), allocs.Close())
	}, nil
}
