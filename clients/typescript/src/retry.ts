import type { SomnographError } from './error.js'

/** How failed calls are repeated. */
export interface RetryOptions {
  /** repetitions after the first attempt; 0 turns them off; default 5 */
  retries?: number
  /** wait before the first repetition in milliseconds; it doubles with each; default 200 */
  baseMs?: number
  /** longest wait in milliseconds, unless the server asks for a longer one; default 5,000 */
  maxMs?: number
}

/** DEFAULT_RETRY waits 3.1 to 6.2 s in all. */
export const DEFAULT_RETRY: Required<RetryOptions> = { retries: 5, baseMs: 200, maxMs: 5_000 }

/**
 * repeatable tells whether a call may be repeated after an error. A refusal for the rate limit comes before the
 * operation runs. After UNREACHABLE and UNAVAILABLE it is not known whether it ran, so it must be idempotent.
 */
export function repeatable(error: SomnographError, idempotent: boolean): boolean {
  return error.code === 'RATE_LIMITED' || (idempotent && (error.code === 'UNREACHABLE' || error.code === 'UNAVAILABLE'))
}

/**
 * delay is the wait in milliseconds before repetition number attempt, from 0: half of the exponential wait plus a
 * random part of the other half, or what the server asks for plus up to a quarter of it. random is in [0,1).
 */
export function delay(attempt: number, error: SomnographError, options: Required<RetryOptions>, random: number): number {
  if (error.retryAfter !== undefined) return error.retryAfter * 1000 * (1 + random / 4)
  const full = Math.min(options.maxMs, options.baseMs * 2 ** attempt)
  return (full / 2) * (1 + random)
}
