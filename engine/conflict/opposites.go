package conflict

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// opposites are groups of words that exclude each other in the same place. "|" separates the
// sides; the words of one side mean the same. A word may be in several groups.
var opposites = []string{
	// states of things
	"open|closed shut", "on|off", "up|down", "enabled active activated|disabled inactive deactivated", "available|unavailable", "online|offline",
	"full|empty", "hot|cold chilly freezing", "warm|cool cold", "wet|dry", "clean|dirty filthy", "big large huge|small little tiny",
	"tall|short", "long|short brief", "wide broad|narrow", "thick|thin", "heavy|light lightweight", "high|low", "deep|shallow", "strong|weak",
	"hard difficult tough|easy simple straightforward", "hard|soft", "fast quick|slow sluggish", "new|old", "young|old elderly", "modern|old-fashioned outdated ancient",
	"early|late", "expensive pricey costly|cheap inexpensive affordable", "free|paid", "rich wealthy|poor broke", "safe|dangerous unsafe risky",
	"safe secure|insecure vulnerable", "public|private", "local|remote", "loud noisy|quiet silent", "bright|dim dark", "dark|light", "visible|hidden invisible",
	"broken|working functional", "healthy|sick ill unhealthy unwell", "alive|dead deceased", "asleep|awake", "present|absent", "busy|free idle available",
	"crowded packed|empty deserted", "sweet|sour bitter", "spicy hot fiery|mild bland", "fresh|stale rotten", "raw|cooked", "smooth|rough bumpy", "sharp|blunt dull",
	"tight|loose", "straight|curved crooked", "permanent|temporary", "mandatory required compulsory obligatory|optional voluntary", "legal|illegal", "possible|impossible",
	"true|false untrue", "correct right|wrong incorrect", "valid|invalid", "complete completed finished|incomplete unfinished", "public|secret confidential",
	"synchronous|asynchronous", "stateful|stateless", "encrypted|unencrypted plaintext", "signed|unsigned", "stable|unstable flaky", "compatible|incompatible",
	"supported|unsupported", "manual|automatic automated", "serial sequential|parallel", "mutable|immutable", "nullable|non-null", "monolithic|modular distributed",
	"internal|external", "domestic|foreign international", "indoor indoors inside|outdoor outdoors outside", "upstairs|downstairs", "urban|rural", "city|countryside country suburb suburbs village farm",
	"north northern|south southern", "east eastern|west western", "left|right", "front|back rear", "top|bottom", "ahead|behind", "before|after", "above|below",
	"first|last", "maximum|minimum", "major|minor", "positive|negative", "odd|even", "single-player|multiplayer", "approved accepted|rejected denied declined",
	"confirmed|unconfirmed cancelled canceled", "scheduled|cancelled canceled", "going|cancelled canceled", "guilty|innocent", "profitable|unprofitable", "locked|unlocked",
	"resolved fixed solved closed|unresolved unsolved", "deprecated|recommended", "sold|unsold", "paid|unpaid", "vacant|occupied", "renovated|unrenovated",
	"growing expanding increasing rising|shrinking declining decreasing falling", "successful|unsuccessful", "failing|passing", "success|failure disaster", "ready|unready",
	"optimistic|pessimistic", "sunny|rainy cloudy overcast|snowy", "flexible|rigid strict", "strict|lenient relaxed", "formal|informal casual", "wireless|wired", "digital|analog paper",
	"vertical|horizontal", "waterproof|permeable", "reversible|irreversible", "stocked|sold-out", "fragile|sturdy robust", "genuine real authentic|fake counterfeit",
	// people
	"happy glad pleased satisfied|unhappy sad miserable dissatisfied", "calm relaxed|anxious nervous stressed", "confident|insecure shy unsure", "introvert introverted|extrovert extroverted outgoing",
	"friendly kind nice|unfriendly mean rude hostile", "polite|rude impolite", "honest|dishonest lying", "generous|stingy selfish", "brave|cowardly afraid", "smart intelligent clever|stupid dumb",
	"lazy|hardworking diligent", "patient|impatient", "careful|careless reckless", "tidy neat organized|messy untidy disorganized", "punctual|late unpunctual tardy", "strict|easygoing lenient",
	"interested|uninterested bored indifferent", "interesting exciting fascinating|boring dull", "experienced|inexperienced novice beginner", "expert|beginner novice", "employed|unemployed jobless",
	"retired|working employed", "pregnant|not-pregnant", "single unmarried|married|divorced|widowed", "single|engaged", "vegetarian vegan|carnivore meat-eater omnivore", "religious|atheist secular",
	"left-handed|right-handed|ambidextrous", "male man boy|female woman girl", "adult|child minor", "pro|anti", "liberal|conservative", "democrat|republican", "allergic|tolerant",
	"optimist|pessimist", "extravagant|frugal thrifty", "trustworthy reliable dependable|unreliable untrustworthy", "helpful|unhelpful useless", "useful|useless", "talkative|quiet taciturn", "early-riser|night-owl",
	"good great excellent fantastic wonderful amazing awesome delicious|bad terrible awful horrible poor dreadful disgusting", "beautiful pretty|ugly", "best|worst", "better|worse", "love|hatred",
	"winner|loser", "ally friend|enemy", "buyer|seller", "tenant renter|landlord homeowner", "full-time|part-time", "on-site in-office in-person|remote hybrid virtual",
	"homeowner|renter", "smoker|non-smoker nonsmoker", "drinker|teetotaler teetotaller", "day|night", "morning|evening night", "agree|disagree", "fit|unfit", "alone|together", "older elder|younger",
	"more|fewer less", "majority|minority", "everyone all everybody|nobody none", "always|never", "rare|common frequent", "window|aisle|middle", "tabs|spaces", "alone|roommate roommates", "gluten-free|wheat",
	"in-stock|out-of-stock", "onsite|offsite", "morning|afternoon", "nut-free|nutty", "upper|lower", "inner|outer", "junior|senior", "well|badly poorly", "inside|outside", "quickly|slowly", "easily|hardly", "loudly|quietly", "happily|unhappily", "carefully|carelessly", "manually|automatically", "faster|slower", "likely|unlikely", "aware|unaware", "able|unable", "certain|uncertain", "dependent|independent", "mixed|pure", "smoking|non-smoking", "renewable|nonrenewable", "fiction|nonfiction", "organic|synthetic", "near close|far distant", "nearby|faraway",
	// acts
	"like love enjoy adore|hate dislike detest despise loathe", "accept|reject refuse decline deny", "approve|reject veto", "allow permit|forbid prohibit ban block", "pass|fail", "succeed|fail", "win|lose", "increase rise grow raise gain|decrease fall drop shrink decline lower reduce lose",
	"improve|worsen deteriorate", "arrive|depart leave", "join|leave", "start begin launch|end finish stop", "start|stop", "buy purchase|sell", "lend|borrow", "hire|fire dismiss", "open|close", "enable|disable",
	"connect|disconnect", "include|exclude", "support|oppose", "support endorse|reject", "trust|distrust mistrust", "remember|forget", "admit|deny", "confirm|deny cancel", "attend|skip miss", "keep|discard abandon remove delete",
	"add|remove delete", "create|destroy delete", "install|uninstall", "encourage|discourage", "praise|criticize", "save|spend waste", "push|pull", "ascend climb|descend", "expand|contract", "attack|defend",
	"agree|refuse", "own|rent lease", "import|export", "encrypt|decrypt", "subscribe|unsubscribe", "promote|demote", "advance|retreat postpone", "live|die", "upgrade|downgrade", "love|fear", "marry|divorce", "strengthen|weaken",
	"recommend|discourage", "follow|ignore violate break", "respect|violate", "understand|misunderstand", "upvote|downvote", "lock|unlock", "commute|telecommute", "walk|drive", "invite|disinvite", "fall|rise",
}

