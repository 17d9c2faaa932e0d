package ingest

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/request"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// maxTTL is the longest time to live of a memory.
const maxTTL = 100 * 365 * 24 * time.Hour

// Draft is a memory to be written, with everything that can be computed without the store.
type Draft struct {
	in        RememberInput
	Memory    *graph.Memory // id and times are set in the transaction
	Named     []extract.Entity
	Statement extract.Statement
	analysis  conflict.Analysis
	analysed  conflict.Statement // the statement that analysis is of
	said      *reader.Prepared   // nil for a turn that enters the session buffer
	Vector    []float32          // nil: pending
	ttl       time.Duration
	validTo   time.Time
	explicit  struct{ salience, surprise bool }
	workspace.Keyed
	Item       Item        // stores the draft; nil: stored as a new memory
	Sight      graph.Sight // of the caller; see externalHolder and shows. A turn that leaves L0 has the whole
	call       *audit.Call // call of a verb that it belongs to; nil: background work
	allOwners  bool        // compare with the memories of all owners: an adjudication by a caller without a user
	matters    []uint64    // keys of the attributes that an adjudicated fact states, see mattersOf
	completion *Completion // the draft is the statement that a turn makes together with an earlier one; nil: it was said as it is
}

// prepare validates one input and does all the work that needs neither the store nor a
// model. The error names the faulty field.
func (svc *Service) prepare(c workspace.Caller, in RememberInput) (*Draft, *graph.Error) {
	if err := svc.CheckInput(c, &in); err != nil {
		return nil, err
	}
	if err := in.cite(); err != nil {
		return nil, err
	}
	speaker := in.User // who "I" is, as for the claims; empty if a user has no name
	if in.SourceKind != graph.FromUser {
		speaker = cmp.Or(in.Agent, strings.ToLower(string(in.SourceKind)))
	}
	text := extract.Text(in.Content, extract.Hints{Speaker: speaker, NoRules: !lifecycle.LaysDownRules(in.SourceKind)})
	d := &Draft{in: in, Named: text.Entities, Sight: c.Sight()}
	at := lifecycle.FirstTime(graph.Millis(in.OccurredAt), graph.Millis(in.ValidFrom), svc.Now())
	d.Statement = d.InferSubject(conflict.Statement{Text: in.Content, At: at}, speaker, text.Statement)
	if in.Predicate != "" || in.Object != "" {
		d.Statement = extract.Statement{Subject: in.Subject, Predicate: in.Predicate, Object: in.Object, Functional: extract.Functional(in.Predicate)}
	} else if in.Subject != "" {
		// The caller names the subject; predicate and object come from the text.
		d.Statement = withSubject(in.Subject, d.Statement)
	}
	for _, name := range in.Entities {
		d.Named = append(d.Named, extract.Entity{Name: name, Canonical: extract.Canonical(name), Type: extract.TypeOf(name)})
	}
	m := &graph.Memory{
		Namespace: in.Namespace, User: in.Owner(), Agent: in.Agent, Session: in.Session, Project: in.Project, ExternalID: in.ExternalID,
		Type: in.Type, Content: in.Content,
		Subject: extract.Canonical(d.Statement.Subject), Predicate: d.Statement.Predicate, Object: d.Statement.Object,
		Authority: BoundAuthority(in.Authority, lifecycle.AuthorityOf(in.SourceKind), c.Grant), Salience: valueOr(in.Salience, text.Salience),
		Surprise: valueOr(in.Surprise, 0), Confidence: valueOr(in.Confidence, lifecycle.DefaultConfidence),
		Importance: valueOr(in.Importance, lifecycle.DefaultImportance), Criticality: valueOr(in.Criticality, lifecycle.DefaultCriticality),
		DecayClass: in.DecayClass, Priority: in.Priority, Important: in.Important, SafetyCritical: in.SafetyCritical,
		Sensitivity: in.Sensitivity, Consent: in.Consent, ConsentDefaulted: in.defaulted, SourceKind: in.SourceKind, Source: in.Source,
		Principal: workspace.PrincipalOf(c, in.Source), Stated: in.Subject != "" && in.Predicate != "" && in.Object != "", Typed: in.Type != "",
		Tags: in.Tags, Meta: in.Meta, Version: 1,
		OccurredAt: graph.Millis(in.OccurredAt), ValidFrom: graph.Millis(in.ValidFrom),
	}
	if in.isProcedure() {
		m.Procedure = &graph.Procedure{Trigger: in.Trigger, Steps: in.Steps, LearnedFrom: in.LearnedFrom}
	}
	d.explicit.salience, d.explicit.surprise = in.Salience != nil, in.Surprise != nil
	d.validTo = graph.Millis(in.ValidTo)
	if in.TTLSeconds != nil {
		d.ttl = time.Duration(*in.TTLSeconds) * time.Second
	}
	lifecycle.ReadClaims(m, extract.Statement{Subject: in.Subject, Predicate: in.Predicate, Object: in.Object}, at)
	if m.Type == "" {
		m.Type = LastingType(m, typeFor(d, text))
	}
	if m.Type == graph.Working && d.ttl == 0 {
		d.ttl = lifecycle.WorkingTTL
	}
	if m.Type == graph.Working && m.Priority == "" {
		m.Priority = graph.Medium
	}
	if m.DecayClass == "" {
		m.DecayClass = lifecycle.DecayClassOf(m.Type)
	}
	if in.DecayK != nil {
		m.DecayK, m.OwnDecay = *in.DecayK, true
	}
	// The confidence in a single source is at most (1+A)/2.
	m.Confidence = min(m.Confidence, (1+m.Authority)/2)
	d.Memory = m
	d.Analyse(m, at)
	d.Keyed = c.Keyed("remember", in.IdempotencyKey, in)
	return d, nil
}

