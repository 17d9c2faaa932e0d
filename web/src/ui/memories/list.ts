// The visible memories as a list, in step with the map: the same instant, filters and cursor.
// It makes the map accessible to screen readers.
import { STATUSES, TYPES, displayName } from '../../api/vocabulary'
import { fetchLabel } from '../../api/operations'
import { dayText } from '../../state/clock'
import { sortedNodes, ORDERS, visibleRows, type Order } from '../../state/memorylist'
import { isFiltered } from '../../state/view'
import { retentionAt, statusAt } from '../../state/visibility'
import type { Tab } from '../tab'
import { glyph, h } from '../dom'
import type { Session } from '../session'

const ROW_HEIGHT = 48
/** Browsers limit the height of an element. */
const MAX_ROWS = 200_000
/** During playback the list is updated a few times a second. */
const MIN_DELAY_MS = 150
const NAMES: Record<Order, string> = { newest: 'Newest', important: 'Most important', faintest: 'Lowest retention' }

export class ListTab implements Tab {
  readonly element: HTMLElement
  private readonly head = h('p', { class: 'list-head muted', role: 'status' })
  private readonly rows = h('div', { class: 'list-rows', role: 'listbox', tabindex: 0, id: 'memory-list', 'aria-label': 'Shown memories' })
  private readonly scroller: HTMLElement
  private readonly orders: HTMLButtonElement[]
  private readonly texts = new Map<string, string>()
  private readonly requests = new Map<string, AbortController>()
  private nodes: number[] = []
  private order: Order = 'newest'
  private opened = false
  private timer = 0
  /** duration of the last update in ms; a long list is updated less often */
  private updateMs = 0

  constructor(private readonly s: Session) {
    this.orders = ORDERS.map((o) => h('button', { type: 'button', role: 'radio', 'aria-checked': String(o === this.order), onclick: () => this.sort(o) }, NAMES[o]))
    this.scroller = h('div', { class: 'list-scroll' }, this.rows)
    this.element = h('div', { class: 'list-tab' }, h('h2', {}, 'Memories'), this.head, h('div', { class: 'segmented', role: 'radiogroup', 'aria-label': 'Order' }, ...this.orders), this.scroller)
    this.scroller.addEventListener('scroll', () => this.draw(), { passive: true })
    this.rows.addEventListener('keydown', (e) => this.onKey(e))
    this.rows.addEventListener('click', (e) => {
      const node = Number((e.target as HTMLElement).closest<HTMLElement>('[data-node]')?.dataset['node'] ?? -1)
      if (node >= 0) this.s.open(this.s.live.get().world!.idOf(node), true)
    })
    this.rows.addEventListener('focus', () => this.s.live.get().cursor < 0 && this.moveCursor(0))
    s.live.on(['world', 'filterMask'], () => this.updateSoon())
    s.view.on(['recorded', 'valid', 'statuses', 'selected'], () => this.updateSoon())
    s.live.on(['cursor'], () => this.opened && this.scrollToCursor())
    window.addEventListener('resize', () => this.opened && this.draw())
  }

  open(): void {
    this.opened = true
    this.update()
    this.scrollToCursor()
  }

  close(): void {
    this.opened = false
    for (const a of this.requests.values()) a.abort()
    this.requests.clear()
  }

  private updateSoon(): void {
    if (!this.opened) return
    this.timer ||= window.setTimeout(() => {
      this.timer = 0
      if (this.opened) this.update()
    }, Math.max(MIN_DELAY_MS, 4 * this.updateMs))
  }

  private sort(order: Order): void {
    this.order = order
    this.orders.forEach((b, i) => b.setAttribute('aria-checked', String(ORDERS[i] === order)))
    this.scroller.scrollTop = 0
    this.update()
  }

  private update(): void {
    const start = performance.now()
    const { world } = this.s.live.get()
    const at = this.s.moment()
    this.nodes = world ? sortedNodes(world, (n) => this.s.isDrawn(n), this.order, at.recorded).slice(0, MAX_ROWS) : []
    this.rows.style.height = `${this.nodes.length * ROW_HEIGHT}px`
    const when = this.s.view.get().recorded === null ? 'now' : dayText(at.recorded)
    const filtered = isFiltered(this.s.view.get()) ? ', filtered' : ''
    this.head.textContent = this.nodes.length === 0 ? `No memories shown ${when === 'now' ? 'now' : `on ${when}`}${filtered}.` : `${this.nodes.length.toLocaleString('en')} shown, ${when}${filtered}`
    this.draw()
    this.updateMs = performance.now() - start
  }

