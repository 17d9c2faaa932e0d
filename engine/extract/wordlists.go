package extract

import (
	_ "embed"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// wordLists are the word lists of the package.
var wordLists = english.ReadLists(words)

//go:embed words.txt
var words string

// commonWords begin sentences with a capital without being names. A capital at the beginning of a
// sentence never makes one of them a name.
var commonWords = wordLists.Set("commonWords")

// functionWords change what a statement says, although they have no content of their own;
// replaceableWords do if another one takes their place. sameFunction has the one that stands for
// another form or a synonym.
var (
	functionWords    = wordLists.Set("functionWords")
	replaceableWords = wordLists.Set("replaceableWords")
	sameFunction     = wordLists.Keys("sameFunction")
)

// calendar lists the names of times, which are no entities.
var calendar = func() map[string]bool {
	m := english.WordSet(english.Months + " " + english.ShortMonths + " " + english.Weekdays + " " + english.ShortWeekdays + `
		christmas easter halloween thanksgiving new-year spring summer autumn fall winter am pm utc gmt cet est pst q1 q2 q3 q4`)
	for day := range strings.FieldsSeq(english.Weekdays) {
		m[day+"s"] = true
	}
	return m
}()

// timeWords say when; those of calendar are not among them.
var timeWords = wordLists.Set("timeWords")

var titles = english.WordSet("mr mrs ms miss dr prof professor sir dame lady lord captain doctor father sister brother aunt uncle grandma grandpa president judge king queen")

// peopleWords denote persons by kinship or work: after one of them a name is a person's ("my
// friend Ana").
var peopleWords = wordLists.Set("peopleWords")

// personVerbs are verbs whose subject is a person.
var personVerbs = wordLists.Set("personVerbs")

// Last words of the names of organisations, places and events.
var (
	orgEnds   = wordLists.Set("orgEnds")
	placeEnds = wordLists.Set("placeEnds")
	eventEnds = english.WordSet("festival conference summit workshop marathon meetup wedding olympics cup con hackathon fair parade tournament championship concert gala award awards party")
)

// placeHeads begin the name of a place ("Lake Como").
var placeHeads = english.WordSet("lake mount san santa saint st los las new north south east west upper lower port fort cape")

// nameConnectors join the words of a name.
var nameConnectors = english.WordSet("of the de la van von der den del di da le du and & y al")

// places lists countries and large cities, to distinguish places from persons without other
// evidence.
var places = wordLists.Set("places")

// givenNames lists first names from many countries, to recognise a person at the beginning of a
// sentence.
var givenNames = wordLists.Set("givenNames")

// software lists software and formats, which are names even without a capital.
var software = wordLists.Set("software")

// ambiguousSoftware are those that are common words too: they need a capital.
var ambiguousSoftware = english.WordSet("rust swift ruby flask rails react angular excel slack discord notion java python perl teams")

// fileExtensions lists the extensions that make a word with a dot a file.
var fileExtensions = wordLists.Set("fileExtensions")
