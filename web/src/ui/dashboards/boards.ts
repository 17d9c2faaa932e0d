// The boards: what became of memories, edges, evidence, conflicts, erasures, sleeps and recall, in one time range that the
// timeline shows too. A click on a bar narrows the map; each board is saved as CSV.
import { fetchErasures, fetchGate, fetchHealth, fetchReceipts, type Decision } from '../../api/dashboards'
import { fetchConflicts, fetchReports, isUnsupported } from '../../api/sleep'
import { dayText } from '../../state/clock'
import { DAY } from '../../state/decay'
import { rangeText } from '../../state/boards'
import { trendReports } from '../../state/reports'
import { AsyncContent } from '../asynccontent'
import { h } from '../dom'
import type { Session } from '../session'
import type { Tab } from '../tab'
import { answeredBoards, sceneBoards, type Answers, type Board } from './boardlist'
import { boardElement } from './boardview'

const SPANS: [days: number, name: string][] = [[0, 'All time'], [7, '7 days'], [30, '30 days'], [90, '90 days']]
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const UPDATE_DELAY_MS = 250
const REPORTS = 100
const GATE_PAGES = 5

export class BoardsTab implements Tab {
  readonly element: HTMLElement
  private readonly range = h('div', { class: 'segmented boards-range', role: 'radiogroup', 'aria-label': 'Time range' })
  private readonly shown = h('p', { class: 'muted small' })
  private readonly scene = h('div', { class: 'boards-grid' })
  private readonly rest = h('div')
  private readonly content: AsyncContent<Answers>
  private answers: Answers | null = null
  private opened = false
  private timer = 0

  constructor(private readonly s: Session) {
    this.range.addEventListener('keydown', (e) => this.onKey(e))
    this.element = h('div', { class: 'board boards' }, h('h2', {}, 'Boards'), h('div', { class: 'boards-head' }, this.range, this.shown), this.scene, this.rest)
    this.content = new AsyncContent(
      this.rest,
      (signal) => load(s, signal),
      (answers) => {
        this.answers = answers
        return this.answered()
      },
      'boards',
    )
    s.live.on(['world', 'filterMask'], () => this.updateSoon())
    s.view.on(['recorded', 'valid', 'statuses', 'learned'], () => this.updateSoon())
    s.view.on(['namespaces'], () => this.opened && void this.content.load())
    s.sleepFollower.store.on(['revision'], () => this.opened && void this.content.load())
  }

  open(): void {
    if (!this.opened) this.s.view.set({ wide: true })
    this.opened = true
    this.update()
    void this.content.load()
  }

  close(): void {
    this.opened = false
    this.content.stop()
    if (this.s.live.get().highlighted.length > 0) this.s.live.set({ highlighted: [] })
    this.s.view.set({ wide: false })
  }

  private updateSoon(): void {
    if (!this.opened) return
    this.timer ||= window.setTimeout(() => {
      this.timer = 0
      if (!this.opened) return
      this.update()
      if (this.answers) this.rest.replaceChildren(...this.answered())
    }, UPDATE_DELAY_MS)
  }

  private chosen(): number {
    const { learned } = this.s.view.get()
    if (learned.length === 0) return 0
    const days = (learned[1] - learned[0]) / DAY
    return SPANS.find(([n]) => n > 0 && Math.abs(days - n) < 0.01)?.[0] ?? -1
  }

  private update(): void {
    const { world } = this.s.live.get()
    const { learned } = this.s.view.get()
    const chosen = this.chosen()
    const choices = SPANS.map(([days, name]) => h('button', { type: 'button', role: 'radio', 'aria-checked': String(days === chosen), tabindex: days === Math.max(chosen, 0) ? 0 : -1, 'data-days': days, onclick: () => this.choose(days) }, name))
    const focused = this.range.contains(document.activeElement)
    this.range.replaceChildren(...choices)
    if (focused) this.range.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    this.shown.textContent = `${sentence(rangeText(learned))}, as of ${this.s.view.get().recorded === null ? 'now' : dayText(this.s.moment().recorded)}. The timeline and the map have the same range. Click a bar to see its memories on the map.`
    if (!world || world.count === 0) this.scene.replaceChildren(h('div', { class: 'dock-note' }, h('p', {}, 'No memories yet. When there are some, boards show what became of them.')))
    else this.show(this.scene, sceneBoards(this.s, world, learned))
  }

  /** Sets the range, which is the span of the timeline. */
  private choose(days: number): void {
    const to = Math.round(this.s.moment().recorded)
    this.s.view.set({ learned: days === 0 ? [] : [to - days * DAY, to] })
  }

  private onKey(e: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key]
    if (!step) return
    e.preventDefault()
    e.stopPropagation()
    const at = Math.max(SPANS.findIndex(([days]) => days === this.chosen()), 0)
    this.choose(SPANS[(at + step + SPANS.length) % SPANS.length]![0])
    this.update()
  }

  private answered(): Node[] {
    const grid = h('div', { class: 'boards-grid' })
    this.show(grid, answeredBoards(this.s, this.answers!, this.s.view.get().learned))
    return [grid]
  }

  private show(grid: HTMLElement, boards: readonly Board[]): void {
    const open = new Set([...grid.querySelectorAll<HTMLDetailsElement>('details[open]')].map((d) => d.closest('section')?.getAttribute('aria-label')))
    grid.replaceChildren(...boards.map((b) => boardElement(this.s, b)))
    for (const d of grid.querySelectorAll('details')) d.open = open.has(d.closest('section')?.getAttribute('aria-label'))
  }
}

/** Asks for what the boards show. What a credential may not see is left out; other errors are those of all boards. */
async function load(s: Session, signal: AbortSignal): Promise<Answers> {
  const { namespaces } = s.view.get()
  const some = namespaces.length > 0 ? [...namespaces] : null
  const optional = async <T>(asked: Promise<T>): Promise<T | null> => {
    try {
      return await asked
    } catch (e) {
      if (signal.aborted || !(isUnsupported(e) || isForbidden(e))) throw e
      return null
    }
  }
  const [reports, decisions, conflicts, erasures, health, receipts] = await Promise.all([
    optional(fetchReports(REPORTS, null, signal).then((p) => trendReports(p.nodes))),
    optional(fetchDecisions(some, signal)),
    optional(fetchConflicts(some, signal)),
    optional(fetchErasures(signal)),
    optional(fetchHealth(signal)),
    optional(fetchReceipts(signal)),
  ])
  return { reports, decisions, conflicts, erasures, health, receipts }
}

async function fetchDecisions(namespaces: string[] | null, signal: AbortSignal): Promise<Decision[]> {
  const out: Decision[] = []
  let after: string | null = null
  for (let page = 0; page < GATE_PAGES; page++) {
    const { nodes, pageInfo }: Awaited<ReturnType<typeof fetchGate>> = await fetchGate(namespaces, after, signal)
    out.push(...nodes)
    if (!pageInfo.hasNextPage) break
    after = pageInfo.endCursor ?? null
  }
  return out
}

function isForbidden(e: unknown): boolean {
  return e instanceof Error && 'code' in e && e.code === 'FORBIDDEN'
}
