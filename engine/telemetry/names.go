package telemetry

// Names of attributes. Those without the prefix somnograph are of the OpenTelemetry semantic
// conventions: https://github.com/open-telemetry/semantic-conventions-genai, docs/gen-ai/gen-ai-spans.md,
// section Memory; they are in development there.
const (
	ErrorType      = "error.type"
	OperationName  = "gen_ai.operation.name"
	ProviderName   = "gen_ai.provider.name"
	RequestModel   = "gen_ai.request.model"
	RequestTopK    = "gen_ai.request.top_k"
	ConversationID = "gen_ai.conversation.id"
	MemoryStoreID  = "gen_ai.memory.store.id"
	MemoryRecordID = "gen_ai.memory.record.id"
	MemoryCount    = "gen_ai.memory.record.count"
	MemoryQuery    = "gen_ai.memory.query.text" // only with content
	MemoryRecords  = "gen_ai.memory.records"    // only with content

	VerbName   = "somnograph.verb"
	PhaseItems = "somnograph.sleep.items"
	TextCount  = "somnograph.model.texts"
)

// Provider is the value of ProviderName for operations on memory.
const Provider = "somnograph"

// operations are the verbs that the conventions have an operation for.
var operations = map[string]string{
	"remember": "create_memory", "rememberMany": "create_memory", "observe": "create_memory", "observePast": "create_memory",
	"ingest":    "upsert_memory",
	"supersede": "update_memory", "update": "update_memory", "adjudicate": "update_memory", "pin": "update_memory", "unpin": "update_memory",
	"expire": "update_memory", "resolveConflict": "update_memory", "undoRevision": "update_memory",
	"forget": "delete_memory", "withdrawSource": "delete_memory",
	"search": "search_memory", "context": "search_memory", "related": "search_memory", "facts": "search_memory", "timeline": "search_memory",
	"memory": "search_memory", "memories": "search_memory", "memoriesByID": "search_memory", "memoryByExternalId": "search_memory",
}

// Operation is the operation of the conventions that a verb carries out; empty: they have none.
func Operation(verb string) string { return operations[verb] }