// kindsOf are groups of names and words of one kind. A thing that can have only one of a kind has
// one of the group: the preferred one, the language of a page, the colour.
var kindsOf = []string{
	"red blue green yellow orange purple pink black white grey brown turquoise teal beige navy maroon gold silver ochre anthracite crimson scarlet magenta cyan lilac lavender indigo khaki burgundy ivory charcoal",
	"tea coffee cocoa", "beer wine whisky", "cat dog", "email phone slack letter text sms", "vim neovim emacs vscode sublime nano intellij pycharm", "metric imperial", "celsius fahrenheit",
	"python javascript typescript java go rust ruby php kotlin swift c++ c# scala elixir haskell perl clojure erlang", "react vue angular svelte", "django flask fastapi rails spring laravel",
	"mysql postgresql mongodb sqlite oracle mariadb cassandra dynamodb couchdb cockroachdb", "redis memcached", "kafka rabbitmq nats", "aws azure gcp heroku", "windows linux macos", "ios android", "git mercurial svn subversion",
	"github gitlab bitbucket", "rest graphql grpc soap", "session jwt cookie token", "json yaml xml toml", "docker podman", "npm yarn pnpm", "light dark", "chrome firefox safari edge", "nginx apache caddy", "toyota honda ford tesla bmw audi volkswagen mazda subaru volvo renault peugeot citroen fiat skoda opel dacia saab lexus jeep suzuki mitsubishi kia hyundai nissan chevrolet jeep",
	"christian muslim jewish hindu buddhist atheist", "apartment house condo dorm mansion trailer cottage", "bus train car bike bicycle plane subway ferry", "summer winter spring autumn", "cash card", "football basketball tennis baseball hockey cricket rugby",
	"piano guitar violin drums cello flute", "vanilla chocolate strawberry", "mac pc laptop desktop tablet", "pizza sushi pasta burger tacos", "mountain beach", "book movie", "morning evening night afternoon",
}

