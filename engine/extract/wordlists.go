package extract

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// commonWords begin sentences with a capital without being names. A capital at the beginning of a
// sentence never makes one of them a name.
var commonWords = english.WordSet(`
a an the this that these those there here it its he she they we you i me him her us them my your his our their mine yours ours theirs
who whom whose what which when where why how and or but nor so yet for if then else because since although though while whereas unless until till
as at by in on to of off from with without within into onto over under above below between among through during before after about against along
around behind beside besides beyond near past per plus than toward towards upon via despite except
is are was were be been being am do does did done have has had having will would shall should can could may might must ought need dare
not no nor never none nothing nobody nowhere neither yes yeah yep yup nope ok okay sure hi hey hello thanks thank please sorry wow oh ah hmm well
great good nice cool awesome amazing bad fine right wrong true false new old big small little more most many much few less least several some any
all both each every either other another such same own only just also too very quite rather really actually basically honestly maybe perhaps
probably possibly certainly definitely clearly obviously apparently unfortunately luckily hopefully finally eventually currently recently lately
already still again once twice ever always often sometimes usually rarely seldom today tomorrow yesterday tonight now later soon first second third
last next previous one two three four five six seven eight nine ten fourth fifth sixth seventh eighth ninth tenth let lets let's get got go going gone come came make made take took put set see
saw say said tell told think thought know knew want wanted like liked love loved hate prefer use used using try tried ask asked call called keep kept
start started stop stopped run ran look looked find found give gave show showed leave left feel felt seem seems remember forget note please check
add added remove removed delete update updated change changed fix fixed build built test tested send sent meet met move moved work worked live lived
buy bought read write wrote talk talked discuss discussed decide decided agree agreed plan planned speaking according instead however therefore
moreover furthermore meanwhile otherwise anyway besides additionally consequently nevertheless nonetheless overall generally specifically
everyone everybody everything someone somebody something anyone anybody anything people folks guys friends family kids children mom mum dad mother
father brother sister son daughter wife husband aunt uncle grandma grandpa boss manager team meeting project work home house day week month year
time morning afternoon evening night lunch dinner breakfast coffee tea water food money music book movie game dog cat car phone computer email
don't doesn't didn't won't can't couldn't wouldn't shouldn't isn't aren't wasn't weren't haven't hasn't hadn't i'm i've i'll i'd you're you've you'll
we're we've we'll they're they've it's that's there's what's who's how's here's he's she's let's btw fyi imo lol haha omg todo done step
congrats congratulations welcome goodbye bye cheers dear absolutely exactly totally indeed agreed correct sounds looks hope glad happy
`)

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
var timeWords = english.WordSet(`
today tomorrow yesterday tonight now morning afternoon evening night noon midnight midday weekend daily weekly monthly yearly hourly
`)

var titles = english.WordSet("mr mrs ms miss dr prof professor sir dame lady lord captain doctor father sister brother aunt uncle grandma grandpa president judge king queen")

// peopleWords denote persons by kinship or work: after one of them a name is a person's ("my
// friend Ana").
var peopleWords = english.WordSet(`
friend friends sister brother mother father mom mum dad son daughter wife husband partner boyfriend girlfriend fiance fiancee cousin aunt uncle
nephew niece grandmother grandfather grandma grandpa roommate flatmate neighbour neighbor colleague coworker co-worker boss manager mentor teacher
coach doctor dentist therapist landlord client customer engineer designer developer captain intern assistant lawyer accountant
`)

// personVerbs are verbs whose subject is a person.
var personVerbs = english.WordSet(`
said says told tells asked asks thinks thought wants wanted likes liked loves loved hates hated prefers preferred lives lived works worked believes
knows knew feels felt decided decides suggested suggests agreed agrees mentioned mentions promised joined joins moved married met visited bought
wrote replied answered explained called enjoys enjoyed plays played speaks spoke studies studied teaches taught owns drives drove graduated
retired hired keeps leads manages designs builds repairs proposed reported argued prefers plans hopes hoped complained laughed smiled
`)

