// An element with content from the server: while it loads, when it fails, and when the server
// does not support it.
import { ApiError } from '../api/graphql'
import { isUnsupported } from '../api/sleep'
import { h } from './dom'

/** Contents that could not be loaded. */
const failed = new Set<{ load(reset: boolean): Promise<void> }>()

/** Loads everything again that could not be loaded: the server is back. */
export function retryFailed(): void {
  for (const content of [...failed]) void content.load(true)
}

export class AsyncContent<T> {
  private running: AbortController | null = null
  private filled = false

  constructor(
    private readonly into: HTMLElement,
    private readonly fetch: (signal: AbortSignal) => Promise<T>,
    private readonly show: (answer: T) => Node[],
    /** what this server does not support, as the subject of a sentence */
    private readonly name: string,
  ) {}

  /** Loads the content. The old content stays until the answer arrives, unless reset. */
  async load(reset = false): Promise<void> {
    this.stop()
    const running = (this.running = new AbortController())
    if (reset || !this.filled) {
      this.filled = false
      this.into.replaceChildren(h('div', { class: 'skeleton', role: 'status', 'aria-label': 'Loading' }, h('i'), h('i'), h('i')))
    }
    try {
      const answer = await this.fetch(running.signal)
      if (running.signal.aborted) return
      this.into.replaceChildren(...this.show(answer))
      this.filled = true
    } catch (e) {
      if (running.signal.aborted) return
      this.filled = false
      this.into.replaceChildren(this.failed(e))
      if (!isUnsupported(e)) failed.add(this)
    }
  }

  stop(): void {
    failed.delete(this)
    this.running?.abort()
  }

  private failed(e: unknown): HTMLElement {
    const again = h('button', { type: 'button', class: 'button', onclick: () => void this.load(true) }, 'Try again')
    if (isUnsupported(e)) return h('div', { class: 'dock-note', role: 'status' }, h('p', {}, `Not available from this server: ${this.name}.`), h('p', { class: 'muted small' }, errorText(e)), again)
    return h('div', { class: 'dock-note', role: 'alert' }, h('p', {}, errorText(e)), again)
  }
}

/** An error as text for the user. */
export function errorText(e: unknown): string {
  if (!(e instanceof ApiError)) return 'Could not be loaded.'
  if (e.code === 'SLEEP_RUNNING') return 'A sleep is running. Try again when it has finished.'
  if (e.code === 'FORBIDDEN') return `Not allowed: ${e.message}`
  return e.message
}
