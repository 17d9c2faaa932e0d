package index

import (
	"math"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph/index/text"
)

func TestRelatedWordsAreOneTerm(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	cello := f.memory(epoch, "Paul found a cello")
	viola := f.memory(epoch, "Anna broke a viola")
	for _, m := range []string{"the ferry was late", "soup stands there", "lamps flicker", "rain again"} {
		f.put(f.memory(epoch, m), nil)
	}
	f.put(cello, nil)
	f.put(viola, nil)
	q := Query{Texts: []string{"instruments"}, Now: epoch.Add(time.Hour)}
	if got := recalled(t, x, f, q); len(got) != 0 {
		t.Fatalf("without related words: %v", f.contents(got))
	}
	q.Related = []Related{{Word: "instruments", Others: []string{"cellos", "viola", "harp"}}, {Word: "soup", Others: []string{"rain"}}}
	got := recalled(t, x, f, q)
	if len(got) != 2 {
		t.Fatalf("found %v", f.contents(got))
	}
	near(t, "cello", got[cello.ID].Keyword, 1)
	near(t, "viola", got[viola.ID].Keyword, 1)

	// The word itself counts more than its related words.
	own := f.memory(epoch, "Otto tunes instruments")
	f.put(own, nil)
	got = recalled(t, x, f, q)
	near(t, "own", got[own.ID].Keyword, 1)
	// N 7, one with the word and three with any; all are 3 terms long, the mean is 18/7.
	idf := func(df float64) float64 { return math.Log(1 + (7-df+0.5)/(df+0.5)) }
	share := relatedWeight * idf(3) / (idf(1) + relatedWeight*idf(3))
	if k := got[cello.ID].Keyword; math.Abs(k-share) > 1e-5 {
		t.Errorf("cello counts %v, want %v", k, share)
	}
}

func TestQuestionWordsHaveLittleWeight(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	asking := f.memory(epoch, "list things")
	asked := f.memory(epoch, "keel bolts")
	f.put(asking, nil)
	f.put(asked, nil)
	got := recalled(t, x, f, Query{Texts: []string{"List keel bolts, please list things"}, Now: epoch.Add(time.Hour)})
	weight := float64(text.QuestionWeight("list"))
	near(t, "what is asked", got[asked.ID].Keyword, 1)
	near(t, "the asking", got[asking.ID].Keyword, (2*weight+weight)/2)
}

func TestRarity(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	for range 50 {
		f.put(f.memory(epoch, "Mira waters the ferns"), nil)
	}
	f.put(f.memory(epoch, "Mira lists an orchid"), nil)
	settle(t, x, f)
	weigh := x.Rarity(world, nil)
	value := func(word string) float64 {
		w, known := weigh(word)
		if !known || w < 0 || w > 1 {
			t.Errorf("%s: %v, %v", word, w, known)
		}
		return w
	}
	if mira, ferns, orchid, none := value("mira"), value("ferns"), value("orchid"), value("zeppelin"); mira >= ferns || ferns >= orchid || orchid >= none || none != 1 {
		t.Errorf("mira %v, ferns %v, orchid %v, unknown %v", mira, ferns, orchid, none)
	}
	near(t, "an asking word", value("lists"), float64(text.QuestionWeight("list"))*value("orchid"))
	if _, known := weigh("the"); known {
		t.Error("a stop word has weight")
	}
	if w, known := x.Rarity(world, []string{"nowhere"})("mira"); !known || w != 1 {
		t.Errorf("in an empty namespace: %v, %v", w, known)
	}
}

func TestContextVector(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	said := func(minute int, session string, v []float32) Candidate {
		m := f.memory(epoch.Add(time.Duration(minute)*time.Minute), "um")
		m.Session, m.EmbeddingModel = session, "test"
		f.put(m, v)
		return Candidate{Doc: &Doc{ID: m.ID}}
	}
	question := said(0, "s", []float32{1, 0, 0})
	answer := said(1, "s", []float32{0, 1, 0})
	after := said(2, "s", []float32{0, 0, 1})
	alone := said(3, "other", []float32{0, 1, 0})
	q := Query{Vector: []float32{1, 0, 0}, Now: epoch.Add(time.Hour)}
	got := recalled(t, x, f, q)
	near(t, "the answer by itself", got[answer.Doc.ID].Semantic, 0)
	q.BlendNeighbours = true
	got = recalled(t, x, f, q)
	// Every text is one term: the neighbours at one and two steps.
	one, two := boostStep*boostLength/(boostLength+1), boostStep*boostStep*boostLength/(boostLength+1)
	near(t, "the question", got[question.Doc.ID].Semantic, 1/math.Sqrt(1+one*one+two*two))
	near(t, "the answer", got[answer.Doc.ID].Semantic, one/math.Sqrt(1+2*one*one))
	near(t, "what came after", got[after.Doc.ID].Semantic, two/math.Sqrt(1+one*one+two*two))
	near(t, "in another session", got[alone.Doc.ID].Semantic, 0)
	// Memories that do not pass the filter add no boost.
	q.Filter.Since = epoch.Add(30 * time.Second)
	near(t, "without the question", recalled(t, x, f, q)[answer.Doc.ID].Semantic, 0)
}
