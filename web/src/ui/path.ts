// How the open memory hangs together with another one: the memory that was open before it,
// or else the best hit.
import { fetchWay, type Way as Answer } from '../api/entities'
import { spoken } from '../api/vocabulary'
import { pathSteps } from '../state/path'
import { errorText } from './asynccontent'
import { glyph, h, icon } from './dom'
import type { Session } from './session'

export class Way {
  private running: AbortController | null = null
  /** the scene points at the way that is shown */
  private pointing = false

  constructor(private readonly s: Session) {}

  /** Offers the way to a memory; null where there is nothing to come from. */
  offer(id: string): HTMLElement | null {
    this.stop()
    const from = this.start(id)
    if (!from) return null
    const { world } = this.s.live.get()
    const node = world?.indexOf(from) ?? -1
    const name = (node >= 0 && world!.frame.label(node)) || 'the memory before'
    const into = h('div', { role: 'status' })
    const ask = h('button', { type: 'button', class: 'way-ask' }, icon('link'), h('span', {}, 'The way from ', h('q', {}, name)))
    ask.addEventListener('click', () => {
      ask.disabled = true
      void this.find(from, id, into).finally(() => (ask.disabled = false))
    })
    return h('section', { class: 'way' }, h('h3', {}, 'How it hangs together'), ask, into)
  }

  stop(): void {
    this.running?.abort()
    if (this.pointing) this.s.live.set({ pointed: [] })
    this.pointing = false
  }

  private start(id: string): string | null {
    const { before } = this.s
    if (before && before !== id) return before
    return this.s.live.get().hits.find((hit) => hit !== id) ?? null
  }

  private async find(from: string, to: string, into: HTMLElement): Promise<void> {
    const running = (this.running = new AbortController())
    const { recorded } = this.s.view.get()
    try {
      const way = await fetchWay(from, to, recorded === null ? null : { recorded: new Date(recorded).toISOString() }, running.signal)
      if (running.signal.aborted) return
      into.replaceChildren(this.tell(way))
    } catch (e) {
      if (!running.signal.aborted) into.replaceChildren(h('p', { class: 'bad small' }, errorText(e)))
    }
  }

  private tell(way: Answer): HTMLElement {
    const legs = pathSteps(way.memories, way.edges)
    if (legs.length === 0) return h('p', { class: 'muted small' }, way.truncated ? 'No way was found among the nearest memories.' : 'No way of at most six steps leads there.')
    this.pointing = true
    this.s.live.set({ pointed: legs.map((l) => l.memory.id) })
    return h(
      'ol',
      { class: 'links legs' },
      ...legs.map(({ memory: m, relation }) =>
        h('li', {}, relation !== '' && h('span', { class: 'leg-by' }, relation), h('button', { type: 'button', onclick: () => this.s.open(m.id, true), title: spoken(m.type) }, glyph(m.type), h('span', { class: 'name' }, (m.content ?? m.unavailable?.message ?? '').slice(0, 160)))),
      ),
    )
  }
}
