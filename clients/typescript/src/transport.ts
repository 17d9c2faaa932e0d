import { type AnswerError, fromAnswer, fromStatus, SomnographError } from './error.js'
import { DEFAULT_RETRY, delay, repeatable, type RetryOptions } from './retry.js'

/** Options of the connection to a server. */
export interface ConnectionOptions {
  /** API key, sent as a bearer token */
  key?: string | undefined
  /** further headers of every request, such as those that a proxy asks for */
  headers?: Record<string, string> | undefined
  /** how failed calls are repeated */
  retry?: RetryOptions | undefined
  /** deadline of a call with its repetitions, in milliseconds; 0: none; default 30,000. Sleeps have none by default */
  timeoutMs?: number | undefined
  /** replaces the global fetch */
  fetch?: typeof fetch | undefined
}

/** Options of one call. */
export interface CallOptions {
  /** ends the call with the error ABORTED */
  signal?: AbortSignal | undefined
  /** deadline in milliseconds; 0: none; omitted: that of the client */
  timeoutMs?: number | undefined
}

interface Answer {
  data?: unknown
  errors?: AnswerError[]
}

const MAX_TIMEOUT = 2 ** 31 - 1

/** Sends GraphQL operations over HTTP. */
export class Transport {
  readonly #url: string
  readonly #headers: Record<string, string>
  readonly #key: string | undefined
  readonly #fetch: typeof fetch
  readonly #retry: Required<RetryOptions>
  readonly #timeoutMs: number

  constructor(url: string | URL, options: ConnectionOptions) {
    this.#url = endpoint(url)
    this.#key = checkedKey(options.key)
    this.#headers = { ...options.headers, 'content-type': 'application/json', ...(this.#key && { authorization: `Bearer ${this.#key}` }) }
    const given = options.fetch
    // The global fetch must not be called as a method of another object, and a later replacement of it counts.
    this.#fetch = (...args) => (given ?? globalThis.fetch)(...args)
    this.#retry = { ...DEFAULT_RETRY, ...options.retry }
    this.#timeoutMs = options.timeoutMs ?? 30_000
  }