// occupations, of which a person has one.
var occupations = lemmas(`doctor nurse teacher lawyer engineer accountant dentist plumber electrician carpenter architect pharmacist pilot firefighter
policeman policewoman chef waiter waitress barista librarian journalist surgeon veterinarian vet mechanic farmer cashier secretary receptionist
psychologist therapist physicist chemist biologist programmer developer banker butcher baker barber hairdresser paramedic professor judge soldier
detective economist geologist historian mathematician optometrist paralegal radiologist realtor statistician tailor translator welder student
bartender janitor locksmith miner sailor scientist designer photographer manager consultant analyst actor actress salesman florist`)

// hyponyms maps words to their classes: a person who eats no meat eats no beef.
var hyponyms = func() map[string][]string {
	m := map[string][]string{}
	for _, line := range strings.Split(`meat:beef pork chicken steak bacon lamb turkey ham burger sausage veal duck mutton venison salami chorizo prosciutto meatball rib brisket schnitzel kebab goose rabbit mince
pork:bacon ham sausage salami chorizo prosciutto rib
alcohol:beer wine whisky whiskey vodka gin rum cocktail tequila champagne liquor ale lager cider prosecco brandy cognac schnapps sake mead sherry bourbon
dairy:milk cheese yogurt butter cream yoghurt mozzarella parmesan feta cheddar kefir latte cappuccino
seafood:shrimp crab lobster fish salmon tuna oyster prawn squid mussel clam
shellfish:shrimp crab lobster oyster prawn mussel clam scallop
nut:peanut almond walnut cashew hazelnut pecan pistachio
fish:salmon tuna cod trout sardine herring mackerel anchovy haddock halibut
egg:omelette omelet frittata
caffeine:coffee espresso tea cola cappuccino latte
fruit:apple banana orange grape mango pear plum peach cherry
pet:dog cat hamster parrot rabbit goldfish puppy kitten
child:son daughter baby toddler twins twin
sibling:brother sister
parent:mother father
grandparent:grandmother grandfather
sport:football basketball tennis swimming soccer hockey golf
instrument:piano guitar violin drum cello flute
car:toyota honda ford tesla bmw audi
gluten:bread pasta wheat toast barley rye bagel croissant couscous
bread:toast bagel baguette
coffee:espresso cappuccino latte
sugar:candy dessert soda cake`, "\n") {
		kind, list, _ := strings.Cut(line, ":")
		for _, w := range strings.Fields(list) {
			m[lemma(w)] = append(m[lemma(w)], lemma(kind))
		}
	}
	return m
}()

