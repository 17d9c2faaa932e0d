// Draws the areas of the largest clusters behind everything else, in one draw call. All data are
// uniforms, so that a step in time uploads nothing.
import { BufferAttribute, BufferGeometry, GLSL3, Mesh, RawShaderMaterial, Vector4, type Color } from 'three'
import vertexShader from './hull.vert.glsl?raw'
import fragmentShader from './hull.frag.glsl?raw'
import { clusterHues } from '../../state/colorby'
import { HULL_LIMIT, hullsOf, strengthsOf, type Hull } from '../../state/hulls'
import type { World } from '../../state/world'
import type { Layer } from '../layer'
import type { NodeUniforms } from '../nodes'
import type { Theme } from '../theme'
import type { SceneUniforms } from '../uniforms'

const PRECISION = 'precision highp float;\nprecision highp int;\n'

export class HullsLayer implements Layer {
  readonly object: Mesh<BufferGeometry, RawShaderMaterial>
  private hulls: Hull[] = []
  private shown = true
  private readonly uniforms

  constructor({ uDepth }: NodeUniforms, { uView, uProjection, uFocus, uSleepDim }: SceneUniforms) {
    this.uniforms = {
      uDepth, uView, uProjection, uFocus, uSleepDim,
      uCentres: { value: Array.from({ length: HULL_LIMIT }, () => new Vector4()) },
      uSpreads: { value: Array.from({ length: 2 * HULL_LIMIT }, () => new Vector4()) },
      uHullColors: { value: [] as Color[] },
      uPlain: { value: false },
      uLight: { value: false },
    }
    const geometry = new BufferGeometry()
    geometry.setIndex(new BufferAttribute(Uint16Array.from({ length: 6 * HULL_LIMIT }, (_, i) => 4 * Math.floor(i / 6) + [0, 1, 2, 2, 1, 3][i % 6]!), 1))
    const material = new RawShaderMaterial({
      glslVersion: GLSL3, uniforms: this.uniforms, vertexShader: PRECISION + vertexShader, fragmentShader: PRECISION + fragmentShader,
      transparent: true, depthTest: false, depthWrite: false, side: 2,
    })
    this.object = new Mesh(geometry, material)
    this.object.frustumCulled = false
    this.object.renderOrder = -1
    this.object.visible = false
  }

  setWorld(world: World): void {
    this.setPositions(world, null)
  }

  /** Places the areas; null: at the map's own positions. */
  setPositions(world: World, positions: Float32Array | null): void {
    this.hulls = hullsOf(world, positions ?? undefined)
    const hues = clusterHues(world.frame.clusters)
    this.hulls.forEach((hull, i) => {
      const [xx, xy, xz, yy, yz, zz] = hull.spread
      this.uniforms.uCentres.value[i]!.set(...hull.centre, this.uniforms.uCentres.value[i]!.w)
      this.uniforms.uSpreads.value[2 * i]!.set(xx, xy, xz, hues[hull.cluster]!)
      this.uniforms.uSpreads.value[2 * i + 1]!.set(yy, yz, zz, 0)
    })
    this.setStrengths()
    this.object.geometry.setDrawRange(0, 6 * this.hulls.length)
    this.update()
  }

  /** Sets how many members of each cluster are visible. An area without them disappears. */
  setVisible(world: World, counts: ArrayLike<number>): void {
    this.hulls.forEach((hull, i) => (this.uniforms.uCentres.value[i]!.w = counts[hull.cluster]! / world.frame.clusters[hull.cluster]!.count))
    this.setStrengths()
  }

  /** Sets how strongly the areas are drawn, by which of them are visible. */
  private setStrengths(): void {
    const shares = this.hulls.map((_, i) => this.uniforms.uCentres.value[i]!.w)
    strengthsOf(this.hulls, shares).forEach((strength, i) => (this.uniforms.uSpreads.value[2 * i + 1]!.w = strength))
  }

  /** Shows or hides all areas; plain: all in one colour. */
  setShown(shown: boolean, plain: boolean): void {
    this.shown = shown
    this.uniforms.uPlain.value = plain
    this.update()
  }

  private update(): void {
    this.object.visible = this.shown && this.hulls.length > 0
  }

  setTheme(theme: Theme): void {
    this.uniforms.uHullColors.value = theme.hues
    this.uniforms.uLight.value = theme.light
  }

  dispose(): void {
    this.object.geometry.dispose()
    this.object.material.dispose()
  }
}
