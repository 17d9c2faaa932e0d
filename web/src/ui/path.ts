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
    const start = this.startFor(id)
    if (!start) return null
    const { world } = this.s.live.get()
    const node = world?.indexOf(start) ?? -1
    const name = (node >= 0 && world!.frame.label(node)) || 'the previous memory'
    const result = h('div', { role: 'status' })
    const button = h('button', { type: 'button', class: 'path-find' }, icon('link'), h('span', {}, 'Path from ', h('q', {}, name)))
    button.addEventListener('click', () => {
      button.disabled = true
      void this.find(start, id, result).finally(() => (button.disabled = false))
    })
    return h('section', { class: 'path' }, h('h3', {}, 'Path'), button, result)
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

  private async find(from: string, to: string, result: HTMLElement): Promise<void> {
    const running = (this.running = new AbortController())
    const { recorded } = this.s.view.get()
    try {
      const path = await fetchPath(from, to, recorded === null ? null : { recorded: new Date(recorded).toISOString() }, running.signal)
      if (running.signal.aborted) return
      result.replaceChildren(this.steps(path))
    } catch (e) {
      if (!running.signal.aborted) result.replaceChildren(h('p', { class: 'bad small' }, errorText(e)))
    }
  }

  private steps(path: Answer): HTMLElement {
    const steps = pathSteps(path.memories, path.edges)
    if (steps.length === 0) return h('p', { class: 'muted small' }, path.truncated ? 'No path was found among the nearest memories.' : 'There is no path of six steps or fewer.')
    this.highlighting = true
    this.s.live.set({ highlighted: steps.map((l) => l.memory.id) })
    return h(
      'ol',
      { class: 'links path-steps' },
      ...steps.map(({ memory: m, relation }) =>
        h('li', {}, relation !== '' && h('span', { class: 'path-relation' }, relation), h('button', { type: 'button', onclick: () => this.s.open(m.id, true), title: displayName(m.type) }, glyph(m.type), h('span', { class: 'name' }, (m.content ?? m.unavailable?.message ?? '').slice(0, 160)))),
      ),
    )
  }
}