  /**
   * call runs an operation and returns its data. A call that is not idempotent is repeated only where it certainly
   * did not run.
   */
  async call<Result>(query: string, variables: unknown, idempotent: boolean, options: CallOptions = {}): Promise<Result> {
    const body = JSON.stringify({ query, variables })
    const limit = new Deadline(options.signal, options.timeoutMs ?? this.#timeoutMs)
    try {
      for (let attempt = 0; ; attempt++) {
        limit.check()
        try {
          return (await this.#attempt(body, limit)) as Result
        } catch (e) {
          const error = limit.error() ?? (e as SomnographError)
          if (attempt >= this.#retry.retries || !repeatable(error, idempotent)) throw error
          const wait = delay(attempt, error, this.#retry, Math.random())
          if (wait >= limit.leftMs()) throw error
          await limit.wait(wait)
        }
      }
    } finally {
      limit.end()
    }
  }

  /** open sends an operation whose answers are a stream of server-sent events, and returns that stream. */
  async open(query: string, variables: unknown, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#send(JSON.stringify({ query, variables }), 'text/event-stream', signal)
    if (response.ok && response.body && response.headers.get('content-type')?.startsWith('text/event-stream')) return response.body
    throw failure(await this.#read(response), response)
  }

  /** wait is the time in milliseconds before a stream is opened again after a failure, attempt from 0. */
  wait(attempt: number, error: SomnographError): number {
    return delay(attempt, error, this.#retry, Math.random())
  }

  async #attempt(body: string, limit: Deadline): Promise<unknown> {
    const response = await this.#send(body, 'application/graphql-response+json, application/json;q=0.9', limit.signal)
    const answer = await this.#read(response)
    if (answer?.data === undefined || answer.errors?.length) throw failure(answer, response)
    return answer.data
  }

  async #send(body: string, accept: string, signal: AbortSignal): Promise<Response> {
    try {
      return await this.#fetch(this.#url, { method: 'POST', headers: { ...this.#headers, accept }, body, signal })
    } catch (e) {
      throw this.networkError(e)
    }
  }

  async #read(response: Response): Promise<Answer | undefined> {
    let text
    try {
      text = await response.text()
    } catch (e) {
      throw this.networkError(e)
    }
    try {
      const answer = JSON.parse(text)
      return answer !== null && typeof answer === 'object' && ('data' in answer || Array.isArray(answer.errors)) ? answer : undefined
    } catch {
      return undefined
    }
  }

  /** networkError describes what fetch threw, without the key, which a custom fetch may have put into its message. */
  networkError(e: unknown): SomnographError {
    if (e instanceof SomnographError) return e
    const cause = e instanceof Error && e.cause instanceof Error ? `: ${e.cause.message}` : ''
    const text = `the server was not reached: ${e instanceof Error ? e.message : String(e)}${cause}`
    return new SomnographError('UNREACHABLE', this.#key ? text.replaceAll(this.#key, '[key]') : text)
  }
}

/** failure is the error of an answer without usable data. */
function failure(answer: Answer | undefined, response: Response): SomnographError {
  const [error] = answer?.errors ?? []
  return error ? fromAnswer(error, response.status) : fromStatus(response.status, response.headers.get('retry-after'))
}

/** endpoint completes the address of a server to that of its GraphQL endpoint. */
function endpoint(url: string | URL): string {
  let parsed
  try {
    parsed = new URL(url, globalThis.location?.href)
  } catch {
    throw new SomnographError('INVALID_REQUEST', 'url must be an address such as http://127.0.0.1:8420', { field: 'url' })
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') throw new SomnographError('INVALID_REQUEST', 'url must begin with http: or https:', { field: 'url' })
  if (parsed.username || parsed.password) throw new SomnographError('INVALID_REQUEST', 'url must not contain a password: use key or headers', { field: 'url' })
  if (!parsed.pathname.endsWith('/graphql')) parsed.pathname = parsed.pathname.replace(/\/*$/, '/graphql')
  return parsed.href
}

/** checkedKey refuses a key that can't be sent, because fetch would quote it in its error. */
function checkedKey(key: string | undefined): string | undefined {
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) throw new SomnographError('INVALID_REQUEST', 'key must consist of visible ASCII characters', { field: 'key' })
  return key
}

/** The caller's signal and the deadline of a call as one signal. */
class Deadline {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal | undefined
  readonly #timer: ReturnType<typeof setTimeout> | undefined
  readonly #ends: number
  readonly #abort = () => this.#controller.abort()
  #late = false

  constructor(outer: AbortSignal | undefined, timeoutMs: number) {
    this.#outer = outer
    this.#ends = timeoutMs > 0 ? Date.now() + timeoutMs : Infinity
    if (timeoutMs > 0) {
      this.#timer = setTimeout(() => {
        this.#late = true
        this.#abort()
      }, Math.min(timeoutMs, MAX_TIMEOUT))
    }
    if (outer?.aborted) this.#abort()
    outer?.addEventListener('abort', this.#abort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  leftMs(): number {
    return this.#ends - Date.now()
  }

  /** error tells why the call has to end, if it has to. */
  error(): SomnographError | undefined {
    if (this.#outer?.aborted) return new SomnographError('ABORTED', 'the call was aborted')
    if (this.#late) return new SomnographError('TIMEOUT', 'the deadline of the call passed')
    return undefined
  }

  async wait(ms: number): Promise<void> {
    await pause(ms, this.signal)
    this.check()
  }

  check(): void {
    const error = this.error()
    if (error) throw error
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this.#abort)
  }
}

/** pause waits, and ends early when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(ms, MAX_TIMEOUT))
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
