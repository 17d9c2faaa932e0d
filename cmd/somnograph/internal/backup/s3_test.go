package backup_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/internal/s3test"
)

func s3(s *s3test.Server) backup.S3 {
	return backup.S3{Endpoint: s.Addr, Region: "us-east-1", AccessKey: s3test.AccessKey, SecretKey: s3test.SecretKey, Insecure: true}
}

func TestABackupInABucket(t *testing.T) {
	server := s3test.Start(t)
	target := must[backup.Target](t)(backup.OpenTarget(t.Context(), "s3://"+s3test.Bucket+"/yard/one", s3(server), true))
	w := newWorld(t, memoryStore(t))
	w.target = target
	w.runner = backup.NewRunner(backup.Options{Source: w.maker(), Target: target, Now: w.now, Keep: 1})
	boundaries, twins := map[string]time.Time{}, map[string]map[string]string{}
	live(t, w.store, func(part string) {
		boundaries[part] = w.round(false)
		twins[part] = state(t, w.store)
	})
	if got := target.String() + " " + target.Kind(); got != "s3://"+s3test.Bucket+"/yard/one s3" {
		t.Errorf("the target is %s", got)
	}
	for part, at := range boundaries {
		into := memoryStore(t)
		w.restore(at, into, nil)
		same(t, part, state(t, into), twins[part])
	}
	// The server goes away: the round fails and is made when it is back.
	server.Stop()
	if _, err := w.runner.Once(t.Context(), true); err == nil || w.runner.Status().Err == "" || w.runner.Status().Target != "s3" {
		t.Errorf("without a server: %v, %+v", err, w.runner.Status())
	}
	server.Restart()
	w.round(true)
	if err := w.runner.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range must[[]string](t)(target.List(t.Context())) {
		if !strings.HasPrefix(name, "000002/") {
			t.Errorf("%s is left", name)
		}
	}
	path := segment(t, server.Path("yard/one"), 2, 1)
	b := must[[]byte](t)(os.ReadFile(path))
	if strings.Contains(string(b), "sluice") {
		t.Error("an object can be read")
	}
	if err := os.WriteFile(path, b[:len(b)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.reader().Find(t.Context(), time.Time{}, nil); err == nil || !strings.Contains(err.Error(), "damaged or cut") {
		t.Errorf("a cut object: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := target.Get(t.Context(), "000002/"+filepath.Base(path)); !errors.Is(err, backup.ErrNoObject) {
		t.Errorf("a missing object: %v", err)
	}
	if _, err := backup.OpenTarget(t.Context(), "s3://no-such-bucket", s3(server), true); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("a missing bucket: %v", err)
	}
}
