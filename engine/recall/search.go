package recall

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/entities"
	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/importance"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/engine/recall/phrase"
	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Limits and thresholds of a search.
const (
	defaultTopK   = 10
	maxTopK       = 100
	maxQuery      = 8 << 10 // bytes
	channelLimit  = 200     // candidates per channel
	balancedLimit = 128     // candidates per channel, BALANCED
	fastLimit     = 48      // candidates per channel, FAST; at least TopK
	fastHops      = 1       // FAST: only memories that mention an entity of the question
	fadedBelow    = 0.05    // retention below which a never used memory is dropped
	evidenceFloor = 0.05    // cosine below which a candidate without keyword or graph score is dropped
	mmrPool       = 50      // candidates for MMR
	settledAfter  = 30 * 24 * time.Hour
	settledFactor = 1.1 // of memories older than settledAfter that nothing contests
)

// Search returns the memories that match the query best, highest rank first. It sees every
// write that this server acknowledged before the call. If a part is unavailable, the other
// parts answer and Degraded names it.
func (svc *Service) Search(ctx context.Context, c workspace.Caller, in SearchInput) (*SearchResult, error) {
	defer svc.Foreground.Enter()()
	began := time.Now() // for the latency; not the engine's clock
	caller := ctx
	ctx, leave, err := svc.seat(ctx, c)
	if err != nil {
		return nil, err
	}
	defer leave()
	asked := in.Query
	in.Query = attribute.InWordsOf(in.User, in.Query)
	overview := in.User != "" && phrase.AsksAboutSpeaker(in.Query)
	if overview || in.Mode == ModeManager && !phrase.Asks(in.Query) {
		in.Query = "" // "Where were we?" names nothing to search for
	}
	wording := in.Query
	if in.Query, err = svc.nameAlso(ctx, c, in); err != nil {
		return nil, err
	}
	q, err := svc.tracedPlan(ctx, c, in)
	if err != nil {
		return nil, err
	}
	if q.wording = wording; q.in.Query != in.Query {
		q.wording = q.in.Query // a question for what was believed
	}
	if err = svc.factsAsked(ctx, c, q); err != nil {
		return nil, err
	}
	if overview {
		if err = svc.factsOfUser(ctx, c, q); err != nil {
			return nil, err
		}
	}
	if err := svc.openClusters(ctx, q); err != nil {
		return nil, err
	}
	found, ranked, err := svc.look(ctx, q)
	if err == nil && q.mayLookFurther() {
		found, ranked, err = svc.lookAgain(ctx, q, found, ranked)
	}
	if err == nil && len(ranked) == 0 && q.mayAskSuccessors() {
		var more *index.Result
		if more, ranked, err = svc.lookForSuccessors(ctx, q); len(ranked) > 0 {
			found = more
		}
	}
	if err == nil {
		ranked, err = svc.addMembers(ctx, q, ranked)
	}
	if err != nil {
		return nil, err
	}
	if ranked, err = svc.patternsFirst(ctx, q, ranked); err != nil {
		return nil, err
	}
	if ranked, err = svc.withRetired(ctx, q, ranked); err != nil {
		return nil, err
	}
	leave() // the rest reads the store
	ctx = caller
	manages := q.in.Mode == ModeManager && !q.in.presentOnly
	var tasks []todo
	if manages {
		if tasks, err = svc.todos(ctx, c, q.t, q.at, q.in.Access, q.filters); err != nil {
			return nil, err
		}
		ranked = q.lead(ranked, tasks)
	}
	result := &SearchResult{
		Weights: q.weights, Semantic: found.Semantic, Keyword: found.Keyword, Graph: found.Graph,
		Considered: found.Considered, Degraded: q.degraded,
	}
	if result.Hits, err = svc.tracedHits(ctx, c, q, ranked); err != nil {
		return nil, err
	}
	result.NoMatch = len(result.Hits) == 0
	result.Unsure = (q.unsure || q.stateOthers(result.Hits)) && !result.NoMatch
	result.Tiers, result.Clusters = countTiers(result.Hits), sync.OnceValue(func() []ClusterHit { return q.matchingClusters(ctx, ranked) })
	if manages {
		if result.Manager, err = svc.manager(ctx, c, q, tasks); err != nil {
			return nil, err
		}
	}
	for _, h := range result.Hits {
		q.t.Served.Served(h.Memory, h.Memory.Content, q.now)
	}
	if !in.presentOnly { // else it is a part of a context, which counts what it shows
		q.t.Expose(len(result.Hits))
	}
	if in.Track && !in.presentOnly && !svc.use(ctx, q.t, c, asking{text: asked, session: in.AskedIn, user: in.User, namespaces: in.Namespaces, at: q.now, prompts: in.Prompts}, answersOf(result.Hits)) {
		q.lack(workspace.PartStore)
		result.Degraded = q.degraded
	}
	result.Latency = time.Since(began)
	svc.report(ctx, q, result)
	return result, nil
}

