// Moves between memories: opens and closes them, steps along versions, and moves the cursor on the map.
import { TYPES, displayName } from '../api/vocabulary'
import { nextInDirection, type Direction } from '../scene/picking/pick'
import type { Stage } from '../scene/stage'
import { clusterById } from '../state/clusters'
import { NOTHING_OPEN } from '../state/view'
import { sessionNeighbour, versionChain } from '../state/world'
import type { Dock } from './dock'
import type { SceneLoader } from './sceneloader'
import type { Search } from './search'
import type { Session } from './session'
import type { Tour } from './tour'

/** The parts of the page that navigation moves, opens or closes. */
export interface NavigatedParts {
  stage: () => Stage
  sceneLoader: SceneLoader
  dock: Dock
  search: Search
  tour: Tour
  canvas: HTMLElement
}

export class Navigation {
  constructor(
    private readonly s: Session,
    private readonly parts: NavigatedParts,
  ) {}

  open(id: string, fly = false): void {
    const { selected } = this.s.view.get()
    if (selected && selected !== id) this.s.previousSelection = selected
    this.s.view.set({ selected: id })
    void this.showMemory(id, fly)
  }

  /** Moves the cursor to a memory, and the camera if `fly`. In a large scene its tile may have to be loaded first. */
  async showMemory(id: string, fly: boolean): Promise<void> {
    const moveCursor = (): boolean => {
      const node = this.s.live.get().world?.indexOf(id) ?? -1
      this.s.live.set({ cursor: node })
      if (node >= 0 && fly) this.parts.stage().flyTo(node)
      return node >= 0
    }
    const here = moveCursor()
    try {
      const reached = await this.parts.sceneLoader.loadMemory(id)
      if (!here && reached && this.s.view.get().selected === id) moveCursor()
    } catch (e) {
      this.s.announce(e instanceof Error ? e.message : 'This part of the map could not be loaded.')
    }
  }

  /** Closes the topmost part: the focused panel, the open memory, the panel, then the search. */
  close(): void {
    if (this.parts.tour.decline()) return
    const inDock = this.parts.dock.element.contains(document.activeElement)
    if (this.s.view.get().panel && (inDock || !this.s.view.get().selected)) {
      if (inDock && this.hasOpen()) this.s.view.set(NOTHING_OPEN)
      else {
        this.parts.dock.close()
        this.parts.canvas.focus({ preventScroll: true })
      }
    } else if (this.s.view.get().selected) {
      this.s.view.set({ selected: null })
      this.parts.canvas.focus({ preventScroll: true })
    } else if (!this.parts.search.clear()) this.s.live.set({ cursor: -1 })
  }

  /** Whether a panel shows one thing of its list. */
  private hasOpen(): boolean {
    const view = this.s.view.get()
    return Object.keys(NOTHING_OPEN).some((field) => view[field as keyof typeof NOTHING_OPEN] !== null)
  }

  showArea(position: readonly [number, number, number], radius: number): void {
    this.parts.stage().flyToArea(position, radius)
  }

  openCluster(id: string): void {
    this.s.view.set({ ...NOTHING_OPEN, panel: 'clusters', cluster: id })
    const cluster = clusterById(this.s.live.get().world, id)
    // After the panel is laid out, so that the cluster is in the middle of what is left.
    if (cluster) requestAnimationFrame(() => this.showArea(cluster.position, cluster.radius))
  }

  stepVersion(direction: -1 | 1): void {
    const { world } = this.s.live.get()
    const id = this.s.view.get().selected
    const node = world && id ? world.indexOf(id) : -1
    if (!world || node < 0) return
    const chain = versionChain(world, node)
    let next = chain.length > 1 ? chain[chain.indexOf(node) + direction] : sessionNeighbour(world, node, direction)
    if (next === undefined) next = -1
    const at = this.s.moment().recorded
    if (next < 0 || world.frame.born[next]! > at) {
      this.s.announce(chain.length > 1 ? (direction < 0 ? 'This is the first version' : 'This is the last version') : 'No more memories in this session')
      return
    }
    this.open(world.idOf(next), true)
  }

  moveCursor(direction: Direction): void {
    const { world, cursor } = this.s.live.get()
    if (!world) return
    const selected = this.s.view.get().selected
    const from = cursor >= 0 ? cursor : selected ? world.indexOf(selected) : -1
    const next = nextInDirection(world, (n) => this.s.isDrawn(n), this.parts.stage().projection(), from, direction)
    if (next < 0) return
    this.s.live.set({ cursor: next })
    this.s.announce(`${displayName(TYPES[world.frame.type[next]!]!)}: ${world.frame.label(next) || 'untitled memory'}`)
  }

  openAtCursor(): void {
    const { world, cursor, hits } = this.s.live.get()
    if (world && cursor >= 0) this.open(world.idOf(cursor), false)
    else if (hits[0]) this.open(hits[0], true)
  }
}
