// What leaves the page besides pictures: what is shown as JSON (the memories in the picture
// at its instant, with what the scene knows of them, and the edges between them), all there
// is as tables, and its link.
import { exported } from '../state/export'
import { dayText } from '../state/clock'
import type { App } from './app'
import { h } from './dom'
import { download } from './picture'

export async function copyLink(app: App): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href)
    app.announce('Link copied')
  } catch {
    app.announce('The link could not be copied; it stands in the address bar')
  }
}

export function saveJson(app: App): void {
  const { world } = app.live.get()
  if (!world) return
  const out = exported(world, (n) => app.drawn(n), app.moment(), app.view.get(), { now: app.clock.now(), link: location.href })
  download(new Blob([JSON.stringify(out, null, 1)], { type: 'application/json' }), `somnograph ${dayText(app.moment().recorded)}.json`)
  app.announce(`${out.memories.length} memories saved`)
}

/** Saves everything as a table that other tools read; the server writes it. */
export function saveArrow(app: App, table: 'memories' | 'edges'): void {
  h('a', { href: `viz/graph?format=arrow&table=${table}`, download: `somnograph ${table} ${dayText(app.clock.now())}.arrows` }).click()
  app.announce(`All ${table} are being saved`)
}
