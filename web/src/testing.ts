// Hooks for the browser tests, loaded only with ?test=1.
import { GLSL3, BufferGeometry, NoBlending, Points, RawShaderMaterial, Scene, WebGLRenderTarget } from 'three'
import node from './scene/node.glsl?raw'
import { EDGE_KINDS } from './api/vocabulary'
import { NEAR } from './scene/marks'
import { edgePoints, pickEdge } from './scene/picking/edge'
import { pickNode, project, projectPosition } from './scene/picking/pick'
import { retentionAt, visibleAt } from './state/visibility'
import type { View } from './state/view'
import type { App } from './ui/app'
import { renderImage } from './ui/image'

const WIDTH = 512

const VERTEX = `precision highp float;
precision highp int;
${node}
uniform vec2 uTarget;
flat out vec4 vId;
void main() {
  int i = gl_VertexID;
  Node n = readNode(i);
  State s = stateOf(n);
  float left = floor(retentionOf(n, s) * 65535.0 + 0.5);
  // Red: two thirds if the node is visible, plus one third if the sleep replay shows it.
  vId = vec4((isVisible(n, s) ? 2.0 : 0.0) / 3.0 + (isShown(n, s, effectOf(i)) ? 1.0 : 0.0) / 3.0, floor(left / 256.0) / 255.0, mod(left, 256.0) / 255.0, float(s.status + 1) / 255.0);
  vec2 at = (vec2(float(i % ${WIDTH}), float(i / ${WIDTH})) + 0.5) / uTarget;
  gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
  gl_PointSize = 1.0;
}`

const FRAGMENT = `precision highp float;
flat in vec4 vId;
out vec4 color;
void main() { color = vId; }`

const VISIBLE = 170 // of 255
const SHOWN = 85

/** Asks the graphics card for every memory: is it drawn, and with which retention? */
function renderIds(app: App): Uint8Array {
  const world = app.live.get().world!
  const rows = Math.max(Math.ceil(world.count / WIDTH), 1)
  const target = new WebGLRenderTarget(WIDTH, rows, { depthBuffer: false })
  const geometry = new BufferGeometry()
  geometry.setDrawRange(0, world.count)
  const material = new RawShaderMaterial({
    glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, blending: NoBlending, depthTest: false,
    uniforms: { ...app.stage.nodes, uTarget: { value: [WIDTH, rows] } },
  })
  const points = new Points(geometry, material)
  points.frustumCulled = false
  const scene = new Scene()
  scene.add(points)
  const { renderer } = app.stage
  renderer.setRenderTarget(target)
  renderer.clear()
  renderer.render(scene, app.stage.camera)
  const out = new Uint8Array(4 * WIDTH * rows)
  renderer.readRenderTargetPixels(target, 0, 0, WIDTH, rows, out)
  renderer.setRenderTarget(null)
  target.dispose()
  geometry.dispose()
  material.dispose()
  return out
}

export function install(app: App): void {
  const hooks = hooksOf(app)
  Object.assign(window, { __somnograph: hooks })
}

export type Hooks = ReturnType<typeof hooksOf>

function hooksOf(app: App) {
  return { ...stateHooks(app), ...drawingHooks(app), ...structureHooks(app), ...pickingHooks(app), ...imageHooks(app) }
}

/** What the page holds and shows. */
function stateHooks(app: App) {
  return {
    /** ids that the open panel highlights */
    highlighted: () => app.live.get().highlighted,
    ready: () => app.live.get().status !== 'loading',
    status: () => app.live.get().status,
    count: () => app.live.get().world?.count ?? 0,
    sleepState: () => app.sleepFollower.store.get(),
    /** feeds the replay with progress as the server would send it */
    addProgress: (p: Parameters<typeof app.sleepFollower.onProgress>[0]) => app.sleepFollower.onProgress(p),
    /** number of edges of each kind in the scene */
    edges(): Record<string, number> {
      const f = app.live.get().world!.frame
      const counts: Record<string, number> = {}
      for (let e = 0; e < f.edgeCount; e++) counts[EDGE_KINDS[f.edgeKind[e]!]!] = (counts[EDGE_KINDS[f.edgeKind[e]!]!] ?? 0) + 1
      return counts
    },
    /** the connection of live updates was lost and is back */
    reconnected() {
      app.live.set({ connected: false })
      app.live.set({ connected: true })
    },
    /** opens a memory and moves the camera there, like a search hit does */
    open: (id: string) => app.open(id, true),
    /** the version of the scene that the page holds */
    scene: () => ({ cursor: app.live.get().world!.frame.cursor, map: app.live.get().world!.frame.map }),
    ids: () => Array.from({ length: app.live.get().world!.count }, (_, i) => app.live.get().world!.idOf(i)),
    setView: (change: Partial<View>) => app.view.set(change),
    view: () => app.view.get(),
    moment: () => app.moment(),
    lost: () => app.stage.renderer.getContext().isContextLost(),
  }
}

