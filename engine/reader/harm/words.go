package harm

import "github.com/somnograph/somnograph/internal/english"

// lemmas returns the lemmas of words, and the words.
func lemmas(list string) map[string]bool {
	set := english.WordSet(list)
	for w := range english.WordSet(list) {
		set[lemma(w)] = true
	}
	return set
}

// lemma is english.Lemma, but the base form of the verbs that the rules name.
func lemma(low string) string {
	lem := english.Lemma(low)
	if base, named := bases[lem]; named {
		return base
	}
	return lem
}

var bases = func() map[string]string {
	all := map[string]string{}
	for w := range english.WordSet("be have get give make put land send bring set upset disagree agree break come throw swell pass black close end go react die collapse stop develop suffer need feel become drink reaction") {
		all[english.Lemma(w)] = w
	}
	return all
}()

var (
	// opening are words before a statement, degree those that change nothing of what it says.
	opening = english.WordSet("careful warning note remember that but and also so well oh please fyi even sorry because")
	degree  = english.WordSet("always usually often really literally easily actually definitely probably also still just sometimes immediately instantly seriously severely violently terribly even almost nearly very extremely badly strongly only ever so much simply generally typically reliably absolutely highly too horribly")

	modal     = english.WordSet("can could would will may might 'd 'll shall should")
	auxiliary = english.WordSet("do does did has have had is are was were")

	household = lemmas("child children kid kids son daughter baby toddler twin twins boy girl stepson stepdaughter wife husband partner girlfriend boyfriend fiancé fiancée fiance fiancee spouse")
	kinds     = english.WordSet("youngest oldest eldest middle little younger older elder two three four other first second")
	pronouns  = english.WordSet("he she they it him her them you")

	// causing are the verbs of which what harms is the subject.
	causing = lemmas("kill poison harm hospitalise hospitalize give make put land send trigger bring set cause provoke worsen aggravate upset inflame disagree agree")
	killing = lemmas("kill poison harm hospitalise hospitalize")
	worsens = lemmas("trigger bring set cause provoke worsen aggravate upset inflame")

	particle = english.WordSet("off on up")
	dangers  = english.WordSet("deadly lethal fatal poison poisonous toxic dangerous life-threatening forbidden taboo no-go dangerous harmful")
	places   = english.WordSet("hospital er a&e emergency icu casualty coma shock ambulance")

	effects = lemmas("rash rashes hives welts blisters eczema migraine migraines headache headaches seizure seizures anaphylaxis anaphylactic shock swelling palpitations cramps diarrhoea diarrhea nausea asthma heartburn indigestion stomachache stomach-ache bloating nosebleed nosebleeds ulcers vertigo dizziness flare-up flare-ups reflux insomnia convulsions fever hospitalised hospitalized wheezing itching vomiting epilepsy arrhythmia gout")
	states  = lemmas("sick ill vomit faint wheeze itch itchy dizzy nauseous nauseated choke puke cramp cramps hallucinate convulse unwell breathless")
	body    = lemmas("throat tongue lips lip face skin mouth eyes eye chest airways stomach belly joints hands bladder gut heart")

	links   = english.WordSet("from to of with after by if when whenever once time in on")
	within  = english.WordSet("of with containing from by in to")
	joins   = english.WordSet("and or")
	stops   = english.WordSet("around near nearby because since due as at today tonight tomorrow this while unless until now before after any anymore in on for during")
	inCause = english.WordSet("of with by from to any or and some a an the too")
	// reason are words after a prohibition that leave it what it is: "any more", "because of my heart".
	reason = english.WordSet("because since any anymore ever")

	few      = english.WordSet("no few neither nor hardly barely scarcely less")
	theirs   = english.WordSet("his her their")
	milked   = english.WordSet("cow goat sheep")
	pointing = english.WordSet("this that these those my your his our their whose")
	amounts  = english.WordSet("one single any some most all more smallest slightest tiniest little small tiny raw cooked strong certain too")
	eating   = english.WordSet("eating drinking taking having touching smelling inhaling swallowing being stung bitten by around near wearing")
	contact  = lemmas("eat drink have take touch smell inhale swallow taste consume wear sting stung bite bitten get come use breathe pet stroke expose exposed ingest")
	closeTo  = english.WordSet("in into contact with to near around by exposed stung bitten close from a an any some of even the much")
	portions = lemmas("bite sip drop trace traces hint whiff sting dose crumb spoonful amount bit taste touch lick mouthful glass piece contact exposure slice smell product drink dish")
	general  = english.WordSet("anything food foods something products everything stuff traces drinks dishes")
	takes    = lemmas("eat drink have take touch use swallow consume taste digest")
	flashing = english.WordSet("strobe flashing flickering bright fluorescent")

	// harmful are things that harm people who do not bear them, besides the groups of the lexicon.
	harmful = lemmas(`nut nuts peanut sesame shellfish gluten wheat dairy lactose soy egg sulphite sulfite sulphites msg honey caffeine alcohol sugar grapefruit pork fish seafood
		milk juice coffee tea wine beer kiwi celery mustard mushroom mushrooms lupin oats latex nickel pollen dust mould mold perfume fragrance fragrances smoke bleach sting stings venom bee wasp hornet
		anaesthesia anesthesia anaesthetic anesthetic dye sunscreen ragweed grass hay feather feathers wool chlorine detergent cat cats dog dogs fur dander hair mite mites aspirin ibuprofen paracetamol penicillin
		antibiotic antibiotics morphine codeine sulfa nsaid nsaids painkiller painkillers opioid opioids steroid steroids warfarin tramadol aspartame sweetener sweeteners fructose histamine yeast additives colouring
		nightshade nightshades garlic onion onions chilli salt fat chocolate liquorice licorice cheese meat eggs plaster plasters adhesive formaldehyde cigarette cigarettes sprays spray fumes medicine medication medications contrast iodine`)
	// exempt are words of the groups that are none.
	exempt = lemmas(`drink drank drunk sober teetotal abstain abstinent hangover tipsy pub bar brewery winery distillery toast pint shot nightcap red white rose prescription prescribe pharmacy pharmacist chemist
		side effect butcher carnivore fishmonger game roast sweet treat syrup baker collar leash walk litter breed puppy kitten horse pony rider ride saddle stable bed name bug web swarm hive
		worm date mince chop bass pike carp sole porter port stout roll loaf toast sugary cup mug kettle teapot brew spirits cake pie tart bay cracker seed protein fly`)
	// drugEndings end names of medicines.
	drugEndings = []string{"cillin", "profen", "mycin", "statin", "olol", "azole", "cycline", "codone", "oxacin", "caine", "pril", "sartan", "azepam", "oxetine", "morphine", "phylline", "sulfa"}
)