// Last words of the names of organisations, places and events.
var (
	orgEnds   = english.WordSet("inc ltd llc gmbh corp corporation company co university college school bank institute foundation agency ministry hospital team club society association committee council group labs lab studio studios church library fund mutual union")
	placeEnds = english.WordSet("street road avenue lane river lake mount mountain park city town island islands bay beach airport station valley forest square bridge harbour harbor hill hills desert county province state sea ocean canyon falls garden gardens museum cafe café restaurant")
	eventEnds = english.WordSet("festival conference summit workshop marathon meetup wedding olympics cup con hackathon fair parade tournament championship concert gala award awards party")
)

// placeHeads begin the name of a place ("Lake Como").
var placeHeads = english.WordSet("lake mount san santa saint st los las new north south east west upper lower port fort cape")

// nameConnectors join the words of a name.
var nameConnectors = english.WordSet("of the de la van von der den del di da le du and & y al")

// places lists countries and large cities, to distinguish places from persons without other
// evidence.
var places = english.WordSet(`
africa america asia europe australia antarctica england scotland wales ireland britain uk usa us france germany spain portugal italy switzerland
austria belgium netherlands luxembourg denmark sweden norway finland iceland poland czechia slovakia hungary romania bulgaria greece turkey ukraine
russia estonia latvia lithuania croatia serbia slovenia bosnia albania cyprus malta egypt morocco algeria tunisia libya nigeria ghana kenya
ethiopia uganda tanzania rwanda senegal zambia zimbabwe angola mozambique namibia botswana israel palestine lebanon syria jordan iraq iran
kuwait qatar oman yemen afghanistan pakistan india bangladesh nepal bhutan china japan korea taiwan mongolia vietnam thailand cambodia laos
malaysia singapore indonesia philippines canada mexico guatemala cuba jamaica haiti panama colombia venezuela ecuador peru bolivia chile argentina
brazil uruguay paraguay zealand fiji hawaii alaska california texas florida oregon colorado arizona nevada utah ohio michigan virginia georgia
berlin munich hamburg cologne frankfurt stuttgart leipzig dresden london manchester liverpool birmingham leeds bristol edinburgh glasgow cardiff
belfast dublin cork paris lyon marseille nice toulouse bordeaux madrid barcelona valencia seville bilbao lisbon porto rome milan naples turin
florence venice bologna vienna graz salzburg zurich geneva basel bern brussels antwerp ghent amsterdam rotterdam utrecht copenhagen aarhus
stockholm gothenburg malmo oslo bergen trondheim helsinki tampere turku reykjavik warsaw krakow gdansk prague brno budapest bucharest sofia athens
istanbul ankara izmir kyiv kiev lviv moscow riga vilnius tallinn zagreb belgrade ljubljana cairo casablanca lagos accra nairobi johannesburg
dubai doha beirut damascus amman baghdad tehran karachi lahore delhi mumbai bangalore chennai kolkata dhaka kathmandu beijing shanghai
shenzhen guangzhou taipei tokyo kyoto osaka seoul busan hanoi saigon bangkok manila jakarta sydney melbourne brisbane perth adelaide auckland
wellington toronto montreal vancouver ottawa calgary boston york chicago seattle denver dallas houston austin miami atlanta philadelphia
detroit portland phoenix washington brooklyn manhattan lima bogota quito santiago havana rio brasilia montevideo caracas medellin orleans
`)