/** What is drawn, by the graphics card and by the page's own rules. */
function drawingHooks(app: App) {
  return {
    /** ids that the graphics card draws */
    drawn(): string[] {
      const world = app.live.get().world!
      const pixels = renderIds(app)
      return Array.from({ length: world.count }, (_, i) => i).filter((i) => pixels[4 * i]! >= VISIBLE).map((i) => world.idOf(i)).sort()
    },
    /** ids that are drawn during a sleep replay: memories about to leave still are, new ones not yet */
    drawnInReplay(): string[] {
      const world = app.live.get().world!
      app.stage.renderNow()
      const pixels = renderIds(app)
      return Array.from({ length: world.count }, (_, i) => i).filter((i) => pixels[4 * i]! % VISIBLE === SHOWN).map((i) => world.idOf(i)).sort()
    },
    /** ids that are visible by the page's own rules */
    visible(): string[] {
      const { world, filterMask } = app.live.get()
      const at = app.moment()
      return Array.from({ length: world!.count }, (_, i) => i).filter((i) => filterMask[i] && visibleAt(world!, i, at)).map((i) => world!.idOf(i)).sort()
    },
    /** the largest difference between the retention on the graphics card and in the page */
    retentionGap(): number {
      const world = app.live.get().world!
      const pixels = renderIds(app)
      const at = app.moment()
      let gap = 0
      for (let i = 0; i < world.count; i++) {
        if (pixels[4 * i]! < VISIBLE) continue
        gap = Math.max(gap, Math.abs((pixels[4 * i + 1]! * 256 + pixels[4 * i + 2]!) / 65535 - retentionAt(world, i, at.recorded)))
      }
      return gap
    },
    info() {
      app.stage.renderNow()
      const { calls, points, triangles, lines } = app.stage.renderer.info.render
      return { calls, points, triangles, lines }
    },
    /** milliseconds of script that one time step and its drawing take */
    scrubCost(steps: number): number {
      const world = app.live.get().world!
      const from = world.firstBorn
      const to = app.clock.now()
      const start = performance.now()
      for (let i = 0; i < steps; i++) {
        app.stage.setMoment({ ...app.moment(), recorded: from + ((to - from) * i) / steps })
        app.stage.renderNow()
      }
      return (performance.now() - start) / steps
    },
  }
}

/** Edges, neighbours and the layout. */
function structureHooks(app: App) {
  const world = () => app.live.get().world!
  return {
    /** number of edges drawn at rest and in focus, and the most edges at rest of one memory */
    drawnEdges(): { rest: number; focus: number; most: number } {
      const { rows, restCount } = app.stage.edges
      const each = new Map<number, number>()
      for (let i = 0; i < 4 * restCount; i += 4) for (const n of [rows[i]!, rows[i + 1]!]) each.set(n, (each.get(n) ?? 0) + 1)
      return { rest: restCount, focus: rows.length / 4 - restCount, most: Math.max(0, ...each.values()) }
    },
    /** milliseconds of script to light up the neighbours of one memory after the other, with drawing */
    hoverCost(steps: number): number {
      const start = performance.now()
      for (let i = 0; i < steps; i++) {
        app.light(Math.floor((i * world().count) / steps))
        app.stage.renderNow()
      }
      const each = (performance.now() - start) / steps
      app.light(-1)
      return each
    },
    /** ids of the memories that are joined to one by an edge */
    neighbours(id: string): string[] {
      const w = world()
      const n = w.indexOf(id)
      const f = w.frame
      return Array.from(w.edgesOf.subarray(w.edgeStart[n], w.edgeStart[n + 1]), (e) => w.idOf(f.from[e] === n ? f.to[e]! : f.from[e]!))
    },
    /** ids that are emphasised as neighbours */
    litIds: () => Array.from(app.marks(), (m, i) => ((m & NEAR) !== 0 ? world().idOf(i) : '')).filter(Boolean),
    /** where each memory is on the map */
    places(): number[][] {
      const p = app.stage.projection().positions ?? world().frame.positions
      return Array.from({ length: world().count }, (_, i) => [...p.subarray(3 * i, 3 * i + 3)])
    },
    /** pairs of memories with strongly shared entities, and as many pairs by chance */
    pairs(): { strong: number[][]; others: number[][] } {
      const f = world().frame
      const strong: number[][] = []
      for (let e = 0; e < f.edgeCount; e++) if (EDGE_KINDS[f.edgeKind[e]!] === 'ENTITY_OVERLAP' && f.edgeWeight[e]! > 100) strong.push([f.from[e]!, f.to[e]!])
      return { strong, others: strong.map((_, i) => [(7 * i) % f.count, (13 * i + 5) % f.count]) }
    },
    firstBorn: () => world().firstBorn,
  }
}

