// What stands beside the picture: names at the points that matter, and how many are shown.
import { TYPES } from '../api/vocabulary'
import { chooseLabels, Labels } from '../scene/labels/labels'
import { chooseRegions, RegionLabels, nearestRegions } from '../scene/labels/regions'
import { HIT, NEAR, PASSES } from '../scene/marks'
import type { Projection } from '../scene/picking/pick'
import type { Stage } from '../scene/stage'
import { retentionAt, visibleAt } from '../state/visibility'
import { h } from './dom'
import type { Session } from './session'

const LABEL_WAIT = 120
const COUNT_WAIT = 80

/** Less important memories get no name while nothing stands out. */
const NAMED_FROM = 90

export interface Picture {
  stage: Stage
  marks: Uint8Array
  /** edges that were left out */
  left: number
  /** working memories may pulse */
  pulses: boolean
}

export class Annotations {
  readonly labels = new Labels((node) => {
    const { stage, marks } = this.picture()
    return (marks[node]! & HIT) !== 0 || node === stage.uniforms.uSelected.value
  })
  readonly regions = new RegionLabels()
  readonly counter = h('p', { class: 'counter' })
  private lens: Projection | null = null
  private labelTimer = 0
  private countTimer = 0
  /** of each node, and how many of each are in the picture */
  private regionOf: Uint8Array = new Uint8Array(0)
  private seen = new Uint32Array(256)

  constructor(
    private readonly s: Session,
    private readonly picture: () => Picture,
  ) {
    s.live.on(['status', 'connected'], () => this.soon())
    s.view.on(['attraction'], () => this.soon())
    s.live.on(['world'], ({ world }) => (this.regionOf = world ? nearestRegions(world) : this.regionOf))
  }

  /** The picture changed: names and numbers follow a little later. */
  soon(): void {
    this.nameSoon()
    this.countTimer ||= window.setTimeout(() => {
      this.countTimer = 0
      this.count()
    }, COUNT_WAIT)
  }

  /** The camera moved: other points may deserve a name. */
  nameSoon(): void {
    this.labelTimer ||= window.setTimeout(() => {
      this.labelTimer = 0
      this.name()
    }, LABEL_WAIT)
  }

  /** A frame was drawn: the names move with their points. */
  drew(lens: Projection): void {
    this.lens = lens
    const { world } = this.s.live.get()
    if (!world) return
    this.labels.move(world, lens)
    this.regions.move(world.frame.regions ?? [], lens)
  }

  private name(): void {
    const { world } = this.s.live.get()
    if (!world || !this.lens) return
    const { stage, marks } = this.picture()
    const at = this.s.moment()
    const f = world.frame
    const focus = stage.uniforms.uFocus.value
    const selected = stage.uniforms.uSelected.value
    const weight = (n: number) => {
      const mark = marks[n]!
      const standing = n === selected ? 9 : (mark & HIT) !== 0 ? 4 : (mark & NEAR) !== 0 ? 2.5 : 0
      if (focus ? standing === 0 : f.importance[n]! < NAMED_FROM) return 0
      if (!this.s.drawn(n)) return 0
      return (0.2 + f.importance[n]! / 255) * (0.35 + 0.65 * retentionAt(world, n, at.recorded)) + standing
    }
    const regions = world.frame.regions ?? []
    const names = focus ? [] : chooseRegions(regions, this.seen, this.lens, window.innerWidth > 900 ? 14 : 5)
    this.regions.setRegions(regions, names.map((n) => n.region))
    this.regions.move(regions, this.lens)
    const pool = focus ? 18 : window.innerWidth > 900 ? 14 : 6
    this.labels.setNodes(world, chooseLabels(world, this.lens, weight, pool, names.map((n) => n.box)))
    this.labels.move(world, this.lens)
  }

  private count(): void {
    const { world, connected, status } = this.s.live.get()
    if (!world) return
    const { stage, marks, left, pulses } = this.picture()
    const at = this.s.moment()
    let shown = 0
    let working = false
    this.seen.fill(0)
    for (let i = 0; i < world.count; i++) {
      if ((marks[i]! & PASSES) === 0 || !visibleAt(world, i, at)) continue
      shown++
      this.seen[this.regionOf[i]!]!++
      working ||= TYPES[world.frame.type[i]!] === 'WORKING' && retentionAt(world, i, at.recorded) > 0.02
    }
    this.nameSoon()
    stage.setPulsing(pulses && working)
    this.counter.replaceChildren(
      h('i', { class: connected && status !== 'error' ? 'live on' : 'live', title: connected ? 'Live' : 'Not connected' }),
      `${world.frame.tiles ? 'showing ' : ''}${shown.toLocaleString('en')} of ${Math.max(world.frame.total, world.count).toLocaleString('en')} memories`,
      this.s.view.get().attraction ? ' · springs' : '',
      left > 0 ? ` · ${left.toLocaleString('en')} weaker edges left out` : '',
    )
  }
}
