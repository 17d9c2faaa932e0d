package conflict

import "strings"

// lemma is a key that the forms of one English word share: "lives", "living" and
// "lived" are "liv". It is a key, not a word. low is lower case.
func lemma(low string) string {
	if l, ok := irregular[low]; ok {
		low = l
	} else {
		low = regular(low)
	}
	if s, ok := synonym[low]; ok {
		return s
	}
	return low
}

// regular takes off the endings of plurals and verb forms.
func regular(w string) string {
	n := len(w)
	if n < 4 || w[0] < 'a' || w[0] > 'z' {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && n > 4:
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "zzes"):
		return w[:n-2]
	case strings.HasSuffix(w, "ing") && n > 5 && vowel(w[:n-3]):
		return stripE(undouble(w[:n-3]))
	case strings.HasSuffix(w, "ied") && n > 4:
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "eed"):
		return w
	case strings.HasSuffix(w, "ed") && n > 4 && vowel(w[:n-2]):
		return stripE(undouble(w[:n-2]))
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return stripE(w[:n-1])
	}
	return stripE(w)
}

func stripE(w string) string {
	if n := len(w); n > 3 && w[n-1] == 'e' && w[n-2] != 'e' {
		return w[:n-1]
	}
	return w
}

func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && strings.IndexByte("bdgmnprt", w[n-1]) >= 0 {
		return w[:n-1]
	}
	return w
}

func vowel(w string) bool { return strings.ContainsAny(w, "aeiouy") }

// pastForms are the irregular past forms, with what they come from.
var pastForms = pairs(`was=be were=be been=be had=have did=do done=do went=go gone=go got=get gotten=get made=make took=take taken=take
came=come saw=see seen=see knew=know known=know thought=think found=find gave=give given=give told=tell felt=feel became=become
left=leave brought=bring began=begin begun=begin kept=keep held=hold wrote=write written=write stood=stand heard=hear meant=mean
met=meet ran=run paid=pay sat=sit spoke=speak spoken=speak led=lead grew=grow grown=grow lost=lose fell=fall fallen=fall sent=send
built=build drew=draw drawn=draw broke=break broken=break spent=spend rose=rise risen=rise drove=drive driven=drive bought=buy
wore=wear worn=wear chose=choose chosen=choose ate=eat eaten=eat drank=drink drunk=drink sold=sell taught=teach caught=catch
fought=fight slept=sleep won=win forgot=forget forgotten=forget sang=sing sung=sing swam=swim swum=swim threw=throw thrown=throw
flew=fly flown=fly woke=wake woken=wake rode=ride ridden=ride froze=freeze frozen=freeze hid=hide hidden=hide hung=hang dealt=deal
bent=bend bit=bite bitten=bite blew=blow blown=blow shook=shake shaken=shake stole=steal stolen=steal swore=swear sworn=swear
shrank=shrink shrunk=shrink sank=sink sunk=sink understood=understand withdrew=withdraw withdrawn=withdraw said=say rang=ring rung=ring
died=die dying=die lied=lie lay=lie lain=lie laid=lay shot=shoot stuck=stick struck=strike tore=tear torn=tear arose=arise
forbade=forbid forbidden=forbid born=bear quit=quit rewrote=rewrite rewritten=rewrite rebuilt=rebuild resold=resell`)

var irregular = func() map[string]string {
	m := pairs(`have=have go=go cancelled=cancel cancelling=cancel travelled=travel travelling=travel labelled=label modelled=model
am=be is=be are=be being=be has=have having=have does=do doing=do goes=go going=go children=child kids=child kid=child people=person
men=man women=woman feet=foot teeth=tooth mice=mouse wives=wife lives=liv lying=lie tying=tie using=us used=us uses=us use=us
this=this his=his its=its yes=yes always=always news=news series=series species=species always=always bus=bus gas=gas
shes=she hers=her has=have thus=thus analysis=analysis status=status business=business address=address class=class boss=boss
meeting=meeting building=building wedding=wedding training=training setting=setting settings=setting pricing=pricing parking=parking
briefing=briefing evening=evening morning=morning something=something nothing=nothing everything=everything anything=anything
during=during meetings=meeting buildings=building weddings=wedding trainings=training evenings=evening mornings=morning
sibling=sibling siblings=sibling ceiling=ceiling string=string king=king ring=ring spring=spring thing=thing things=thing
pudding=pudding hundred=hundred red=red bed=bed shed=shed speed=speed feed=feed need=need seed=seed indeed=indeed
added=add adding=add adds=add lasagna=lasagna monday=monday boxes=box shoes=shoe movies=movie cookies=cookie ties=tie pies=pie
better=better worse=worse canvas=canvas christmas=christmas texas=texas paris=paris dallas=dallas vegas=vegas kansas=kansas
jones=jones james=james redis=redis aws=aws js=js css=css kubernetes=kubernetes postgres=postgresql postgresql=postgresql
k8s=kubernetes js=javascript golang=go macos=macos ios=ios dns=dns tls=tls https=https os=os gps=gps sms=sms`)
	for k, v := range pastForms {
		m[k] = v
	}
	// From what stands in the lists alone, so that the order of the map makes no difference.
	keys := make(map[string]string, len(m))
	for k, v := range m {
		keys[k] = v
		if k != v && m[v] != v {
			keys[k] = regular(v)
		}
	}
	return keys
}()

// pairs reads "a=b c=d".
func pairs(list string) map[string]string {
	m := map[string]string{}
	for _, f := range strings.Fields(list) {
		k, v, _ := strings.Cut(f, "=")
		m[k] = v
	}
	return m
}

// synonym brings words that say the same of a fact under one key.
var synonym = func() map[string]string {
	m := map[string]string{}
	for _, line := range []string{
		"live reside dwell", "like enjoy love adore fancy", "hate dislike detest despise loathe abhor", "car automobile vehicle",
		"job occupation profession", "boss manager supervisor", "wife husband spouse partner", "mother mom mum", "father dad",
		"apartment flat", "movie film", "colour color", "begin start commence", "end finish conclude", "purchase buy", "holiday vacation",
		"expensive pricey costly", "cheap inexpensive affordable", "big large huge", "small little tiny", "quick fast rapid speedy",
		"company firm employer", "phone telephone", "photo picture", "gift present", "deadline duedate", "physician doctor",
		"attorney lawyer", "university college", "employ hire recruit", "assist help", "happy glad",
		"allow permit", "forbid prohibit ban", "require need", "purple violet", "grey gray", "cancel scrap", "difficult hard tough",
		"correct right accurate", "wrong incorrect inaccurate", "pupil student", "programmer developer", "town city", "cafe coffeehouse",
		"favourite favorite", "trip journey", "sick ill unwell", "repair fix", "veterinarian vet", "complete completed", "sofa couch", "soccer football",
		"database db", "daily everyday", "postpone delay", "wed marry", "visit visited", "attend attended",
	} {
		list := strings.Fields(line)
		key := regular(list[0])
		for _, w := range list[1:] {
			m[regular(w)] = key
		}
	}
	return m
}()
