package backup

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/auth"
	"github.com/somnograph/somnograph/graph"
)

// MediaType is the media type of the frames that a server answers with.
const MediaType = "application/vnd.somnograph.backup"

// A server answers with frames: a kind, the length of a name (2 bytes), the name, the length of the
// data (4 bytes), the data. The last frame is frameEnd with the manifest, or frameError with a text.
const (
	frameObject = 'o'
	frameEnd    = 'm'
	frameError  = 'e'
)

// maxManifest is the largest manifest in bytes.
const maxManifest = 8 << 20

// Handler serves POST /backup: the body is the manifest of the last round, or empty, and ?full=1
// asks for a full export, ?committed=1 for nothing: the target has the manifest, and so does ?oldest=N: the
// target has no generation below N. With ?every=10s&age=3s the client goes on with the backup, which had
// everything that long ago; ?ended=1 says that it does not, or without a manifest that no client does, and asks
// for nothing. It sends sealed objects, which the client can't read.
type Handler struct {
	Maker  *Maker
	Watch  *Watch // nil: nobody looks at the age
	Logger *slog.Logger
}

// Serve makes a round, and returns what kept it from one. begins reports a request that begins a backup or asks for a full export,
// and not one that goes on. After an error that is http.ErrAbortHandler the caller must cut the connection off, so that the client
// sees that the last frame is missing.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request) (begins bool, err error) {
	prev, err := receive(w, r)
	if err != nil {
		return true, err
	}
	return len(prev) == 0 || r.URL.Query().Get("full") == "1", h.serve(w, r, prev)
}

// refuse answers a request with an error.
func refuse(w http.ResponseWriter, status int, text string) error {
	http.Error(w, text, status)
	return graph.Errorf(graph.CodeInvalidRequest, "%s", text)
}

// receive returns the manifest of the newest generation that the target has, empty if it has none.
func receive(w http.ResponseWriter, r *http.Request) (manifest []byte, err error) {
	if r.Method != http.MethodPost {
		return nil, refuse(w, http.StatusMethodNotAllowed, "POST only")
	}
	if r.Header.Get("Content-Type") != MediaType { // a foreign web page can't send this type unasked
		return nil, refuse(w, http.StatusUnsupportedMediaType, "must be "+MediaType)
	}
	if manifest, err = io.ReadAll(http.MaxBytesReader(w, r.Body, maxManifest)); err != nil {
		if auth.RefuseEnded(w, r, err) {
			return nil, err
		}
		return nil, refuse(w, http.StatusBadRequest, "backup: the manifest can't be read")
	}
	return manifest, nil
}

func (h *Handler) serve(w http.ResponseWriter, r *http.Request, prev []byte) error {
	if len(prev) > 0 { // the target has it
		if err := h.Maker.Committed(prev); err != nil {
			return refuse(w, http.StatusConflict, "backup: "+cmp.Or(h.Maker.foreign(prev), err).Error())
		}
	}
	if r.URL.Query().Get("ended") == "1" {
		if err := h.end(r.Context(), prev); err != nil {
			return refuse(w, http.StatusInternalServerError, "backup: "+err.Error())
		}
		return nil
	}
	if oldest := r.URL.Query().Get("oldest"); oldest != "" { // generations were removed, and no round is wanted
		n, err := strconv.Atoi(oldest)
		if err == nil {
			err = h.Maker.Kept(r.Context(), prev, n)
		}
		if err != nil {
			return refuse(w, http.StatusConflict, "backup: "+err.Error())
		}
		return nil
	}
	if r.URL.Query().Get("committed") == "1" { // the target has the manifest, and no round is wanted
		w.WriteHeader(http.StatusOK)
		return nil
	}
	advanced, err := h.goes(r.Context(), prev, r.URL.Query())
	if err != nil {
		return refuse(w, http.StatusBadRequest, "backup: "+err.Error())
	}
	return h.round(w, r, prev, advanced)
}

// round sends the objects of a round, and calls advanced with the number of those that it has sent.
func (h *Handler) round(w http.ResponseWriter, r *http.Request, prev []byte, advanced func(objects int)) error {
	w.Header().Set("Content-Type", MediaType)
	w.Header().Set("Cache-Control", "no-store")
	out := bufio.NewWriterSize(w, 1<<16)
	objects := 0
	made, err := h.Maker.Next(r.Context(), prev, r.URL.Query().Get("full") == "1", func(name string, object []byte) error {
		objects++
		defer advanced(objects)
		return writeFrame(out, frameObject, name, object)
	})
	if err == nil {
		var b []byte
		if b, err = json.Marshal(made); err == nil {
			err = writeFrame(out, frameEnd, "", b)
		}
	}
	sent := err
	if err != nil {
		h.Logger.Error("[BACKUP] failed", "error", err)
		sent = writeFrame(out, frameError, "", []byte(err.Error()))
	}
	if sent == nil {
		sent = out.Flush()
	}
	if sent != nil {
		return errors.Join(http.ErrAbortHandler, err, sent)
	}
	return err
}

