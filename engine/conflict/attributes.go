package conflict

// attributeTable lists the attributes of which a person or a thing has one at a time, with the
// ways to state them in English. readPatterns describes the format; the kinds are those of
// claimKind.
const attributeTable = `
residence n
 S live|reside|dwell in|at V
 S ^settle|move|relocate|emigrate down? back? in|to|into V
 S base in V
 S be a? resident of V
 S be at home in V
 S ^end|wind|land up in V
 S ^buy|rent a|an|the|our|my|his|her|their house|flat|home|place|cottage|apartment in V
 S rent|own|occupy|have|keep|share a|an|the|her|his|my|our|their flat|house|home|room|studio|place|cottage|loft|apartment in V
 S make her|his|my|our|their home in V
 S make V her|his|my|our|their home
 S call V home
 V be home for|to S
role o
 S work|serve|practise|practice as a|an|the? V
 S be a|an V by trade|profession|training|occupation
 S make|earn a|her|his|my|our|their living|money|keep as a|an V
 S ^take|accept|start|begin|get|land|have a|the|up? new? job|position|post|role|work as a|an? V
 S ^promote|appoint to|as? V
  S ^become a|an|the? V
  S be a|an|the V
employer n
 S work for|at V
 S employ|hire by|at V
 S ^take|accept|start|begin|get|land|have|hold a|the new? job|post|position|role at|with V
 S be on the payroll|staff of|at V
 S be a|an R at|with|for V
 S work as a|an? R at|with|for V
  S ^join V
 V ^employ|hire S
school n
 S study at V
 S ^enrol|enroll at V
 S be a student|undergraduate|pupil at|of V
 S attend V
 S have a place at V
  S go to V
studies o
 S study|major in V
  S study V
 S ^enrol|enroll in V
 S do|pursue|take a degree|course|doctorate|bachelor|master in V
origin n
 S come|hail|originate from V
 S be from V
birthplace n
 S ^bear in V
 S be a native of V
fan n
 S support V
 S be a|an V fan|supporter
team o
 S belong to V
 S play for V
 S ^join V
 S ^move|transfer|assign|switch to V
 S be in|on V
floor l
 S live|reside on V
 S be|sit|lie on V
 S live in? a? flat|apartment|room|studio on V
 S have|rent|own a|an|the|her|his|my|our flat|apartment|room|studio|office on V
 S ^move into|to a? flat|apartment|room|studio|office on V
 S ^move to V
address a
 S live at V
 S be at V
 S locate|situate|base at V
 S have address V
 S ^move|relocate to V
 find S at V
doctor n
  S go to V
  S see V
 S registered as? a? patient? with|at V
 S be a patient of V
 S treat by V
 V treat S
landlord n
 S rent from V
grew n
 S ^grow up in V
 S ^raise in V
birthday v
 S ^bear on V
 S turn a year older on V
 S have her|his|my|our|their|a? birthday on V
 S celebrate her|his|my|our|their birthday on V
age v
 S ^turn V
 S be V old
 S be V year of age
boss n
 S report|answer to V
 S have V as|for a|her|his|my|our|their? boss
 S work under V
 V ^manage|supervise S
spouse n
 S ^marry to? V
 S ^engage to V
 S date V
codename n
 S go by the codename V
 S have the codename V
name n
 S call|name V
 S go by the name of V
 S go by V
 S answer to V
 S have the name V
 S bear the name V
 S ^christen|baptise|baptize V
 S ^rename to? V
  S ^name|call O V
  ^call S V
phone c
 reach|call|phone|ring|contact|text|dial S at|on|under V
 S reach|call|contact at|on|under V
 dial|call|ring V for S
email c
 write|mail|email to? S at|to V
 reach|contact S at|by|under V
 send O to V
size v
 S wear|take|need shoe|boot in? size V
 S wear|take|need a? size V in? shoe|boot
 S wear|take|need a? shoe|boot size V
 S take size V in shoe|boot
 S foot|feet need|be size V
price v
 S ^cost us|me|you? V
 S ^price at V
 S ^sell|go|retail for|at V
 S ^come to V
 S be on offer|sale at|for V
 pay|charge|ask|want V for S
 ^quote V for S
 S be V each|apiece
 S be V
count v
 S consist|comprise of V
 S comprise|number|count V
 S have|get V
 there be V of? us? in|on|at S
rent v
 S pay V in|of|as rent
 S pay V rent
salary v
 S earn|make V
 S pay V
budget v
 S have a|the? budget of V
 ^grant|allot|allocate|approve V for|to S
 S may cost up? to? V
 have|spend V for|on S
amount v
 S ^amount|come to V
 S be worth V
duration v
 S ^take|last|run|need|require for? V
 S go on for V
 S be V long
 wait V for S
 have to wait V for S
length v
 S be V long
height v
 S be V tall|high
 S ^grow to V
 S measure V
width v
 S be V wide|across
depth v
 S be V deep
weight v
 S weigh V
 S be V in weight
 S be V heavy
capacity v
 S hold|seat|fit|accommodate|sleep V
 S have room|space|seat for V
timeout v
 S time out after V
retention v
 S keep|retain|store|hold for V
 S delete|remove|purge|drop after V
retry v
 S retry|try V
dose v
 S take|get V of O
interval v
 S run|refresh|happen|update every V
wake v
 S get out of bed at V
 S leave her|his|my|our|their? bed at V
 S get|wake up at V
 S rise|awake at V
shift o
 S work|do|have the|a|an|in? V shift
 S be on V shift
opening v
 S open|start|begin at|from? V
 S be open from V
 visit|enter S from|at V
 go to S from V
 S let people|visitor|guest in from|at V
closing v
 S close|end|finish|shut at? V
 S be open until|till V
 S stay|keep open until|till V
when v
 S come|call|visit on|at V
 S be on|at? V
 S ^take place on|at? V
 S ^happen on|at? V
 S ^hold|schedule|plan|set|fix|book|move|reschedule|postpone|push|bring|shift|delay back|forward|up? for|on|at|to|until V
 ^settle|schedule|plan|set|fix|book|move|reschedule|postpone|push|bring|shift S back|forward? for|on|to|until|at V
 S expect|see me|us on|at? V
 meet|see S on|at V
departs v
 S leave|depart|go|start|sail at|on? V
 S take off at V
arrives v
 S land|arrive at|on? V
 S get|come|be in at V
where n
 S be in|at V
 S ^take place in|at V
 S ^hold in|at V
 S ^move|relocate to V
 S ^happen in|at V
 meet in|at V for S
room l
 S be|meet|sit in V
 S ^take place in V
 S ^hold|move to|in V
deadline v
 S be due on|by|at|in? V
 S be due before|until V
 S be due at|by|in|towards the? end|start|beginning|middle of V
 S finish|complete|deliver|submit|hand|turn|send in? by|until|before V
 ^finish|complete|deliver|submit|hand|turn|send S in? by|until|before V
 S have to be in|ready|done|finish|complete|deliver|submit|hand|turn in? by|until|before V
 S must be in|ready|done|finish|complete|deliver|submit|hand|turn in? by|until|before V
 S must finish|complete|deliver|submit|hand|turn|send in? O in? by|until|before V
 S have|need to finish|complete|deliver|submit|hand|turn|send in? O in? by|until|before V
 have|need to finish|complete|deliver|submit|hand|turn|send in? S in? by|until|before V
 must finish|complete|deliver|submit|hand|turn|send in? S in? by|until|before V
port v
 S listen|run|reachable|available|serve|answer|reach|bind on|at|to port V
 S listen|answer|run|reach on|at V
 S use port V
 run|host|expose|serve|reach S on|at port V
 port V use|take|occupy by S
version c
 S run|use|pin|stay|ship|be at|on|with? version|release V
 S run|use|require|need|stay on|at|with? Q V
 S be on|at Q V
 S ^roll back to version|release? V
 ^upgrade|update|downgrade|bump|pin S to|at version? V
 S ^upgrade|update|downgrade|bump|pin to|at Q V
 S ^upgrade|update|downgrade|bump|pin to|at version|release? V
 run|use Q V in|for|on S
lead n
 S lead|head|run|manage|chair|coordinate|direct|handle by V
 V lead|head|chair|coordinate|direct S
  V handle|run|manage S
 V be in charge of S
 V be responsible for S
 V be accountable for S
 S be the responsibility of V
owner n
 S own|maintain by V
 V maintain|own S
 V take care of S
 V look after S
 S belong to V
topic o
 S be about V
 S deal with V
 S treat|cover V
colour o
  S ^become|turn V
 S drive|own|have|ride|wear a|an V O
 S paint|dye|colour V
 ^paint|dye|colour S in? V
 ^choose|pick V for S
  S be V
language n
 S write|implement|code|program|develop|build in V
host n
 S host|deploy|run on|by|with|at V
 ^host|deploy|run S on|with|at V
 V host S
store n
 S store|keep|save|persist|live in|on V
 ^store|keep|save|persist S in|on V
editor n
 S write|edit|type|read all? of? her|his|my|our|their? code|text|program in|with V
tool n
 use V as|for S
 use V for S
  S be V
  S run|do|happen on|with|in V
code c
 S open|unlock|disarm with|by V
 get into S you? type|enter|use|need V
 open|unlock|enter|join|disarm|arm S you? type|enter|use|with|need|press V
 switch|turn|shut off|on S you? type|enter|use|need|press V
 type|enter|use|press V to|for|at get|open|unlock|enter|join|disarm|the into? S
spot p
 S keep|store|hide|park|leave|put|stash|stow P V
 ^put|keep|store|hide|leave|stash|stow|park S P V
 find S P V
 S hang|lie|stand|sit P V
  S be P V
departure l
 S leave|depart|go|start from|at|on V
 board|catch S at|on|from V
 get on S at V
seat c
 S sit in|on? seat V
 S have|get seat V
car n
 S drive|own a|an|the? V
fuel o
 S drive|own|have a|an V
 S drive|own|have a|an V O
 S run on V
material o
 S make|build|knit|cast|carve|weave of|from|out of? V
 S consist of V
commute o
 S commute by V
 S go|get|travel|come to work by V
hotel n
 S stay at|in V
blood b
 S be blood? type|group? V
 S donate V
 S have blood type|group V
`

