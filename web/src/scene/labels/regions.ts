// The names of the map's regions, like those of countries: they stand over the parts of
// which enough is in the picture, and step back when one comes close or something is in focus.
import type { Region } from '../../api/frame'
import type { World } from '../../state/world'
import type { Box } from './labels'
import type { Lens, Spot } from '../picking/pick'
import { projectPlace } from '../picking/pick'

/** A region is named while so many of its memories are in the picture … */
const LEAST = 3
/** … and such a share. */
const SHARE = 0.15
/** Half of a region's memories within fewer pixels: it is too small for a name; within more: one is inside it. */
const SMALL = 12
const LARGE = 420
const LETTER_WIDTH = 8.2
/** Names keep so much room above and below, and aside, in pixels. */
const LINE = 40
const ASIDE = 24

/** The region that each node lies nearest to; 255: there are none. */
export function regionsOf(world: World): Uint8Array {
  const regions = world.frame.regions ?? []
  const out = new Uint8Array(world.count).fill(255)
  const p = world.frame.places
  for (let i = 0; i < world.count; i++) {
    let least = Infinity
    for (let r = 0; r < regions.length; r++) {
      const [x, y, z] = regions[r]!.place
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
export function chooseRegions(regions: readonly Region[], seen: ArrayLike<number>, lens: Lens, pool: number): { region: number; box: Box }[] {
  const at: Spot = { x: 0, y: 0, far: 0 }
  const chosen: { region: number; box: Box }[] = []
  regions.forEach((r, i) => {
    if (chosen.length === pool || seen[i]! < LEAST || seen[i]! < SHARE * r.count || !projectPlace(r.place, lens, at)) return
    const radius = (r.radius * lens.pixels) / at.far
    if (radius < SMALL || radius > LARGE || at.x < 0 || at.y < 0 || at.x > lens.width || at.y > lens.height) return
    const width = LETTER_WIDTH * r.name.length
    const box = { x: at.x - width / 2, y: at.y, width }
    if (box.x < 0 || box.x + width > lens.width) return
    if (chosen.some((c) => Math.abs(c.box.y - box.y) < LINE && c.box.x < box.x + width + ASIDE && box.x < c.box.x + c.box.width + ASIDE)) return
    chosen.push({ region: i, box })
  })
  return chosen
}

export class RegionNames {
  readonly element = document.createElement('div')
  private readonly pool: HTMLElement[] = []
  private named: number[] = []

  constructor() {
    this.element.className = 'labels regions'
    this.element.setAttribute('aria-hidden', 'true')
  }

  /** Names these regions and no others. */
  choose(regions: readonly Region[], named: number[]): void {
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
  place(regions: readonly Region[], lens: Lens): void {
    const at: Spot = { x: 0, y: 0, far: 0 }
    this.named.forEach((r, i) => {
      const el = this.pool[i]!
      const region = regions[r]
      const seen = region !== undefined && projectPlace(region.place, lens, at)
      el.style.visibility = seen ? '' : 'hidden'
      if (seen) el.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px) translate(-50%, -50%)`
    })
  }
}
