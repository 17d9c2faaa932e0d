// Draws the lines between entities and to their memories on a plain canvas over the map, with the names of relations.
import { intersect, type Rect } from '../../state/inset'
import type { HubRelation, Together } from '../../state/links/entitygraph'

export interface Spot {
  x: number
  y: number
}

export interface HubLines {
  relations: readonly HubRelation[]
  together: readonly Together[]
  /** entity and the places of its memories; strong: it is in focus */
  mentions: readonly { hub: string; at: readonly Spot[]; strong: boolean }[]
  /** places along a path, in order; empty: none */
  path: readonly Spot[]
  /** the entity in focus; its lines are stronger */
  focus: string | null
}

export interface HubColors {
  ink: string
  muted: string
  accent: string
  ground: string
}

const FONT = '500 12px "Inter Variable", system-ui, sans-serif'
/** A relation has its name if its line has so many more pixels than the name. */
const ROOM = 14

/** Draws the lines between places of the page. `obstacles` are boxes that names of relations may not meet. Answers the boxes of the names. */
export function drawHubLines(g: CanvasRenderingContext2D, ratio: number, size: { width: number; height: number }, at: ReadonlyMap<string, Spot>, lines: HubLines, colors: HubColors, obstacles: readonly Rect[]): Rect[] {
  g.setTransform(ratio, 0, 0, ratio, 0, 0)
  g.clearRect(0, 0, size.width, size.height)
  const stroke = (a: Spot, b: Spot, color: string, alpha: number, width: number, bend = 0) => {
    g.globalAlpha = alpha
    g.strokeStyle = color
    g.lineWidth = width
    g.beginPath()
    g.moveTo(a.x, a.y)
    const [mx, my] = bendPoint(a, b, bend)
    g.quadraticCurveTo(mx, my, b.x, b.y)
    g.stroke()
  }
  for (const { from, to, count } of lines.together) {
    const [a, b] = [at.get(from), at.get(to)]
    if (!a || !b) continue
    const near = lines.focus === null || lines.focus === from || lines.focus === to
    g.setLineDash([2, 4])
    stroke(a, b, colors.muted, near ? 0.34 : 0.12, Math.min(0.8 + count / 6, 2.2))
  }
  g.setLineDash([])
  for (const { hub, at: memories, strong } of lines.mentions) {
    const a = at.get(hub)
    if (a) for (const b of memories) stroke(a, b, strong ? colors.accent : colors.muted, strong ? 0.42 : lines.focus === null ? 0.2 : 0.08, 1)
  }
  const named: Rect[] = []
  g.font = FONT
  g.textAlign = 'center'
  g.textBaseline = 'middle'
  const relations = bundled(lines.relations)
  for (const { r, bend } of relations) {
    const [a, b] = [at.get(r.from), at.get(r.to)]
    if (!a || !b) continue
    const near = lines.focus === null || lines.focus === r.from || lines.focus === r.to
    stroke(a, b, colors.ink, near ? 0.5 : 0.14, 1.3, bend)
  }
  for (const { r, bend } of relations) {
    const [a, b] = [at.get(r.from), at.get(r.to)]
    if (!a || !b || (lines.focus !== null && lines.focus !== r.from && lines.focus !== r.to)) continue
    const text = a.x <= b.x ? `${r.words} →` : `← ${r.words}`
    const width = g.measureText(text).width
    if (Math.hypot(b.x - a.x, b.y - a.y) < width + ROOM) continue
    const [mx, my] = bendPoint(a, b, bend)
    const [x, y] = [(a.x + b.x) / 4 + mx / 2, (a.y + b.y) / 4 + my / 2]
    const box = { left: x - width / 2 - 3, right: x + width / 2 + 3, top: y - 9, bottom: y + 9 }
    if ([...obstacles, ...named].some((o) => intersect(o, box))) continue
    named.push(box)
    g.globalAlpha = 0.9
    g.lineWidth = 4
    g.strokeStyle = colors.ground
    g.lineJoin = 'round'
    g.strokeText(text, x, y)
    g.globalAlpha = 1
    g.fillStyle = colors.muted
    g.fillText(text, x, y)
  }
  for (let i = 1; i < lines.path.length; i++) stroke(lines.path[i - 1]!, lines.path[i]!, colors.accent, 0.95, 2.6)
  g.globalAlpha = 1
  return named
}

/** Relations between the same two entities bend apart. */
function bundled(relations: readonly HubRelation[]): { r: HubRelation; bend: number }[] {
  const count = new Map<string, number>()
  return relations.map((r) => {
    const pair = [r.from, r.to].sort().join('\n')
    const k = count.get(pair) ?? 0
    count.set(pair, k + 1)
    const side = r.from < r.to ? 1 : -1
    return { r, bend: side * (k === 0 ? 0.08 : (k % 2 === 1 ? -1 : 1) * 0.22 * Math.ceil(k / 2)) }
  })
}

/** The control point of a line that bends by a share of its length. */
function bendPoint(a: Spot, b: Spot, bend: number): [number, number] {
  return [(a.x + b.x) / 2 - (b.y - a.y) * bend, (a.y + b.y) / 2 + (b.x - a.x) * bend]
}
