// The tooltip of the memory under the pointer.
import { fetchLabel } from '../api/operations'
import { TYPES, displayName } from '../api/vocabulary'
import { dayText } from '../state/clock'
import { retentionAt, statusAt } from '../state/visibility'
import { STATUSES } from '../api/vocabulary'
import { glyph, h } from './dom'
import type { Session } from './session'

const FETCH_DELAY_MS = 140

export class Tooltip {
  readonly element = h('div', { class: 'tooltip panel', role: 'tooltip', hidden: true })
  private readonly known = new Map<string, string>()
  private node = -1
  private timer = 0
  private running: AbortController | null = null

  constructor(private readonly s: Session) {}

  show(node: number, x: number, y: number): void {
    const { world } = this.s.live.get()
    if (node !== this.node) {
      this.node = node
      this.running?.abort()
      clearTimeout(this.timer)
      this.element.hidden = node < 0
      if (node < 0 || !world) return
      const f = world.frame
      const at = this.s.moment().recorded
      const status = statusAt(world, node, at)
      const id = world.idOf(node)
      const text = h('p', {}, f.label(node) || this.known.get(id) || '…')
      this.element.replaceChildren(
        text,
        h(
          'div',
          { class: 'tooltip-foot' },
          glyph(TYPES[f.type[node]!]!),
          h('span', {}, displayName(TYPES[f.type[node]!]!)),
          h('span', {}, dayText(f.born[node]!)),
          status > 0 ? h('span', { class: 'gone' }, displayName(STATUSES[status]!)) : h('span', {}, `retention ${Math.round(retentionAt(world, node, at) * 100)} %`),
        ),
      )
      if (text.textContent === '…') this.timer = window.setTimeout(() => void this.fill(id, node, text), FETCH_DELAY_MS)
    }
    if (node < 0) return
    const box = this.element.getBoundingClientRect()
    const left = Math.min(Math.max(x + 16, 8), window.innerWidth - box.width - 8)
    const top = y + 18 + box.height > window.innerHeight - 8 ? y - box.height - 14 : y + 18
    this.element.style.transform = `translate(${left}px, ${top}px)`
  }

  private async fill(id: string, node: number, into: HTMLElement): Promise<void> {
    this.running = new AbortController()
    try {
      const words = (await fetchLabel(id, this.running.signal)).slice(0, 160)
      this.known.set(id, words)
      if (this.node === node) into.textContent = words
    } catch {
      if (this.node === node) into.textContent = 'The text could not be loaded.'
    }
  }
}
