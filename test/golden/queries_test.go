package golden

const (
	memoryFields = `id content summary type tier status namespace user session project agent subject predicate object consent sourceKind source tags meta
		salience usage usageDays authority conflict surprise confidence importance criticality retention decayClass core version checksum
		entities{id name type} createdAt lastAccessedAt recordedAt occurredAt validFrom validTo expiresAt supersededAt
		supersedes{id} supersededBy{id} derivedFrom{id} consolidatedInto{id} priority important safetyCritical chain reason sensitivity decayK
		score promotesAt engraveGates{days neededDays confidence neededConfidence conflict maxConflict open} embeddingModel deletedAt unavailable{code message}`
	reportFields = `id kind trigger startedAt completedAt resumed complete dryRun reinforced decayed pruned deduplicated promoted engraved dreamed consolidated derived
		sparsified tokensSaved promotionRate phases{phase items} budgetKept skipped review doubts degraded balance{in kept merged archived left derived}
		steps{phase verb from to reason} rolledBackAt healthBefore healthAfter`
	searchQuery = `query($i:SearchInput!){search(input:$i){hits{memory{id content status tier} score label parts{semantic keyword recency importance project entity task}
		provenance{store id version} path} weights{semantic keyword recency importance project entity task} consideredCount degraded}}`
	contextQuery = `query($i:ContextInput!){context(input:$i){text layers{name tokens memoryIds} totalTokens truncated tokensSaved}}`
	policyQuery  = `query($n:String!){namespacePolicy(namespace:$n){namespace preset stored alpha beta gamma lambda delta quorum promoteAt engraveDays engraveConfidence
		engraveConflict decayK{slow medium fast} minConsent ttlSeconds{public internal confidential restricted}}}`
	receiptQuery = `query($id:ID!){deletionReceipt(id:$id){id status count anonymised hash ids requestedAt completedAt}}`
)