// look runs the steps of a search from the index to the ranked hits.
func (svc *Service) look(ctx context.Context, q *query) (_ *index.Result, _ []scored, err error) {
	found, err := svc.tracedIndex(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	ctx, ranking := svc.Probe.Step(ctx, "recall rank")
	defer func() { ranking.End(err) }()
	if found.VectorsErr != nil && !slices.Contains(q.degraded, workspace.PartVectors) {
		svc.Log.WarnContext(ctx, "[READ] vectors are not available; searching without them", "error", found.VectorsErr)
		q.lack(workspace.PartVectors)
	}
	if q.fallsBack {
		if err := svc.fallBack(ctx, q, found.Candidates); err != nil && ctx.Err() != nil {
			return nil, nil, err
		} else if err != nil { // the store may be away; words and names still answer
			svc.Log.WarnContext(ctx, "[READ] the built-in model could not take the place of the embedder", "error", err)
		}
	}
	q.considered, q.matters = found.Considered, found.HasTopics
	q.rare = svc.rareness(q, found.Considered)
	svc.raiseFacts(q, found)
	if q.overview {
		found.Candidates = slices.DeleteFunc(found.Candidates, func(x index.Candidate) bool { return !q.facts[x.Doc.ID] })
	}
	if err := svc.rankTiers(ctx, q, found.Candidates); err != nil {
		return nil, nil, err
	}
	svc.onlyMembers(ctx, q)
	svc.reorder(q)
	if err := svc.rerank(ctx, q); err != nil {
		return nil, nil, err
	}
	chosen, err := svc.choose(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	if chosen, err = svc.relevant(ctx, q, chosen); err != nil {
		return nil, nil, err
	}
	if q.in.Order == OrderScore {
		bestFirst(chosen)
		return found, chosen, nil
	}
	ranked, err := q.inParts(chosen, func(part []scored, limit int) ([]scored, error) { return svc.demoteDisputed(ctx, q, part, limit) })
	return found, ranked, err
}

// query is a validated and parsed search.
type query struct {
	in         SearchInput
	wording    string // the question as it was asked, without the other names of what it names
	principal  string // name of the caller
	t          *tenant
	now        time.Time // the present
	at         time.Time // transaction time of the read
	ask        index.Query
	weights    rank.Parts
	window     temporal.Window
	degraded   []workspace.Part
	fallsBack  bool                 // the built-in model compares texts in place of the embedder
	asked      asked                // the speaker that the question asks about
	tasks      []workspace.OpenTask // open at the instant; nil if the task weight is 0
	rare       map[graph.ID]float64 // relative rarity of each entity of the question, [0,1]
	matters    bool                 // the question has a topic of the lexicon
	marked     map[graph.ID]float64 // memories marked irrelevant for a similar question: cosine of the two questions
	kept       []scored             // all scored candidates, best first
	reserve    []scored             // what is chosen next if a hit is cut
	unlike     []scored             // candidates that have too little to do with the question; not scored
	considered int                  // memories that passed the filter
	facts      map[graph.ID]bool    // memories with a claim that answers the question
	overview   bool                 // only facts answer: the question asks for all that is known of the user
	unsaid     string               // of whom the question asks for an attribute that no claim states; empty: of nobody
	serving    map[graph.ID]bool    // hits that say what somebody does for the role that is asked for
	unsure     bool                 // nothing surely answers the question; the hits share topics with it, or are the nearest ones
	doubtful   []scored             // hits of the first look that answer if nothing else does, see ordinary
	further    bool                 // this is the second look, which includes what has faded
	clusters   *grouping.View       // nil: there are none
	drawn      lifecycle.Drawn      // what the patterns that may answer were drawn from
	supposed   bool                 // a pattern of unknown sources counts as about the user
	outranked  []outranking         // patterns that contradict hits and are more confident
	past       *temporal.Past       // what of the past the question asks about; nil: the present, or the caller says as of when
	retiring   bool                 // the search also looks at what was superseded, for past
	scale      scale                // of the cosines, set with floor
	floor      float64              // see Service.floor; 0: not known
	best       float64              // relevance of the most relevant hit; 0: without a query

	stored map[graph.ID]*graph.Memory // what the search has read, nil where there is none; see readOnce
}

// lack notes parts that the answer has to do without.
func (q *query) lack(parts ...workspace.Part) {
	for _, p := range parts {
		if !slices.Contains(q.degraded, p) {
			q.degraded = append(q.degraded, p)
		}
	}
}

// plan validates the input, parses the question and embeds it.
func (svc *Service) plan(ctx context.Context, c workspace.Caller, in SearchInput) (*query, error) {
	in.Effort = cmp.Or(in.Effort, svc.effort)
	if err := checkSearch(&in); err != nil {
		return nil, err
	}
	weights, err := rank.WeightsFor(rank.Mode(in.Mode), in.Weights)
	if err != nil {
		return nil, err
	}
	spaces, err := c.AllowedNamespaces(in.Namespaces)
	if err != nil {
		return nil, err
	}
	users, err := c.AllowedUsers(in.User)
	if err != nil {
		return nil, err
	}
	if len(users) == 1 {
		users = append(users, "") // what belongs to nobody is for every user
	}
	t, err := svc.open(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	now := t.Now()
	believed, subject := svc.asBelieved(t, in, spaces, users, now)
	if !believed.IsZero() {
		in.Access.AsOf, in.Query = believed, cmp.Or(subject, in.Query)
	}
	q := &query{past: pastAsked(in, now), in: in, principal: c.Name, t: t, now: now, at: in.Access.Instant(now), weights: weights}
	q.ask = index.Query{Limit: channelLimit, Now: now, BlendNeighbours: true, Filter: index.Filter{
		Namespaces: spaces, Users: users, Project: in.Project, Session: in.Session, Types: in.Types, Tags: in.Tags,
		Consents: in.Access.Consents(), Statuses: in.Statuses, Since: in.Since, Until: in.Until,
		MinAuthority: in.MinAuthority, MinImportance: in.MinImportance, AsOf: in.Access.AsOf,
	}}
	if weights.Task > 0 {
		if q.tasks, err = svc.sessions.OpenTasks(ctx, c, t.Tenant, q.at); err != nil {
			return nil, err
		}
	}
	if in.Query == "" {
		return q, nil
	}
	if believed.IsZero() {
		q.window = temporal.Read(in.Query, q.at)
	} else if subject == "" { // without a matter, what was said in that time answers
		q.window = temporal.Read(in.Query, now)
	}
	text := q.window.WithoutLatest(in.Query)
	q.ask.Texts = []string{text}
	q.ask.From, q.ask.To = q.window.From, q.window.To
	hops := hopsOf(in)
	switch in.Effort {
	case EffortBalanced:
		q.ask.Limit = balancedLimit
	case EffortAccurate:
		q.ask.Exhaustive = true
	case EffortFast:
		q.ask.Limit, q.ask.Approximate, hops = max(fastLimit, in.TopK), true, min(hops, fastHops)
	}
	if in.TierPreference == ClustersOnly {
		q.ask.Limit = clusterPool
	}
	if hops > 0 {
		q.ask.Entities, q.ask.Hops = svc.Index.FindEntities(t.Scope, spaces, users, in.Query), hops
	}
	if in.Track {
		t.RecentTopics.Add(in.Query, q.ask.Entities)
	}
	if in.Effort != EffortFast {
		q.ask.Related, q.ask.Topics = related(text), true
	}
	if svc.Guards.AvoidsEmbedder() {
		q.lack(workspace.PartEmbedder, workspace.PartVectors)
		q.fallsBack = true
		return q, nil
	}
	q.ask.Vector, err = svc.embedQuery(ctx, t.Scope, spaces, text)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	default:
		svc.Log.WarnContext(ctx, "[READ] embedder failed; searching without vectors", "error", err)
		q.lack(workspace.PartEmbedder, workspace.PartVectors)
		q.fallsBack = true
		return q, nil
	}
	q.marked, err = svc.irrelevant(ctx, q, users)
	return q, err
}

func hopsOf(in SearchInput) int {
	if in.Hops == nil {
		return entities.DefaultDepth
	}
	return *in.Hops
}

func checkSearch(in *SearchInput) error {
	if in.TopK == 0 {
		in.TopK = defaultTopK
	}
	in.Mode = SearchMode(cmp.Or(string(in.Mode), string(ModeAnswer)))
	in.Fusion = Fusion(cmp.Or(string(in.Fusion), string(FusionWeighted)))
	in.Order = SearchOrder(cmp.Or(string(in.Order), string(OrderDiverse)))
	in.TierPreference = TierPreference(cmp.Or(string(in.TierPreference), string(TiersAuto)))
	switch {
	case !slices.Contains(TierPreferences, in.TierPreference):
		return graph.FieldError(graph.CodeInvalidRequest, "tierPreference", "must be AUTO, PATTERNS_FIRST, MEMORIES_ONLY or CLUSTERS_ONLY")
	case in.TierPreference == ClustersOnly && !in.Access.AsOf.IsZero():
		return graph.FieldError(graph.CodeInvalidRequest, "tierPreference", "must not be CLUSTERS_ONLY for a read of the past: clusters are those of the present")
	case in.Order != OrderDiverse && in.Order != OrderScore:
		return graph.FieldError(graph.CodeInvalidRequest, "order", "must be DIVERSE or SCORE")
	case in.TopK < 0 || in.TopK > maxTopK:
		return graph.FieldError(graph.CodeInvalidRequest, "topK", "must be 1 to %d", maxTopK)
	case len(in.Query) > maxQuery:
		return graph.FieldError(graph.CodeLimitExceeded, "query", "has %d bytes, more than %d", len(in.Query), maxQuery)
	case len(in.AskedIn) > graph.MaxName:
		return graph.FieldError(graph.CodeInvalidRequest, "askedIn", "must be at most %d bytes", graph.MaxName)
	case hopsOf(*in) < 0 || hopsOf(*in) > entities.MaxDepth:
		return graph.FieldError(graph.CodeInvalidRequest, "hops", "must be 0 to %d", entities.MaxDepth)
	case !in.Since.IsZero() && !in.Until.IsZero() && in.Until.Before(in.Since):
		return graph.FieldError(graph.CodeInvalidRequest, "until", "must not be before since")
	}
	if in.MinScoreRatio == nil {
		in.MinScoreRatio = defaultRatio(in.Mode)
	}
	if err := graph.Unit("minScoreRatio", *in.MinScoreRatio); err != nil {
		return err
	}
	if err := graph.Unit("minAuthority", in.MinAuthority); err != nil {
		return err
	}
	return graph.Unit("minImportance", in.MinImportance)
}

// scored is a candidate with its score.
type scored struct {
	*index.Candidate
	active    bool // at the read's instant
	retention float64
	parts     rank.Parts
	score     float64

	vector     []float32 // nil: unknown
	relevance  float64   // see rank.Relevance; 0: without a query
	aboveFloor bool      // see rank.Evidence
	coverage   float64   // share of the question's words that the memory contains
	topicAlone bool      // it shares topics with the question, and no word but names
	nameless   bool      // it says no name of the question while another hit does
	likeMarked float64   // highest cosine to a memory marked irrelevant for a similar question

	sourceOf       graph.ID // the pattern after which it was put, because it is a source of it; empty: none
	stands         float64  // score of the best source for which the pattern stands; 0: for none
	throughCluster bool     // found only through its cluster
	alone          float64  // how well a pattern that is the whole answer fits the question; 0: it is not

	reordered   bool    // by the relevance model
	beforeModel float64 // score before the relevance model
	model       float64 // value of the relevance model, [0,1]
	fused       float64 // score before the cross-encoder; 0: not reranked
	cross       float64 // score of the cross-encoder, [0,1]
	crossed     bool    // the cross-encoder scored this candidate
}

// rank scores the candidates, drops faded and irrelevant ones, and sorts the rest.
func (q *query) rank(candidates []index.Candidate) {
	q.kept = q.scored(candidates)
	q.answersFirst(q.kept)
	bestFirst(q.kept)
}

// scored scores the candidates and drops faded and irrelevant ones.
func (q *query) scored(candidates []index.Candidate) []scored {
	kept := make([]scored, 0, len(candidates))
	q.unlike = nil
	asked := q.ask.Vector != nil || len(q.ask.Texts) > 0
	for i := range candidates {
		k, ok := q.asCandidate(&candidates[i])
		switch {
		case !ok:
		case asked && k.Keyword == 0 && k.Graph == 0 && k.Semantic < evidenceFloor && !q.happened(k.Doc) && !q.facts[k.Doc.ID]:
			q.unlike = append(q.unlike, k)
		default:
			kept = append(kept, k)
		}
	}
	q.score(kept)
	return kept
}

// score sets the scores of candidates.
func (q *query) score(kept []scored) {
	if q.in.Fusion == FusionRRF {
		q.scoreRRF(kept)
	} else {
		for i := range kept {
			kept[i].score = min(1, rank.Weighted(kept[i].parts, q.weights)*q.freshness(kept[i].Doc)*q.settled(kept[i].Doc)*q.answering(kept[i].Doc)*q.steering(kept[i]))
		}
	}
}

// asCandidate returns a candidate with its state at the instant of the search and without a score, false if it was not recorded yet
// or has faded.
func (q *query) asCandidate(x *index.Candidate) (scored, bool) {
	s, known := graph.StateAt(x.Doc.History, x.Doc.ExpiresAt, lifecycle.Later(q.at, x.Doc.RecordedAt))
	if !known {
		return scored{}, false
	}
	if q.retiring && s.Status == graph.Superseded && !q.wasSo(x.Doc) {
		return scored{}, false
	}
	retention := decay.RetentionAt(workspace.DecayOfDoc(x.Doc, s), q.at)
	if !q.further && (!q.retiring || s.Status != graph.Superseded) && !q.facts[x.Doc.ID] && faded(retention, x.Doc) {
		return scored{}, false
	}
	return scored{Candidate: x, active: s.Status == graph.Active, retention: retention, parts: q.parts(x, retention)}, true
}

// bestFirst sorts the candidates by descending score, then descending RecordedAt, then id. It
// sorts indices and then moves each candidate once, because a candidate is a large struct.
func bestFirst(kept []scored) {
	order := make([]int32, len(kept))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return byScore(&kept[i], &kept[j]) })
	for i := range order {
		first, to := kept[i], int32(i)
		for from := order[to]; from != int32(i); from = order[to] { // one cycle of the permutation
			kept[to] = kept[from]
			order[to], to = to, from
		}
		kept[to], order[to] = first, to
	}
}