// InferSubject adds a subject to a statement that has none, or whose predicate is only
// "is". The subject is the owner of the attribute that the text states, in whatever words.
// Beliefs are found by their subject.
func (d *Draft) InferSubject(text conflict.Statement, speaker string, st extract.Statement) extract.Statement {
	if st.Subject != "" && st.Predicate != "is" {
		return st
	}
	d.analysed, d.analysis = text, conflict.Analyse(text)
	subject, attribute, own, ok := d.analysis.Attribute()
	switch {
	case !ok || own && speaker == "":
		return st
	case own && subject == "":
		subject = speaker
	case own:
		subject = speaker + "'s " + subject
	}
	if st.Predicate != "" {
		// The text states an attribute, so "is" is not the predicate.
		st.Predicate = strings.ReplaceAll(attribute, " ", "_")
		st.Object, st.Functional = "", extract.Functional(st.Predicate)
	}
	st.Subject = subject
	return st
}

// withSubject returns the statement on the subject that the caller names. A statement on
// another subject is dropped.
func withSubject(subject string, st extract.Statement) extract.Statement {
	namedWords, readWords := strings.Fields(extract.Canonical(subject)), strings.Fields(extract.Canonical(st.Subject))
	same := len(readWords) == 0 || slices.ContainsFunc(namedWords, func(w string) bool { return slices.Contains(readWords, w) }) || len(namedWords) == 1 && namedWords[0] == "user"
	if !same {
		st = extract.Statement{}
	}
	st.Subject = subject
	return st
}

// Analyse analyses a memory for the conflict scorer and the relation model, at the time
// that the memory is about. The analysis of an equal statement is kept.
func (d *Draft) Analyse(m *graph.Memory, at time.Time) {
	said := workspace.StatementBy(m)
	said.At = at
	d.said = reader.Prepare(said)
	s := workspace.StatementOf(m)
	if s.At = at; s != d.analysed {
		d.analysed, d.analysis = s, conflict.Analyse(s)
	}
}

// typeFor chooses the type of a draft that the caller gave none.
func typeFor(d *Draft, text extract.Result) graph.Type {
	switch {
	case d.ttl > 0:
		return graph.Working
	case d.in.Subject != "" && d.in.Predicate != "" && d.in.Object != "":
		return graph.Semantic
	}
	return TypeOf(d.in.Content, d.in.SourceKind, text)
}

// TypeOf is the type of a text of a source: PROCEDURAL for a standing rule, else as read. A preference keeps
// its type, unless it is how answers should be. "Don't let me forget to lock up" is a task, and no rule.
func TypeOf(content string, from graph.SourceKind, text extract.Result) graph.Type {
	preference := text.Type == graph.Semantic && extract.Preference(text.Statement.Predicate) && !request.Preferred(text.Statement.Object)
	switch {
	case !preference && extract.AnnouncesTask(content) && extract.AsksToBeReminded(content):
		return graph.Episodic
	case !preference && lifecycle.LaysDownRules(from) && reader.RuleIn(content) == reader.StandingRule:
		return graph.Procedural
	}
	return text.Type
}