// queries are asked of every build. None of them changes anything.
func (w *world) queries() []query {
	var all []query
	add := func(name, text string, variables fields) {
		all = append(all, query{Name: name, Query: text, Variables: variables})
	}
	for _, name := range []string{
		"home1", "home2", "home3", "peanuts", "tea", "release", "budget", "shopping", "trip", "guess", "nobody", "rumour1", "tom1", "tom3", "depth", "light", "crane",
		"ferry8", "ferry9", "dose", "twin1", "twin2", "pump0", "pears0", "fleeting0", "mast", "mast2", "closed0", "task0", "task1", "open0",
	} {
		add("memory "+name, `query($id:ID!){memory(id:$id){`+memoryFields+`}}`, fields{"id": w.ids[name]})
	}
	add("memory as of an instant", `query($id:ID!,$at:Time!){memory(id:$id,asOf:{recorded:$at}){id content status tier supersededAt supersededBy{id}}}`, fields{"id": w.ids["home1"], "at": w.ids["beforeMove"]})
	add("memory without consent", `query($id:ID!){memory(id:$id,requireConsent:true){id content}}`, fields{"id": w.ids["nobody"]})
	add("all memories", `query{memories(first:200,filter:{statuses:[ACTIVE,SUPERSEDED,CONSOLIDATED,ARCHIVED,EXPIRED,FORGOTTEN]}){nodes{id content status tier type namespace} pageInfo{hasNextPage}}}`, nil)
	add("memories of a session", `query{memories(filter:{session:"evening"}){nodes{id content tier}}}`, nil)
	add("memories as of an instant", `query($at:Time!){memories(first:200,asOf:{recorded:$at}){nodes{id status tier}}}`, fields{"at": w.ids["beforeMove"]})
	add("derived memories", `query{memories(first:200){nodes{id content sourceKind derivedFrom{id}}}}`, nil)
	add("core", `query{core(user:"ines"){id content}}`, nil)

	search := func(name string, in fields) {
		in["track"] = false
		add("search "+name, searchQuery, fields{"i": in})
	}
	search("words", fields{"query": "where is the blue dinghy stored", "topK": 5})
	search("entity", fields{"query": "what happened to the pump of the Kestrel", "topK": 8})
	search("user", fields{"query": "where does Ines live", "user": "ines", "topK": 3})
	search("as of recorded", fields{"query": "where does Ines live", "user": "ines", "topK": 3, "asOf": fields{"recorded": w.ids["beforeMove"]}})
	search("as of both", fields{"query": "where does Ines live", "topK": 3, "asOf": fields{"recorded": w.ids["afterMove"], "valid": w.ids["beforeMove"]}})
	search("statuses", fields{"query": "Ines lives with her dog", "statuses": []string{"SUPERSEDED"}, "topK": 10})
	search("consolidated", fields{"query": "pears of the Quince terrace", "statuses": []string{"CONSOLIDATED", "ACTIVE"}, "namespaces": []string{"orchard"}, "topK": 10})
	search("engram", fields{"query": "light of Prigrad", "namespaces": []string{"harbour"}, "topK": 3})
	search("conflict", fields{"query": "when does the ferry to Cres leave", "namespaces": []string{"harbour"}, "topK": 4})
	search("clinic", fields{"query": "medication of Mara", "namespaces": []string{"clinic"}, "topK": 5})
	search("types", fields{"query": "winch", "types": []string{"DOCUMENT", "PROCEDURAL"}, "topK": 10})
	search("tags", fields{"query": "drink", "tags": []string{"kitchen"}, "topK": 10})
	search("consent", fields{"query": "concerts or bridges", "requireConsent": true, "topK": 5})
	search("event time", fields{"query": "sailing", "until": "2059-12-31T00:00:00.000Z", "statuses": []string{"ACTIVE", "ARCHIVED"}, "topK": 10})
	search("buffer", fields{"query": "paint for the Kestrel", "namespaces": []string{"talks"}, "topK": 5})
	search("manager", fields{"mode": "MANAGER", "project": "atlas", "topK": 5})
	search("fast", fields{"query": "how long is the mast", "effort": "FAST", "topK": 3})
	search("accurate", fields{"query": "how long is the mast", "effort": "ACCURATE", "topK": 3})
	search("rrf", fields{"query": "harbour basin depth", "fusion": "RRF", "topK": 3})
	search("erased", fields{"query": "penicillin or spare key under the barrel", "user": "tom", "topK": 5})

	for _, name := range []string{"home2", "depth", "tea", "tom1"} {
		add("lineage "+name, `query($id:ID!){lineage(id:$id){memory{id content status supersedes{id} supersededBy{id}} version checksum reason recordedAt supersededAt}}`, fields{"id": w.ids[name]})
	}
	add("reconsolidations", `query{reconsolidations(namespaces:["harbour"]){nodes{id at namespace memoryIds erased decision fact subject evidence{source weight confidence} quorum required conflict similarity states}}}`, nil)
	add("conflicts", `query{conflicts{later{id content} earlier{id content} score at}}`, nil)
	add("tasks", `query{tasks(namespaces:["talks"]){nodes{memory{id content} status confidence strength blocks turn}}}`, nil)
	add("dismissed tasks", `query{tasks(namespaces:["talks"],status:DISMISSED){nodes{memory{id content} status}}}`, nil)
	add("entities", `query{entities(first:200){nodes{id name type mentionCount namespace user firstSeen lastSeen}}}`, nil)
	add("entities by name", `query{entities(name:"kes"){nodes{id name type mentionCount}}}`, nil)
	add("related", `query($id:ID!){related(id:$id,depth:2){memories{id} edges{from to kind weight} truncated}}`, fields{"id": w.ids["pump1"]})
	add("related as of an instant", `query($id:ID!,$at:Time!){related(id:$id,depth:1,asOf:{recorded:$at}){memories{id} edges{from to kind}}}`, fields{"id": w.ids["home1"], "at": w.ids["beforeMove"]})
	add("path", `query($a:ID!,$b:ID!){path(from:$a,to:$b){memories{id} truncated}}`, fields{"a": w.ids["home1"], "b": w.ids["home3"]})
	add("timeline", `query{timeline(buckets:10){born superseded ended}}`, nil)

	for _, name := range []string{"sleep1", "sleep2", "consolidation", "sleep3"} {
		add("sleep report "+name, `query($id:ID!){sleepReport(id:$id){`+reportFields+`}}`, fields{"id": w.ids[name]})
	}
	add("sleep reports", `query{sleepReports{nodes{id kind complete rolledBackAt} pageInfo{hasNextPage}}}`, nil)
	add("sleep status", `query{sleepStatus{running{id} interrupted last{id} activeL1 pressureAt}}`, nil)
	add("decay forecast", `query{decayForecast(days:60,first:20){memory{id} fadesAt archivesAt}}`, nil)
	for _, name := range []string{"clinic", "harbour", "default"} {
		add("policy "+name, policyQuery, fields{"n": name})
	}
	add("receipt of a user", receiptQuery, fields{"id": w.ids["receiptTom"]})
	add("receipt of an engram", receiptQuery, fields{"id": w.ids["receiptCrane"]})
	add("dead letters", `query{deadLetters{nodes{memoryId work}}}`, nil)
	add("health", `query{health{score status memories engrams entities checksumFailures}}`, nil)
	for _, format := range []string{"MARKDOWN", "XML", "JSON"} {
		add("context "+format, contextQuery, fields{"i": fields{"session": "evening", "user": "ines", "project": "atlas", "query": "where does Ines live and what must not be served to her", "format": format, "track": false}})
	}
	add("context of the last turns", contextQuery, fields{"i": fields{"session": "evening", "user": "ines", "namespaces": []string{"talks", "yard"}, "tokenBudget": 1000, "track": false}})
	add("context as of an instant", contextQuery, fields{"i": fields{"session": "none", "user": "ines", "query": "where does Ines live", "asOf": fields{"recorded": w.ids["beforeMove"]}, "track": false}})
	add("whoami", `query{whoami{tenant name user namespaces grant admin}}`, nil)
	return all
}
