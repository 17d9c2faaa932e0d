// Edges as ribbons that keep their width in pixels, all kinds in one draw.
import { GLSL3, InstancedBufferAttribute, InstancedBufferGeometry, IntType, Mesh, RawShaderMaterial } from 'three'
import node from '../node.glsl?raw'
import vertex from './edges.vert.glsl?raw'
import fragment from './edges.frag.glsl?raw'
import { EDGE_KINDS, type EdgeKind } from '../../api/vocabulary'
import type { Layer } from '../layer'
import type { NodeUniforms } from '../nodes'
import type { SceneUniforms } from '../uniforms'
import type { Theme } from '../theme'
import type { World } from '../../state/world'

/** An edge that the scene does not hold, between two nodes. */
export interface Line {
  from: number
  to: number
  kind: EdgeKind
}

const PRECISION = 'precision highp float;\nprecision highp int;\n'

export class EdgesLayer implements Layer {
  readonly object: Mesh
  /** what is drawn, four numbers an edge: from, to, kind, weight of 255 */
  rows = new Uint32Array(0)
  private geometry = new InstancedBufferGeometry()
  private readonly material: RawShaderMaterial

  constructor(nodes: NodeUniforms, scene: SceneUniforms) {
    this.material = new RawShaderMaterial({
      glslVersion: GLSL3,
      uniforms: { ...nodes, ...scene, uEdgeColors: { value: [] } },
      vertexShader: PRECISION + node + vertex,
      fragmentShader: PRECISION + fragment,
      transparent: true,
      depthWrite: false,
      side: 2,
    })
    this.object = new Mesh(this.geometry, this.material)
    this.object.frustumCulled = false
    this.object.renderOrder = 1
    this.object.visible = false
  }

  setWorld(_world: World): void {
    this.object.visible = false
    this.rows = new Uint32Array(0)
  }

  /** Draws these edges of the world, these lines beside them, and no others. */
  show(world: World, edges: Uint32Array, lines: readonly Line[] = []): void {
    const f = world.frame
    const count = edges.length + lines.length
    const rows = new Uint32Array(4 * count)
    for (let i = 0; i < edges.length; i++) {
      const e = edges[i]!
      rows.set([f.from[e]!, f.to[e]!, f.edgeKind[e]!, f.edgeWeight[e]!], 4 * i)
    }
    lines.forEach((l, i) => rows.set([l.from, l.to, EDGE_KINDS.indexOf(l.kind), 255], 4 * (edges.length + i)))
    this.rows = rows
    this.geometry.dispose()
    this.geometry = new InstancedBufferGeometry()
    const attribute = new InstancedBufferAttribute(rows, 4)
    attribute.gpuType = IntType
    this.geometry.setIndex([0, 1, 2, 2, 1, 3])
    this.geometry.setAttribute('aEdge', attribute)
    this.geometry.instanceCount = count
    this.object.geometry = this.geometry
    this.object.visible = count > 0
  }

  setTheme(theme: Theme): void {
    this.material.uniforms.uEdgeColors!.value = theme.edges
  }

  dispose(): void {
    this.geometry.dispose()
    this.material.dispose()
  }
}
