package main

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/mapping"
	index "github.com/blevesearch/bleve_index_api"
)

// bleved is bleve with its default index (scorch) on disk, BM25 instead of tf-idf, and one field
// that is indexed and not stored.
type bleved struct {
	dir   string
	index bleve.Index
}

func (*bleved) name() string { return "bleve" }

func (b *bleved) build(texts []string) (err error) {
	if b.dir, err = os.MkdirTemp("", "words-bleve-"); err != nil {
		return err
	}
	field := mapping.NewTextFieldMapping()
	field.Store, field.IncludeTermVectors, field.DocValues, field.IncludeInAll = false, false, false, false
	doc := mapping.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("text", field)
	m := bleve.NewIndexMapping()
	m.DefaultMapping, m.ScoringModel = doc, index.BM25Scoring
	if b.index, err = bleve.New(filepath.Join(b.dir, "index"), m); err != nil {
		return err
	}
	for from := 0; from < len(texts); from += batch {
		part := b.index.NewBatch()
		for i := from; i < min(from+batch, len(texts)); i++ {
			if err := part.Index(strconv.Itoa(i), map[string]any{"text": texts[i]}); err != nil {
				return err
			}
		}
		if err := b.index.Batch(part); err != nil {
			return err
		}
	}
	return nil
}

const batch = 1000

func (b *bleved) ask(questions []string) (hits [][]int, took time.Duration, err error) {
	began := time.Now()
	for _, text := range questions {
		q := bleve.NewMatchQuery(text)
		q.SetField("text")
		found, err := b.index.Search(bleve.NewSearchRequestOptions(q, limit, 0, false))
		if err != nil {
			return nil, 0, err
		}
		var ids []int
		for _, h := range found.Hits {
			id, err := strconv.Atoi(h.ID)
			if err != nil {
				return nil, 0, err
			}
			ids = append(ids, id)
		}
		hits = append(hits, ids)
	}
	return hits, time.Since(began), nil
}

func (b *bleved) close() error {
	if b.index == nil {
		return nil
	}
	return errors.Join(b.index.Close(), os.RemoveAll(b.dir))
}
