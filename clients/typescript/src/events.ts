import { fromAnswer, SomnographError } from './error.js'
import {
  clusterEventsOperation,
  type ClusterEventsSubscription,
  eventCursorOperation,
  type EventCursorQuery,
  eventsOperation,
  type EventsSubscription,
  lastClusterEventOperation,
  type LastClusterEventQuery,
} from './generated.js'
import { pause, type Transport } from './transport.js'

/** A change of a memory. */
export type MemoryEvent = EventsSubscription['memoryEvents']

/** A change of a cluster in a sleep. */
export type ClusterEvent = ClusterEventsSubscription['clusterEvents']

/** Options of a stream of events. */
export interface EventsOptions {
  /** resume after the event with this cursor, or for clusters with this id; omitted: from now */
  after?: string | undefined
  /** only changes in these namespaces; omitted: that of the client, or all that the key grants */
  namespaces?: string[] | undefined
  /** ends the stream */
  signal?: AbortSignal | undefined
}

// The server sends a comment every 15 s.
const SILENCE_MS = 45_000

/** What a stream asks for, and how its answers are read. */
interface Source<T> {
  operation: string
  /** the place from which a stream without a place begins */
  begin(transport: Transport, signal: AbortSignal, namespaces: string[] | undefined): Promise<string | undefined>
  /** the event of an answer and its place; LAGGED: the server left events out for a slow reader */
  read(data: unknown): { event: T; after: string; lagged: boolean }
}

/**
 * Changes in the order of commit, each once. A lost connection is opened again after the last event
 * that was delivered, so that none is lost. The iteration ends when it is left, or when the signal is aborted. It
 * throws where trying again cannot help, such as for a revoked key.
 */
export class ChangeStream<T> implements AsyncIterableIterator<T> {
  /** settles when the position is known after which every event is delivered */
  readonly ready: Promise<void>
  readonly #transport: Transport
  readonly #source: Source<T>
  readonly #namespaces: string[] | undefined
  readonly #stop = new AbortController()
  readonly #events: AsyncGenerator<T, void>
  #after: string | undefined
  #failures = 0 // since a connection was opened

  constructor(transport: Transport, options: EventsOptions, source: Source<T>) {
    this.#transport = transport
    this.#source = source
    this.#namespaces = options.namespaces
    this.#after = options.after
    const { signal } = options
    if (signal?.aborted) this.#stop.abort()
    signal?.addEventListener('abort', () => this.#stop.abort(), { signal: this.#stop.signal })
    this.ready = this.#start()
    this.ready.catch(() => {}) // next throws it
    this.#events = this.#run()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<T, void>> {
    return this.#events.next()
  }

  /** return closes the connection, also while next waits. */
  return(): Promise<IteratorResult<T, void>> {
    this.#stop.abort()
    return this.#events.return()
  }

  async #start(): Promise<void> {
    if (this.#after !== undefined || this.#stop.signal.aborted) return
    this.#after = await this.#source.begin(this.#transport, this.#stop.signal, this.#namespaces)
  }

  async *#run(): AsyncGenerator<T, void> {
    const { signal } = this.#stop
    try {
      await this.ready
      while (!signal.aborted) {
        try {
          for await (const { event, after, lagged } of this.#connection()) {
            this.#after = after
            if (lagged) break // the next connection begins with what was left out
            yield event
          }
        } catch (e) {
          const error = this.#transport.networkError(e)
          if (!TRANSIENT.has(error.code)) throw error
          await pause(this.#transport.wait(this.#failures++, error), signal)
        }
      }
    } catch (e) {
      if (!signal.aborted) throw e
    } finally {
      this.#stop.abort()
    }
  }

  /** connection yields the events of one connection. It throws UNREACHABLE where the server ended it. */
  async *#connection(): AsyncGenerator<{ event: T; after: string; lagged: boolean }, void> {
    const silence = new Silence(this.#stop.signal)
    try {
      const body = await this.#transport.open(this.#source.operation, { after: this.#after, namespaces: this.#namespaces }, silence.signal)
      this.#failures = 0
      for await (const message of messages(body, silence)) {
        const { data, errors } = JSON.parse(message) as { data?: unknown; errors?: Parameters<typeof fromAnswer>[0][] }
        if (errors?.[0]) throw fromAnswer(errors[0])
        if (data) yield this.#source.read(data)
      }
    } finally {
      silence.end()
    }
    throw new SomnographError('UNREACHABLE', 'the server closed the stream')
  }
}

/** The changes of memories. */
export class EventStream extends ChangeStream<MemoryEvent> {
  constructor(transport: Transport, options: EventsOptions) {
    super(transport, options, {
      operation: eventsOperation,
      async begin(transport, signal) {
        const { eventCursor } = await transport.call<EventCursorQuery>(eventCursorOperation, {}, true, { signal })
        return eventCursor ?? undefined
      },
      read(data) {
        const event = (data as EventsSubscription).memoryEvents
        return { event, after: event.cursor, lagged: event.kind === 'LAGGED' }
      },
    })
  }
}

/** The changes of clusters. Before the first change that was ever stored, a lost connection may lose one. */
export class ClusterEventStream extends ChangeStream<ClusterEvent> {
  constructor(transport: Transport, options: EventsOptions) {
    super(transport, options, {
      operation: clusterEventsOperation,
      async begin(transport, signal, namespaces) {
        const { clusterEvolution } = await transport.call<LastClusterEventQuery>(lastClusterEventOperation, { namespaces }, true, { signal })
        return clusterEvolution?.nodes[0]?.id
      },
      read(data) {
        const event = (data as ClusterEventsSubscription).clusterEvents
        return { event, after: event.id, lagged: false }
      },
    })
  }
}

const TRANSIENT = new Set<string>(['UNREACHABLE', 'UNAVAILABLE', 'RATE_LIMITED'])

/** Aborts a connection on which nothing came for a while. */
class Silence {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal
  readonly #abort = () => this.#controller.abort()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(outer: AbortSignal) {
    this.#outer = outer
    if (outer.aborted) this.#abort()
    outer.addEventListener('abort', this.#abort)
    this.heard()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  heard(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#abort, SILENCE_MS)
  }

  /** suspend stops the watch while the reader is busy with an event. */
  suspend(): void {
    clearTimeout(this.#timer)
  }

  end(): void {
    this.suspend()
    this.#outer.removeEventListener('abort', this.#abort)
    this.#abort()
  }
}

/** messages yields the data of the events of a stream. Comments are left out, and an event without data is its end. */
async function* messages(body: ReadableStream<Uint8Array>, silence: Silence): AsyncGenerator<string, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  for (;;) {
    silence.heard()
    const { done, value } = await reader.read()
    if (done) return
    silence.suspend()
    const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(5).trimStart())
      if (line !== '') continue
      const text = data.join('\n')
      data = []
      if (text !== '') yield text
    }
  }
}
