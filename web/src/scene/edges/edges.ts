// Draws edges. A few are ribbons of constant width; of many only versions and derivations are,
// the others are hairlines, because the cost of an edge is its pixels. Rows are in a texture,
// so that they are not repeated for each corner.
import { BufferAttribute, BufferGeometry, FloatType, GLSL3, Group, LineSegments, Mesh, RawShaderMaterial, RGBAFormat, RGBAIntegerFormat, UnsignedIntType, type DataTexture } from 'three'
import node from '../node.glsl?raw'
import edge from './edge.glsl?raw'
import hairVertex from './hair.vert.glsl?raw'
import hairFragment from './hair.frag.glsl?raw'
import ribbonVertex from './ribbon.vert.glsl?raw'
import ribbonFragment from './ribbon.frag.glsl?raw'
import { EDGE_KINDS, type EdgeKind } from '../../api/vocabulary'
import type { Layer } from '../layer'
import type { NodeUniforms } from '../nodes'
import { replaceTexture, texture } from '../texture'
import type { SceneUniforms } from '../uniforms'
import type { Theme } from '../theme'
import type { World } from '../../state/world'
import { bendsOf, curvedRows, groupsOf, SEGMENTS, type Groups } from './bends'
import { ribbonsFrom } from './choose'

/** An edge that is not in the scene. */
export interface ExtraEdge {
  from: number
  to: number
  kind: EdgeKind
}

const PRECISION = `precision highp float;
precision highp int;
const int SEGMENTS = ${SEGMENTS};
`

/** More edges than this are drawn fainter … */
const FULL_ALPHA_EDGES = 600
/** … but never fainter than this. */
const MIN_ALPHA = 0.18

/** The opacity of edges at rest: that of few, and the least of many; beyond a number they are fainter. Long ones are fainter still. */
const REST_ALPHA = 0.26
const MIN_REST_ALPHA = 0.03
const FULL_REST_EDGES = 400

/** Corners of a straight ribbon: four for the line, three for the arrow. */
const CORNERS = 7
const TRIANGLES = [0, 1, 2, 2, 1, 3, 4, 5, 6]
/** Corners of a curved one: two at each end of a piece. */
const CURVED_CORNERS = 2 * (SEGMENTS + 1)

export class EdgesLayer implements Layer {
  readonly object = new Group()
  /** the drawn edges, four numbers each: from, to, kind, weight (0 to 255) */
  rows = new Uint32Array(0)
  /** the first rows are edges at rest */
  restCount = 0
  /** offsets of the control points of the first rows, four numbers each */
  bends: Float32Array = new Float32Array(0)
  private groups: Groups = { of: [], middles: [] }
  /** 1: edges are curved where the map is placed by meaning; 0: all are straight */
  readonly uBend = { value: 1 }
  private readonly uBends: { value: DataTexture } = { value: bendsTexture(new Float32Array(4)) }
  private readonly uRows: { value: DataTexture } = { value: rowsTexture(new Uint32Array(4)) }
  private readonly uEdgeAlpha = { value: 1 }
  private readonly uRestRows = { value: 0 }
  private readonly uRestAlpha = { value: REST_ALPHA }
  private readonly uEdgeColors: { value: Theme['edges'] } = { value: [] }
  private readonly hairlines: LineSegments<BufferGeometry, RawShaderMaterial>
  private readonly ribbons: Mesh<BufferGeometry, RawShaderMaterial>

  constructor(nodes: NodeUniforms, scene: SceneUniforms) {
    const material = (vertexShader: string, fragmentShader: string) =>
      new RawShaderMaterial({
        glslVersion: GLSL3,
        uniforms: { ...nodes, ...scene, uRows: this.uRows, uEdgeColors: this.uEdgeColors, uEdgeAlpha: this.uEdgeAlpha, uRestRows: this.uRestRows, uRestAlpha: this.uRestAlpha, uBends: this.uBends, uBend: this.uBend, uCurved: { value: 0 }, uFirst: { value: 0 } },
        vertexShader: PRECISION + node + edge + vertexShader,
        fragmentShader: PRECISION + fragmentShader,
        transparent: true,
        depthWrite: false,
        side: 2,
      })
    this.hairlines = new LineSegments(new BufferGeometry(), material(hairVertex, hairFragment))
    this.ribbons = new Mesh(new BufferGeometry(), material(ribbonVertex, ribbonFragment))
    this.object.add(this.hairlines, this.ribbons)
    for (const o of [this.hairlines, this.ribbons]) o.frustumCulled = false
    this.hairlines.renderOrder = 0
    this.ribbons.renderOrder = 1
    this.object.visible = false
  }