// attributeNoun is an attribute named by a noun: "the rent of the flat is", "Mira's rent is".
type attributeNoun struct {
	attribute string
	kind      claimKind
}

var attributeNouns = func() map[string]attributeNoun {
	m := map[string]attributeNoun{}
	for _, f := range []struct{ words, attribute, kind string }{
		{"occupation profession trade job", "role", "o"}, {"employer company", "employer", "n"}, {"boss manager supervisor", "boss", "n"},
		{"wife husband spouse partner fiance fiancee", "spouse", "n"}, {"doctor physician gp", "doctor", "n"}, {"dentist", "dentist", "n"}, {"landlord", "landlord", "n"},
		{"therapist", "therapist", "n"}, {"coach trainer", "coach", "n"}, {"home hometown residence apartment", "residence", "n"}, {"birthplace", "birthplace", "n"},
		{"birthday", "birthday", "v"}, {"phone mobile number", "phone", "c"}, {"email mail", "email", "c"}, {"code pin passcode combination password passphrase", "code", "c"},
		{"price cost fee charge fare", "price", "v"}, {"rent", "rent", "v"}, {"salary wage pay income", "salary", "v"}, {"budget", "budget", "v"},
		{"deadline", "deadline", "v"}, {"duration", "duration", "v"}, {"length", "length", "v"}, {"size", "size", "v"}, {"height", "height", "v"}, {"weight", "weight", "v"}, {"width", "width", "v"},
		{"capacity", "capacity", "v"}, {"depth", "depth", "v"}, {"limit quota", "limit", "v"}, {"timeout", "timeout", "v"}, {"port", "port", "v"}, {"version", "version", "c"},
		{"dose dosage", "dose", "v"}, {"temperature", "temperature", "v"}, {"color", "colour", "o"}, {"lead leader head", "lead", "n"}, {"maintainer owner", "owner", "n"},
		{"type group", "blood", "b"},
		{"name", "name", "n"}, {"surname", "surname", "n"}, {"nickname", "nickname", "n"}, {"codename", "codename", "n"}, {"address", "address", "a"}, {"age", "age", "v"},
		{"boyfriend girlfriend", "spouse", "n"}, {"ceo director chief captain", "lead", "n"}, {"quote quotation", "price", "v"}, {"retention", "retention", "v"},
		{"ttl lifetime expiry", "retention", "v"}, {"hotel", "hotel", "n"}, {"seat", "seat", "c"}, {"extension", "phone", "c"}, {"physio physiotherapist", "physio", "n"},
		{"departure", "departs", "v"}, {"arrival", "arrives", "v"}, {"car", "car", "n"}, {"release", "version", "c"}, {"branch", "branch", "o"},
		{"language", "language", "n"}, {"host", "host", "n"}, {"room", "room", "l"}, {"gate platform", "departure", "l"}, {"interval", "interval", "v"}, {"editor", "editor", "n"}, {"bank", "bank", "n"}, {"provider", "provider", "n"}, {"venue", "where", "n"}, {"major", "studies", "o"},
		{"capital", "capital", "n"}, {"mascot", "mascot", "n"}, {"nationality", "nationality", "n"},
	} {
		for w := range lemmas(f.words) {
			m[w] = attributeNoun{f.attribute, claimKind(f.kind[0])}
		}
	}
	return m
}()

