package conflict

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// verbs are the known verbs, by lemma.
var verbs = lemmas(`be have do say go get make know think take see come want look use find give tell work call try ask need feel become leave
put mean keep let begin help talk turn start show hear play run move like live believe hold bring happen write provide sit stand lose pay
meet include continue set learn change lead understand watch follow stop create speak read allow add spend grow open walk win offer remember
love consider appear buy wait serve die send expect build stay fall cut reach kill remain suggest raise pass sell require report decide pull
return explain hope develop carry break receive agree support hit produce eat cover catch draw choose cause point listen realize place close
involve increase decrease enjoy hate dislike prefer drink smoke drive own reside dwell study teach attend visit travel fly arrive depart join
quit resign retire fire hire marry divorce date engage switch migrate replace upgrade downgrade cancel postpone reschedule schedule plan book
order ship deliver release launch deploy host store contain cost weigh measure last finish complete end fail succeed accept reject approve deny
enable disable allow forbid block ban permit refuse avoid admit deny confirm earn save owe rent lease belong consist depend rely trust distrust
fear sleep wake cook clean swim dance sing ski ride exercise practice train graduate major enroll specialize move relocate settle emigrate
adopt name rename found establish invent discover paint design code program implement fix repair install uninstall remove delete merge update
configure connect log train test crash respond return listen bind expire renew subscribe unsubscribe manage supervise own direct chair maintain
sponsor borrow lend lock unlock hide reveal forget ignore respect admire suffer recover heal gain drop rise decline improve worsen shrink
expand win beat defeat attack defend support oppose recommend advise warn promise intend aim want wish stand lie lay need take speak
belong drop ditch abandon skip miss wear grow plant water feed adopt breed collect donate volunteer vote elect appoint promote demote
transfer assign inherit receive reply respond answer email text message contact hang celebrate host throw bake brew grill roast stream
record publish edit translate sign print scan encrypt decrypt compress cache index query sort parse compile land occur fit
share send fetch load render support target handle process validate accept tolerate bear drown climb hike run jog bike cycle commute
park charge operate function exist matter seem sound smell taste look appear stay keep remain lack hurt vary differ equal exceed wed
bet guess assume suppose doubt wonder imagine pretend dream suspect recall mention claim insist argue announce state note reply
stream play perform compete coach score rank rate review grade measure track monitor follow deprecate break date kiss propose engage
upload download click tap enter export import back restore verify notify archive reset refresh deliver dispatch accommodate weigh refund invoice commute locate base situate headquarter equip comprise register certify dedicate devote qualify position marry paint sculpt draft sculpt snore vape gamble swear knit sew jog surf fish hunt garden
push kick lift dig fold roll drag dump slip peel chop mix stir pour bounce clap nod whisper shout scream argue fight flee chase hug kiss blame accuse arrest sue vote tax owe invest donate rob steal cheat lie sweat bleed breathe chew swallow digest choke vomit ache itch crawl leap jump skip dive sail row paddle skate wrestle box bowl bat pitch strike score tackle referee chat gossip joke tease flirt babysit nurse tutor lecture mentor intern apply qualify enlist deploy serve patrol guard rescue treat operate inject prescribe diagnose vaccinate infect spread contract catch carry smuggle tailor stitch weave polish sweep mop vacuum iron dust wipe rinse dry
sold hold seat employ house burn melt boil freeze heat cool shut shine rain snow care worry bother
touch split disband dissolve disallow welcome star relax rest enjoy miss win lean fund invest bid trade swap upgrade face head point back step`)

// nounish are verbs that are nouns as often. Without evidence for a verb they are nouns.
var nounish = lemmas(`call work plan report point place date order book change test run play show use need cost help talk walk look start end move
cut name host store state note score rank rate review grade track index query cache cause design program code park charge process function
target record text message email contact answer reply water plant house seat rent lease ship release launch train coach practice exercise
support offer study visit travel study drink smoke ride dance sleep cook vote load taste smell sound fear trust respect matter
lock drop rise decline attack deploy update merge log measure stream fire fund trade bid star rest face head back step share sign
print scan swap upgrade dream doubt claim guess care worry interest hope love like hate set snow rain date wish lead set minute
push kick lift roll dump slip mix fight hug blame tax box bowl bat pitch strike tackle chat joke tutor lecture mentor intern guard rescue treat spread contract iron dust wipe dry row skate dive jump skip score ache itch sail carry nurse tailor
found land last fit cool heat bear lie close open park mean well second box block stay stop return pay set cover border`)

