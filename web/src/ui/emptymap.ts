// A strip over an empty map: why nothing is shown, and what brings the memories back.
import { emptyReason } from '../state/emptymap'
import { isFiltered, NO_FILTERS } from '../state/view'
import { h } from './dom'
import type { Session } from './session'

export class EmptyMap {
  readonly element = h('div', { class: 'empty-map panel', role: 'status', hidden: true })
  private said = ''

  constructor(private readonly s: Pick<Session, 'view' | 'live'>) {}

  /** The number of memories that are shown has changed. */
  update(shown: number): void {
    const { world, status } = this.s.live.get()
    const view = this.s.view.get()
    const reason = world && status === 'ready' ? emptyReason(view, isFiltered(view), shown, world.firstBorn, world.count) : null
    this.element.hidden = reason === null
    if ((reason?.text ?? '') === this.said) return
    this.said = reason?.text ?? ''
    if (!reason) return
    const clear = h('button', { type: 'button', class: 'link', onclick: () => this.s.view.set({ ...NO_FILTERS }) }, 'Clear the filters')
    const now = h('button', { type: 'button', class: 'link', onclick: () => this.s.view.set({ recorded: null, valid: null }) }, 'Back to now')
    this.element.replaceChildren(h('span', {}, reason.text), ...(reason.clear ? [clear] : []), ...(reason.now ? [now] : []))
  }
}
