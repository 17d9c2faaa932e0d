// Draws every memory as a point: one draw call for the shapes, one for their halos.
import { AdditiveBlending, BufferAttribute, BufferGeometry, GLSL3, Group, NormalBlending, Points, RawShaderMaterial, RedIntegerFormat, UnsignedByteType, type Color, type DataTexture } from 'three'
import node from '../node.glsl?raw'
import coreVertex from './core.vert.glsl?raw'
import coreFragment from './core.frag.glsl?raw'
import haloFragment from './halo.frag.glsl?raw'
import type { Layer } from '../layer'
import type { NodeUniforms } from '../nodes'
import type { SceneUniforms } from '../uniforms'
import type { Theme } from '../theme'
import type { ColorBy } from '../../state/view'
import type { World } from '../../state/world'
import { replaceTexture, texture } from '../texture'
import { GLOW_LIMIT, maxRadius, scaleFor } from '../size'
import { backToFront, ORDER_LIMIT } from './order'

const PRECISION = 'precision highp float;\nprecision highp int;\n'

/** Length of the array of colours in core.vert.glsl. */
const PALETTE_SIZE = 31

/** Above the limit there are no halos; from the second number on each is weaker. */
const HALO_LIMIT = 30_000
const HALO_CROWD = 1500

export class PointsLayer implements Layer {
  readonly object = new Group()
  private readonly geometry = new BufferGeometry()
  private readonly core: RawShaderMaterial
  private readonly halo: RawShaderMaterial
  private readonly halos: Points
  private readonly uniforms
  private by: ColorBy = 'type'
  private theme: Theme | null = null
  private order: BufferAttribute | null = null
  private sortKey = ''
  private sortedPositions: Float32Array | null = null

  constructor(nodes: NodeUniforms, scene: SceneUniforms) {
    this.uniforms = {
      ...nodes,
      ...scene,
      uScale: { value: 1 },
      uMaxRadius: { value: 24 },
      uHaloStrength: { value: 1 },
      uFocusGlow: { value: false },
      uPalette: { value: [] as Color[] },
      uRamp: { value: [] as Color[] },
      uCategories: { value: categoriesTexture(new Uint8Array(1)) },
      uColorBy: { value: 0 },
      uAgeSpan: { value: 1 },
      uSuperseded: { value: null as unknown },
      uAccent: { value: null as unknown },
      uLight: { value: false },
      uEffectColors: { value: [] as unknown[] },
    }
    this.core = new RawShaderMaterial({
      glslVersion: GLSL3,
      uniforms: { ...this.uniforms, uHalo: { value: false } },
      vertexShader: PRECISION + node + coreVertex,
      fragmentShader: PRECISION + coreFragment,
      transparent: true,
      depthWrite: true,
    })
    this.halo = new RawShaderMaterial({
      glslVersion: GLSL3,
      uniforms: { ...this.uniforms, uHalo: { value: true } },
      vertexShader: PRECISION + node + coreVertex,
      fragmentShader: PRECISION + haloFragment,
      transparent: true,
      depthWrite: false,
      blending: AdditiveBlending,
    })
    const cores = new Points(this.geometry, this.core)
    this.halos = new Points(this.geometry, this.halo)
    cores.renderOrder = 2
    this.halos.renderOrder = 3
    for (const p of [cores, this.halos]) {
      p.frustumCulled = false
      this.object.add(p)
    }
  }

  setWorld(world: World): void {
    const sorts = world.count <= ORDER_LIMIT
    this.order = sorts ? new BufferAttribute(Uint32Array.from({ length: world.count }, (_, i) => i), 1) : null
    this.geometry.dispose()
    this.geometry.setIndex(this.order)
    this.geometry.setDrawRange(0, world.count)
    this.core.depthWrite = !sorts
    this.sortKey = ''
    this.uniforms.uScale.value = scaleFor(world.count)
    this.uniforms.uMaxRadius.value = maxRadius(this.uniforms.uScale.value)
    this.setGlow(world.count)
    this.uniforms.uHaloStrength.value = Math.min(1, Math.sqrt(HALO_CROWD / Math.max(world.count, 1)))
    this.halos.visible = world.count <= HALO_LIMIT
    this.object.visible = world.count > 0
  }

  /** Sorts the points for a camera that looks along the axis, unless they are sorted for it already. */
  sortForView(positions: Float32Array, axis: [number, number, number], depth: number): void {
    const key = [...axis, depth].map((x) => x.toFixed(3)).join()
    if (!this.order || (key === this.sortKey && positions === this.sortedPositions)) return
    this.sortKey = key
    this.sortedPositions = positions
    backToFront(positions, depth, axis, this.order.array as Uint32Array)
    this.order.needsUpdate = true
  }

  /** Colours the points. `categories` has one of each node; `span` is the age of the oldest in days. */
  setColoring(by: ColorBy, categories: Uint8Array, span: number): void {
    this.by = by
    this.uniforms.uColorBy.value = by === 'retention' ? 1 : by === 'age' ? 2 : by === 'confidence' ? 3 : 0
    this.uniforms.uAgeSpan.value = Math.max(span, 1)
    replaceTexture(this.uniforms.uCategories, categoriesTexture(categories))
    this.setPalette()
  }

  // The array in the shader has a fixed length.
  private setPalette(): void {
    const { theme } = this
    if (!theme) return
    const colors = this.by === 'type' ? theme.types : theme.hues
    this.uniforms.uPalette.value = Array.from({ length: PALETTE_SIZE }, (_, i) => colors[Math.min(i, colors.length - 1)]!)
    this.uniforms.uRamp.value = theme.ramp
  }

  /** Sets how many points are shown. Above the limit only those in focus glow, and their light does not add up. */
  setGlow(count: number): void {
    const focus = count > GLOW_LIMIT
    if (focus === this.uniforms.uFocusGlow.value) return
    this.uniforms.uFocusGlow.value = focus
    this.setBlending()
  }

  private setBlending(): void {
    const over = this.uniforms.uFocusGlow.value || this.theme?.light === true
    this.halo.blending = over ? NormalBlending : AdditiveBlending
    this.halo.needsUpdate = true
  }

  setTheme(theme: Theme): void {
    this.theme = theme
    this.setPalette()
    this.uniforms.uSuperseded.value = theme.superseded
    this.uniforms.uAccent.value = theme.accent
    this.uniforms.uLight.value = theme.light
    this.uniforms.uEffectColors.value = theme.effects
    this.setBlending()
  }

  dispose(): void {
    this.uniforms.uCategories.value.dispose()
    this.geometry.dispose()
    this.core.dispose()
    this.halo.dispose()
  }
}

function categoriesTexture(categories: Uint8Array): DataTexture {
  return texture(categories, 1, RedIntegerFormat, UnsignedByteType, 'R8UI')
}
