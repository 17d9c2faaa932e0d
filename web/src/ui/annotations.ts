// Labels on the map and the counter of visible memories.
import { TYPES } from '../api/vocabulary'
import { chooseLabels, Labels } from '../scene/labels/labels'
import { chooseRegions, RegionLabels, nearestRegions } from '../scene/labels/regions'
import { HIT, NEAR, PASSES } from '../scene/marks'
import type { Projection } from '../scene/picking/pick'
import type { Stage } from '../scene/stage'
import { memoriesText } from '../state/actions'
import { namedRegions, type NamedRegion } from '../state/clusters'
import { withoutCollisions, type Rect } from '../state/inset'
import { retentionAt, visibleAt } from '../state/visibility'
import { h } from './dom'
import { EmptyMap } from './emptymap'
import type { Session } from './session'

const LABEL_DELAY_MS = 120
const COUNT_DELAY_MS = 80

/** Memories below this importance get no label unless something is in focus. */
const MIN_LABEL_IMPORTANCE = 90

/** What labels may not cover; what is there for a moment only is left out. */
const OBSTACLES = '#app .panel:not(.tooltip, .toast, .menu), #app .brand'

export interface SceneState {
  stage: Stage
  marks: Uint8Array
  /** edges that were left out */
  omittedEdges: number
  /** something is selected, found or highlighted */
  focused: boolean
  /** names that are shown before all labels, the most important first */
  names: HTMLElement[]
  /** parts of the map that no label may cover */
  dots: Rect[]
  /** working memories may pulse */
  pulses: boolean
}

export class Annotations {
  readonly labels = new Labels((node) => {
    const { stage, marks } = this.sceneState()
    return (marks[node]! & HIT) !== 0 || node === stage.uniforms.uSelected.value
  })
  readonly regions = new RegionLabels()
  readonly emptyMap: EmptyMap
  readonly counter = h('p', { class: 'counter' })
  private projection: Projection | null = null
  private labelTimer = 0
  private countTimer = 0
  /** the projection for which the labels were chosen */
  private settled: number[] = []
  private named: NamedRegion[] = []
  /** cluster or region of each node, and visible memories of each */
  private regionOf: ArrayLike<number> = []
  private regionCounts = new Uint32Array(256)

  constructor(
    private readonly s: Session,
    private readonly sceneState: () => SceneState,
  ) {
    this.emptyMap = new EmptyMap(s)
    s.live.on(['status', 'connected'], () => this.updateSoon())
    s.view.on(['layout', 'hubs'], () => this.updateSoon())
    void document.fonts.ready.then(() => this.updateLabelsSoon())
    s.live.on(['world'], ({ world }) => {
      if (!world) return
      const { clusters, cluster } = world.frame
      this.named = namedRegions(world.frame)
      this.regionOf = clusters.length > 0 ? cluster : nearestRegions(world)
      // The old counts stay until the next count, so that the names do not blink.
      const length = Math.max(clusters.length, 256)
      if (this.regionCounts.length !== length) this.regionCounts = new Uint32Array(length)
    })
  }

  /** The scene has changed: schedules an update of labels and counter. */
  updateSoon(): void {
    this.updateLabelsSoon()
    this.countTimer ||= window.setTimeout(() => {
      this.countTimer = 0
      this.updateCounter()
    }, COUNT_DELAY_MS)
  }

  /** The camera has moved: schedules an update of the labels. */
  updateLabelsSoon(): void {
    this.labelTimer ||= window.setTimeout(() => {
      this.labelTimer = 0
      this.updateLabels()
    }, LABEL_DELAY_MS)
  }

  /** A frame was drawn: moves the labels with their points. */
  onFrame(projection: Projection): void {
    this.projection = projection
    const { world } = this.s.live.get()
    if (!world) return
    this.labels.move(world, projection)
    this.regions.move(this.named, projection)
    if (this.settled.some((x, i) => x !== projection.matrix[i])) this.updateLabelsSoon()
  }

