package golden

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// world fills the memory of a server and keeps ids under names. After the first error it does
// nothing.
type world struct {
	server *server
	ctx    context.Context
	ids    map[string]string
	err    error
}

type fields = map[string]any

// do runs one operation that must not fail and returns its data.
func (w *world) do(query string, variables fields) fields {
	if w.err != nil {
		return nil
	}
	raw, err := w.server.post(w.ctx, query, variables)
	var answer struct {
		Data   fields
		Errors []any
	}
	if err == nil {
		err = json.Unmarshal(raw, &answer)
	}
	if err == nil && len(answer.Errors) > 0 {
		err = errors.New(string(raw))
	}
	if err != nil {
		w.err = fmt.Errorf("%s %v: %w", query, variables, err)
	}
	return answer.Data
}

// at returns the value at a path of keys and indexes such as "search.hits.0.memory.id".
func (w *world) at(v any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case fields:
			v = x[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(x) {
				v = nil
			} else {
				v = x[i]
			}
		default:
			v = nil
		}
	}
	if v == nil && w.err == nil {
		w.err = fmt.Errorf("nothing is at %s", path)
	}
	return v
}

func (w *world) text(v any, path string) string {
	s, _ := w.at(v, path).(string)
	return s
}

// keep keeps the id at a path under a name.
func (w *world) keep(name string, v any, path string) string {
	id := w.text(v, path)
	w.ids[name] = id
	return id
}

// now is the clock of the server.
func (w *world) now() time.Time { return w.advance(0) }

func (w *world) advance(d time.Duration) time.Time {
	at, err := time.Parse(time.RFC3339, w.text(w.do(`mutation($s:Int!){advanceClock(seconds:$s)}`, fields{"s": int(d.Seconds())}), "advanceClock"))
	if err != nil && w.err == nil {
		w.err = err
	}
	return at
}

// note keeps the current time under a name.
func (w *world) note(name string) { w.ids[name] = w.now().Format("2006-01-02T15:04:05.000Z") }

// remember writes one memory; more fields replace the defaults.
func (w *world) remember(name, content string, more fields) string {
	in := fields{"content": content, "consent": "EXPLICIT"}
	for k, v := range more {
		in[k] = v
	}
	out := w.do(`mutation($i:RememberInput!){remember(input:$i){memory{id}}}`, fields{"i": in})
	return w.keep(name, out, "remember.memory.id")
}

func (w *world) supersede(name, id, content, reason string) string {
	out := w.do(`mutation($i:SupersedeInput!){supersede(input:$i){memory{id}}}`, fields{"i": fields{"id": id, "content": content, "reason": reason, "authority": 0.9}})
	return w.keep(name, out, "supersede.memory.id")
}

func (w *world) observe(name, session, role, text string) string {
	out := w.do(`mutation($i:ObserveInput!){observe(input:$i){memory{id}}}`, fields{"i": fields{
		"session": session, "role": role, "text": text, "consent": "EXPLICIT", "namespace": "talks", "user": "ines", "project": "atlas",
	}})
	return w.keep(name, out, "observe.memory.id")
}

func (w *world) adjudicate(fact, subject string, evidence ...fields) {
	w.do(`mutation($i:AdjudicateInput!){adjudicate(input:$i){decision}}`, fields{"i": fields{
		"fact": fact, "subject": subject, "namespace": "harbour", "consent": "EXPLICIT", "evidence": evidence,
	}})
}

func (w *world) sleep(name string) string {
	out := w.do(`mutation{sleep(input:{deep:true,wait:true}){report{id complete}}}`, nil)
	return w.keep(name, out, "sleep.report.id")
}

func (w *world) forget(name string, in fields) string {
	out := w.do(`mutation($i:ForgetInput!){forget(input:$i){receipt{id}}}`, fields{"i": in})
	return w.keep(name, out, "forget.receipt.id")
}

// use searches for something and counts its hits as used.
func (w *world) use(query string, in fields) {
	all := fields{"query": query, "topK": 2}
	for k, v := range in {
		all[k] = v
	}
	w.do(`query($i:SearchInput!){search(input:$i){hits{memory{id}}}}`, fields{"i": all})
}