  setWorld(world: World): void {
    this.groups = groupsOf(world)
    this.bends = new Float32Array(0)
    this.object.visible = false
    this.rows = new Uint32Array(0)
    this.restCount = 0
  }

  /** Draws these edges of the world, these extra ones and, faintly below them, those at rest; and no others. */
  setEdges(world: World, chosen: Uint32Array, lines: readonly ExtraEdge[] = [], rest: Uint32Array = new Uint32Array(0)): void {
    const f = world.frame
    const edges = new Uint32Array(rest.length + chosen.length)
    edges.set(rest)
    edges.set(chosen, rest.length)
    const count = edges.length + lines.length
    const rows = new Uint32Array(4 * count)
    for (let i = 0, o = 0; i < edges.length; i++, o += 4) {
      const e = edges[i]!
      rows[o] = f.from[e]!
      rows[o + 1] = f.to[e]!
      rows[o + 2] = f.edgeKind[e]!
      rows[o + 3] = f.edgeWeight[e]!
    }
    lines.forEach((l, i) => rows.set([l.from, l.to, EDGE_KINDS.indexOf(l.kind), 255], 4 * (edges.length + i)))
    this.rows = rows
    this.restCount = rest.length
    this.object.visible = count > 0
    if (count === 0) return
    replaceTexture(this.uRows, rowsTexture(rows))
    this.uEdgeAlpha.value = Math.min(1, Math.max(MIN_ALPHA, Math.sqrt(FULL_ALPHA_EDGES / Math.max(count - rest.length, 1))))
    this.uRestRows.value = rest.length
    this.uRestAlpha.value = Math.min(REST_ALPHA, Math.max(MIN_REST_ALPHA, REST_ALPHA * Math.sqrt(FULL_REST_EDGES / Math.max(rest.length, 1))))
    const first = ribbonsFrom(rows, rest.length)
    const curved = curvedRows(rows, rest.length)
    this.bends = bendsOf(world, rows, curved, this.groups)
    replaceTexture(this.uBends, bendsTexture(this.bends))
    const [curvedHairs, curvedRibbons] = [Math.min(curved, first), Math.max(curved - first, 0)]
    this.hairlines.visible = first > 0
    this.hairlines.geometry.dispose()
    this.hairlines.geometry = new BufferGeometry()
    this.hairlines.geometry.setDrawRange(0, 2 * (SEGMENTS * curvedHairs + first - curvedHairs))
    this.hairlines.material.uniforms.uCurved!.value = curvedHairs
    this.ribbons.material.uniforms.uCurved!.value = curvedRibbons
    this.ribbons.visible = first < count
    this.ribbons.material.uniforms.uFirst!.value = first
    this.ribbons.geometry.dispose()
    this.ribbons.geometry = new BufferGeometry()
    this.ribbons.geometry.setIndex(new BufferAttribute(triangles(count - first, curvedRibbons), 1))
  }

  setTheme(theme: Theme): void {
    this.uEdgeColors.value = theme.edges
  }

  dispose(): void {
    for (const o of [this.hairlines, this.ribbons]) {
      o.geometry.dispose()
      o.material.dispose()
    }
    this.uRows.value.dispose()
    this.uBends.value.dispose()
  }
}

function rowsTexture(rows: Uint32Array): DataTexture {
  return texture(rows, 4, RGBAIntegerFormat, UnsignedIntType, 'RGBA32UI')
}

function bendsTexture(bends: Float32Array): DataTexture {
  return texture(bends, 4, RGBAFormat, FloatType, 'RGBA32F')
}

/** The triangle indices of this many ribbons, the first of which are curved. */
function triangles(count: number, curved: number): Uint32Array {
  const out = new Uint32Array(6 * SEGMENTS * curved + TRIANGLES.length * (count - curved))
  let o = 0
  for (let i = 0; i < curved; i++) {
    for (let k = 0; k < SEGMENTS; k++) for (const t of TRIANGLES.slice(0, 6)) out[o++] = CURVED_CORNERS * i + 2 * k + t
  }
  for (let i = 0; i < count - curved; i++) for (const t of TRIANGLES) out[o++] = CURVED_CORNERS * curved + CORNERS * i + t
  return out
}
