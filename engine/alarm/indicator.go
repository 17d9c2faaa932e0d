package alarm

import (
	"fmt"
	"time"
)

// Severity says how bad a reading is. The empty severity is healthy.
type Severity string

// The severities, in rising order. INFO is for alarms that change nothing and ask for nothing.
const (
	Healthy  Severity = ""
	Info     Severity = "INFO"
	Warning  Severity = "WARNING"
	Critical Severity = "CRITICAL"
)

// rank orders severities.
func (s Severity) rank() int {
	switch s {
	case Info:
		return 1
	case Warning:
		return 2
	case Critical:
		return 3
	}
	return 0
}

// Worse reports whether s is worse than other.
func (s Severity) Worse(other Severity) bool { return s.rank() > other.rank() }

// Action is what the server does while an alarm lasts.
type Action string

// The actions. None: the alarm only informs.
const (
	None         Action = ""
	RaiseEta     Action = "RAISE_ETA"     // sleeps that start strengthen used memories with twice the rate
	RaiseQuorum  Action = "RAISE_QUORUM"  // a belief changes only with a quorum of RaisedQuorum
	BlockDamaged Action = "BLOCK_DAMAGED" // damaged records are not served, and restored where a copy is
	HaltReads    Action = "HALT_READS"    // reads of the tenant are refused
	HaltWrites   Action = "HALT_WRITES"   // writes are refused
	Sparsify     Action = "SPARSIFY"      // the weakest relations of the node are dropped
	Fallback     Action = "FALLBACK"      // searches use the built-in model in place of a remote embedder
	RebuildIndex Action = "REBUILD_INDEX" // damaged files of the index are made again from the store
	RefuseWrites Action = "REFUSE_WRITES" // the store refuses writes, with the alarm or without it
)

// Text says in a sentence what the server does; empty: nothing.
func (a Action) Text() string {
	switch a {
	case RaiseEta:
		return "Sleeps that start strengthen used memories with twice the rate."
	case RaiseQuorum:
		return "A belief changes only with a quorum of 0.9 or more."
	case BlockDamaged:
		return "Damaged records are not served, and are restored where there is a copy."
	case HaltReads:
		return "Reads of the tenant are refused."
	case HaltWrites:
		return "Writes are refused until the alarm is ended by hand; reads and erasures continue."
	case Sparsify:
		return "The weakest relations are dropped."
	case Fallback:
		return "Searches use the built-in model in place of a remote embedder."
	case RebuildIndex:
		return "Damaged files of the index are made again from the store."
	case RefuseWrites:
		return "Writes and erasures are refused while less than min-free-space is free; reads continue."
	}
	return ""
}

// RaisedQuorum is the least quorum while RaiseQuorum lasts. SPEC section 16.
const RaisedQuorum = 0.9

// EtaFactor multiplies η while RaiseEta lasts.
const EtaFactor = 2.0

// Indicator is a figure of the server's health with its bands.
type Indicator struct {
	Name  string // stable; label of metrics
	Title string // for people
	Unit  string // ratio, ms, s, bytes or count
	// HigherIsBetter says on which side of a limit a value is bad.
	HigherIsBetter bool
	// Warning and Critical are the limits. A value on the limit is still within the better band.
	Warning, Critical float64
	// Raise is the number of bad readings in a row before an alarm begins, at least 1.
	Raise int
	// For is how long readings must have been bad in addition; 0: no such condition.
	For time.Duration
	// End is the number of good readings in a row after which the alarm ends, at least 1.
	End int
	// Latched alarms end only by hand: those of an indicator with an action once it was taken, so that it
	// is not undone unseen; those of one without always, so that what happened is seen.
	Latched bool
	// Action is taken from severity At on.
	Action Action
	At     Severity
	// Advice says what a person does about it.
	Advice string
	// Effect says in a sentence what is different meanwhile; empty: nothing is, or its action says it.
	Effect string
	// PerTenant indicators concern one tenant, the others the server. OlderData also concerns the server, for
	// tenants that the store does not have.
	PerTenant bool
	// Eases says that the severity of an alarm falls with the readings while it lasts: its action and its text are
	// about the present. The alarms of other indicators keep the worst since they began.
	Eases bool
	// Shared indicators are read from the store by every server on it: all of them have one alarm, which
	// any of them raises and ends.
	Shared bool
}