// LastingType is the type of a memory whose claims are read, of a type as its text was read. What a user tells as an event would fade before what it
// replaces if it is about what lasts.
func LastingType(m *graph.Memory, read graph.Type) graph.Type {
	if read == graph.Episodic && lifecycle.LaysDownRules(m.SourceKind) && attribute.Lasts(m) {
		return graph.Semantic
	}
	return read
}

// checkOwner returns why the caller may not write for the owner of an input, or nil.
func checkOwner(c workspace.Caller, in *RememberInput) *graph.Error {
	switch {
	case !workspace.ValidOwner(in.User):
		return workspace.InvalidOwner("user")
	case !workspace.ValidOwner(in.Agent):
		return workspace.InvalidOwner("agent")
	case !in.Private:
		return c.MayWriteFor(in.User)
	case in.Agent == "":
		return graph.FieldError(graph.CodeInvalidRequest, "agent", "is required for a private memory, where the credential has none")
	case in.Core:
		return graph.FieldError(graph.CodeInvalidRequest, "core", "and private exclude each other")
	case !c.Sees(in.Namespace, in.Owner()):
		return graph.FieldError(graph.CodeForbidden, "agent", "the credentials belong to another agent, or to none")
	}
	return nil
}

// CheckInput sets the defaults of an input and validates it. The error names the faulty
// field.
func (svc *Service) CheckInput(c workspace.Caller, in *RememberInput) *graph.Error {
	if in.Namespace == "" {
		in.Namespace = workspace.DefaultNamespace
	}
	if in.SourceKind == "" {
		in.SourceKind = graph.FromUser
	}
	if in.OnDuplicate == "" {
		in.OnDuplicate = Reinforce
	}
	if in.Sensitivity == "" {
		in.Sensitivity = graph.Internal
	}
	if in.Consent == "" {
		return graph.FieldError(graph.CodeConsentRequired, "consent", "is required: EXPLICIT, IMPLICIT or NONE")
	}
	if strings.TrimSpace(in.Content) == "" {
		return graph.FieldError(graph.CodeInvalidRequest, "content", "must not be empty")
	}
	if len(in.Content) > svc.MaxContent {
		return graph.FieldError(graph.CodeLimitExceeded, "content", "has %d bytes, more than %d", len(in.Content), svc.MaxContent)
	}
	if !utf8.ValidString(in.Content) {
		return graph.FieldError(graph.CodeInvalidRequest, "content", "is not valid UTF-8")
	}
	if !graph.ValidNamespace(in.Namespace) {
		return graph.NamespaceError("namespace")
	}
	if !c.Sees(in.Namespace, c.User) {
		return graph.FieldError(graph.CodeForbidden, "namespace", "%q is not granted by the credentials", in.Namespace)
	}
	if !c.Sees(in.Namespace, in.User) {
		return graph.FieldError(graph.CodeForbidden, "user", "the credentials belong to another user")
	}
	if err := checkOwner(c, in); err != nil {
		return err
	}
	if in.SourceKind == graph.FromSystem && !c.Admin {
		return graph.FieldError(graph.CodeForbidden, "sourceKind", "SYSTEM is for administrators")
	}
	if in.Core && !c.Admin {
		return graph.FieldError(graph.CodeForbidden, "core", "is for administrators")
	}
	for _, f := range []struct {
		name  string
		value *float64
	}{
		{"authority", in.Authority}, {"salience", in.Salience}, {"surprise", in.Surprise}, {"confidence", in.Confidence},
		{"importance", in.Importance}, {"criticality", in.Criticality},
	} {
		if f.value != nil && !graph.InUnit(*f.value) {
			return graph.UnitError(f.name)
		}
	}
	if err := checkDecayK(in.DecayK, in.DecayClass); err != nil {
		return err
	}
	if in.isProcedure() {
		if err := checkProcedure(in); err != nil {
			return err
		}
	}
	switch {
	case len(in.IdempotencyKey) > workspace.MaxKey:
		return graph.FieldError(graph.CodeLimitExceeded, "idempotencyKey", "has %d bytes, more than %d", len(in.IdempotencyKey), workspace.MaxKey)
	case len(in.ExternalID) > graph.MaxName || !utf8.ValidString(in.ExternalID):
		return externalIDError()
	case in.TTLSeconds != nil && (*in.TTLSeconds <= 0 || time.Duration(*in.TTLSeconds) > maxTTL/time.Second):
		return graph.FieldError(graph.CodeInvalidRequest, "ttlSeconds", "must be 1 to %d", maxTTL/time.Second)
	case len(in.Entities) > 64:
		return graph.FieldError(graph.CodeLimitExceeded, "entities", "has %d items, more than 64", len(in.Entities))
	case !in.ValidTo.IsZero() && !in.ValidFrom.IsZero() && !in.ValidTo.After(in.ValidFrom):
		return graph.FieldError(graph.CodeInvalidRequest, "validTo", "must be later than validFrom")
	case in.OnDuplicate != Reinforce && in.OnDuplicate != Reject && in.OnDuplicate != Insert:
		return graph.FieldError(graph.CodeInvalidRequest, "onDuplicate", "must be REINFORCE, REJECT or INSERT")
	}
	for _, name := range in.Entities {
		if extract.Canonical(name) == "" || len(name) > graph.MaxName || !utf8.ValidString(name) {
			return graph.FieldError(graph.CodeInvalidRequest, "entities", "each must be a name of 1 to %d bytes of UTF-8 with a letter or a digit", graph.MaxName)
		}
	}
	return nil
}