// live fills the memory, from January 2060 on. A simulated clock only moves forward, so it must
// be ahead of the clock of every machine that opens the directory.
func (w *world) live() error {
	begin := time.Date(2060, 1, 5, 8, 0, 0, 0, time.UTC)
	w.advance(begin.Sub(w.now()))
	w.policies()
	w.people()
	w.harbour()
	w.clinic()
	w.talks()
	w.twins()
	w.note("firstDay")
	w.days()
	w.nights()
	w.erasures()
	w.lastDay()
	return w.err
}

func (w *world) policies() {
	const set = `mutation($i:NamespacePolicyInput!){setNamespacePolicy(input:$i){namespace}}`
	w.do(set, fields{"i": fields{"namespace": "clinic", "preset": "MEDICAL", "minConsent": "EXPLICIT", "ttlSeconds": fields{"restricted": 86400 * 30}}})
	w.do(set, fields{"i": fields{"namespace": "harbour", "promoteAt": 0.6, "engraveDays": 5, "decayK": fields{"slow": 0.01, "medium": 0.06, "fast": 0.4}}})
}

func (w *world) people() {
	w.remember("home1", "Ines lives in Graz with her dog Balu.", fields{"user": "ines", "subject": "Ines", "predicate": "lives in", "object": "Graz", "entities": []string{"Ines", "Graz", "Balu"}})
	w.remember("peanuts", "Ines is allergic to peanuts.", fields{"user": "ines", "safetyCritical": true, "important": true, "sourceKind": "SYSTEM", "idempotencyKey": "peanuts-1"})
	w.remember("tea", "Ines prefers green tea over coffee in the morning.", fields{"user": "ines", "tags": []string{"kitchen", "habit"}, "importance": 0.8})
	w.remember("release", "To make a release of atlas, run the tests, write the notes, then push the tag.", fields{"type": "PROCEDURAL", "project": "atlas", "core": true, "user": "ines"})
	w.remember("budget", "The budget of atlas is 40,000 euros for 2060.", fields{"project": "atlas", "sourceKind": "DOCUMENT", "source": "budget.pdf", "meta": fields{"page": 3, "sheet": "B"}})
	w.remember("manual", "Chapter 4: the winch must be greased every 200 hours of use.", fields{"type": "DOCUMENT", "source": "winch-manual", "sourceKind": "DOCUMENT"})
	w.remember("shopping", "Buy milk, bread and dog food today.", fields{"type": "WORKING", "ttlSeconds": 7200, "user": "ines", "priority": "LOW"})
	w.remember("trip", "Ines and Mara sailed to the island of Vis in August 2059.", fields{"user": "ines", "occurredAt": "2059-08-14T10:00:00.000Z", "entities": []string{"Mara", "Vis"}})
	w.remember("guess", "Ines seems to like jazz concerts.", fields{"user": "ines", "consent": "IMPLICIT", "sourceKind": "ASSISTANT"})
	w.remember("nobody", "A passer-by said the bridge is closed.", fields{"consent": "NONE"})
	w.remember("tom1", "Tom works at the boat yard in Rijeka.", fields{"user": "tom"})
	w.remember("tom2", "Tom keeps the spare key under the blue barrel.", fields{"user": "tom", "sensitivity": "CONFIDENTIAL"})
	w.remember("tom3", "Tom must never be given penicillin.", fields{"user": "tom", "safetyCritical": true})
	w.remember("rumour1", "The harbour will be sold in March.", fields{"source": "rumour-board", "authority": 0.2})
	w.remember("rumour2", "The mayor owns three ferries.", fields{"source": "rumour-board", "authority": 0.2})
	w.do(`mutation($q:String!,$id:ID!){feedback(query:$q,id:$id,relevant:false,user:"ines"){id}}`, fields{"q": "what does Ines drink", "id": w.ids["guess"]})
	w.do(`mutation($i:UpdateInput!){update(input:$i){id}}`, fields{"i": fields{"id": w.ids["budget"], "tags": []string{"money"}, "importance": 0.9}})
	w.do(`mutation($id:ID!){pin(id:$id){id}}`, fields{"id": w.ids["tea"]})
}

