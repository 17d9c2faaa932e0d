// The names of the map's regions, like those of countries: they stand over the parts of
// which enough is in the picture, and step back when one comes close or something is in focus.
import type { Region } from '../../api/frame'
import type { World } from '../../state/world'
import type { Box } from './labels'
import type { Projection, ScreenPoint } from '../picking/pick'
import { projectPosition } from '../picking/pick'

/** A region is named while so many of its memories are in the picture … */
const MIN_VISIBLE = 3
/** … and such a share. */
const MIN_SHARE = 0.15
/** Half of a region's memories within fewer pixels: it is too small for a name; within more: one is inside it. */
const MIN_RADIUS = 12
const MAX_RADIUS = 420
const LETTER_WIDTH = 8.2
/** Names keep so much room above and below, and aside, in pixels. */
const LINE = 40
const ASIDE = 24

/** The region that each node lies nearest to; 255: there are none. */
export function nearestRegions(world: World): Uint8Array {
  const regions = world.frame.regions ?? []
  const out = new Uint8Array(world.count).fill(255)
  const p = world.frame.positions
  for (let i = 0; i < world.count; i++) {
    let least = Infinity
    for (let r = 0; r < regions.length; r++) {
      const [x, y, z] = regions[r]!.position
      const apart = (p[3 * i]! - x) ** 2 + (p[3 * i + 1]! - y) ** 2 + (p[3 * i + 2]! - z) ** 2
      if (apart < least) {
        least = apart
        out[i] = r
      }
    }
  }
  return out
}

/** Which regions get a name, the largest first, none over another; `seen` counts the memories of each in the picture. */
export function chooseRegions(regions: readonly Region[], visibleCounts: ArrayLike<number>, lens: Projection, max: number): { region: number; box: Box }[] {
  const at: ScreenPoint = { x: 0, y: 0, distance: 0 }
  const chosen: { region: number; box: Box }[] = []
  regions.forEach((r, i) => {
    if (chosen.length === max || visibleCounts[i]! < MIN_VISIBLE || visibleCounts[i]! < MIN_SHARE * r.count || !projectPosition(r.position, lens, at)) return
    const radius = (r.radius * lens.pixelsPerUnit) / at.distance
    if (radius < MIN_RADIUS || radius > MAX_RADIUS || at.x < 0 || at.y < 0 || at.x > lens.width || at.y > lens.height) return
    const width = LETTER_WIDTH * r.name.length
    const box = { x: at.x - width / 2, y: at.y, width }
    if (box.x < 0 || box.x + width > lens.width) return
    if (chosen.some((c) => Math.abs(c.box.y - box.y) < LINE && c.box.x < box.x + width + ASIDE && box.x < c.box.x + c.box.width + ASIDE)) return
    chosen.push({ region: i, box })
  })
  return chosen
}

export class RegionLabels {
  readonly element = document.createElement('div')
  private readonly pool: HTMLElement[] = []
  private named: number[] = []

  constructor() {
    this.element.className = 'labels regions'
    this.element.setAttribute('aria-hidden', 'true')
  }

  /** Names these regions and no others. */
  setRegions(regions: readonly Region[], named: number[]): void {
    this.named = named
    while (this.pool.length < named.length) {
      const el = document.createElement('span')
      el.className = 'region'
      this.pool.push(el)
      this.element.append(el)
    }
    this.pool.forEach((el, i) => {
      const region = named[i] === undefined ? undefined : regions[named[i]!]
      el.hidden = !region
      if (region) el.textContent = region.name
    })
  }

  /** Moves the names to where their regions stand now. */
  move(regions: readonly Region[], lens: Projection): void {
    const at: ScreenPoint = { x: 0, y: 0, distance: 0 }
    this.named.forEach((r, i) => {
      const el = this.pool[i]!
      const region = regions[r]
      const seen = region !== undefined && projectPosition(region.position, lens, at)
      el.style.visibility = seen ? '' : 'hidden'
      if (seen) el.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px) translate(-50%, -50%)`
    })
  }
}
