// Several selected memories, and what can be done with them: list, export, tag, pin and forget.
import { TYPES } from '../api/vocabulary'
import { shorten } from '../scene/labels/labels'
import { grants, memoriesText } from '../state/actions'
import { dayText } from '../state/clock'
import { exportView } from '../state/export'
import { glyph, h } from './dom'
import { download } from './image'
import type { Session } from './session'

/** One request erases at most so many memories. */
const FORGET_LIMIT = 1000
/** Of more memories none is tagged: each takes requests of its own. */
const TAG_LIMIT = 200
/** More pinned memories would fill every prompt. */
const PIN_LIMIT = 20
/** So many of the selected memories are listed. */
const LISTED = 200

export class Selection {
  readonly element = h('div', { class: 'lasso-bar panel', role: 'group', 'aria-label': 'Selection', hidden: true })
  private ids: string[] = []

  constructor(private readonly s: Session) {
    s.live.on(['highlighted'], ({ highlighted }) => highlighted !== this.ids && this.forget())
    s.live.on(['scopes'], () => this.ids.length > 0 && this.show())
    s.view.on(['recorded', 'valid'], () => this.ids.length > 0 && this.show())
  }

  select(ids: string[]): void {
    this.ids = ids
    this.s.live.set({ highlighted: ids })
    this.element.hidden = ids.length === 0
    this.s.announce(ids.length === 0 ? 'No memory is selected' : `${memoriesText(ids.length)} selected`)
    if (ids.length > 0) this.show()
  }

  /** Selects every memory that is shown, and moves the focus to what can be done with them. */
  selectShown(): void {
    const { world } = this.s.live.get()
    if (!world) return
    this.select(Array.from({ length: world.count }, (_, n) => n).filter((n) => this.s.isDrawn(n)).map((n) => world.idOf(n)))
    this.element.querySelector('button')?.focus()
  }

  private show(): void {
    const { ids } = this
    const { recorded, valid } = this.s.view.get()
    const { scopes } = this.s.live.get()
    const present = recorded === null && valid === null
    const button = (name: string, act: () => void) => h('button', { type: 'button', class: 'quiet-button', onclick: act }, name)
    /** Does not take more memories than the limit; it says so. */
    const limited = (name: string, limit: number, act: () => void) => {
      const b = button(name, act)
      b.disabled = ids.length > limit
      if (b.disabled) b.title = `Select at most ${memoriesText(limit)}`
      return b
    }
    const list = h('ul', { class: 'links lasso-list', hidden: true })
    const toggle = button('List', () => {
      list.hidden = !list.hidden
      toggle.setAttribute('aria-expanded', String(!list.hidden))
      if (!list.hidden) list.replaceChildren(...this.rows())
    })
    toggle.setAttribute('aria-expanded', 'false')
    const several = () => import('./acting/several')
    this.element.replaceChildren(
      h('b', {}, `${memoriesText(ids.length)} selected`),
      toggle,
      button('Export JSON', () => this.export()),
      ...(present && grants(scopes, 'MEMORY_CURATE') ? [limited('Tag…', TAG_LIMIT, () => void several().then((m) => m.tagSeveral(this.s, ids))), limited('Pin', PIN_LIMIT, () => void several().then((m) => m.pinSeveral(this.s, ids)))] : []),
      ...(present && grants(scopes, 'MEMORY_WRITE') ? [limited('Forget…', FORGET_LIMIT, () => void import('./acting/forget').then((m) => m.forgetSeveral(this.s, ids, () => this.clear())))] : []),
      button('Clear', () => this.clear()),
      list,
    )
  }

  private rows(): HTMLElement[] {
    const { world } = this.s.live.get()
    if (!world) return []
    const nodes = this.ids.map((id) => world.indexOf(id)).filter((n) => n >= 0)
    const rows = nodes.slice(0, LISTED).map((n) => {
      const id = world.idOf(n)
      return h('li', {}, h('button', { type: 'button', 'data-id': id, onclick: () => this.s.open(id, true) }, glyph(TYPES[world.frame.type[n]!]!), h('span', { class: 'name' }, shorten(world.frame.label(n)) || id)))
    })
    return nodes.length > LISTED ? [...rows, h('li', { class: 'muted' }, `and ${(nodes.length - LISTED).toLocaleString('en')} more`)] : rows
  }

  private export(): void {
    const { world } = this.s.live.get()
    if (!world) return
    const chosen = new Set(this.ids.map((id) => world.indexOf(id)))
    const out = exportView(world, (n) => chosen.has(n), this.s.moment(), this.s.view.get(), { now: this.s.clock.now(), link: location.href })
    download(new Blob([JSON.stringify(out, null, 1)], { type: 'application/json' }), `somnograph selection ${dayText(this.s.moment().recorded)}.json`)
    this.s.announce(`${out.memories.length} memories exported`)
  }

  private clear(): void {
    this.forget()
    this.s.live.set({ highlighted: [] })
  }

  /** Something else is highlighted now. */
  private forget(): void {
    this.ids = []
    this.element.hidden = true
  }
}