/** Where memories and edges are on the page. */
function pickingHooks(app: App) {
  return {
    /** where a memory is on the page, in pixels */
    screenPosition(id: string): { x: number; y: number } | null {
      const world = app.live.get().world!
      const spot = { x: 0, y: 0, distance: 0 }
      const n = world.indexOf(id)
      return n >= 0 && project(world, n, app.stage.projection(), spot) ? { x: spot.x, y: spot.y } : null
    },
    /** the memory that a click at this point would open */
    memoryAt(x: number, y: number): string | null {
      const world = app.live.get().world!
      const n = pickNode(world, (i) => app.isDrawn(i), app.stage.projection(), x, y)
      return n >= 0 ? world.idOf(n) : null
    },
    /** a point on the page where a click hits this edge and nothing else; null: there is none */
    edgeSpot(kind: string): { x: number; y: number; from: string; to: string } | null {
      const world = app.live.get().world!
      const rows = app.stage.edges.rows
      const projection = app.stage.projection()
      const at = { x: 0, y: 0, distance: 0 }
      const drawn = (n: number) => app.isDrawn(n)
      for (let row = 0; row < rows.length / 4; row++) {
        const [from, to] = [rows[4 * row]!, rows[4 * row + 1]!]
        if (EDGE_KINDS[rows[4 * row + 2]!] !== kind) continue
        const points = edgePoints(world, app.stage.edges, row, projection)
        for (let t = 0.1; t < 0.9; t += 0.02) {
          const piece = Math.floor(t * (points.length - 1))
          const along = t * (points.length - 1) - piece
          const [a, b] = [points[piece]!, points[piece + 1]!]
          if (!projectPosition([0, 1, 2].map((d) => a[d]! + along * (b[d]! - a[d]!)) as [number, number, number], projection, at)) continue
          if (at.x < 300 || at.x > 950 || at.y < 90 || at.y > 700) continue
          if (pickNode(world, drawn, projection, at.x, at.y) < 0 && pickEdge(world, app.stage.edges, drawn, projection, at.x, at.y) === row) return { x: at.x, y: at.y, from: world.idOf(from), to: world.idOf(to) }
        }
      }
      return null
    },
    /** rotates the camera around the map's axis */
    turn(angle: number): void {
      app.stage.setCamera({ position: [300 * Math.sin(angle), 90, 264 * Math.cos(angle)], target: [0, 0, 0] })
    },
  }
}

/** The saved image. */
function imageHooks(app: App) {
  return {
    /** number of pixels of the saved image that are not background */
    async litPixels(): Promise<number> {
      const bitmap = await createImageBitmap(await renderImage(app.stage, app.live.get().light))
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      const g = canvas.getContext('2d')!
      g.drawImage(bitmap, 0, 0)
      const { data } = g.getImageData(0, 0, bitmap.width, bitmap.height)
      let lit = 0
      for (let i = 0; i < data.length; i += 4) if (Math.max(data[i]!, data[i + 1]!, data[i + 2]!) > 96) lit++
      return lit
    },
    /** share of the pixels of the map that are almost white in all channels among those that are not background */
    async saturatedShare(): Promise<number> {
      const bitmap = await createImageBitmap(await renderImage(app.stage, app.live.get().light))
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      const g = canvas.getContext('2d')!
      g.drawImage(bitmap, 0, 0)
      const { data } = g.getImageData(0, 0, bitmap.width, bitmap.height)
      let [white, lit] = [0, 0]
      for (let i = 0; i < data.length; i += 4) {
        if (Math.max(data[i]!, data[i + 1]!, data[i + 2]!) > 60) lit++
        if (Math.min(data[i]!, data[i + 1]!, data[i + 2]!) > 250) white++
      }
      return white / Math.max(lit, 1)
    },
    /** colour of the saved image at a point */
    async colorAt(x: number, y: number): Promise<[number, number, number]> {
      const bitmap = await createImageBitmap(await renderImage(app.stage, app.live.get().light))
      const canvas = new OffscreenCanvas(1, 1)
      const g = canvas.getContext('2d')!
      const k = bitmap.width / app.stage.canvas.getBoundingClientRect().width
      g.drawImage(bitmap, -Math.round(x * k), -Math.round(y * k))
      const [r, gr, b] = g.getImageData(0, 0, 1, 1).data
      return [r!, gr!, b!]
    },
  }
}
