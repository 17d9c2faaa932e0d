package scene

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// The picture equals an as-of read: the same memories with the same retention.
func TestPictureEqualsAnAsOfRead(t *testing.T) {
	w := enginetest.New(t)
	s := serve(t, w.Engine, head(w), w.Caller, "")
	begun := w.Clock.Now()
	var ids []graph.ID
	for i, text := range []string{"The ferry leaves at seven.", "The kettle is on the left shelf.", "The lamp is lit at dusk.", "Ines keeps the books."} {
		ids = append(ids, w.Remember(text, func(in *engine.RememberInput) {
			if i == 1 {
				ttl := 3600 * 30
				in.Type, in.TTLSeconds = graph.Working, &ttl
			}
		}).Memory.ID)
		w.Clock.Advance(10 * time.Hour)
	}
	if _, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: ids[0], Content: "The ferry leaves at eight."}); err != nil {
		t.Fatal(err)
	}
	w.Search("lamp at dusk", func(in *engine.SearchInput) { in.Track = true })
	w.Clock.Advance(50 * time.Hour)
	for h := range 100 {
		at := graph.AsOf{Recorded: begun.Add(time.Duration(h) * time.Hour)}
		if h%3 == 1 {
			at = graph.AsOf{Valid: at.Recorded}
		}
		compare(t, w, s, at)
	}
	compare(t, w, s, graph.AsOf{})
}

func compare(t *testing.T, w *enginetest.World, s *Server, at graph.AsOf) {
	t.Helper()
	p, err := s.Picture(t.Context(), w.Caller, nil, at, 100)
	if err != nil {
		t.Fatal(err)
	}
	in := engine.ListInput{Access: engine.Access{AsOf: at}, First: 100}
	list, err := w.Memories(t.Context(), w.Caller, in)
	if err != nil {
		t.Fatal(err)
	}
	want := map[graph.ID]*engine.View{}
	for _, v := range list.Memories {
		want[v.ID] = v
	}
	if len(want) != p.Total {
		t.Errorf("at %v: %d in the picture, %d answered", at, p.Total, len(want))
	}
	for _, spot := range p.Nodes {
		v := want[spot.ID]
		if v == nil {
			t.Errorf("at %v: %s is in the picture", at, spot.ID)
			continue
		}
		if spot.Status != v.State.Status || spot.Tier != v.State.Tier || math.Abs(spot.Retention-v.Retention) > 1e-6 {
			t.Errorf("at %v: %+v, want %v %v", at, spot, v.State, v.Retention)
		}
	}
}

func TestThePictureIsCutByImportance(t *testing.T) {
	w := enginetest.New(t)
	s := serve(t, w.Engine, head(w), w.Caller, "")
	for i, text := range []string{"The ferry leaves at seven.", "The kettle is on the left shelf.", "The lamp is lit at dusk."} {
		w.Remember(text, func(in *engine.RememberInput) {
			x := float64(i+1) / 4
			in.Importance, in.Session, in.Namespace = &x, "s", []string{"a", "b", "b"}[i]
		})
	}
	p, err := s.Picture(t.Context(), w.Caller, nil, graph.AsOf{}, 2)
	if err != nil || p.Total != 3 || len(p.Nodes) != 2 || p.Nodes[0].Importance != 0.75 || p.Nodes[1].Importance != 0.5 {
		t.Fatalf("%+v, %v", p, err)
	}
	if len(p.Edges) != 1 || p.Edges[0].Kind != "TEMPORAL_SEQ" {
		t.Errorf("edges %v", p.Edges)
	}
	only, err := s.Picture(t.Context(), w.Caller, []string{"a"}, graph.AsOf{}, 2)
	if err != nil || only.Total != 1 || slices.ContainsFunc(only.Nodes, func(x resolvers.MapNode) bool { return x.Namespace != "a" }) {
		t.Errorf("%+v, %v", only, err)
	}
	_, err = s.Picture(t.Context(), w.Caller, []string{"a b"}, graph.AsOf{}, 2)
	if graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("an invalid name: %v", err)
	}
}

// The names and counts of regions come from the memories of the picture only.
func TestRegionsOfAPictureComeFromItsMemories(t *testing.T) {
	w := enginetest.New(t)
	s := serve(t, w.Engine, head(w), w.Caller, "")
	kites := []string{"The kite lines were spliced for flight %d.", "Winch cable %d was oiled by the harbour crew.", "Rain and gusts closed the field on day %d."}
	for i := range 40 {
		w.Remember(fmt.Sprintf("The merger with Nordwind needs counsel on clause %d.", i), func(in *engine.RememberInput) {
			in.Namespace, in.OnDuplicate = "board", engine.Insert
		})
		w.Remember(fmt.Sprintf(kites[i%3], i), func(in *engine.RememberInput) {
			in.Namespace, in.OnDuplicate = "kites", engine.Insert
		})
	}
	for _, x := range []struct {
		namespaces []string
		first      int
		words      bool
	}{{[]string{"kites"}, 100, true}, {[]string{"kites"}, 30, true}, {[]string{"absent"}, 100, false}} {
		p, err := s.Picture(t.Context(), w.Caller, x.namespaces, graph.AsOf{}, x.first)
		if err != nil {
			t.Fatal(err)
		}
		if (len(p.Regions) > 0) != x.words {
			t.Errorf("%v has %d regions", x.namespaces, len(p.Regions))
		}
		count := 0
		for _, r := range p.Regions {
			if count += r.Count; strings.Contains(r.Name, "merger") || strings.Contains(r.Name, "nordwind") || strings.Contains(r.Name, "counsel") {
				t.Errorf("%v has the region %q", x.namespaces, r.Name)
			}
		}
		if count > len(p.Nodes) {
			t.Errorf("%v: %d memories in regions, %d in the picture", x.namespaces, count, len(p.Nodes))
		}
	}
	all, err := s.Picture(t.Context(), w.Caller, nil, graph.AsOf{}, 100)
	if err != nil || len(all.Regions) == 0 {
		t.Errorf("the whole map has %d regions: %v", len(all.Regions), err)
	}
}
