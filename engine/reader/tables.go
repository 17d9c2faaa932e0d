package reader

import (
	"github.com/somnograph/somnograph/engine/reader/cueset"
	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/language"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// Cardinality is how many values a predicate has at a time.
type Cardinality = frames.Cardinality

const (
	Many = frames.Many // likes, has visited, speaks; and all that the table does not have
	One  = frames.One  // lives in, is called, log level
	Open = frames.Open // undecided: prefers
)

// cue is a set of cues, see package cueset.
type cue = cueset.Set

const (
	cueNow, cueNoLonger, cueInstead, cueChanged, cueFinally, cueCorrect = cueset.Now, cueset.NoLonger, cueset.Instead, cueset.Changed, cueset.Finally, cueset.Correct
	cueAlso, cueSometimes, cueActually, cueUsed, cueDated, cueBounded   = cueset.Also, cueset.Sometimes, cueset.Actually, cueset.Used, cueset.Dated, cueset.Bounded
	cueFuture, cueFrom, cueIf, cueWish, cueFiction, cueQuoted           = cueset.Future, cueset.From, cueset.If, cueset.Wish, cueset.Fiction, cueset.Quoted
	cueReported, cueAttempt, cueCondition, cueFiller, cues              = cueset.Reported, cueset.Attempt, cueset.Condition, cueset.Filler, cueset.Count
)

// languages tells English from other languages by the words of the tables.
var languages = language.New(lexicon.Lines(tables.File+lexicon.Texts()+frames.File), tables.Function)

// English reports whether a text is English, and how certain that is, in [0.5, 1].
func English(text string) (bool, float64) { return languages.English(bounded(text)) }
