// Switches link forces on and off. A worker computes the positions; without them all memories
// are at their own.
import type { Stage } from '../scene/stage'
import { groupOf } from '../scene/edges/choose'
import { attractionInput, ATTRACTION_LIMIT } from '../state/attraction'
import type { View } from '../state/view'
import type { Session } from './session'

/** Link forces are recomputed when view and filters have not changed for this long. */
const QUIET_MS = 350

export class AttractionToggle {
  private worker: Worker | null = null
  private requestId = 0
  private timer = 0

  constructor(
    private readonly s: Session,
    private readonly stage: Pick<Stage, 'setPositions'>,
  ) {
    s.view.on(['attraction'], ({ attraction }) => {
      if (attraction) this.start()
      else this.stop()
    })
    const inputs: (keyof View)[] = ['edges', 'recorded', 'valid', 'statuses', 'types', 'projects', 'namespaces', 'users', 'tiers', 'decays', 'learned']
    s.view.on(inputs, () => this.restartSoon())
    s.live.on(['world'], () => this.restartSoon())
  }

  private restartSoon(): void {
    if (!this.s.view.get().attraction) return
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.start(), QUIET_MS)
  }

  private stop(): void {
    clearTimeout(this.timer)
    this.requestId++
    this.stage.setPositions(null)
  }

  private start(): void {
    const { world } = this.s.live.get()
    const { attraction, edges } = this.s.view.get()
    if (!world || !attraction) return
    const input = attractionInput(world, (n) => this.s.isDrawn(n), (kind) => edges[groupOf(kind)] !== 'off')
    if (!input) {
      this.stop()
      this.s.announce(`Link forces work for up to ${ATTRACTION_LIMIT.toLocaleString('en')} shown memories; use the filters`)
      return
    }
    this.worker ??= this.startWorker()
    this.worker.postMessage({ requestId: ++this.requestId, input })
  }

  private startWorker(): Worker {
    const worker = new Worker(new URL('../state/attraction.worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = (e: MessageEvent<{ requestId: number; positions: Float32Array }>) => {
      if (e.data.requestId === this.requestId) this.stage.setPositions(e.data.positions)
    }
    return worker
  }
}