// byScore compares candidates by descending score, then descending RecordedAt, then id.
func byScore(a, b *scored) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return cmp.Or(b.Doc.RecordedAt.Compare(a.Doc.RecordedAt), cmp.Compare(a.Doc.ID, b.Doc.ID))
}

// parts returns the inputs of the score, each in [0,1].
func (q *query) parts(x *index.Candidate, retention float64) rank.Parts {
	p := rank.Parts{
		Semantic: q.meaning(x), Keyword: x.Keyword, Recency: rank.Recency(q.age(x.Doc)),
		Importance: importance.Raised(x.Doc.Importance, daysOfUse(x.Doc.Usage, q.at), retention),
		Entity:     rank.WeightedJaccard(q.rare, x.Doc.Entities),
	}
	if q.in.Project != "" && x.Doc.Project == q.in.Project {
		p.Project = 1
	}
	if slices.ContainsFunc(q.tasks, func(t workspace.OpenTask) bool { return t.Refers(x.Doc) }) {
		p.Task = workspace.TaskReference
	}
	if q.window.Bounded() {
		// If the question names a time, recency is the closeness of the event to that time.
		p.Recency = q.window.Closeness(x.Doc.OccurredAt)
	}
	return p
}

// daysOfUse is the number of distinct days of use up to an instant.
func daysOfUse(u graph.Usage, at time.Time) int {
	n, _ := slices.BinarySearch(u.Days, graph.Day(at)+1)
	return n
}