  /** The cluster whose name is at a point of the map; null: none. */
  clusterAt(x: number, y: number): string | null {
    return this.named[this.regions.regionAt(x, y)]?.cluster ?? null
  }

  private updateLabels(): void {
    const { world } = this.s.live.get()
    if (!world || !this.projection) return
    const { stage, marks, focused: focus } = this.sceneState()
    const at = this.s.moment()
    const f = world.frame
    const selected = stage.uniforms.uSelected.value
    const weight = (n: number) => {
      const mark = marks[n]!
      const standing = n === selected ? 9 : (mark & HIT) !== 0 ? 4 : (mark & NEAR) !== 0 ? 2.5 : 0
      if (focus ? standing === 0 : f.importance[n]! < MIN_LABEL_IMPORTANCE) return 0
      if (!this.s.isDrawn(n)) return 0
      return (0.2 + f.importance[n]! / 255) * (0.35 + 0.65 * retentionAt(world, n, at.recorded)) + standing
    }
    const names = focus || this.s.view.get().layout === 'links' ? [] : chooseRegions(this.named, this.regionCounts, this.projection, window.innerWidth > 900 ? 14 : 8)
    this.regions.setRegions(this.named, names.map((n) => n.region))
    this.regions.move(this.named, this.projection)
    // Names of entities leave less room.
    const pool = this.sceneState().names.length > 0 ? 5 : focus ? 18 : window.innerWidth > 900 ? 14 : names.length > 0 ? 4 : 6
    this.labels.setNodes(world, chooseLabels(world, this.projection, weight, pool, names.map((n) => n.box)))
    this.labels.move(world, this.projection)
    this.settled = Array.from(this.projection.matrix)
    this.hideCollisions()
  }

  /** Hides labels that meet another one or a panel, as laid out on the page. */
  private hideCollisions(): void {
    const { names, dots } = this.sceneState()
    const shown = [...names, ...this.regions.shown(), ...this.labels.shown()]
    const frame = this.labels.element.getBoundingClientRect()
    const obstacles = [...document.querySelectorAll<HTMLElement>(OBSTACLES)].filter((el) => getComputedStyle(el).visibility !== 'hidden').map((el) => el.getBoundingClientRect()).filter((box) => box.width > 0)
    const free = withoutCollisions(shown.map((el) => el.getBoundingClientRect()), [...obstacles, ...dots], frame)
    shown.forEach((el, i) => el.classList.toggle('collides', !free[i]))
  }

  private updateCounter(): void {
    const { world, connected, status } = this.s.live.get()
    if (!world) return
    const { stage, marks, omittedEdges, pulses } = this.sceneState()
    const at = this.s.moment()
    let shown = 0
    let working = false
    this.regionCounts.fill(0)
    for (let i = 0; i < world.count; i++) {
      if ((marks[i]! & PASSES) === 0 || !visibleAt(world, i, at)) continue
      shown++
      if (this.regionOf[i]! >= 0) this.regionCounts[this.regionOf[i]!]!++
      working ||= TYPES[world.frame.type[i]!] === 'WORKING' && retentionAt(world, i, at.recorded) > 0.02
    }
    this.updateLabelsSoon()
    this.emptyMap.update(shown)
    stage.setVisibleMembers(this.regionCounts)
    stage.setVisibleCount(shown)
    stage.setPulsing(pulses && working)
    const total = Math.max(world.frame.total, world.count)
    this.counter.replaceChildren(
      h('i', { class: connected && status !== 'error' ? 'live on' : 'live', title: connected ? 'Live' : 'Not connected' }),
      `${world.frame.tiles ? 'showing ' : ''}${shown === total ? '' : `${shown.toLocaleString('en')} of `}${memoriesText(total)}`,
      this.s.view.get().layout === 'links' ? ' · by links' : '',
      omittedEdges > 0 ? ` · ${omittedEdges.toLocaleString('en')} weaker edges hidden` : '',
    )
  }
}
