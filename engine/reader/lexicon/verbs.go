package lexicon

import "github.com/somnograph/somnograph/internal/english"

// Lists of verbs by their lemmas, and of other words where a comment says so.
var (
	// Acquires are verbs of getting a thing.
	Acquires = Lemmas(english.WordSet("get buy receive order pick"))
	// Adjusts are verbs of change that leave a thing what it is.
	Adjusts = Lemmas(english.WordSet("raise bump increase lower cut reduce extend shorten fix repaint resume restore rise fall climb slip drop sink lock unlock close reopen"))
	// Announces are verbs before "notice" and "resignation".
	Announces = Lemmas(english.WordSet("hand give tender submit put serve"))
	// Attitudes are verbs of what somebody thinks of a thing, also when the thing is gone.
	Attitudes = Lemmas(english.WordSet("like love hate enjoy dislike adore know remember miss admire respect recommend want need fear trust prefer"))
	// Begun are verbs of what begins and lasts, whatever they govern.
	Begun = Lemmas(english.WordSet("become marry sign adopt launch retire emigrate"))
	// Carried are verbs that move their object, if they have one, and not the subject.
	Carried = Lemmas(english.WordSet("move relocate migrate transfer shift push"))
	// DailyEnds are verbs of which one end, at a time of the day, is as usual as one for good.
	DailyEnds = Lemmas(english.WordSet("leave close shut finish end stop quit switch turn open go"))
	// Dated are verbs that say when something is.
	Dated = Lemmas(english.WordSet("start begin end close open expire renew happen take fall run arrive leave come meet finish last depart land"))
	// Decides are nouns of what makes somebody end something: "on my doctor's advice".
	Decides = Lemmas(english.WordSet("advice recommendation request order orders insistence suggestion instruction instructions wish wishes account behalf initiative recommendations demand urging effect grounds"))
	// Departs are verbs of which one departure, or one lack, is as usual as one for good.
	Departs = Lemmas(english.WordSet("leave quit stop pass close"))
	// Endings are verbs of an end besides those of the table.
	Endings = Lemmas(english.WordSet("swap replace trade break die return remove archive cancel close"))
	// Finishes are verbs of one undertaking that came to its end, not of a habit.
	Finishes = Lemmas(english.WordSet("finish complete end close"))
	// ForATime are nouns of a length of time after which what ended is so again: "left for the weekend".
	ForATime = Lemmas(english.WordSet("day night minute hour moment weekend lunch holiday holidays break evening afternoon morning winter summer while bit time renovation repairs visit trip"))
	// Gains are verbs of events after which the subject has something else.
	Gains = Lemmas(english.WordSet("get have buy find lose give"))
	// Groups are nouns of what has members.
	Groups = Lemmas(english.WordSet("team club board choir band company firm union crew committee council league gym society"))
	// Handled are verbs of putting a thing somewhere or taking it from there.
	Handled = Lemmas(english.WordSet("drop take throw put lose"))
	// HappensOnce are verbs of what happens to somebody or something once: another date or place of it is a rival.
	HappensOnce = Lemmas(english.WordSet("die bear graduate grow marry found invent discover establish launch"))
	// Arranges are verbs of having an occasion to come.
	Arranges = Lemmas(english.WordSet("have book plan hold schedule organise organize arrange throw host attend give"))
	// Havings are verbs of having a thing or taking part in it.
	Havings = Lemmas(english.WordSet("have own hold be use rent take attend follow keep run do study"))
	// Improves are verbs of a change of a thing that is the same afterwards.
	Improves = Lemmas(english.WordSet("upgrade update extend postpone raise bump increase reduce shorten resume restore fix repaint redesign rebuild approve refinance learn start reschedule"))
	// Interrupts are verbs of what interrupts a habit on one day.
	Interrupts = Lemmas(english.WordSet("break skip miss"))
	// Kin are nouns that say how one person is related to another one.
	Kin = Lemmas(english.WordSet("parent mother father mum mom mam dad stepmother stepfather son daughter brother sister twin uncle aunt niece nephew cousin grandparent grandmother grandfather grandma grandpa granny godmother godfather godparent wife husband spouse friend neighbour neighbor"))
	// LastingReasons are what "for" governs where it tells why or how long.
	LastingReasons = Lemmas(english.WordSet("good reason reasons ever now sake health money"))
	// Leaves are verbs of leaving something or giving it up.
	Leaves = Lemmas(english.WordSet("leave retire resign quit die hand pass stop"))
	// Light are verbs that say little besides what they govern: "have dinner", "eat dinner", "take the ferry", "catch the ferry".
	Light = Lemmas(english.WordSet("have eat take catch get go run come hold happen keep pay cost charge"))
	// Masses are nouns of units of weight.
	Masses = Lemmas(english.WordSet("kilo kilogram kg pound lb stone"))
	// ObjectDecides are verbs that mean something else with an object, or of which a general object is understood: "I run a team", "I don't drink".
	ObjectDecides = Lemmas(english.WordSet("run drink eat have take get go be do make see look care come stand keep use hold"))
	// Occasional are verbs of departing or abstaining for an occasion.
	Occasional = Lemmas(english.WordSet("leave give quit stop drop skip"))
	// PartsWith are verbs of parting with a thing.
	PartsWith = Lemmas(english.WordSet("sell trade return donate scrap lose give throw swap"))
	// Passing are the lemmas of verbs whose negated imperative is about the moment: "Don't forget the milk".
	Passing = Lemmas(english.WordSet("forget worry mind panic bother wait"))
	// Present are words before a noun that do not tell it from others of its kind.
	Present = Lemmas(english.WordSet("new current latest actual real correct right updated present own"))
	// Renews are verbs of another choice.
	Renews = Lemmas(english.WordSet("switch migrate change"))
	// Rests are verbs of where something is.
	Rests = Lemmas(english.WordSet("be live sit sleep stand hang lie stay keep store park host base place rehearse meet face"))
	// Rooms are nouns of a part of a house: who moves to another one still lives in the town.
	Rooms = Lemmas(english.WordSet("room bedroom attic basement cellar loft floor sofa couch desk table"))
	// Settles are verbs of what holds from then on: another choice or appointment is a rival.
	Settles = Lemmas(english.WordSet("choose pick select decide agree schedule plan set put appoint elect name call assign prescribe paint"))
	// SettlesFor are nouns of what somebody moves to a place for.
	SettlesFor = Lemmas(english.WordSet("work job position post studies study university college school degree phd master love family retirement year month good summer winter"))
	// Shared are the heads of roles that several people fill.
	Shared = Lemmas(english.WordSet("friend colleague sister brother cousin daughter son neighbour neighbor client customer teammate aunt uncle nephew niece student member hobby competitor rival opponent investor sponsor shareholder ally supporter subsidiary grandchild grandson granddaughter tenant patient pupil guest"))
	// Shifted are verbs besides those of change in the table that give a thing another value.
	Shifted = Lemmas(english.WordSet("set put push cap bring go get hand pass grow double slow speed move"))
	// Starts are verbs of a beginning.
	Starts = Lemmas(english.WordSet("start begin"))
	// StayVerbs are verbs of which the simple present may tell of one stay.
	StayVerbs = Lemmas(english.WordSet("stay live sleep"))
	// StoppedStates are participles of a state, besides those of a change.
	StoppedStates = Lemmas(english.WordSet("close block shut ground cover assign second lend suspend base book occupy reserve"))
	// TakesFor are verbs of which "for" governs what they ask or provide for.
	TakesFor = Lemmas(english.WordSet("look ask pay plan save search hope wish apply budget charge book sign sell renew"))
)