// goes notes that a client goes on with the backup of a manifest that was authenticated, if it says so.
// advanced is to be called with the number of objects that its round has sent.
func (h *Handler) goes(ctx context.Context, prev []byte, query url.Values) (advanced func(objects int), err error) {
	none := func(int) {}
	if h.Watch == nil || len(prev) == 0 || query.Get("every") == "" {
		return none, nil
	}
	every, err := time.ParseDuration(query.Get("every"))
	if err != nil || every < time.Second || every > time.Hour {
		return nil, fmt.Errorf("every must be 1s to 1h (got %q)", query.Get("every"))
	}
	age := time.Duration(-1)
	if text := query.Get("age"); text != "" {
		if age, err = time.ParseDuration(text); err != nil || age < 0 {
			return nil, fmt.Errorf("age must be a duration of at least 0s (got %q)", text)
		}
	}
	m, err := peekManifest(prev)
	if err != nil {
		return nil, err
	}
	if err := h.Watch.Goes(ctx, m.Backup, every, age); err != nil { // the backup is more important
		h.Logger.Error("[BACKUP] can't keep which backups go on: their age raises no alarm after a restart or at other servers", "error", err)
	}
	return func(objects int) {
		if err := h.Watch.advanced(ctx, m.Backup, objects); err != nil {
			h.Logger.Warn("[BACKUP] other servers are not told that it advances", "error", err)
		}
	}, nil
}

// end notes that the backup of a manifest that was authenticated does not go on; without one, none does.
func (h *Handler) end(ctx context.Context, manifest []byte) error {
	if h.Watch == nil {
		return nil
	}
	if len(manifest) == 0 {
		return h.Watch.Ended(ctx, "")
	}
	m, err := peekManifest(manifest)
	if err != nil {
		return err
	}
	return h.Watch.Ended(ctx, m.Backup)
}

func writeFrame(w io.Writer, kind byte, name string, b []byte) error {
	begin := binary.BigEndian.AppendUint16([]byte{kind}, uint16(len(name)))
	begin = append(begin, name...)
	begin = binary.BigEndian.AppendUint32(begin, uint32(len(b)))
	if _, err := w.Write(begin); err != nil {
		return err
	}
	_, err := w.Write(b)
	return err
}

func readFrame(r io.Reader) (kind byte, name string, b []byte, err error) {
	var begin [3]byte
	if _, err := io.ReadFull(r, begin[:]); err != nil {
		return 0, "", nil, err
	}
	text := make([]byte, int(binary.BigEndian.Uint16(begin[1:]))+4)
	if _, err := io.ReadFull(r, text); err != nil {
		return 0, "", nil, err
	}
	size := binary.BigEndian.Uint32(text[len(text)-4:])
	if size > maxObjectSize {
		return 0, "", nil, fmt.Errorf("an object of %d bytes", size)
	}
	b = make([]byte, size)
	_, err = io.ReadFull(r, b)
	return begin[0], string(text[:len(text)-4]), b, err
}

// Remote asks a running server for rounds.
type Remote struct {
	// Post sends a manifest to the server and returns its answer.
	Post func(ctx context.Context, manifest []byte, query url.Values) (io.ReadCloser, error)
	// Going is the interval with which the backup goes on, and its age; negative: this process has made no
	// round yet. nil: it does not go on.
	Going func() (every, age time.Duration)
	// Tell tells the server which manifest the target has; nil: the next round does.
	Tell func(manifest []byte) error
	// Keep tells the server the oldest generation that the target has, with the manifest of a later one;
	// nil: nobody does.
	Keep func(manifest []byte, oldest int) error
}

// Kept tells the server the oldest generation of the target, so that receipts know which are gone.
func (x Remote) Kept(_ context.Context, text []byte, oldest int) error {
	if x.Keep == nil {
		return nil
	}
	return x.Keep(text, oldest)
}

// Next makes a round at the server.
func (x Remote) Next(ctx context.Context, prev []byte, full bool, put func(name string, object []byte) error) (made *Made, err error) {
	query := url.Values{}
	if full {
		query.Set("full", "1")
	}
	if x.Going != nil {
		every, age := x.Going()
		query.Set("every", every.String())
		if age >= 0 {
			query.Set("age", age.String())
		}
	}
	body, err := x.Post(ctx, prev, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, body.Close()) }()
	in := bufio.NewReaderSize(body, 1<<16)
	for {
		kind, name, b, err := readFrame(in)
		if err != nil {
			return nil, fmt.Errorf("the answer of the server was cut off: %w", err)
		}
		switch kind {
		case frameObject:
			if err := put(name, b); err != nil {
				return nil, err
			}
		case frameEnd:
			made = &Made{}
			return made, json.Unmarshal(b, made)
		case frameError:
			return nil, errors.New(string(b))
		default:
			return nil, errors.New("the answer of the server is not a backup")
		}
	}
}

// Committed tells the server, so that its keys know the end of the backup.
func (x Remote) Committed(text []byte) error {
	if x.Tell == nil {
		return nil
	}
	return x.Tell(text)
}

// DataFiles reads the files of a data directory that belong to a backup.
func DataFiles(read func(name string) ([]byte, error)) func() (map[string][]byte, error) {
	return func() (map[string][]byte, error) {
		files := map[string][]byte{}
		for _, name := range RestoredFiles {
			b, err := read(name)
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			files[name] = b
		}
		return files, nil
	}
}

// RestoredFiles are the files of a data directory that belong to a backup: the pepper of the API
// keys, and the offset of a simulated clock.
var RestoredFiles = []string{"access/pepper", "clock.json", "demo.json"}
