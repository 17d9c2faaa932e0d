// Finds a path to the open memory from the memory that was open before, or else from the best
// hit.
import { fetchPath, type Path as Answer } from '../api/entities'
import { displayName } from '../api/vocabulary'
import { pathSteps } from '../state/path'
import { errorText } from './asynccontent'
import { glyph, h, icon } from './dom'
import type { Session } from './session'

export class PathFinder {
  private running: AbortController | null = null
  /** the path is highlighted in the scene */
  private highlighting = false

  constructor(private readonly s: Session) {}

  /** A section that offers a path to a memory; null if there is no start. */
  section(id: string): HTMLElement | null {
    this.stop()
    const from = this.startFor(id)
    if (!from) return null
    const { world } = this.s.live.get()
    const node = world?.indexOf(from) ?? -1
    const name = (node >= 0 && world!.frame.label(node)) || 'the memory before'
    const into = h('div', { role: 'status' })
    const ask = h('button', { type: 'button', class: 'path-find' }, icon('link'), h('span', {}, 'The way from ', h('q', {}, name)))
    ask.addEventListener('click', () => {
      ask.disabled = true
      void this.find(from, id, into).finally(() => (ask.disabled = false))
    })
    return h('section', { class: 'path' }, h('h3', {}, 'How it hangs together'), ask, into)
  }

  stop(): void {
    this.running?.abort()
    if (this.highlighting) this.s.live.set({ highlighted: [] })
    this.highlighting = false
  }

  private startFor(id: string): string | null {
    const { previousSelection } = this.s
    if (previousSelection && previousSelection !== id) return previousSelection
    return this.s.live.get().hits.find((hit) => hit !== id) ?? null
  }

  private async find(from: string, to: string, into: HTMLElement): Promise<void> {
    const running = (this.running = new AbortController())
    const { recorded } = this.s.view.get()
    try {
      const way = await fetchPath(from, to, recorded === null ? null : { recorded: new Date(recorded).toISOString() }, running.signal)
      if (running.signal.aborted) return
      into.replaceChildren(this.steps(way))
    } catch (e) {
      if (!running.signal.aborted) into.replaceChildren(h('p', { class: 'bad small' }, errorText(e)))
    }
  }

  private steps(way: Answer): HTMLElement {
    const legs = pathSteps(way.memories, way.edges)
    if (legs.length === 0) return h('p', { class: 'muted small' }, way.truncated ? 'No way was found among the nearest memories.' : 'No way of at most six steps leads there.')
    this.highlighting = true
    this.s.live.set({ highlighted: legs.map((l) => l.memory.id) })
    return h(
      'ol',
      { class: 'links path-steps' },
      ...legs.map(({ memory: m, relation }) =>
        h('li', {}, relation !== '' && h('span', { class: 'path-relation' }, relation), h('button', { type: 'button', onclick: () => this.s.open(m.id, true), title: displayName(m.type) }, glyph(m.type), h('span', { class: 'name' }, (m.content ?? m.unavailable?.message ?? '').slice(0, 160)))),
      ),
    )
  }
}