  /** Renders the rows in view. */
  private draw(): void {
    const { world, cursor } = this.s.live.get()
    if (!world) return
    const { from, to } = visibleRows(this.nodes.length, ROW_HEIGHT, this.scroller.scrollTop, this.scroller.clientHeight || 600)
    const seen = new Set<string>()
    const rows: HTMLElement[] = []
    for (let i = from; i < to; i++) {
      seen.add(world.idOf(this.nodes[i]!))
      rows.push(this.row(i, this.nodes[i]! === cursor))
    }
    for (const [id, running] of this.requests) {
      if (seen.has(id)) continue
      running.abort()
      this.requests.delete(id)
    }
    this.rows.replaceChildren(...rows)
    const at = this.nodes.indexOf(cursor)
    if (at >= from && at < to) this.rows.setAttribute('aria-activedescendant', `memory-${at}`)
    else this.rows.removeAttribute('aria-activedescendant')
  }

  private row(i: number, atCursor: boolean): HTMLElement {
    const world = this.s.live.get().world!
    const n = this.nodes[i]!
    const f = world.frame
    const at = this.s.moment().recorded
    const id = world.idOf(n)
    const type = TYPES[f.type[n]!]!
    const status = statusAt(world, n, at)
    const retention = Math.round(100 * retentionAt(world, n, at))
    const text = h('span', { class: 'list-text' }, f.label(n) || this.texts.get(id) || '…')
    if (text.textContent === '…') void this.loadText(id, text)
    const row = h(
      'div',
      {
        class: atCursor ? 'list-row at' : 'list-row', role: 'option', id: `memory-${i}`, 'data-node': n, 'data-id': id,
        'aria-selected': String(this.s.view.get().selected === id), 'aria-setsize': this.nodes.length, 'aria-posinset': i + 1,
      },
      glyph(type),
      text,
      h('span', { class: 'list-foot' }, `${displayName(type)} · ${dayText(f.born[n]!)} · ${status > 0 ? displayName(STATUSES[status]!) : `retention ${retention} %`}`),
    )
    row.style.transform = `translateY(${i * ROW_HEIGHT}px)`
    return row
  }

  /** Loads the text of a memory whose label is not in the scene. */
  private async loadText(id: string, into: HTMLElement): Promise<void> {
    if (this.requests.has(id)) return
    const running = new AbortController()
    this.requests.set(id, running)
    try {
      const words = (await fetchLabel(id, running.signal)).slice(0, 160)
      this.texts.set(id, words)
      into.textContent = words
    } catch {
      if (!running.signal.aborted) into.textContent = 'The text could not be loaded.'
    }
    this.requests.delete(id)
  }

  private onKey(e: KeyboardEvent): void {
    const at = this.nodes.indexOf(this.s.live.get().cursor)
    const page = Math.max(Math.floor(this.scroller.clientHeight / ROW_HEIGHT) - 1, 1)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.nodes.length - 1 }[e.key]
    if (to !== undefined) this.moveCursor(to)
    else if (e.key === 'Enter' && at >= 0) this.s.open(this.s.live.get().world!.idOf(this.nodes[at]!), true)
    else return
    e.preventDefault()
    e.stopPropagation()
  }

  /** Moves the cursor to a row; the map follows. */
  private moveCursor(i: number): void {
    const n = this.nodes[Math.min(Math.max(i, 0), this.nodes.length - 1)]
    if (n !== undefined) this.s.live.set({ cursor: n })
  }

  /** Scrolls the row of the cursor into view. */
  private scrollToCursor(): void {
    const i = this.nodes.indexOf(this.s.live.get().cursor)
    if (i >= 0) {
      const { scrollTop, clientHeight } = this.scroller
      if (i * ROW_HEIGHT < scrollTop) this.scroller.scrollTop = i * ROW_HEIGHT
      else if ((i + 1) * ROW_HEIGHT > scrollTop + clientHeight) this.scroller.scrollTop = (i + 1) * ROW_HEIGHT - clientHeight
    }
    this.draw()
  }
}