// oppositeSide is the place of a word in opposites.
type oppositeSide struct{ group, side int }

var oppositeSides = func() map[string][]oppositeSide {
	m := map[string][]oppositeSide{}
	for g, line := range opposites {
		for s, list := range strings.Split(line, "|") {
			for _, w := range strings.Fields(list) {
				for _, k := range []string{lemma(w), english.Lemma(w)} {
					add := true
					for _, have := range m[k] {
						add = add && have.group != g
					}
					if add {
						m[k] = append(m[k], oppositeSide{g, s})
					}
				}
			}
		}
	}
	return m
}()

var kinds = func() map[string][]int {
	m := map[string][]int{}
	for g, line := range kindsOf {
		for _, w := range strings.Fields(line) {
			m[lemma(w)] = append(m[lemma(w)], g)
		}
	}
	return m
}()

// areOpposed reports whether two words exclude each other.
func areOpposed(a, b string) bool {
	if a == b {
		return false
	}
	sa, sb := oppositesOf(a), oppositesOf(b)
	if sa == nil || sb == nil {
		return hasNegatingPrefix(a, b) || hasNegatingPrefix(b, a)
	}
	for _, x := range sa {
		for _, y := range sb {
			if x.group == y.group && x.side != y.side {
				return true
			}
		}
	}
	return hasNegatingPrefix(a, b) || hasNegatingPrefix(b, a)
}

// oppositesOf returns the places of a word in opposites, also of a comparative: "slower" as
// "slow".
func oppositesOf(w string) []oppositeSide {
	if s, ok := oppositeSides[w]; ok {
		return s
	}
	for _, end := range []string{"er", "est", "ier"} {
		if base, ok := strings.CutSuffix(w, end); ok && len(base) > 2 {
			if s, ok := oppositeSides[lemma(base)]; ok {
				return s
			}
			if s, ok := oppositeSides[lemma(base+"y")]; ok {
				return s
			}
			if s, ok := oppositeSides[lemma(base+"e")]; ok {
				return s
			}
			if s, ok := oppositeSides[english.Undouble(base)]; ok {
				return s
			}
		}
	}
	return nil
}

// hasNegatingPrefix reports whether a is b with a negating prefix: unhappy, dislike.
func hasNegatingPrefix(a, b string) bool {
	if len(b) < 4 {
		return false
	}
	for _, p := range []string{"un", "in", "im", "ir", "il", "dis", "non", "non-"} {
		if len(a) == len(p)+len(b) && strings.HasPrefix(a, p) && strings.HasSuffix(a, b) {
			return !(p == "in" && (b == "form" || b == "vest" || b == "tend" || b == "sist")) && !(p == "un" && b == "iversity") && !(p == "dis" && (b == "play" || b == "cover" || b == "count"))
		}
	}
	return false
}

// sameKind reports whether two different words are of one kind.
func sameKind(a, b string) bool {
	if a == b {
		return false
	}
	for _, x := range kinds[a] {
		for _, y := range kinds[b] {
			if x == y {
				return true
			}
		}
	}
	return false
}

// oneAtATime reports whether two words are of kinds that exclude each other: colours and
// religions.
func oneAtATime(a, b string) bool {
	if !sameKind(a, b) {
		return false
	}
	return sameKind(a, "red") || a == "red" || sameKind(a, "muslim") || a == "muslim"
}

// isA reports whether a is b or a member of class b.
func isA(a, b string) bool {
	if a == b {
		return true
	}
	for _, k := range hyponyms[a] {
		if k == b {
			return true
		}
	}
	return false
}
