package document

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// pdfReaders is the PDF reader of the process.
var pdfReaders = pdfLoader{places: make(chan struct{}, pdfAtOnce)}

// pdfLoader loads the PDF reader when the first document needs it, and unloads it when none
// has needed it for a while.
type pdfLoader struct {
	places chan struct{} // has an element for each document that is read
	mu     sync.Mutex
	pool   pdfium.Pool
	cache  wazero.CompilationCache
	users  int
	idle   *time.Timer
	next   *space // the memory of the instance that is being made
}

// acquire returns an instance of the reader with a memory of its own, and a function that gives both back when no
// call of the instance runs any more. A reader with another cache directory than the loaded one is the loaded one.
func (l *pdfLoader) acquire(ctx context.Context, lim Limits) (instance pdfium.Pdfium, release func(), err error) {
	select {
	case l.places <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	memory := &space{}
	release = func() {
		memory.unmap()
		l.leave()
		<-l.places
	}
	defer func() { // also after a panic
		if instance == nil {
			release()
		}
	}()
	instance, err = l.instance(ctx, lim, memory)
	return instance, release, err
}

// instance loads the reader if it is not loaded, and makes an instance with the memory.
func (l *pdfLoader) instance(ctx context.Context, lim Limits, memory *space) (pdfium.Pdfium, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.users++
	if l.idle != nil {
		l.idle.Stop()
		l.idle = nil
	}
	if err := ctx.Err(); err != nil { // loading takes long
		return nil, err
	}
	if l.pool == nil {
		if err := l.load(lim.CacheDir); err != nil {
			return nil, err
		}
	}
	if err := memory.reserve(lim.Memory); err != nil {
		return nil, err
	}
	l.next = memory
	return l.pool.GetInstanceWithContext(ctx)
}

// allocate gives the instance that is being made its memory. Another one would not get any.
func (l *pdfLoader) allocate(_, _ uint64) experimental.LinearMemory {
	memory := l.next
	l.next = nil
	return memory
}

// leave counts one document less.
func (l *pdfLoader) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users--; l.users == 0 {
		l.idle = time.AfterFunc(pdfIdle, l.unload)
	}
}

// unload frees the reader unless it is in use.
func (l *pdfLoader) unload() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users > 0 || l.pool == nil {
		return
	}
	_ = l.pool.Close()
	_ = l.cache.Close(context.Background())
	l.pool, l.cache = nil, nil
}

// load compiles the reader, or takes it from the cache directory.
func (l *pdfLoader) load(dir string) (err error) {
	l.cache = wazero.NewCompilationCache()
	if dir != "" {
		if l.cache, err = wazero.NewCompilationCacheWithDir(dir); err != nil {
			return err
		}
	}
	l.pool, err = webassembly.Init(webassembly.Config{
		Context:  experimental.WithMemoryAllocator(context.Background(), experimental.MemoryAllocatorFunc(l.allocate)),
		MaxTotal: pdfAtOnce, // and none is idle: each document has a new instance
		Stdout:   io.Discard,
		Stderr:   io.Discard,
		FSConfig: wazero.NewFSConfig(), // no files
		RuntimeConfig: wazero.NewRuntimeConfig().
			WithCompilationCache(l.cache).
			WithMemoryLimitPages(pdfMemory / wasmPage).
			WithCloseOnContextDone(true).
			// PDFium needs exceptions.
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling),
	})
	return err
}

// space is the memory of one document. Its addresses are reserved together and take memory of the machine when they
// are used, so it does not move while it grows, leaves no garbage, and is given back as a whole.
type space struct{ bytes []byte }

// reserve reserves size bytes, which are 0.
func (s *space) reserve(size int64) (err error) {
	s.bytes, err = mapBytes(size)
	return err
}

// Reallocate makes the memory size bytes long.
func (s *space) Reallocate(size uint64) []byte {
	if size > uint64(len(s.bytes)) {
		return nil
	}
	return s.bytes[:size:size]
}

// Free does nothing: an instance that is killed frees its memory while a call of it still runs. Unmap frees it.
func (s *space) Free() {}

// unmap gives the memory back to the machine.
func (s *space) unmap() {
	if s.bytes != nil {
		unmapBytes(s.bytes)
	}
}