var beForms = english.WordSet("am is are was were be been being 's")
var haveForms = english.WordSet("have has had having")
var doForms = english.WordSet("do does did")
var modals = english.WordSet("will would shall should can could may might must 'd")

// adverbs may be inside a verb group.
var adverbs = english.WordSet(`not never also still just now always already currently presently really actually usually often sometimes rarely seldom
hardly barely ever only even probably definitely certainly absolutely totally completely recently finally generally typically normally
mostly mainly primarily simply merely officially very quite so too both all yet soon once then thus therefore however instead again
nowadays personally honestly truly literally basically strictly fully frequently regularly occasionally scarcely
temporarily permanently formally formerly previously originally initially once almost nearly exclusively solely twice thrice`)

// isVerb reports whether a lemma is a verb, or one with a prefix: reopen, disallow.
func isVerb(lem string) bool {
	if verbs[lem] {
		return true
	}
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(lem, p); ok && len(rest) > 3 && verbs[rest] {
			return !noVerb[lem]
		}
	}
	return false
}

var prefixes = []string{"re", "dis", "un", "mis", "over", "out"}
var noVerb = english.WordSet("resort display replay discount overtime outfit overall output outlet outlook unlike reward repair research overview rebound")

// classify sets the role of a token in a verb group.
func classify(t *token) {
	aux := t.is(formOfBe | formOfHave | formOfDo | modal)
	t.finite = aux || t.verb && !t.upper
	t.strong = aux && t.low != "'s" && t.low != "being" || t.verb && !t.upper && t.past
}

// canHeadVerbGroup reports whether a token can be the head of a verb group.
func canHeadVerbGroup(t token) bool { return t.finite }

// isStrongVerb reports a verb by its form alone: an auxiliary, or a past form.
func isStrongVerb(t token) bool { return t.strong }

func isPast(low string) bool {
	return english.IrregularPast(low) || strings.HasSuffix(low, "ed") && len(low) > 3 && !strings.HasSuffix(low, "eed")
}

func isIng(low string) bool {
	return len(low) > 4 && strings.HasSuffix(low, "ing") && !english.Uninflected(low)
}

// isBaseForm reports that a verb has no ending.
func isBaseForm(t token) bool {
	return !t.past && !t.ing && (!strings.HasSuffix(t.low, "s") || strings.HasSuffix(t.low, "ss") || t.low == "focus")
}

// stopWords are words without content.
var stopWords = english.WordSet(english.Pronouns + ` a an the this that these those who whom whose which what where when why how of to in on at by for with from into onto about as than and or but if so then
there here very really quite just also too even still already now currently today is am are was were be been being do does did have has had
will would shall should can could may might must not no never only own such more most some any each every all both few many much lot lots
up down out off over under again once ever yet nor per via 's 'd let please oh yeah yes ok okay hey hi wow actually basically
usually always often sometimes generally typically mostly mainly simply definitely certainly absolutely totally completely honestly truly
personally literally pretty bit kind sort super extremely incredibly anymore nowadays around during between through across along near
within without against toward towards until till since before after while because though although unless whether else instead rather
either neither recently lately probably finally soon fully strictly exactly precisely both every anything something everything nothing
presently regularly frequently rarely seldom hardly daily exclusively solely officially primarily originally initially hereby exact`)

var determiners = english.WordSet("a an the this that these those my your his her its our their some any each every no 's another which what whose")

var prepositions = english.WordSet(`of to in on at by for with from into onto about as than around during between through across along near within
without against toward towards until till since before after over under inside outside behind above below beside via per off up down out like`)
