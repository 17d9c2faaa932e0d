package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/measure/retrieval"
)

// phase runs one part of a measurement, of n operations, and records the processor time of
// the process per operation: on a busy machine it says more than wall time. With a directory
// for profiles it writes two: processor time, and allocations since the start of the process.
// The allocations of a phase are the difference to those of the phase before it (go tool
// pprof -diff_base).
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

// profile starts a CPU profile. stop ends it and writes the profile of allocations.
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
