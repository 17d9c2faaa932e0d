package reader

import (
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

// cue is a set of the classes of cues.txt, by their order in the file.
type cue uint32

const (
	cueNow cue = 1 << iota
	cueNoLonger
	cueInstead
	cueChanged
	cueFinally
	cueCorrect
	cueAlso
	cueSometimes
	cueActually
	cueUsed
	cueDated
	cueBounded
	cueFuture
	cueFrom
	cueIf
	cueWish
	cueFiction
	cueQuoted
	cueReported
	cueAttempt
	cueCondition
	cueFiller
	cues = iota
)

// languages tells English from other languages by the words of the tables.
var languages = language.New(lexicon.Lines(tables.File+lexicon.Texts()+frames.File), tables.Function)

// English reports whether a text is English, and how certain that is, in [0.5, 1].
func English(text string) (bool, float64) { return languages.English(bounded(text)) }
