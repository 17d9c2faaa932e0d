// What changed between two days, as a list and on the map.
import { DAY, dayText } from '../../state/clock'
import { diffWords } from '../../state/diff'
import { changesBetween, type Changes } from '../../state/timeevents'
import { TYPES } from '../../api/vocabulary'
import { glyph, h } from '../dom'
import type { Session } from '../session'
import type { Tab } from '../tab'

/** So many rows of a kind are shown. */
const ROWS = 200
const DEFAULT_DAYS = 30

export class ChangesTab implements Tab {
  readonly element: HTMLElement
  private readonly from = h('input', { type: 'date', 'aria-label': 'From' })
  private readonly to = h('input', { type: 'date', 'aria-label': 'To' })
  private readonly rows = h('div', { class: 'changes', 'aria-live': 'polite' })
  private opened = false

  constructor(private readonly s: Session) {
    const change = () => {
      const [a, b] = [Date.parse(this.from.value), Date.parse(this.to.value)]
      if (!Number.isFinite(a) || !Number.isFinite(b)) return
      const [from, to] = [Math.min(a, b), Math.max(a, b) + DAY - 1]
      this.s.view.set({ compare: [from, to], clock: 'recorded', recorded: to >= this.s.clock.now() ? null : to })
    }
    this.from.addEventListener('change', change)
    this.to.addEventListener('change', change)
    this.element = h(
      'div',
      { class: 'changes-tab' },
      h('h2', {}, 'What changed'),
      h('p', { class: 'muted' }, 'What was learned, corrected and lost between two days. The map shows the second day: changes are ringed, what is gone is hollow.'),
      h('div', { class: 'changes-days' }, h('label', {}, 'From', this.from), h('label', {}, 'to', this.to)),
      this.rows,
    )
    s.view.on(['compare', 'recorded'], () => this.update())
    s.live.on(['world', 'filterMask'], () => this.update())
  }

  open(): void {
    this.opened = true
    this.update()
  }

  close(): void {
    this.opened = false
    this.s.live.set({ highlighted: [], ghosts: [] })
  }

  /** The days compared: those of the link, or the month before the instant shown. */
  private days(): [number, number] {
    const { compare, recorded } = this.s.view.get()
    if (compare.length === 2) return [compare[0], compare[1]]
    const to = recorded ?? this.s.clock.now()
    return [to - DEFAULT_DAYS * DAY, to]
  }

  private update(): void {
    const { world, filterMask } = this.s.live.get()
    if (!this.opened || !world) return
    const [from, to] = this.days()
    const date = (ms: number) => new Date(ms).toISOString().slice(0, 10)
    this.from.value = date(from)
    this.to.value = date(to)
    const changes = changesBetween(world, filterMask, from, to)
    const ids = (nodes: readonly number[]) => nodes.map((n) => world.idOf(n))
    this.s.live.set({ highlighted: ids([...changes.added, ...changes.changed.map(([, after]) => after)]), ghosts: ids([...changes.gone, ...changes.changed.map(([before]) => before)]) })
    this.rows.replaceChildren(...this.show(changes))
  }

  private show({ added, changed, gone }: Changes): Node[] {
    const world = this.s.live.get().world!
    const label = (n: number) => world.frame.label(n) || 'untitled memory'
    const row = (n: number, text: Node | string, day: number) =>
      h('li', { 'data-id': world.idOf(n) }, h('button', { type: 'button', onclick: () => this.s.open(world.idOf(n), true) }, glyph(TYPES[world.frame.type[n]!]!), h('span', { class: 'change-text' }, text), h('small', {}, dayText(day))))
    const words = (before: number, after: number) =>
      h('span', {}, ...diffWords(label(before), label(after)).flatMap((p): (Node | string)[] => (p.kind === 'same' ? [p.text] : [h('span', { class: 'quiet' }, p.kind === 'gone' ? ' was ' : ' now '), h(p.kind === 'gone' ? 'del' : 'ins', {}, p.text)])))
    const ended = (n: number) => [...world.frame.stateFrom.subarray(world.frame.stateStart[n]!, world.frame.stateStart[n + 1]!)].at(-1) ?? 0
    const section = (name: string, rows: HTMLElement[]) =>
      rows.length === 0 ? [] : [h('h3', {}, `${name} · ${rows.length.toLocaleString('en')}`), h('ul', { class: 'change-list' }, ...rows.slice(0, ROWS)), ...(rows.length > ROWS ? [h('p', { class: 'muted' }, `and ${(rows.length - ROWS).toLocaleString('en')} more`)] : [])]
    const all = [
      ...section('Corrected', changed.map(([before, after]) => row(after, words(before, after), world.frame.born[after]!))),
      ...section('Lost', gone.map((n) => row(n, label(n), ended(n)))),
      ...section('Learned', added.map((n) => row(n, label(n), world.frame.born[n]!))),
    ]
    return all.length > 0 ? all : [h('div', { class: 'dock-note' }, h('p', {}, 'Nothing changed between these days. Choose others, or clear the filters.'))]
  }
}
