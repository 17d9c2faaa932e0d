import { fromAnswer, SomnographError } from './error.js'
import { type EventsSubscription, eventCursorOperation, eventsOperation, type EventCursorQuery } from './generated.js'
import { pause, type Transport } from './transport.js'

/** A change of a memory. */
export type MemoryEvent = EventsSubscription['memoryEvents']

/** Options of a stream of events. */
export interface EventsOptions {
  /** resume after the event with this cursor; omitted: from now */
  after?: string | undefined
  /** only changes in these namespaces; omitted: that of the client, or all that the key grants */
  namespaces?: string[] | undefined
  /** ends the stream */
  signal?: AbortSignal | undefined
}

// The server sends a comment every 15 s.
const SILENCE_MS = 45_000

/**
 * The changes of memories, in the order of commit, each once. A lost connection is opened again after the last event
 * that was delivered, so that none is lost. The iteration ends when it is left, or when the signal is aborted. It
 * throws where trying again cannot help, such as for a revoked key.
 */
export class EventStream implements AsyncIterableIterator<MemoryEvent> {
  /** settles when the position is known after which every event is delivered */
  readonly ready: Promise<void>
  readonly #transport: Transport
  readonly #namespaces: string[] | undefined
  readonly #stop = new AbortController()
  readonly #events: AsyncGenerator<MemoryEvent, void>
  #after: string | undefined
  #failures = 0 // since a connection was opened

  constructor(transport: Transport, options: EventsOptions) {
    this.#transport = transport
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

  next(): Promise<IteratorResult<MemoryEvent, void>> {
    return this.#events.next()
  }

  /** return closes the connection, also while next waits. */
  return(): Promise<IteratorResult<MemoryEvent, void>> {
    this.#stop.abort()
    return this.#events.return()
  }

  async #start(): Promise<void> {
    if (this.#after !== undefined || this.#stop.signal.aborted) return
    const { eventCursor } = await this.#transport.call<EventCursorQuery>(eventCursorOperation, {}, true, { signal: this.#stop.signal })
    this.#after = eventCursor ?? undefined
  }

  async *#run(): AsyncGenerator<MemoryEvent, void> {
    const { signal } = this.#stop
    try {
      await this.ready
      while (!signal.aborted) {
        try {
          for await (const event of this.#connection()) {
            this.#after = event.cursor
            // The server left events out for a slow reader; the next connection begins with them.
            if (event.kind === 'LAGGED') break
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
  async *#connection(): AsyncGenerator<MemoryEvent, void> {
    const silence = new Silence(this.#stop.signal)
    try {
      const body = await this.#transport.open(eventsOperation, { after: this.#after, namespaces: this.#namespaces }, silence.signal)
      this.#failures = 0
      for await (const message of messages(body, silence)) {
        const { data, errors } = JSON.parse(message) as { data?: EventsSubscription; errors?: Parameters<typeof fromAnswer>[0][] }
        if (errors?.[0]) throw fromAnswer(errors[0])
        if (data) yield data.memoryEvents
      }
    } finally {
      silence.end()
    }
    throw new SomnographError('UNREACHABLE', 'the server closed the stream')
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
