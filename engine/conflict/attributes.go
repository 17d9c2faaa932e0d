package conflict

// attributeTable are attributes of which a person or a thing has one at a time, and
// the ways English has to give them. The kinds are those of [nature].
const attributeTable = `
residence n
 S live|reside|dwell in|at V
 S ^settle|move|relocate down? in|to|into V
 S base in V
 S rent|own|occupy|have|keep a|the|her|his|my|our|their flat|house|home|room|studio|place|cottage|loft in V
 S make her|his|my|our|their home in V
 S call V home
 V be home for|to S
role o
 S work|serve|practise|practice as a|an|the? V
 S be a|an V by trade|profession|training
 S make|earn a|her|his|my|our|their living|money|keep as a|an V
 S ^take|accept|start|begin|get|land|have a|the|up? new? job|position|post|role|work as a|an? V
  S ^become a|an V
  S be a|an V
employer n
 S work for|at V
 S employ|hire by|at V
 S ^take|accept|start|begin|get|land|have|hold a|the new? job|post|position|role at|with V
 S be on the payroll of V
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
 S study|major in? V
 S ^enrol|enroll in V
 S do|pursue|take a degree|course|doctorate|bachelor|master in V
origin n
 S come|hail|originate from V
team o
 S belong to V
 S play for V
 S ^join V
 S ^move|transfer|assign|switch to V
floor l
 S live|reside on V
 S live in? a? flat|apartment|room|studio on V
 S have|rent|own a|an|the|her|his|my|our flat|apartment|room|studio|office on V
 S ^move into|to a? flat|apartment|room|studio|office on V
 S ^move to V
doctor n
  S go to V
  S see V
 S registered as? a? patient? with|at V
 S be a patient of V
grew n
 S ^grow up in V
 S ^raise in V
birthday v
 S ^bear on V
 S turn a year older on V
 S have her|his|my|our|their|a? birthday on V
 S celebrate her|his|my|our|their birthday on V
boss n
 S report|answer to V
 S have V as|for a|her|his|my|our|their? boss
 S work under V
 V ^manage|supervise S
spouse n
 S ^marry to? V
phone c
 reach|call|phone|ring|contact S at|on|under V
 S reach|call|contact at|on|under V
size v
 S wear|take|need shoe|boot in? size V
 S wear|take|need a? size V in? shoe|boot
 S wear|take|need a? shoe|boot size V
 S foot|feet need|be size V
price v
 S ^cost us|me|you? V
 S ^price at V
 S ^sell|go|retail for|at V
 S ^come to V
 pay|charge V for S
salary v
 S earn|make V
 S pay V
budget v
 S have a|the? budget of V
 ^grant|allot|allocate|approve V for|to S
duration v
 S ^take|last|run|need|require for? V
 S go on for V
 S be V long
opening v
 S open|start|begin at|from? V
 visit|enter S from|at V
 go to S from V
 S let people|visitor|guest in from|at V
closing v
 S close|end|finish|shut at? V
when v
 S be on|at? V
 S ^take place on|at? V
 S ^happen on|at? V
 S ^hold|schedule|plan|set|fix|book|move|reschedule for|on|at|to V
 ^settle|schedule|plan|set|fix|book|move|reschedule S for|on|to V
where n
 S ^take place in|at V
 S ^hold in|at V
 S ^move|relocate to V
 S ^happen in|at V
 meet in|at V for S
deadline v
 S be due on|by|at? V
 S finish|complete|deliver|submit|hand|turn in? by|until|before V
 ^finish|complete|deliver|submit|hand|turn in? S by|until|before V
port v
 S listen|run|reachable|available|serve|answer on port V
 run|host|expose|serve S on port V
version c
 S run|use|pin|stay|ship at|on|with? version? V
 ^upgrade|update|downgrade|pin S to|at version? V
lead n
 S lead|head|run|manage|chair|coordinate by V
 V lead|head|chair|coordinate S
owner n
 S own|maintain by V
 V maintain|own S
 V take care of S
 V look after S
colour o
 S paint|dye|colour V
 ^choose|pick V for S
code c
 S open|unlock with V
 get into S you? type|enter|use|need V
 open|unlock|enter|join S you? type|enter|use|with|need V
 type|enter|use V to|for|at get|open|unlock|enter|join|the into? S
spot p
 S keep|store|hide|park|leave|put|stash P V
 put|keep|store|hide|leave|stash|park S P V
 find S P V
departure l
 S leave|depart|go|start from|at|on V
 board|catch S at|on|from V
blood b
 S be blood? type|group? V
 S donate V
 S have blood type|group V
`

// noun is an attribute that a noun names: "the rent of the flat is", "Mira's rent is".
type attributeNoun struct {
	attribute string
	kind      nature
}

var attributeNouns = func() map[string]attributeNoun {
	m := map[string]attributeNoun{}
	for _, f := range []struct{ words, attribute, kind string }{
		{"occupation profession trade job", "role", "o"}, {"employer company", "employer", "n"}, {"boss manager supervisor", "boss", "n"},
		{"wife husband spouse partner fiance fiancee", "spouse", "n"}, {"doctor physician gp", "doctor", "n"}, {"dentist", "dentist", "n"}, {"landlord", "landlord", "n"},
		{"therapist", "therapist", "n"}, {"coach trainer", "coach", "n"}, {"home hometown residence", "residence", "n"}, {"birthplace", "birthplace", "n"},
		{"birthday", "birthday", "v"}, {"phone mobile number", "phone", "c"}, {"email mail", "email", "c"}, {"code password passphrase pin passcode combination", "code", "c"},
		{"price cost fee charge fare", "price", "v"}, {"rent", "rent", "v"}, {"salary wage pay income", "salary", "v"}, {"budget", "budget", "v"},
		{"deadline", "deadline", "v"}, {"duration length", "duration", "v"}, {"size", "size", "v"}, {"height", "height", "v"}, {"weight", "weight", "v"}, {"width", "width", "v"},
		{"capacity", "capacity", "v"}, {"depth", "depth", "v"}, {"limit quota", "limit", "v"}, {"timeout", "timeout", "v"}, {"port", "port", "v"}, {"version", "version", "c"},
		{"dose dosage", "dose", "v"}, {"temperature", "temperature", "v"}, {"color", "colour", "o"}, {"lead leader head", "lead", "n"}, {"maintainer owner", "owner", "n"},
		{"type group", "blood", "b"}, {"editor", "editor", "n"}, {"bank", "bank", "n"}, {"provider", "provider", "n"}, {"venue", "where", "n"}, {"major", "studies", "o"},
		{"capital", "capital", "n"}, {"nickname", "nickname", "n"}, {"mascot", "mascot", "n"}, {"nationality", "nationality", "n"},
	} {
		for w := range lemmas(f.words) {
			m[w] = attributeNoun{f.attribute, nature(f.kind[0])}
		}
	}
	return m
}()

// plainQualifiers before a noun of an attribute say which it is only seldom.
var plainQualifiers = lemmas("door mobile cell entry access contact current new access main family line total monthly full usual general gate wifi wi-fi shoe foot boot blood phone telephone text")
