// Switches between the layouts "Meaning" and "Links". A worker computes the positions of the second.
import type { Stage } from '../scene/stage'
import { groupOf } from '../scene/edges/choose'
import { LINKS_LIMIT, linksInput, type HubEnd } from '../state/links/layout'
import type { View } from '../state/view'
import type { Session } from './session'

/** The layout is computed again when filters and memories have not changed for this long. */
const QUIET_MS = 350

/** Entities that are laid out with the memories. */
export interface Hubs {
  /** number of entities, and their links; entities are counted from the number of memories */
  links(): { count: number; ends: HubEnd[] }
  /** sets x, y, z of every entity; null: the layout is by meaning */
  place(positions: Float32Array | null): void
}

export class LayoutSwitch {
  private worker: Worker | null = null
  private requestId = 0
  private timer = 0
  private turned = false // the layout was switched, not only computed again

  constructor(
    private readonly s: Session,
    private readonly stage: Pick<Stage, 'setPositions'>,
    /** entities that are laid out too */
    private readonly hubs: Hubs,
  ) {
    s.view.on(['layout'], ({ layout }) => {
      this.turned = true
      if (layout === 'links') this.start()
      else this.stop()
    })
    const inputs: (keyof View)[] = ['edges', 'types', 'projects', 'namespaces', 'users', 'clusters', 'tiers', 'decays', 'learned']
    s.view.on(inputs, () => this.restart())
    s.live.on(['world'], () => this.restart())
  }

  /** What is laid out has changed. */
  restart(): void {
    if (this.s.view.get().layout !== 'links') return
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.start(), QUIET_MS)
  }

  private stop(): void {
    clearTimeout(this.timer)
    this.requestId++
    this.stage.setPositions(null, true)
    this.hubs.place(null)
  }

  private start(): void {
    const { world, filterMask } = this.s.live.get()
    const { layout, edges } = this.s.view.get()
    if (!world || layout !== 'links') return
    const { count, ends } = this.hubs.links()
    const input = linksInput(world, filterMask, (kind) => edges[groupOf(kind)] !== 'off', count, ends)
    if (!input) {
      this.s.view.set({ layout: 'meaning' })
      this.s.notify(`Places by links need ${LINKS_LIMIT.toLocaleString('en')} memories or fewer. Filter the map first.`)
      return
    }
    this.worker ??= this.startWorker()
    this.worker.postMessage({ requestId: ++this.requestId, input })
  }

  private startWorker(): Worker {
    const worker = new Worker(new URL('../state/links/layout.worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = (e: MessageEvent<{ requestId: number; positions: Float32Array }>) => {
      const { world } = this.s.live.get()
      if (e.data.requestId !== this.requestId || !world) return
      const end = 3 * world.count
      this.stage.setPositions(e.data.positions.slice(0, end), this.turned)
      this.turned = false
      this.hubs.place(e.data.positions.slice(end))
    }
    return worker
  }
}