// age is the time since the last use, or since the event if the memory was never used.
func (q *query) age(d *index.Doc) time.Duration {
	last := d.Usage.Last
	if last.IsZero() || last.After(q.at) {
		last = d.OccurredAt
	}
	return max(0, q.at.Sub(last))
}

// freshness is the factor for questions with words like "now" or "latest": (1+e^(−age/7d))/2,
// in (0.5,1], with the age of the event.
func (q *query) freshness(d *index.Doc) float64 {
	if !q.window.Fresh {
		return 1
	}
	days := max(0, q.at.Sub(d.OccurredAt).Hours()/24)
	return (1 + math.Exp(-days/7)) / 2
}

// settled is the factor for memories that have stood for more than thirty days and that nothing
// contests. It is 1 if the question asks for the latest or names a time.
func (q *query) settled(d *index.Doc) float64 {
	if q.window.Fresh || q.window.Bounded() || d.Conflict > lifecycle.ContestedAbove || q.at.Sub(d.OccurredAt) <= settledAfter {
		return 1
	}
	return settledFactor
}

// scoreRRF scores by reciprocal rank fusion of the channels: 0.6·rrf + 0.4·importance now.
func (q *query) scoreRRF(kept []scored) {
	top := 0.0
	for i, k := range kept {
		kept[i].score = rank.RRF(k.Ranks.Semantic, k.Ranks.Keyword, k.Ranks.Graph)
		top = max(top, kept[i].score)
	}
	for i, k := range kept {
		fused := 0.0
		if top > 0 {
			fused = k.score / top
		}
		kept[i].score = min(1, rank.Reranked(fused, q.importanceNow(k.Candidate))*q.settled(k.Doc)*q.steering(k))
	}
}
