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
    const again: (keyof View)[] = ['edges', 'recorded', 'valid', 'statuses', 'types', 'projects', 'namespaces', 'users', 'tiers', 'decays', 'learned']
    s.view.on(again, () => this.restartSoon())
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
    const pulls = attractionInput(world, (n) => this.s.isDrawn(n), (kind) => edges[groupOf(kind)] !== 'off')
    if (!pulls) {
      this.stop()
      this.s.announce(`Springs work for up to ${ATTRACTION_LIMIT.toLocaleString('en')} memories in the picture; narrow it down`)
      return
    }
    this.worker ??= this.startWorker()
    this.worker.postMessage({ turn: ++this.requestId, pulls })
  }

  private startWorker(): Worker {
    const worker = new Worker(new URL('../state/attraction.worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = (e: MessageEvent<{ turn: number; places: Float32Array }>) => {
      if (e.data.turn === this.requestId) this.stage.setPositions(e.data.places)
    }
    return worker
  }
}