// The names of the indicators.
const (
	Recall14      = "recall_14d"
	RecallDrop    = "recall_drop"
	Drift         = "drift_resistance"
	Correction    = "correction_persistence"
	Repetition    = "repetition"
	Compression   = "compression"
	CanaryFailed  = "canary_failures"
	ReadP95       = "read_p95"
	SleepBudget   = "sleep_budget"
	Checksum      = "checksum_failures"
	Consent       = "consent_violations"
	BackupAge     = "backup_age"
	L0Fill        = "l0_fill"
	Degree        = "node_degree"
	StoreLatency  = "store_latency"
	RecessLatency = "recess_latency"
	RedisLatency  = "redis_latency"
	EmbedLatency  = "embedder_latency"
	PartsAway     = "parts_away"
	ClockAhead    = "clock_ahead"
	DiskFree      = "disk_free"
	IndexDamage   = "index_damage"
	OlderData     = "older_data"
)

// Catalogue lists the indicators in the order in which they are shown. Limits without another
// source are those of SPEC section 16 and SPEC-2 section K; docs/alarms.md explains each.
var Catalogue = []Indicator{
	{Name: Recall14, Title: "Recall after 14 days", Unit: "ratio", HigherIsBetter: true, Warning: 0.90, Critical: 0.85, Raise: 1, End: 1,
		Advice: "compare with somnograph eval; look for a changed model or policy"},
	{Name: RecallDrop, Title: "Loss of recall within a week", Unit: "ratio", Warning: 0.05, Critical: 0.15, Raise: 1, End: 1, Action: RaiseEta, At: Warning,
		Advice: "look for what changed in the week: version, model, policy"},
	{Name: Drift, Title: "Drift resistance", Unit: "ratio", HigherIsBetter: true, Warning: 0.98, Critical: 0.95, Raise: 1, End: 1, Action: RaiseQuorum, At: Critical,
		Advice: "look for sources with more authority than they deserve"},
	{Name: Correction, Title: "Corrections that hold", Unit: "ratio", HigherIsBetter: true, Warning: 0.95, Critical: 0.90, Raise: 1, End: 1,
		Advice: "compare with somnograph eval --only correction"},
	{Name: Repetition, Title: "Needs that need no repeating", Unit: "ratio", HigherIsBetter: true, Warning: 0.85, Critical: 0.75, Raise: 1, End: 1,
		Advice: "compare with somnograph eval --only repeat"},
	{Name: Compression, Title: "Context compared with the history", Unit: "ratio", Warning: 0.70, Critical: 0.90, Raise: 1, End: 1,
		Advice: "compare with somnograph eval --only compression"},
	{Name: CanaryFailed, Title: "Runs of the canary that failed in a row", Unit: "count", Warning: 0, Critical: 2, Raise: 1, End: 1,
		Advice: "mend what the message names; the canary runs again ten minutes after a restart", Effect: "The figures of the canary are those of its last good run."},
	{Name: ReadP95, Title: "Read latency, 95th percentile", Unit: "ms", Warning: 120, Critical: 200, Raise: 3, End: 3, PerTenant: true,
		Advice: "look at the load, at running sleeps and at the memory of the machine"},
	{Name: SleepBudget, Title: "Sleep compared with its budget", Unit: "ratio", Warning: 1, Critical: 2, Raise: 1, End: 1, PerTenant: true,
		Advice: "sleep more often, or allow more time"},
	{Name: Checksum, Title: "Records with a wrong checksum", Unit: "count", Warning: 0, Critical: 0, Raise: 1, End: 1, Action: BlockDamaged, At: Critical, PerTenant: true,
		Advice: "check the disk; where no backup mends them, restore the data directory"},
	{Name: IndexDamage, Title: "Damaged files of the index", Unit: "count", Warning: 0, Critical: 1000, Raise: 1, End: 1, Action: RebuildIndex, At: Warning, PerTenant: true,
		Advice: "check the disk; the files are made again from the store"},
	{Name: Consent, Title: "Memories stored against the consent rules", Unit: "count", Warning: 0, Critical: 0, Raise: 1, End: 1, Latched: true, Action: HaltReads, At: Critical, PerTenant: true,
		Advice: "forget the memories or correct the policy, then end the alarm with resetAlarm"},
	{Name: OlderData, Title: "Copies of erased memories that older data brought back", Unit: "count", Warning: 0, Critical: 1000, Raise: 1, End: 1, Latched: true, PerTenant: true,
		Effect: "They are erased again.",
		Advice: "find out who put back an older store or archive, or imported an older export, then end the alarm with resetAlarm"},
	{Name: BackupAge, Title: "Age of the last backup to a target", Unit: "s", Warning: 300, Critical: 600, Raise: 1, End: 1, Latched: true, Action: HaltWrites, At: Critical, Shared: true,
		Advice: "repair the backup; the message, the details of health and the log of its server say what it fails with. Above ten minutes writes halt, until the alarm is ended with resetAlarm"},
	{Name: L0Fill, Title: "Fill of the working buffer", Unit: "ratio", Warning: 0.80, Critical: 0.95, Raise: 2, End: 2, PerTenant: true,
		Advice: "close sessions that are over; look for turns that can't leave L0"},
	{Name: Degree, Title: "Relations of the largest node", Unit: "count", Warning: 256, Critical: 512, Raise: 1, End: 1, Action: Sparsify, At: Warning, PerTenant: true,
		Advice: "nothing: the weakest relations are dropped"},
	{Name: StoreLatency, Title: "Latency of the store", Unit: "ms", Warning: 100, Critical: 1000, Raise: 3, End: 3,
		Advice: "look at the disk or at the cluster"},
	{Name: RecessLatency, Title: "Latency of the recess", Unit: "ms", Warning: 100, Critical: 1000, Raise: 3, End: 3,
		Advice: "look at the bucket and the way to it, or at the disk"},
	{Name: RedisLatency, Title: "Latency of Redis", Unit: "ms", Warning: 100, Critical: 1000, Raise: 3, End: 3,
		Advice: "look at Redis and the way to it"},
	{Name: EmbedLatency, Title: "Latency of the embedder", Unit: "ms", Warning: 40, Critical: 2000, Raise: 2, For: 5 * time.Minute, End: 3, Action: Fallback, At: Warning,
		Advice: "look at the embedding endpoint"},
	{Name: PartsAway, Title: "Parts that do not answer", Unit: "count", Warning: 0, Critical: 1, Raise: 1, End: 1,
		Advice: "start the part again; its work is kept and done later"},
	{Name: ClockAhead, Title: "The clock's lead over the machine's", Unit: "s", Warning: 60, Critical: 3600, Raise: 1, End: 1,
		Effect: "Nothing expires or fades until the machine's clock has caught up.",
		Advice: "correct the clock of the machine; the server's waits until it is reached"},
	{Name: DiskFree, Title: "Free disk space compared with min-free-space", Unit: "ratio", HigherIsBetter: true, Warning: 2, Critical: 1, Raise: 1, End: 1, Eases: true,
		Action: RefuseWrites, At: Critical,
		Advice: "free some disk space; writes resume by themselves, or after a restart if the server started on the full disk"},
}

