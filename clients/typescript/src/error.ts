import type { ErrorCode } from './generated.js'

/**
 * Code of an error: one that the server gives, or one of the client. UNREACHABLE: the server was not reached, or the
 * connection broke. TIMEOUT: the deadline of the call passed. ABORTED: the caller's signal was aborted. PROTOCOL: the
 * answer is not one of a Somnograph server.
 */
export type SomnographErrorCode = ErrorCode | 'UNREACHABLE' | 'TIMEOUT' | 'ABORTED' | 'PROTOCOL'

/** What an error says besides its message. */
export interface ErrorDetails {
  field?: string | undefined
  requestId?: string | undefined
  retryAfter?: number | undefined
  status?: number | undefined
}

/** The only error that the client throws. It never holds the key. */
export class SomnographError extends Error {
  override readonly name = 'SomnographError'
  /** what kind of error this is */
  readonly code: SomnographErrorCode
  /** path of the argument at fault, if there is one, such as input.content */
  readonly field: string | undefined
  /** names the entry in the server's log; only for INTERNAL */
  readonly requestId: string | undefined
  /** seconds after which the call may succeed; only for RATE_LIMITED */
  readonly retryAfter: number | undefined
  /** HTTP status of the answer, if it was not 200 */
  readonly status: number | undefined

  constructor(code: SomnographErrorCode, message: string, details: ErrorDetails = {}) {
    super(message)
    this.code = code
    this.field = details.field
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
    this.status = details.status
  }
}

/** One entry of errors in a GraphQL answer. */
export interface AnswerError {
  message: string
  extensions?: { code?: string; field?: string; id?: string; retryAfter?: number }
}

/** fromAnswer converts an error of an answer. */
export function fromAnswer(error: AnswerError, status?: number): SomnographError {
  const { code, field, id, retryAfter } = error.extensions ?? {}
  return new SomnographError((code ?? 'PROTOCOL') as SomnographErrorCode, error.message, { field, requestId: id, retryAfter, status: status === 200 ? undefined : status })
}

/** fromStatus is the error of an answer that is not GraphQL, such as that of a proxy. */
export function fromStatus(status: number, retryAfter: string | null): SomnographError {
  const code = STATUS_CODES[status] ?? 'PROTOCOL'
  const seconds = Number(retryAfter ?? NaN)
  return new SomnographError(code, `the server answered with HTTP status ${status} and no GraphQL answer`, { status, retryAfter: Number.isFinite(seconds) ? seconds : undefined })
}

const STATUS_CODES: Record<number, SomnographErrorCode> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  413: 'LIMIT_EXCEEDED',
  429: 'RATE_LIMITED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
}
