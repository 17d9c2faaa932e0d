// Renderer, camera and layers. The stage draws when something has changed, and not otherwise.
// It shows what it is given and reads no state.
import { MOUSE, PerspectiveCamera, Scene, TOUCH, Vector3, WebGLRenderer } from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'
import { fit } from '../state/fit'
import type { Camera, ColorBy } from '../state/view'
import type { Moment } from '../state/visibility'
import type { World } from '../state/world'
import { loadEffects } from './effects'
import { EdgesLayer } from './edges/edges'
import { ease, Animations } from './animation'
import { loadMarks, loadNodes, loadPositions, nodeUniforms, setMoment } from './nodes'
import type { Projection } from './picking/pick'
import { HullsLayer } from './hulls/hulls'
import { PointsLayer } from './points/points'
import type { Theme } from './theme'
import { sceneUniforms } from './uniforms'

const FOV = 42
const RADIUS = 108 // of the map, see viz/project
const NEAR = 150 // distance from which a memory is viewed
const NEAR_AREA = 90 // least distance from which a part of the map is viewed
const AREA_RADII = 3 // a part of the map fills the view with so many of its radii
const PULSE_MS = 50
const FLIGHT_MS = 850
const FIT_PADDING = 28 // around the map, for the radius of points and their labels …
const FIT_SHARE = 0.035 // … and of a small page, such as a phone's, this share of its width
const MIN_FREE = 0.25 // of a side of the page is taken as free, however much panels cover

/** Margins of the page in pixels. */
export interface Inset {
  left: number
  right: number
  top: number
  bottom: number
}
const SIDES = ['left', 'right', 'top', 'bottom'] as const

export interface StageEvents {
  onCamera: () => void
  /** the user has started to move the camera */
  onCameraStart: () => void
  onFrame: (projection: Projection) => void
}