// Effect says in a sentence or two what is different while an alarm of the indicator lasts that has no
// action; empty: nothing. The subject is that of the alarm.
func Effect(indicator, subject string) string {
	if indicator == PartsAway {
		return partEffects[subject]
	}
	i, _ := Find(indicator)
	return i.Effect
}

// partEffects says what is different while a part does not answer.
var partEffects = map[string]string{
	"STORE":    "Writes and most reads are refused; the core and timelines answer.",
	"EMBEDDER": "Searches find memories by their words; new memories get their vectors when it is back.",
	"RECESS":   "Engrams wait in the data directory, and memories may stay in L2, until a sleep after it is back.",
	"REDIS":    "Servers poll for each other's commits, and each applies rate limits by itself.",
}

// Find returns the indicator of a name.
func Find(name string) (Indicator, bool) {
	for _, i := range Catalogue {
		if i.Name == name {
			return i, true
		}
	}
	return Indicator{}, false
}

// Worst is the value of a ratio that could not be measured: 0 where a higher one is better, else 1.
func (i Indicator) Worst() float64 {
	if i.HigherIsBetter {
		return 0
	}
	return 1
}

// Band returns the severity of a value.
func (i Indicator) Band(v float64) Severity {
	beyond := func(limit float64) bool {
		if i.HigherIsBetter {
			return v < limit
		}
		return v > limit
	}
	switch {
	case beyond(i.Critical):
		return Critical
	case beyond(i.Warning):
		return Warning
	}
	return Healthy
}

// byHand reports whether an alarm of the indicator ends only by hand.
func (i Indicator) byHand(a Alarm) bool {
	return i.Latched && (a.Action != None || i.Action == None)
}

// format returns a value with its unit.
func (i Indicator) format(v float64) string {
	switch i.Unit {
	case "ratio":
		return fmt.Sprintf("%.3g", v)
	case "count":
		return fmt.Sprintf("%.0f", v)
	case "s":
		return (time.Duration(v) * time.Second).String()
	}
	return fmt.Sprintf("%.0f %s", v, i.Unit)
}
