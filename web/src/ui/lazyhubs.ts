// Entities on the map, loaded when they are first shown.
import type { Rect } from '../state/inset'
import type { Projection } from '../scene/picking/pick'
import type { HubEnd } from '../state/links/layout'
import type { EntityHubs, HubHost } from './hubs/hubs'
import { h } from './dom'
import type { Hubs } from './layout'
import type { Session } from './session'

export class LazyHubs implements Hubs {
  readonly element = h('div', { class: 'hubs-wrap' })
  private hubs: EntityHubs | null = null
  private asked = false

  constructor(
    private readonly s: Session,
    private readonly host: HubHost,
  ) {
    s.view.on(['hubs'], () => this.show())
  }

  /** Follows the view. */
  show(): void {
    if (this.hubs) this.hubs.show()
    else if (this.s.view.get().hubs && !this.asked) {
      this.asked = true
      void import('./hubs/hubs').then(({ EntityHubs }) => {
        this.hubs = new EntityHubs(this.s, this.host)
        this.element.append(this.hubs.element)
        this.hubs.show()
      })
    }
  }

  links(): { count: number; ends: HubEnd[] } {
    return this.hubs?.links() ?? { count: 0, ends: [] }
  }

  place(positions: Float32Array | null): void {
    this.hubs?.place(positions)
  }

  onFrame(projection: Projection): void {
    this.hubs?.onFrame(projection)
  }

  dots(): Rect[] {
    return this.hubs?.dots() ?? []
  }

  names(): HTMLElement[] {
    return this.hubs?.names() ?? []
  }
}