// givenNames lists first names from many countries, to recognise a person at the beginning of a
// sentence.
var givenNames = english.WordSet(`
aaron abby abdul abigail adam adrian agnes ahmed aisha akira alan albert alejandro alex alexander alexandra alice alicia alina alison amanda amara
amber amelia amina amir amy ana anastasia andre andrea andreas andrew angela anita anjali ann anna anne annika anthony antonio anton aria arjun arthur
asha astrid audrey ava ayesha barbara beatrice ben benjamin bernard beth betty bianca bill bjorn bob boris brandon brenda brian bruno caleb camila
carl carla carlos carmen carol caroline catherine cecilia charles charlotte chen chloe chris christian christina christopher clara claire claudia
colin connor craig cynthia daisy dana daniel daniela david deborah denise dennis derek diana diego dimitri dmitri dominic donald donna dora doris
dorothy duncan dylan edith eduardo edward elena eleanor eli elias elif elijah elisa elise elizabeth ella ellen elliot elsa emil emily emma eric erica
erik erika erin ernest ethan eva evan eve evelyn farah fatima felix fernando fiona florence frances francesca francisco frank franz frederick
freya gabriel gareth gary george gerald gina giovanni giulia gloria grace graham greg greta gustav hamza hana hannah hans harold harriet harry
hassan heather heidi helen helena helga henry hiroshi holly howard hugo ian ibrahim ida igor ines ingrid irene iris irina isaac isabel isabella
isla ivan jack jackson jacob jade jake james jamie jan jane janet jasmine jason javier jean jeff jennifer jenny jens jeremy jessica jill jim joan
joanna joe joel johan johanna john jon jonas jonathan jordan jorge jose josef joseph joshua joyce juan judith judy julia julian julie juliette
kai karen karim karin karl kate katherine kathleen katie katja keiko keith kelly ken kenneth kenji kevin khalid kim kira klaus kofi kristin kumar kurt
kyle lara lars laura lauren layla lea leah leila lena leo leon leonard leonardo leopold leslie liam lila lily lina linda linus lisa liz logan
lorenzo louis louise luca lucas lucia lucy luis luisa lukas luke luna lydia maddie madison magnus maja malik mara marc marcel marco marcus margaret
maria mariam marie marina mario marion mark marta martha martin martina mary mateo matilda matt matteo matthew maurice max maya megan mei melanie
melissa mia michael michelle miguel mike mila milan ming mira miriam mohammed mohamed molly monica muhammad nadia nancy naomi natalia natalie
natasha nathan nathaniel neil nia nicholas nick nicola nicole nigel nikolai nikita nina noah noor nora norman odile olaf oliver olivia olga omar oscar
otto owen pablo pamela patricia patrick paul paula paulo pedro peggy penelope peter petra philip phoebe pia pierre piotr priya quentin rachel rafael
rahul raj rajesh ralph ramon raphael raquel raul ravi ray rebecca renata rene ricardo richard rita rob robert roberto robin rodrigo roger roland
romeo ron ronald rosa rosie ross roy ruby rupert russell ruth ryan sabine sabrina sadie salma sam samantha samir samuel sandra sanjay sara sarah
sasha scott sean sebastian selina selma serena sergei sergio seth shane shannon sharon sheila silvia simon simone sofia sofie sonia sonja sophia
sophie stefan stefanie stella stephanie stephen steve steven stuart sunita susan susanna suzanne sven svetlana sylvia takashi tamara tanja tanya tara
tatiana ted teresa tessa theo theodore theresa thomas tim timothy tina tobias todd tom tomas tommy tony tracy ulrich ulrike uma ursula valentina
valerie vanessa vera veronica victor victoria vijay vincent violet virginia vivian vladimir walter wanda wei wendy wilhelm william wolfgang wren xavier
yannick yara yasmin yosef yuki yusuf yvonne zach zachary zainab zara zeynep zoe bram
`)

// software lists software and formats, which are names even without a capital.
var software = english.WordSet(`
postgres postgresql mysql sqlite redis mongodb kafka rabbitmq docker kubernetes terraform ansible nginx linux ubuntu debian windows macos android
ios python javascript typescript golang rust java kotlin swift ruby php perl haskell react vue angular svelte django flask rails graphql grpc
github gitlab bitbucket jira slack discord notion figma excel aws azure gcp elasticsearch prometheus grafana badger dgraph pytorch tensorflow
json yaml xml csv parquet markdown html css sql webgl webassembly
`)

// ambiguousSoftware are those that are common words too: they need a capital.
var ambiguousSoftware = english.WordSet("rust swift ruby flask rails react angular excel slack discord notion java python perl teams")

// fileExtensions lists the extensions that make a word with a dot a file.
var fileExtensions = english.WordSet(`
go rs py js ts tsx jsx java kt c h cpp hpp cs rb php sh bash sql html css scss json yaml yml toml xml csv tsv md txt pdf doc docx xls xlsx ppt pptx
png jpg jpeg gif svg mp3 mp4 wav zip tar gz log ini cfg conf env lock proto graphql graphqls ipynb tex parquet mod sum
`)
