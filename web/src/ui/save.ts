// Exports: the visible memories as JSON, all memories and edges as Arrow, and a link to the
// view.
import { exportView } from '../state/export'
import { dayText } from '../state/clock'
import { h } from './dom'
import { download } from './image'
import type { Session } from './session'

export async function copyLink(s: Pick<Session, 'announce'>): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href)
    s.announce('Link copied')
  } catch {
    s.announce('The link could not be copied. Copy it from the address bar.')
  }
}

export function saveJson(s: Session): void {
  const { world } = s.live.get()
  if (!world) return
  const out = exportView(world, (n) => s.isDrawn(n), s.moment(), s.view.get(), { now: s.clock.now(), link: location.href })
  download(new Blob([JSON.stringify(out, null, 1)], { type: 'application/json' }), `somnograph ${dayText(s.moment().recorded)}.json`)
  s.announce(`${out.memories.length} memories exported`)
}

/** Downloads a whole table as Arrow; the server writes it. */
export function saveArrow(s: Pick<Session, 'clock' | 'announce'>, table: 'memories' | 'edges'): void {
  h('a', { href: `viz/graph?format=arrow&table=${table}`, download: `somnograph ${table} ${dayText(s.clock.now())}.arrows` }).click()
  s.announce(`Exporting all ${table}`)
}
