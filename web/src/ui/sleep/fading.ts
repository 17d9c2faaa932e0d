// The forecast: memories that fade within some days unless they are used, soonest first.
import { fetchForecast, type ForecastEntry } from '../../api/sleep'
import { displayName } from '../../api/vocabulary'
import { dayText, spanText } from '../../state/clock'
import { DAY } from '../../state/decay'
import { fadingByDay } from '../../state/plasticity'
import { shorten } from '../../scene/labels/labels'
import type { Tab } from '../tab'
import { glyph, h } from '../dom'
import type { Session } from '../session'
import { AsyncContent } from '../asynccontent'
import { stackedBars } from '../charts'

const SPANS = [7, 30, 90, 365]
const FIRST = 200
const SLICES = 14

export class FadingTab implements Tab {
  readonly element: HTMLElement
  private readonly listing = h('div')
  private readonly buttons: HTMLButtonElement[]
  private readonly content: AsyncContent<ForecastEntry[]>
  private days = 30
  private opened = false

  constructor(private readonly s: Session) {
    this.buttons = SPANS.map((n) => h('button', { type: 'button', role: 'radio', onclick: () => this.setDays(n) }, n === 365 ? '1 year' : `${n} days`))
    this.element = h(
      'div',
      { class: 'fading-tab' },
      h('h2', {}, 'Forecast'),
      h('p', { class: 'muted' }, 'These memories drop below 20 % retention if they are not used. A sleep may archive them later.'),
      h('div', { class: 'segmented', role: 'radiogroup', 'aria-label': 'Period' }, ...this.buttons),
      this.listing,
    )
    this.content = new AsyncContent(
      this.listing,
      (signal) => {
        const { namespaces, users } = s.view.get()
        return fetchForecast({ days: this.days, first: FIRST, namespaces: namespaces.length > 0 ? namespaces : null, user: users.length === 1 && users[0] ? users[0] : null }, signal)
      },
      (found) => this.rows(found),
      'forecast',
    )
    s.view.on(['namespaces', 'users'], () => this.opened && void this.content.load())
    s.sleepFollower.store.on(['revision'], () => this.opened && void this.content.load())
    this.updateButtons()
  }

  open(): void {
    this.opened = true
    void this.content.load()
  }

  close(): void {
    this.opened = false
    this.content.stop()
  }

  private setDays(days: number): void {
    this.days = days
    this.updateButtons()
    void this.content.load(true)
  }

  private updateButtons(): void {
    this.buttons.forEach((b, i) => b.setAttribute('aria-checked', String(SPANS[i] === this.days)))
  }

  private rows(found: ForecastEntry[]): Node[] {
    if (found.length === 0) return [h('div', { class: 'dock-note' }, h('p', {}, `No memories fade within ${this.days === 365 ? 'a year' : `${this.days} days`}.`))]
    const now = this.s.clock.now()
    const slices = fadingByDay(found.map((f) => Date.parse(f.fadesAt)), now, this.days, SLICES)
    const chart = stackedBars('Fading memories by date', slices.map((s) => ({ name: dayText(s.from), values: { pruned: s.count } })), [{ key: 'pruned', label: 'fade' }])
    const rows = found.map((f) => {
      const at = Date.parse(f.fadesAt)
      const m = f.memory
      const fill = h('i')
      fill.style.width = `${Math.round(100 * m.retention)}%`
      const archives = f.archivesAt ? `may be archived from ${dayText(Date.parse(f.archivesAt))}` : ''
      return h(
        'li',
        {},
        h(
          'button',
          { type: 'button', class: 'fade-row', 'data-id': m.id, onclick: () => this.s.open(m.id, true) },
          glyph(m.type),
          h('span', { class: 'fade-text' }, shorten(m.content ?? m.unavailable?.message ?? 'untitled memory')),
          h('span', { class: 'fade-when', title: `${dayText(at)}${archives ? `; ${archives}` : ''}` }, at <= now ? 'faded' : at - now < DAY ? 'today' : `in ${spanText(at - now)}`),
          h('span', { class: 'fade-left' }, h('span', { class: 'bar' }, fill), h('small', {}, `retention ${Math.round(100 * m.retention)} % · ${displayName(m.decayClass).toLowerCase()} decay${archives ? ` · ${archives}` : ''}`)),
        ),
      )
    })
    const many = found.length === FIRST ? `First ${FIRST}` : String(found.length)
    return [h('h3', {}, `${many} within ${this.days === 365 ? 'a year' : `${this.days} days`}`), chart, h('ol', { class: 'fade-list' }, ...rows)]
  }
}