export class Stage {
  readonly renderer: WebGLRenderer
  readonly nodes = nodeUniforms()
  readonly uniforms = sceneUniforms()
  readonly camera = new PerspectiveCamera(FOV, 1, 1, 4000)
  readonly edges: EdgesLayer
  private readonly points: PointsLayer
  private readonly hulls: HullsLayer
  private readonly scene = new Scene()
  private readonly controls: OrbitControls
  readonly animations: Animations
  private world: World | null = null
  private positions: Float32Array | null = null // positions in place of the map's own; null: the map's own
  private frameRequest = 0
  private pulsing = false
  private pulseTimer = 0
  private replayStart = -1 // start of the sleep replay, ms on the page's clock; below 0: no replay
  private size = { width: 1, height: 1 }
  private inset: Inset = { left: 0, right: 0, top: 0, bottom: 0 }
  private insetGoal: Inset = { ...this.inset } // where the margins are going
  private fitted = false // the camera shows the whole map and was not moved since
  private shown: (node: number) => boolean = () => true

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly events: StageEvents,
    private readonly reducedMotion: () => boolean,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: false, alpha: true, powerPreference: 'high-performance' })
    this.renderer.setClearColor(0, 0)
    this.renderer.info.autoReset = false
    this.animations = new Animations(reducedMotion, () => this.invalidate())
    this.points = new PointsLayer(this.nodes, this.uniforms)
    this.edges = new EdgesLayer(this.nodes, this.uniforms)
    this.hulls = new HullsLayer(this.nodes, this.uniforms)
    this.scene.add(this.hulls.object, this.edges.object, this.points.object)
    this.scene.matrixWorldAutoUpdate = true
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.enableDamping = !reducedMotion()
    this.controls.dampingFactor = 0.12
    this.controls.rotateSpeed = 0.7
    this.controls.minDistance = 6
    this.controls.maxDistance = 1200
    this.controls.zoomToCursor = true
    this.controls.addEventListener('change', () => {
      this.invalidate()
      this.events.onCamera()
    })
    this.controls.addEventListener('start', () => {
      this.animations.stop('camera')
      this.fitted = false
      this.events.onCameraStart()
    })
    this.camera.position.set(...this.obliqueView(300))
    this.controls.update()
    // Also reports the first size, once the page is laid out.
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!)
  }

  /** Shows a world. Memories that were in the previous one move from their old positions. */
  setWorld(world: World, before: World | null): void {
    const placed = before && this.positions ? carryPositions(world, before, this.positions) : null
    const old = before ? previousPositions(world, before, this.positions ?? before.frame.positions) : null
    this.world = world
    this.positions = placed
    loadNodes(this.nodes, world, old)
    if (placed) loadPositions(this.nodes, placed, old)
    this.points.setWorld(world)
    this.edges.setWorld(world)
    this.edges.uBend.value = placed ? 0 : 1
    this.hulls.setWorld(world)
    if (old) this.animations.start('map', 900, (p) => (this.nodes.uPositionMix.value = ease(p)))
    else this.nodes.uPositionMix.value = 1
    this.invalidate()
  }

  /** Moves the nodes to other positions; null moves them back to their own. `turn`: the camera goes to the whole map. */
  setPositions(positions: Float32Array | null, turn: boolean): void {
    const { world } = this
    if (!world || (positions ?? this.positions) === null || (positions && positions.length !== world.frame.positions.length)) return
    const from = this.positions ?? world.frame.positions
    this.positions = positions
    this.hulls.setPositions(world, positions)
    loadPositions(this.nodes, positions ?? world.frame.positions, from)
    const [straight, uBend] = [this.edges.uBend.value, this.edges.uBend]
    this.animations.start('map', 700, (p) => {
      this.nodes.uPositionMix.value = ease(p)
      uBend.value = straight + ((positions ? 0 : 1) - straight) * ease(p)
    })
    if (this.fitted || turn) this.showWholeMap()
    else this.events.onCamera()
  }

  setTheme(theme: Theme): void {
    this.points.setTheme(theme)
    this.edges.setTheme(theme)
    this.hulls.setTheme(theme)
    this.invalidate()
  }

  /** Colours the points; see PointsLayer. */
  setColoring(by: ColorBy, categories: Uint8Array, span: number): void {
    this.points.setColoring(by, categories, span)
    this.invalidate()
  }

  /** Shows or hides the areas of clusters; plain: all in one colour. */
  setAreas(shown: boolean, plain: boolean): void {
    this.hulls.setShown(shown, plain)
    this.invalidate()
  }

  /** Sets how many members of each cluster are visible. */
  setVisibleMembers(counts: ArrayLike<number>): void {
    if (!this.world || this.world.frame.clusters.length === 0) return
    this.hulls.setVisible(this.world, counts)
    this.invalidate()
  }

  /** Sets how many memories are shown, on which the glow of points depends. */
  setVisibleCount(count: number): void {
    this.points.setGlow(count)
    this.invalidate()
  }

  setMarks(marks: Uint8Array): void {
    loadMarks(this.nodes, marks)
    this.invalidate()
  }

  setMoment(at: Moment): void {
    setMoment(this.nodes, at)
    this.invalidate()
  }

  /** Highlights new memories for a few seconds. */
  flashNew(): void {
    this.animations.start('flash', 4500, (p) => (this.uniforms.uFlash.value = (1 - p) ** 1.5))
  }

  /** Sets the sleep's effects on each node, see effects.ts. */
  setEffects(rows: Float32Array | null): void {
    loadEffects(this.nodes, rows)
    this.invalidate()
  }

  /** Starts the sleep replay at a time of the page's clock in ms; null ends it. */
  setSleepReplay(began: number | null): void {
    if ((began ?? -1) === this.replayStart) return
    const running = began !== null
    this.replayStart = began ?? -1
    this.nodes.uReducedMotion.value = this.reducedMotion()
    if (!running) this.nodes.uReplay.value = -1
    const from = this.uniforms.uSleepDim.value
    this.animations.start('night', 700, (p) => (this.uniforms.uSleepDim.value = from + ((running ? 1 : 0) - from) * ease(p)))
  }

  /** While this is on, working memories pulse at twenty frames a second. */
  setPulsing(on: boolean): void {
    this.pulsing = on
    if (on && !this.pulseTimer) this.pulse()
  }

  private pulse = (): void => {
    this.pulseTimer = 0
    if (!this.pulsing || document.hidden) {
      if (this.pulsing) this.pulseTimer = window.setTimeout(this.pulse, 1000)
      return
    }
    this.uniforms.uPulsePhase.value = (performance.now() / 1000) * 3.2
    this.invalidate()
    this.pulseTimer = window.setTimeout(this.pulse, PULSE_MS)
  }

  /** Margins that panels cover, in pixels. The map is centred in what is left, and fitted into it unless the camera was moved. */
  setInset(inset: Inset): void {
    if (SIDES.every((k) => this.insetGoal[k] === inset[k])) return
    const from = { ...this.inset }
    this.insetGoal = { ...inset }
    this.animations.start('inset', 350, (p) => {
      const e = ease(p)
      for (const k of SIDES) this.inset[k] = from[k] + (inset[k] - from[k]) * e
      this.applyInset()
    })
    if (this.fitted) this.showWholeMap(350)
  }

  setFlat(flat: boolean, at: Camera | null): void {
    this.controls.enableRotate = !flat
    this.controls.mouseButtons.LEFT = flat ? MOUSE.PAN : MOUSE.ROTATE
    this.controls.touches.ONE = flat ? TOUCH.PAN : TOUCH.ROTATE
    const from = this.nodes.uDepth.value
    const to = flat ? 0 : 1
    if (from !== to) this.animations.start('depth', 700, (p) => (this.nodes.uDepth.value = from + (to - from) * ease(p)))
    if (at) return
    if (this.fitted) this.showWholeMap()
    else if (flat) {
      const t = this.controls.target
      const far = this.camera.position.distanceTo(t)
      this.animateCamera([t.x, t.y, far], [t.x, t.y, 0])
    } else if (from !== to) this.showWholeMap()
  }

  cameraState(): Camera {
    return { position: this.camera.position.toArray() as Camera['position'], target: this.controls.target.toArray() as Camera['target'] }
  }

  setCamera(at: Camera): void {
    this.fitted = false
    this.animations.stop('camera')
    this.camera.position.fromArray(at.position)
    this.controls.target.fromArray(at.target)
    this.controls.update()
    this.invalidate()
  }

  /** Which nodes the whole map consists of. */
  setShown(shown: (node: number) => boolean): void {
    this.shown = shown
  }

  /** Fits what is shown into the part of the page that no panel covers. It stays fitted until the camera moves. */
  showWholeMap(ms = FLIGHT_MS): void {
    const flat = !this.controls.enableRotate
    const { left, right, top, bottom } = this.insetGoal
    const { width, height } = this.size
    const unit = 2 * this.pixelsPerUnit(height)
    const padding = Math.min(FIT_PADDING, FIT_SHARE * width)
    const side = (length: number, total: number) => Math.max(length - 2 * padding, total * MIN_FREE) / unit
    const opening = { x: side(width - left - right, width), y: side(height - top - bottom, height) }
    // The layout by links is a plane, seen from straight above.
    const back = flat || this.positions ? ([0, 0, 1] as const) : this.obliqueView(1)
    const { world } = this
    const positions = this.positions ?? world?.frame.positions ?? []
    const depth = flat ? 0 : 1
    const at = world && (fit(positions, world.count, this.shown, back, opening, depth) ?? fit(positions, world.count, () => true, back, opening, depth))
    if (at) this.animateCamera(at.position, at.target, ms)
    else this.animateCamera(this.obliqueView(RADIUS / Math.min(opening.x, opening.y)), [0, 0, 0], ms)
    this.fitted = true
  }

  /** A camera position above and a little to the side. */
  private obliqueView(far: number): [number, number, number] {
    return [0.36 * far, 0.3 * far, 0.88 * far]
  }

  /** Moves the camera to a node, keeping the direction of view. */
  flyTo(node: number): void {
    if (!this.world) return
    const p = this.positions ?? this.world.frame.positions
    const flat = !this.controls.enableRotate
    const at = new Vector3(p[3 * node], p[3 * node + 1], flat ? 0 : p[3 * node + 2])
    const back = this.camera.position.clone().sub(this.controls.target)
    const far = Math.min(back.length(), NEAR)
    if (flat) back.set(0, 0, 1)
    const eye = at.clone().add(back.normalize().multiplyScalar(far))
    this.animateCamera(eye.toArray() as Camera['position'], at.toArray() as Camera['target'])
  }

  /** Moves the camera to a part of the map, keeping the direction of view. */
  flyToArea(position: readonly [number, number, number], radius: number): void {
    const flat = !this.controls.enableRotate
    const at = new Vector3(position[0], position[1], flat ? 0 : position[2])
    const back = flat ? new Vector3(0, 0, 1) : this.camera.position.clone().sub(this.controls.target).normalize()
    const far = Math.max(NEAR_AREA, (AREA_RADII * radius) / Math.tan((FOV * Math.PI) / 360))
    const eye = at.clone().add(back.multiplyScalar(far))
    this.animateCamera(eye.toArray() as Camera['position'], at.toArray() as Camera['target'])
  }

  private animateCamera(position: [number, number, number], target: [number, number, number], ms = FLIGHT_MS): void {
    this.fitted = false
    const p0 = this.camera.position.clone()
    const t0 = this.controls.target.clone()
    const p1 = new Vector3(...position)
    const t1 = new Vector3(...target)
    this.animations.start('camera', ms, (p) => {
      const e = ease(p)
      this.camera.position.lerpVectors(p0, p1, e)
      this.controls.target.lerpVectors(t0, t1, e)
      this.controls.update()
      this.events.onCamera()
    })
  }

  /** How the map is projected onto the page now. */
  projection(): Projection {
    const { width, height } = this.size
    return {
      matrix: this.camera.projectionMatrix.clone().multiply(this.camera.matrixWorldInverse).elements,
      width,
      height,
      pixelsPerUnit: this.pixelsPerUnit(height),
      depth: this.nodes.uDepth.value,
      free: { left: this.inset.left, right: width - this.inset.right },
      positions: this.positions,
    }
  }

  invalidate = (): void => {
    this.frameRequest ||= requestAnimationFrame(this.draw)
  }

  private draw = (time: number): void => {
    this.frameRequest = 0
    const flying = this.animations.advance(time)
    const showing = this.replayStart >= 0
    // The time of a frame may be earlier than the script that requested it.
    if (showing) this.nodes.uReplay.value = Math.max(time - this.replayStart, 0) / 1000
    const moving = flying || (showing && !this.reducedMotion())
    const gliding = this.controls.update()
    this.renderNow()
    this.events.onFrame(this.projection())
    if (moving || gliding) this.invalidate()
  }

  /** Draws at once; also used for saved images. */
  renderNow(): void {
    this.camera.updateMatrixWorld()
    const u = this.uniforms
    u.uView.value.copy(this.camera.matrixWorldInverse)
    u.uProjection.value.copy(this.camera.projectionMatrix)
    const far = this.camera.position.distanceTo(this.controls.target)
    u.uFogFrom.value = far * 0.85
    u.uFogTo.value = far + 190
    const m = this.camera.matrixWorld.elements
    if (this.world) this.points.sortForView(this.positions ?? this.world.frame.positions, [m[8]!, m[9]!, m[10]!], this.nodes.uDepth.value)
    this.renderer.info.reset()
    this.renderer.render(this.scene, this.camera)
  }

  private pixelsPerUnit(height: number): number {
    return height / 2 / Math.tan((FOV * Math.PI) / 360)
  }

  private resize(): void {
    const box = this.canvas.parentElement!.getBoundingClientRect()
    this.size = { width: Math.max(box.width, 1), height: Math.max(box.height, 1) }
    const { width, height } = this.size
    const ratio = Math.min(window.devicePixelRatio, 2)
    this.renderer.setPixelRatio(ratio)
    this.renderer.setSize(width, height, false)
    this.camera.aspect = width / height
    this.uniforms.uPixelRatio.value = ratio
    this.uniforms.uDrawingSize.value.set(width * ratio, height * ratio)
    this.uniforms.uPixelsPerUnit.value = this.pixelsPerUnit(height) * ratio
    this.applyInset()
    if (this.fitted) this.showWholeMap(0)
  }

  /** Centres the picture in the space between the margins. */
  private applyInset(): void {
    const { width, height } = this.size
    const { left, right, top, bottom } = this.inset
    this.camera.setViewOffset(width, height, (right - left) / 2, (bottom - top) / 2, width, height)
    this.camera.updateProjectionMatrix()
    this.invalidate()
  }
}

/** The positions of a layout for another world: those of new nodes are the map's own until the layout is computed again. */
function carryPositions(world: World, before: World, positions: Float32Array): Float32Array {
  const out = world.frame.positions.slice()
  const oldIndex = world.indicesIn(before)
  for (let i = 0; i < world.count; i++) {
    const j = oldIndex[i]!
    if (j >= 0) out.set(positions.subarray(3 * j, 3 * j + 3), 3 * i)
  }
  return out
}

/** Old positions of the nodes of a world; null if none has moved. */
function previousPositions(world: World, before: World, positions: Float32Array): Float32Array | null {
  const old = world.frame.positions.slice()
  const oldIndex = world.indicesIn(before)
  let moved = false
  for (let i = 0; i < world.count; i++) {
    const j = oldIndex[i]!
    if (j < 0) continue
    for (let d = 0; d < 3; d++) {
      const p = positions[3 * j + d]!
      moved ||= Math.abs(p - old[3 * i + d]!) > 0.05
      old[3 * i + d] = p
    }
  }
  return moved ? old : null
}
