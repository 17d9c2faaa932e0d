package index

import (
	"context"
	"os"
	"testing"
)

func BenchmarkSnapshotWrite(b *testing.B) {
	sizes(b, func(b *testing.B, n int) {
		f := crowded(b, n)
		x := atRest(b, f, Options{Dir: b.TempDir()})
		t := x.tenantOrNil(world)
		for b.Loop() {
			if err := t.saveSnapshot(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
		info, err := os.Stat(t.snapshotPath())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size())/float64(n), "B/doc")
	})
}

func BenchmarkSnapshotLoad(b *testing.B) {
	sizes(b, func(b *testing.B, n int) {
		f := crowded(b, n)
		dir := b.TempDir()
		if err := atRest(b, f, Options{Dir: dir}).Close(context.Background()); err != nil {
			b.Fatal(err)
		}
		f.listed = 0
		for b.Loop() {
			x, err := Open(context.Background(), f, Options{Dir: dir})
			if err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			if x.Stats(world).Memories != n || f.listed != 0 {
				b.Fatal("not from the snapshot")
			}
			if err := x.Close(context.Background()); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	})
}
