// Who will fade within some days unless it is used, soonest first.
import { fetchForecast, type Fading } from '../../api/sleep'
import { spoken } from '../../api/vocabulary'
import { dayText, spanText } from '../../state/clock'
import { DAY } from '../../state/decay'
import { fadingByDay } from '../../state/plasticity'
import { shorten } from '../../scene/labels/labels'
import type { Tab } from '../tab'
import { glyph, h } from '../dom'
import type { Session } from '../session'
import { Asked } from '../asynccontent'
import { layers } from '../charts'

const SPANS = [7, 30, 90, 365]
const FIRST = 200
const SLICES = 14

export class FadingTab implements Tab {
  readonly element: HTMLElement
  private readonly listing = h('div')
  private readonly buttons: HTMLButtonElement[]
  private readonly asked: Asked<Fading[]>
  private days = 30
  private opened = false

  constructor(private readonly s: Session) {
    this.buttons = SPANS.map((n) => h('button', { type: 'button', role: 'radio', onclick: () => this.look(n) }, n === 365 ? '1 year' : `${n} days`))
    this.element = h(
      'div',
      { class: 'fading-tab' },
      h('h2', {}, 'What fades'),
      h('p', { class: 'muted' }, 'These memories fall below a fifth of their strength unless they are used. A sleep may archive them later.'),
      h('div', { class: 'segmented', role: 'radiogroup', 'aria-label': 'Within' }, ...this.buttons),
      this.listing,
    )
    this.asked = new Asked(
      this.listing,
      (signal) => {
        const { namespaces, users } = s.view.get()
        return fetchForecast({ days: this.days, first: FIRST, namespaces: namespaces.length > 0 ? namespaces : null, user: users.length === 1 && users[0] ? users[0] : null }, signal)
      },
      (found) => this.rows(found),
      'The forecast',
    )
    s.view.on(['namespaces', 'users'], () => this.opened && void this.asked.load())
    s.sleeper.store.on(['news'], () => this.opened && void this.asked.load())
    this.mark()
  }

  open(): void {
    this.opened = true
    void this.asked.load()
  }

  close(): void {
    this.opened = false
    this.asked.stop()
  }

  private look(days: number): void {
    this.days = days
    this.mark()
    void this.asked.load(true)
  }

  private mark(): void {
    this.buttons.forEach((b, i) => b.setAttribute('aria-checked', String(SPANS[i] === this.days)))
  }

  private rows(found: Fading[]): Node[] {
    if (found.length === 0) return [h('div', { class: 'dock-note' }, h('p', {}, `Nothing fades within ${this.days} days.`))]
    const now = this.s.clock.now()
    const slices = fadingByDay(found.map((f) => Date.parse(f.fadesAt)), now, this.days, SLICES)
    const chart = layers('How many fade when', slices.map((s) => ({ name: dayText(s.from), values: { pruned: s.count } })), [{ key: 'pruned', label: 'fade' }])
    const rows = found.map((f) => {
      const at = Date.parse(f.fadesAt)
      const m = f.memory
      const fill = h('i')
      fill.style.width = `${Math.round(100 * m.retention)}%`
      const archives = f.archivesAt ? `a sleep may archive it from ${dayText(Date.parse(f.archivesAt))}` : ''
      return h(
        'li',
        {},
        h(
          'button',
          { type: 'button', class: 'fade-row', 'data-id': m.id, onclick: () => this.s.open(m.id, true) },
          glyph(m.type),
          h('span', { class: 'fade-text' }, shorten(m.content ?? m.unavailable?.message ?? 'a memory')),
          h('span', { class: 'fade-when', title: `${dayText(at)}${archives ? `; ${archives}` : ''}` }, at <= now ? 'faded' : at - now < DAY ? 'today' : `in ${spanText(at - now)}`),
          h('span', { class: 'fade-left' }, h('span', { class: 'bar' }, fill), h('small', {}, `${Math.round(100 * m.retention)} % left · fades ${spoken(m.decayClass).toLowerCase()}${archives ? ` · ${archives}` : ''}`)),
        ),
      )
    })
    const many = found.length === FIRST ? `the first ${FIRST}` : String(found.length)
    return [h('h3', {}, `${many} within ${this.days === 365 ? 'a year' : `${this.days} days`}`), chart, h('ol', { class: 'fade-list' }, ...rows)]
  }
}
