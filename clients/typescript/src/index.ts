export { SomnographError, type SomnographErrorCode } from './error.js'
export { EventStream, type EventsOptions, type MemoryEvent } from './events.js'
export type * from './generated.js'
export {
  type Added,
  type AddOptions,
  type Adjudication,
  type AdjudicateOptions,
  type Claim,
  type ContextOptions,
  type DeletionReceipt,
  type Fact,
  type FactsOptions,
  type ForgetOptions,
  type GraphQLOptions,
  type Hit,
  type KeptMemory,
  type ListOptions,
  Memory,
  type MemoryOptions,
  type MemoryPage,
  type MemoryRecord,
  type MemoryVersion,
  type PromptContext,
  type RememberOptions,
  type Remembered,
  type RememberedItem,
  type Scope,
  type SearchOptions,
  type SearchResult,
  Session,
  type SessionReport,
  type SleepOptions,
  type SleepReport,
  type Superseded,
  type SupersedeOptions,
  type TypedDocument,
  type WriteOptions,
} from './memory.js'
export type { Message, MessagePart } from './messages.js'
export type { RetryOptions } from './retry.js'
export type { CallOptions, ConnectionOptions } from './transport.js'
