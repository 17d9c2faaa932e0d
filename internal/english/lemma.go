package english

import "strings"

// Lemma returns a key that the forms of one word share: "lives", "living" and "lived" give
// "liv". It is not always a word, and sometimes two words share one ("not" and "note").
func Lemma(low string) string {
	if l, ok := irregular[low]; ok {
		return l
	}
	return regular(low)
}

// Singular returns a word without the ending of a plural or of a verb in the third person:
// "boats" gives "boat", "ladies" "lady", "glasses" "glass".
func Singular(low string) string {
	n := len(low)
	switch {
	case n < 4 || low[n-1] != 's':
		return low
	case n > 4 && strings.HasSuffix(low, "ies"):
		return low[:n-3] + "y"
	case strings.HasSuffix(low, "sses"), strings.HasSuffix(low, "shes"), strings.HasSuffix(low, "ches"), strings.HasSuffix(low, "xes"), strings.HasSuffix(low, "zzes"):
		return low[:n-2]
	case strings.HasSuffix(low, "ss"), strings.HasSuffix(low, "us"), strings.HasSuffix(low, "is"):
		return low
	}
	return low[:n-1]
}

// IrregularPast reports an irregular past form or participle: "went", "gone".
func IrregularPast(low string) bool { _, ok := pastForms[low]; return ok }

// Uninflected reports a word that ends like a plural or a verb form and is none: "always",
// "meeting".
func Uninflected(low string) bool { return uninflected[low] }

// regular takes off the endings of plurals and verb forms.
func regular(w string) string {
	n := len(w)
	if n < 4 || w[0] < 'a' || w[0] > 'z' {
		return w
	}
	switch {
	case strings.HasSuffix(w, "s"):
		return stripE(Singular(w))
	case strings.HasSuffix(w, "ing") && n > 5 && hasVowel(w[:n-3]):
		return stripE(Undouble(w[:n-3]))
	case strings.HasSuffix(w, "ied") && n > 4:
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed") && n > 4 && hasVowel(w[:n-2]):
		return stripE(Undouble(w[:n-2]))
	}
	return stripE(w)
}

func stripE(w string) string {
	if n := len(w); n > 3 && w[n-1] == 'e' && w[n-2] != 'e' {
		return w[:n-1]
	}
	return w
}

// Undouble takes off a letter that was doubled before an ending: "plann" gives "plan", "bigg"
// "big".
func Undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && strings.IndexByte("bdgmnprt", w[n-1]) >= 0 {
		return w[:n-1]
	}
	return w
}

func hasVowel(w string) bool { return strings.ContainsAny(w, "aeiouy") }

// uninflected words end like an inflected form and are none.
var uninflected = WordSet(`have always news series species texas dallas vegas kansas jones james kubernetes postgres macos https canvas christmas worse
meeting building wedding training setting pricing parking briefing evening morning during ceiling sibling pudding string king ring spring thing
something nothing everything anything hundred`)

// pastForms are the irregular past forms and participles, with what they come from.
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
forbade=forbid forbidden=forbid born=bear quit=quit rewrote=rewrite rewritten=rewrite rebuilt=rebuild resold=resell fed=feed swept=sweep`)

// irregular are the words whose lemma does not come from their ending.
var irregular = func() map[string]string {
	m := pairs(`am=be is=be are=be being=be has=have having=have does=do doing=do goes=go going=go shes=she
children=child people=person men=man women=woman feet=foot teeth=tooth mice=mouse wives=wife movies=movie cookies=cookie
cancelled=cancel cancelling=cancel travelled=travel travelling=travel labelled=label modelled=model lying=lie tying=tie using=use used=use`)
	for form, base := range pastForms {
		m[form] = base
	}
	for form, base := range m {
		if !uninflected[base] {
			m[form] = regular(base)
		}
	}
	for w := range uninflected {
		m[w] = w
	}
	return m
}()

// pairs reads "a=b c=d".
func pairs(list string) map[string]string {
	m := map[string]string{}
	for f := range strings.FieldsSeq(list) {
		form, base, _ := strings.Cut(f, "=")
		m[form] = base
	}
	return m
}