func (w *world) harbour() {
	sure := func(more fields) fields {
		all := fields{"namespace": "harbour", "sourceKind": "SYSTEM", "authority": 0.9, "confidence": 0.95, "importance": 0.9, "salience": 0.9}
		for k, v := range more {
			all[k] = v
		}
		return all
	}
	w.remember("depth", "The harbour basin is 6 metres deep at low tide.", sure(nil))
	w.remember("light", "The lighthouse of Prigrad flashes white every 10 seconds.", sure(fields{"entities": []string{"Prigrad"}}))
	w.remember("crane", "The harbour crane lifts at most 12 tonnes.", sure(nil))
	w.remember("ferry8", "The ferry to Cres leaves at 8:00.", fields{"namespace": "harbour", "subject": "ferry to Cres", "predicate": "leaves at", "object": "8:00"})
	w.advance(time.Minute)
	w.remember("ferry9", "The ferry to Cres leaves at 9:30.", fields{"namespace": "harbour", "subject": "ferry to Cres", "predicate": "leaves at", "object": "9:30"})
	w.adjudicate("The harbour gate closes at 22:00.", "harbour gate", fields{"source": "guard", "weight": 0.9, "confidence": 0.9})
	w.adjudicate("The harbour gate closes at 22:00.", "harbour gate", fields{"source": "pilot", "weight": 0.8, "confidence": 0.9})
	w.adjudicate("The harbour gate closes at 20:00.", "harbour gate", fields{"source": "tourist", "weight": 0.3, "confidence": 0.5})
	w.adjudicate("The harbour gate closes at 23:00.", "harbour gate", fields{"source": "harbour master", "weight": 0.9, "confidence": 1}, fields{"source": "guard", "weight": 0.9, "confidence": 0.9})
}

func (w *world) clinic() {
	w.remember("dose", "Mara takes 5 mg of bisoprolol every morning.", fields{"namespace": "clinic", "user": "mara", "subject": "Mara", "predicate": "takes", "object": "5 mg of bisoprolol", "sensitivity": "RESTRICTED"})
	w.remember("blood", "Mara has blood group A negative.", fields{"namespace": "clinic", "user": "mara", "safetyCritical": true})
}

func (w *world) talks() {
	for i, x := range []struct{ role, text string }{
		{"USER", "Don't forget to call Marko about the broken halyard."},
		{"ASSISTANT", "Noted. Shall I also look for a replacement halyard?"},
		{"USER", "Don't forget to book the slip for the Kestrel in Rijeka."},
		{"TOOL", "slip calendar: free on 2060-01-14 and 2060-01-16"},
		{"USER", "Take the sixteenth. Mara will bring the paint."},
	} {
		w.observe(fmt.Sprintf("closed%d", i), "morning", x.role, x.text)
	}
	tasks := w.do(`query{tasks(namespaces:["talks"]){nodes{memory{id}}}}`, nil)
	w.keep("task0", tasks, "tasks.nodes.0.memory.id")
	w.do(`mutation($id:ID!){confirmTask(id:$id){status}}`, fields{"id": w.ids["task0"]})
	if id := w.keep("task1", tasks, "tasks.nodes.1.memory.id"); id != "" {
		w.do(`mutation($id:ID!){dismissTask(id:$id){status}}`, fields{"id": id})
	}
	w.do(`mutation{closeSession(session:"morning",namespace:"talks"){session}}`, nil)
}

