// Command explorer serves a made-up scene to the explorer and to libraries that draw graphs,
// so that all are measured on the same data. See run and measure.mjs.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/somnograph/somnograph/viz/frame"
	"github.com/somnograph/somnograph/viz/frametest"
)

func main() {
	nodes := flag.Int("nodes", 10_000, "memories")
	pages := flag.String("pages", "out", "directory with the pages of the other viewers")
	explorer := flag.String("explorer", filepath.Join("..", "..", "web", "dist"), "directory of the explorer")
	flag.Parse()
	s := &server{scene: frametest.Generate(*nodes, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))}
	s.whole = sync.OnceValues(func() (*frame.Packed, error) { return frame.Pack(s.scene) })
	if *nodes > frame.MaxSingleFrame {
		s.tiles = frame.NewTiles(s.scene, 0)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/viz/graph", s.frame)
	mux.HandleFunc("/data.json", s.json)
	mux.HandleFunc("/graphql", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "none", http.StatusNotFound) })
	mux.Handle("/peers/", http.StripPrefix("/peers/", http.FileServer(http.Dir(*pages))))
	mux.Handle("/", http.FileServer(http.Dir(*explorer)))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintf(os.Stdout, "http://%s/\n", l.Addr())
	log.Fatal(http.Serve(l, mux))
}

type server struct {
	scene *frame.Frame
	whole func() (*frame.Packed, error)
	tiles *frame.Tiles // nil: the scene is one frame
}

func (s *server) frame(w http.ResponseWriter, r *http.Request) {
	var p *frame.Packed
	var err error
	if s.tiles == nil {
		p, err = s.whole()
	} else {
		key := uint64(frame.RootTile)
		if q := r.URL.Query(); q.Has("tile") {
			key, _ = strconv.ParseUint(q.Get("tile"), 10, 32) // an invalid key has no tile
		} else if q.Has("memory") {
			for i := range s.scene.Nodes {
				if id := s.scene.Nodes[i].ID; string(id) == q.Get("memory") {
					of, _ := s.tiles.TileOf(id)
					key = uint64(of)
				}
			}
			w.Header().Set(frame.TileHeader, strconv.FormatUint(key, 10))
		}
		f := s.tiles.Frame(uint32(key))
		if f == nil {
			http.Error(w, "no such tile", http.StatusGone)
			return
		}
		p, err = frame.Pack(f)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	p.Serve(w, r, s.scene.At)
}

// json serves the scene in the format of the other libraries.
func (s *server) json(w http.ResponseWriter, _ *http.Request) {
	type node struct {
		ID      int     `json:"id"`
		X       float32 `json:"x"`
		Y       float32 `json:"y"`
		Z       float32 `json:"z"`
		Type    string  `json:"type"`
		Project string  `json:"project"`
		Label   string  `json:"label"`
		Size    float64 `json:"size"`
	}
	type link struct {
		Source int32  `json:"source"`
		Target int32  `json:"target"`
		Kind   string `json:"kind"`
	}
	var out struct {
		Nodes []node `json:"nodes"`
		Links []link `json:"links"`
	}
	for i, n := range s.scene.Nodes {
		out.Nodes = append(out.Nodes, node{i, n.Position[0], n.Position[1], n.Position[2], string(n.Type), n.Project, n.Label, n.Importance})
	}
	for _, e := range s.scene.Edges {
		out.Links = append(out.Links, link{e.From, e.To, e.Kind})
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(out); err != nil {
		log.Print(err)
	}
}
