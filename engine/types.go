package engine

import (
	"time"

	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/document"
	"github.com/somnograph/somnograph/engine/entities"
	"github.com/somnograph/somnograph/engine/erasure"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/library"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/monitor"
	"github.com/somnograph/somnograph/engine/proof"
	"github.com/somnograph/somnograph/engine/recall"
	"github.com/somnograph/somnograph/engine/scene"
	"github.com/somnograph/somnograph/engine/session"
	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/engine/upkeep"
	"github.com/somnograph/somnograph/engine/webhook"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Types of package workspace.
type (
	Access      = workspace.Access
	View        = workspace.View
	Part        = workspace.Part
	ListInput   = workspace.ListInput
	ListResult  = workspace.ListResult
	Event       = workspace.Event
	Caller      = workspace.Caller
	Work        = workspace.Work
	DeadLetter  = workspace.DeadLetter
	Judgement   = workspace.Judgement
	ClaimView   = workspace.ClaimView
	PolicyInput = workspace.PolicyInput
	PolicyView  = workspace.PolicyView
	Index       = workspace.Index
	Clock       = workspace.Clock
	AlarmClock  = workspace.AlarmClock
	Readiness   = workspace.Readiness
	Recess      = workspace.Recess
	Erasures    = workspace.Erasures
	Map         = workspace.Map
	AuditKeys   = audit.Keys
	ErasurePart = proof.Part
	AuditFilter = audit.Filter
	AuditEntry  = audit.Entry
	AuditCheck  = audit.Verification
	Ceiling     = workspace.Ceiling
	Ceilings    = workspace.Ceilings
)

// Types of packages alarm and monitor.
type (
	Alarm          = alarm.Alarm
	AlarmAction    = alarm.Action
	AlarmChange    = alarm.Event
	AlarmEvent     = monitor.Event
	AlarmInput     = monitor.Input
	AlarmReading   = alarm.Reading
	AlarmSeverity  = alarm.Severity
	CanaryResult   = monitor.CanaryResult
	HealthFigure   = monitor.Figure
	MemoryHealth   = upkeep.HealthReport
	Indicator      = alarm.Indicator
	HealthGauge    = monitor.Gauge
	MonitorOptions = monitor.Options
	MonitorSource  = monitor.Source
)

// The severities of alarms.
const (
	AlarmInfo     = alarm.Info
	AlarmWarning  = alarm.Warning
	AlarmCritical = alarm.Critical
)

// FindIndicator returns the indicator of a name.
func FindIndicator(name string) (Indicator, bool) { return alarm.Find(name) }

// Indicators of sources outside the engine.
const (
	IndicatorRecall14     = alarm.Recall14
	IndicatorDrift        = alarm.Drift
	IndicatorCorrection   = alarm.Correction
	IndicatorCanaryFailed = alarm.CanaryFailed
	IndicatorRepetition   = alarm.Repetition
	IndicatorCompression  = alarm.Compression
	IndicatorBackupAge    = alarm.BackupAge
	IndicatorClockAhead   = alarm.ClockAhead
)

// AlarmEffect says what is different while an alarm lasts that has no action; empty: nothing.
func AlarmEffect(indicator, subject string) string { return alarm.Effect(indicator, subject) }

// Types of package lifecycle.
type (
	TaskStatus = lifecycle.TaskStatus
)

// Types of package ingest.
type (
	Evidence        = ingest.Evidence
	AdjudicateInput = ingest.AdjudicateInput
	Adjudication    = ingest.Adjudication
	RememberInput   = ingest.RememberInput
	OnDuplicate     = ingest.OnDuplicate
	RememberResult  = ingest.RememberResult
	SupersedeInput  = ingest.SupersedeInput
	SupersedeResult = ingest.SupersedeResult
	UpdateInput     = ingest.UpdateInput

	CorrectClaimInput = ingest.CorrectClaimInput
	Conflict          = ingest.Conflict
	Reconsolidation   = ingest.Reconsolidation
)

// Types of package library.
type (
	Document       = library.Document
	DocumentStatus = library.Status
	IngestInput    = library.IngestInput
	IngestResult   = library.IngestResult
	IngestStep     = library.Progress
	IngestPhase    = library.Phase
)

// DocumentStatuses and IngestPhases list the values in the order of the API.
var (
	DocumentStatuses = library.Statuses
	IngestPhases     = library.Phases
)

// IngestRefusal converts an error of Ingest for an answer.
func IngestRefusal(err error) (shown *graph.Error, ofContent bool) { return library.Refusal(err) }

// NamesFormat reports whether the extension of a path says how a document is read.
func NamesFormat(path string) bool { return document.NamesFormat(path) }

// Types of package session.
type (
	Observation   = session.Observation
	Observed      = session.Observed
	PastTurn      = session.PastTurn
	SessionReport = session.SessionReport
	Task          = session.Task
	TaskInput     = session.TaskInput
)

// Types of package entities.
type (
	EntityInput        = entities.EntityInput
	EntityView         = entities.EntityView
	RelationView       = entities.RelationView
	EdgeView           = entities.EdgeView
	RelatedResult      = entities.RelatedResult
	RelatedInput       = entities.RelatedInput
	RelatedPath        = entities.RelatedPath
	PathInput          = entities.PathInput
	RelationInput      = entities.RelationInput
	EntityLineageInput = entities.EntityLineageInput
	EntityEvent        = entities.EntityEvent
	EntityEventKind    = entities.EntityEventKind
)

// Types of package recall.
type (
	SearchMode      = recall.SearchMode
	Effort          = recall.Effort
	Fusion          = recall.Fusion
	SearchOrder     = recall.SearchOrder
	TierPreference  = recall.TierPreference
	HitTier         = recall.HitTier
	TierCounts      = recall.TierCounts
	ClusterHit      = recall.ClusterHit
	SearchInput     = recall.SearchInput
	SearchResult    = recall.SearchResult
	HitLabel        = recall.HitLabel
	Hit             = recall.Hit
	MemoryStore     = recall.MemoryStore
	Version         = recall.Version
	ContextInput    = recall.ContextInput
	Instant         = recall.Instant
	FeedbackInput   = recall.FeedbackInput
	FeedbackOutcome = recall.FeedbackOutcome
	Scene           = scene.Scene
	Standing        = recall.Standing
	FactsInput      = recall.FactsInput
	KnownInput      = recall.KnownInput
	KnownLine       = recall.KnownLine
	KnownPage       = recall.KnownPage
)

// Types of package sleep.
type (
	Automatic         = sleep.Automatic
	Forecast          = sleep.Forecast
	SleepInput        = sleep.Input
	SleepKind         = sleep.Kind
	SleepTrigger      = sleep.Trigger
	SleepPhase        = sleep.Phase
	SleepReport       = sleep.Report
	RollbackInput     = sleep.RollbackInput
	RollbackResult    = sleep.RollbackResult
	NamespaceRollback = sleep.NamespaceRollback
	MemoryFigures     = sleep.Figures
	PhaseRun          = sleep.PhaseRun
	Balance           = sleep.Balance
	SleepStep         = sleep.Step
	StepVerb          = sleep.StepVerb
	SleepProgress     = sleep.Progress
	SleepStatus       = sleep.Status
	Strategy          = sleep.Strategy
	ConsolidateInput  = sleep.ConsolidateInput
)

// Types of package erasure.
type (
	ForgetInput = erasure.ForgetInput
	// ReceiptsInput selects receipts of erasures.
	ReceiptsInput = erasure.ReceiptsInput
	Withdrawal    = erasure.Withdrawal
)

// Types of package upkeep.
type (
	DeadLetterInput  = upkeep.DeadLetterInput
	MixedModelsError = upkeep.MixedModelsError
	ModelSpec        = upkeep.ModelSpec
	Reembedding      = upkeep.Reembedding
	RetryResult      = upkeep.RetryResult
)

// Constants of package workspace.
const (
	PartEmbedder = workspace.PartEmbedder
	PartVectors  = workspace.PartVectors
	PartWords    = workspace.PartWords
	PartGraph    = workspace.PartGraph
	PartRecess   = workspace.PartRecess
	PartStore    = workspace.PartStore
	PartReranker = workspace.PartReranker
	PartChat     = workspace.PartChat
	WorkEmbed    = workspace.WorkEmbed
	WorkEngrave  = workspace.WorkEngrave
	MaxMany      = workspace.MaxMany
)

// Constants of package lifecycle.
const (
	Contested     = recall.Contested
	Faded         = recall.Faded
	TaskCandidate = lifecycle.TaskCandidate
	TaskConfirmed = lifecycle.TaskConfirmed
	TaskDone      = lifecycle.TaskDone
	TaskDismissed = lifecycle.TaskDismissed
)

// Constants of package ingest.
const (
	Reinforce     = ingest.Reinforce
	Reject        = ingest.Reject
	Insert        = ingest.Insert
	MaxCoreTokens = ingest.MaxCoreTokens
)

// Constants of package recall.
const (
	ModeAnswer      = recall.ModeAnswer
	ModeManager     = recall.ModeManager
	ModeBase        = recall.ModeBase
	EffortFast      = recall.EffortFast
	EffortBalanced  = recall.EffortBalanced
	EffortAccurate  = recall.EffortAccurate
	FusionWeighted  = recall.FusionWeighted
	FusionRRF       = recall.FusionRRF
	OrderDiverse    = recall.OrderDiverse
	OrderScore      = recall.OrderScore
	TiersAuto       = recall.TiersAuto
	PatternsFirst   = recall.PatternsFirst
	MemoriesOnly    = recall.MemoriesOnly
	ClustersOnly    = recall.ClustersOnly
	TierPattern     = recall.TierPattern
	TierCluster     = recall.TierCluster
	TierMemory      = recall.TierMemory
	Current         = recall.Current
	Historical      = recall.Historical
	StoreBuffer     = recall.StoreBuffer
	StoreIndex      = recall.StoreIndex
	StoreSchema     = recall.StoreSchema
	StoreRecess     = recall.StoreRecess
	OutcomeUsed     = recall.OutcomeUsed
	OutcomeIgnored  = recall.OutcomeIgnored
	OutcomeHelped   = recall.OutcomeHelped
	OutcomeHarmed   = recall.OutcomeHarmed
	EntityCreated   = entities.EntityCreated
	EntityMentioned = entities.EntityMentioned
	EntityRelated   = entities.EntityRelated
	EntityRenamed   = entities.EntityRenamed
	EntityMerged    = entities.EntityMerged
	EntitySplit     = entities.EntitySplit
	EntityRevised   = entities.EntityRevised
	EntityFolded    = entities.EntityFolded
)

// Constants of package sleep.
const (
	DeepSleep           = sleep.DeepSleep
	LightSleep          = sleep.LightSleep
	ByHandSleep         = sleep.ByHandSleep
	TriggerHand         = sleep.TriggerHand
	TriggerSchedule     = sleep.TriggerSchedule
	TriggerEvent        = sleep.TriggerEvent
	TriggerPressure     = sleep.TriggerPressure
	PhaseN1             = sleep.PhaseN1
	PhaseN2             = sleep.PhaseN2
	PhaseN3             = sleep.PhaseN3
	PhaseREM            = sleep.PhaseREM
	PhaseReport         = sleep.PhaseReport
	StepStrengthen      = sleep.StepStrengthen
	StepArchive         = sleep.StepArchive
	StepMerge           = sleep.StepMerge
	StepPromote         = sleep.StepPromote
	StepEngrave         = sleep.StepEngrave
	StepDream           = sleep.StepDream
	StepDistil          = sleep.StepDistil
	StepKeep            = sleep.StepKeep
	StepSummarise       = sleep.StepSummarise
	StepPattern         = sleep.StepPattern
	StepSparsify        = sleep.StepSparsify
	StepCluster         = sleep.StepCluster
	StrategyAge         = sleep.StrategyAge
	StrategyImportance  = sleep.StrategyImportance
	StrategyTokenBudget = sleep.StrategyTokenBudget
)

// FeedbackOutcomes lists every FeedbackOutcome in the order of the API.
var FeedbackOutcomes = recall.FeedbackOutcomes

// EntityEventKinds lists every EntityEventKind in the order of the API.
var EntityEventKinds = entities.EntityEventKinds

// Loopback is the caller of a server without authentication: the default tenant,
// everything granted.
// TaskOf returns the task of a memory view.
func TaskOf(v *View) *Task { return session.TaskOf(v) }

func Loopback() Caller { return workspace.Loopback() }

// Types of package webhook.
type (
	Webhook        = webhook.Endpoint
	WebhookInput   = webhook.CreateInput
	WebhookSender  = webhook.Sender
	WebhookRequest = webhook.Request
	WebhookAnswer  = webhook.Answer
)

// SignWebhook is the webhook-signature of a message: Standard Webhooks 1.0.0, symmetric.
func SignWebhook(secret []byte, id string, at time.Time, body []byte) string {
	return webhook.Sign(secret, id, at, body)
}