// compoundNouns are attributes named by two words.
var compoundNouns = func() map[[2]string]attributeNoun {
	m := map[[2]string]attributeNoun{}
	for _, f := range []struct{ first, second, attribute, kind string }{
		{"home", "town city address", "residence", "n"}, {"mother", "tongue", "native language", "n"}, {"native first", "language", "native language", "n"},
		{"job", "title", "role", "o"}, {"birthday", "party celebration", "birthday", "v"}, {"email e-mail mail", "address", "email", "c"}, {"due", "date", "deadline", "v"}, {"departure", "time", "departs", "v"}, {"arrival", "time", "arrives", "v"},
		{"opening start starting", "time", "opening", "v"}, {"closing end", "time", "closing", "v"}, {"wake-up wakeup", "time", "wake", "v"},
	} {
		for a := range lemmas(f.first) {
			for b := range lemmas(f.second) {
				m[[2]string{a, b}] = attributeNoun{f.attribute, claimKind(f.kind[0])}
			}
		}
	}
	return m
}()

// attributeAt returns the attribute that the noun at t[k] names, and how many words before it
// belong to the noun.
func attributeAt(t []token, k int) (a attributeNoun, before int, ok bool) {
	if k > 0 {
		if a, ok := compoundNouns[[2]string{t[k-1].lem, t[k].lem}]; ok {
			return a, 1, true
		}
	}
	// my favourite colour, her preferred language, the tool of choice
	if k > 0 && favouriteWords[t[k-1].lem] && !t[k].punctuation && !t[k].is(stopWord) && !isPlural(t[k].low, t[k].lem) {
		return attributeNoun{"favorite " + t[k].lem, ofNoun}, 1, true
	}
	a, ok = attributeNouns[t[k].lem]
	return a, 0, ok
}

// favouriteWords say which one somebody likes best.
var favouriteWords = lemmas("favorite preferred go-to favored")

// plainQualifiers rarely distinguish an attribute from another one.
var plainQualifiers = lemmas("door mobile cell entry access contact current new access main family line total monthly full usual general gate wifi wi-fi shoe foot boot blood phone telephone text")
