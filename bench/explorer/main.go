// Explorer serves a made-up scene to the explorer and to libraries that draw graphs, so
// that all of them are measured on the same data. See run and measure.mjs.
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
	"time"

	"github.com/somnograph/somnograph/viz/frame"
	"github.com/somnograph/somnograph/viz/frametest"
)

func main() {
	nodes := flag.Int("nodes", 10_000, "memories")
	pages := flag.String("pages", "out", "directory of the pages of the others")
	explorer := flag.String("explorer", filepath.Join("..", "..", "web", "dist"), "directory of the explorer")
	flag.Parse()
	s := &server{scene: frametest.Made(*nodes, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))}
	if *nodes > frame.Whole {
		s.tiles = frame.NewTiles(s.scene)
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
	tiles *frame.Tiles
}

func (s *server) frame(w http.ResponseWriter, r *http.Request) {
	f := s.scene
	if s.tiles != nil {
		key := uint64(frame.Root)
		if q := r.URL.Query(); q.Has("tile") {
			key, _ = strconv.ParseUint(q.Get("tile"), 10, 32) // a key that is none has no tile
		}
		f = s.tiles.Frame(uint32(key))
	}
	if f == nil {
		http.Error(w, "no such tile", http.StatusGone)
		return
	}
	if err := frame.Serve(w, r, f); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// json is the scene as the other libraries take it.
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