// twins are near duplicates, and episodes that belong together.
func (w *world) twins() {
	w.remember("twin1", "The blue dinghy is stored in the shed behind the chandlery.", fields{"onDuplicate": "INSERT", "namespace": "yard"})
	w.remember("twin2", "The blue dinghy is stored in the shed behind the chandlery!", fields{"onDuplicate": "INSERT", "namespace": "yard"})
	for i, text := range []string{
		"Marko changed 2 impellers of the pump on the Kestrel.",
		"Marko cleaned 3 strainers on the Kestrel.",
		"Marko pumped 380 litres out of the Kestrel.",
	} {
		w.remember(fmt.Sprintf("pump%d", i), text, fields{
			"namespace": "yard", "user": "marko", "session": fmt.Sprint("shift", i), "entities": []string{"Marko", "Kestrel"}, "type": "EPISODIC",
		})
		w.advance(time.Hour)
	}
	for i, text := range []string{"Marta weighed 41 kilos of pears on the Quince terrace.", "Marta cut 17 branches on the Quince terrace."} {
		w.remember(fmt.Sprintf("pears%d", i), text, fields{
			"namespace": "orchard", "user": "marta", "session": fmt.Sprint("harvest", i), "entities": []string{"Marta", "Quince terrace"}, "type": "EPISODIC", "importance": 0.2,
		})
		w.advance(time.Hour)
	}
	for i, text := range []string{"Somebody left a red scarf on the pier.", "The radio played an old song at noon.", "A gull took the sandwich of the pilot."} {
		w.remember(fmt.Sprintf("fleeting%d", i), text, fields{"namespace": "yard", "decayClass": "FAST", "importance": 0.1, "salience": 0.1})
	}
}

// days are six days of use and two corrections.
func (w *world) days() {
	for day := range 7 {
		w.advance(24 * time.Hour)
		for _, q := range []string{"how deep is the harbour basin", "light of Prigrad", "what does the harbour crane lift"} {
			w.use(q, fields{"namespaces": []string{"harbour"}})
		}
		w.use("what is Ines allergic to", fields{"user": "ines"})
		switch day {
		case 1:
			w.note("beforeMove")
			w.supersede("home2", w.ids["home1"], "Ines lives in Vienna with her dog Balu.", "she moved")
		case 4:
			w.supersede("home3", w.ids["home2"], "Ines lives in Linz with her dog Balu.", "a new job")
			w.note("afterMove")
		}
	}
}

// nights are a sleep, a sleep that is rolled back, a consolidation by hand, and a sleep 60 days
// later.
func (w *world) nights() {
	w.sleep("sleep1")
	w.advance(26 * time.Hour)
	w.remember("mast", "The mast of the Kestrel is 14 metres long.", fields{"namespace": "yard", "entities": []string{"Kestrel"}})
	w.remember("mast2", "The mast of the Kestrel is 14 metres long!", fields{"namespace": "yard", "onDuplicate": "INSERT", "entities": []string{"Kestrel"}})
	w.sleep("sleep2")
	w.advance(time.Hour)
	w.do(`mutation($id:ID!){rollback(id:$id){report{id}}}`, fields{"id": w.ids["sleep2"]})
	w.note("afterRollback")
	w.do(`mutation($i:WithdrawSourceInput!){withdrawSource(input:$i){withdrawn}}`, fields{"i": fields{"source": "rumour-board", "reason": "it was made up"}})
	out := w.do(`mutation($i:ConsolidateInput!){consolidate(input:$i){report{id}}}`, fields{"i": fields{"strategy": "AGE", "namespace": "orchard", "olderThanDays": 2}})
	w.keep("consolidation", out, "consolidate.report.id")
	w.advance(60 * 24 * time.Hour)
	w.sleep("sleep3")
}

func (w *world) erasures() {
	w.advance(time.Hour)
	w.note("beforeErasure")
	w.forget("receiptTom", fields{"user": "tom"})
	w.forget("receiptCrane", fields{"ids": []string{w.ids["crane"]}, "idempotencyKey": "crane-1"})
}

// lastDay leaves a session open, with turns in L0.
func (w *world) lastDay() {
	w.advance(time.Hour)
	w.observe("open0", "evening", "USER", "The paint for the Kestrel has arrived from Trieste.")
	w.observe("open1", "evening", "ASSISTANT", "Good. Shall it go to the shed?")
	w.observe("open2", "evening", "USER", "Yes, and I must remind Mara to sand the keel tomorrow.")
	w.remember("errand", "Fetch the sail from the loft before noon.", fields{"type": "WORKING", "ttlSeconds": 86400, "user": "ines", "session": "evening"})
	// A search waits until the index has read the whole feed.
	w.use("paint for the Kestrel", fields{"track": false})
}