// over is the error of a draft whose end is not later than its beginning. A fact of the past must say since when it was true. It is
// called after repeated writes were answered: these may have been stored in time.
func (d *Draft) over(now time.Time) *graph.Error {
	switch {
	case d.validTo.IsZero() || d.validTo.After(lifecycle.FirstTime(d.Memory.ValidFrom, d.Memory.OccurredAt, now)):
		return nil
	case !d.Memory.OccurredAt.IsZero():
		return graph.FieldError(graph.CodeInvalidRequest, "validTo", "must be later than occurredAt, or give validFrom too")
	}
	return graph.FieldError(graph.CodeInvalidRequest, "validTo", "must be later than now: for what is already over, give validFrom or occurredAt too")
}

// isProcedure reports whether the caller describes a procedure.
func (in *RememberInput) isProcedure() bool {
	return in.Trigger != "" || len(in.Steps) > 0 || len(in.LearnedFrom) > 0
}

// checkProcedure validates the description of a procedure, whose type is PROCEDURAL by default.
func checkProcedure(in *RememberInput) *graph.Error {
	if in.Type == "" {
		in.Type = graph.Procedural
	}
	if in.Type != graph.Procedural {
		return graph.FieldError(graph.CodeInvalidRequest, "type", "must be PROCEDURAL with a trigger, steps or learnedFrom")
	}
	if in.unknownSource {
		return graph.FieldError(graph.CodeInvalidRequest, "learnedFrom", "names a memory that does not exist")
	}
	var shown *graph.Error
	errors.As((&graph.Procedure{Trigger: in.Trigger, Steps: in.Steps, LearnedFrom: in.LearnedFrom}).Validate(), &shown)
	return shown
}

// checkDecayK validates the decay constant of one memory of a class.
func checkDecayK(k *float64, class graph.DecayClass) *graph.Error {
	switch {
	case k == nil:
		return nil
	case class == graph.DecayNone:
		return graph.FieldError(graph.CodeInvalidRequest, "decayK", "must not be set for a memory that never fades")
	case !(*k > 0 && *k <= policy.MaxDecayK): // NaN too
		return graph.FieldError(graph.CodeInvalidRequest, "decayK", "must be above 0, at most %v a day", policy.MaxDecayK)
	}
	return nil
}

// valueOr returns *v, or otherwise if v is nil.
func valueOr(v *float64, otherwise float64) float64 {
	if v == nil {
		return otherwise
	}
	return *v
}

// BoundAuthority returns the authority of a write: the requested one, or that of its
// source kind, at most the grant.
func BoundAuthority(asked *float64, byKind, grant float64) float64 {
	return min(valueOr(asked, byKind), grant)
}
