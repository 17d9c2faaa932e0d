// Labels the regions of the map. A region is labelled if enough of its memories are visible,
// and not if the camera is inside it or something is in focus.
import type { Region } from '../../api/frame'
import type { World } from '../../state/world'
import type { Box } from './labels'
import { labelLines, longestLine, showLines } from './lines'
import type { Projection, ScreenPoint } from '../picking/pick'
import { projectPosition } from '../picking/pick'

/** A region needs this many visible memories … */
const MIN_VISIBLE = 3
/** … and this share of all of its memories. */
const MIN_SHARE = 0.15
/** A region whose radius has fewer pixels is too small for a label; with more, the camera is inside it. On a phone a map of sixty clusters has radii of about 10. */
const MIN_RADIUS = 5
const MAX_RADIUS = 420
const LETTER_WIDTH = 7.6
/** A name with more letters has two lines. */
const LINE_LETTERS = 18
/** Minimum space between labels, vertically and horizontally, in pixels. */
const BETWEEN = 18
const ASIDE = 24
/** Height of a line in pixels. */
const LETTER_HEIGHT = 22
/** The name of a cluster is above its middle by its radius, at most so many pixels, so that it covers few of its points. */
const MAX_LIFT = 70

/** A region, or a cluster. */
type Named = Region & { cluster?: string | null }

/** The place of a name whose region has its middle at x, y and this radius. */
function boxOf(region: Named, x: number, y: number, radius: number): Box {
  const lines = labelLines(region.name, LINE_LETTERS)
  const [width, height] = [LETTER_WIDTH * longestLine(lines), LETTER_HEIGHT * lines.length]
  const lift = region.cluster ? Math.min(1.2 * radius, MAX_LIFT) + height / 2 : 0
  return { x: x - width / 2, y: y - lift, width, height }
}

/** The region nearest to each node; 255: there are no regions. */
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

/** Chooses the labelled regions, largest first, without overlap. `visibleCounts` are the visible memories of each region. */
export function chooseRegions(regions: readonly Named[], visibleCounts: ArrayLike<number>, projection: Projection, max: number): { region: number; box: Box }[] {
  const at: ScreenPoint = { x: 0, y: 0, distance: 0 }
  const chosen: { region: number; box: Box }[] = []
  regions.forEach((r, i) => {
    if (chosen.length === max || visibleCounts[i]! < MIN_VISIBLE || visibleCounts[i]! < MIN_SHARE * r.count || !projectPosition(r.position, projection, at)) return
    const radius = (r.radius * projection.pixelsPerUnit) / at.distance
    if (radius < MIN_RADIUS || radius > MAX_RADIUS || at.x < 0 || at.y < 0 || at.x > projection.width || at.y > projection.height) return
    const box = boxOf(r, at.x, at.y, radius)
    const { left, right } = projection.free ?? { left: 0, right: projection.width }
    if (box.x < left || box.x + box.width > right) return
    if (chosen.some((c) => areClose(c.box, box, ASIDE, BETWEEN))) return
    chosen.push({ region: i, box })
  })
  return chosen
}

/** Whether there is less than this space between two labels. */
function areClose(a: Box, b: Box, aside: number, between: number): boolean {
  return Math.abs(a.y - b.y) < (a.height + b.height) / 2 + between && a.x < b.x + b.width + aside && b.x < a.x + a.width + aside
}

export class RegionLabels {
  readonly element = document.createElement('div')
  private readonly pool: HTMLElement[] = []
  private named: number[] = []
  /** where each label is; null: not on the page */
  private boxes: (Box | null)[] = []

  constructor() {
    this.element.className = 'labels regions'
    this.element.setAttribute('aria-hidden', 'true')
  }

  /** Labels these regions and no others. */
  setRegions(regions: readonly Named[], named: number[]): void {
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
      if (region) showLines(el, labelLines(region.name, LINE_LETTERS))
    })
  }

  /** The elements of the labels on the page, that of the largest region first. */
  shown(): HTMLElement[] {
    return this.pool.filter((el) => !el.hidden && el.style.visibility !== 'hidden')
  }

  /** Moves the labels to where their regions are now. While the camera moves, a label that would overlap a larger region's is hidden. */
  move(regions: readonly Named[], projection: Projection): void {
    const at: ScreenPoint = { x: 0, y: 0, distance: 0 }
    this.boxes = []
    this.named.forEach((r, i) => {
      const el = this.pool[i]!
      const region = regions[r]
      const here = region !== undefined && projectPosition(region.position, projection, at)
      const box = here ? boxOf(region, at.x, at.y, (region.radius * projection.pixelsPerUnit) / at.distance) : null
      const seen = box !== null && !this.boxes.some((b) => b && areClose(b, box, 0, 0))
      this.boxes.push(seen ? box : null)
      el.style.visibility = seen ? '' : 'hidden'
      if (seen) el.style.transform = `translate(${at.x.toFixed(1)}px, ${box.y.toFixed(1)}px) translate(-50%, -50%)`
    })
  }

  /** The region whose label is at a point of the page; -1: none. */
  regionAt(x: number, y: number): number {
    const i = this.boxes.findIndex((b, k) => b !== null && !this.pool[k]!.classList.contains('collides') && Math.abs(y - b.y) < b.height / 2 && x >= b.x && x <= b.x + b.width)
    return i < 0 ? -1 : this.named[i]!
  }
}
