package wordclass

import "testing"

func TestScan(t *testing.T) {
	for _, x := range []struct {
		text string
		want string // the classes of its words
	}{
		{"I moved to Bergen in May", "fVfLfd"},
		{"You may call me", "ffVf"},
		{"The lamp is 900 euros", "fxf$"},
		{"Ana meets Kestrel at half past nine", "PVNft"},
		{"We deploy go1.22 on Fridays", "fVifw"},
	} {
		var got []byte
		for _, w := range Scan(x.text) {
			got = append(got, w.Class)
		}
		if string(got) != x.want {
			t.Errorf("%q: %s, want %s", x.text, got, x.want)
		}
	}
	if w := Scan("I moved"); w[1].Lem != "mov" {
		t.Errorf("the lemma of moved is %q", w[1].Lem)
	}
}
