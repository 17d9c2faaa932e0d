// Decides what is emphasised in the scene: the selection and what belongs to it, hits and new
// memories. Sets the marks and the drawn edges.
import { chooseEdges } from '../scene/edges/choose'
import { edgesAround, restEdges } from '../scene/edges/rest'
import { FRESH, GHOST, HIT, NEAR, PASSES } from '../scene/marks'
import type { Stage } from '../scene/stage'
import { membersOf } from '../state/clusters'
import { stateAt, visibleAt } from '../state/visibility'
import { versionChain, type World } from '../state/world'
import type { View } from '../state/view'
import type { Session } from './session'

/** Of the memory under the pointer at most so many edges light up, the strongest ones. */
const HOVER_EDGES = 400

export class Emphasis {
  /** one byte per node, see scene/marks.ts */
  marks: Uint8Array = new Uint8Array(0)
  /** number of edges that were left out */
  omittedEdges = 0
  /** ids that are new in the last world */
  newIds: ReadonlySet<string> = new Set()
  /** something is selected, found or highlighted; the neighbours of the memory under the pointer do not count */
  focused = false
  /** the memory under the pointer, whose neighbours light up; -1: none */
  private lit = -1
  /** memories that light up, of an entity */
  private litNodes: readonly number[] = []
  private rest: { world: World; modes: View['edges']; shown: Uint8Array; edges: Uint32Array } | null = null

  constructor(
    private readonly s: Session,
    private readonly stage: () => Stage,
  ) {}

  /** Records the new nodes of a world; in the first world none is new. */
  recordNew(world: World, before: World | null): void {
    const newIds = new Set<string>()
    if (before && before.count > 0) {
      const oldIndex = world.indicesIn(before)
      for (let i = 0; i < world.count; i++) if (oldIndex[i]! < 0) newIds.add(world.idOf(i))
    }
    this.newIds = newIds
  }

  /** Whether a node is drawn: it is visible, or belongs to the selection. */
  isDrawn(node: number): boolean {
    const { world } = this.s.live.get()
    if (!world) return false
    const mark = this.marks[node]!
    const at = this.s.moment()
    return ((mark & PASSES) !== 0 && visibleAt(world, node, at)) || ((mark & GHOST) !== 0 && stateAt(world, node, at.recorded) >= 0)
  }

  /** Lights up the neighbours of a node; -1: of none. True if that changes the picture. */
  light(node: number): boolean {
    if (node === this.lit) return false
    this.lit = node
    this.update()
    return true
  }

  /** Lights up memories; none: an empty list. */
  lightNodes(nodes: readonly number[]): void {
    if (nodes.length === 0 && this.litNodes.length === 0) return
    this.litNodes = nodes
    this.update()
  }

  /** The edges at rest, which change only with the world and the filters. */
  private restOf(world: World, modes: View['edges'], shown: Uint8Array): Uint32Array {
    if (this.rest?.world !== world || this.rest.modes !== modes || this.rest.shown !== shown) this.rest = { world, modes, shown, edges: restEdges(world, modes, shown) }
    return this.rest.edges
  }

  /** Recomputes marks and edges. */
  update(): void {
    const { world, filterMask, hits, highlighted, ghosts, relations } = this.s.live.get()
    if (!world) return
    const view = this.s.view.get()
    const selected = view.selected ? world.indexOf(view.selected) : -1
    const marks = new Uint8Array(world.count)
    for (let i = 0; i < marks.length; i++) if (filterMask[i]) marks[i] = PASSES
    const chosen = chooseEdges(world, view.edges, selected, filterMask)
    if (this.lit >= world.count) this.lit = -1
    const around = this.lit >= 0 ? edgesAround(world, view.edges, this.lit, HOVER_EDGES) : { edges: [], near: new Set<number>() }
    for (const n of this.litNodes) if (n < world.count) around.near.add(n)
    for (const n of around.near) marks[n]! |= NEAR
    const drawn = new Set([...chosen.edges, ...around.edges])
    if (selected >= 0) {
      for (const n of versionChain(world, selected)) marks[n]! |= GHOST | NEAR
      for (const n of chosen.near) marks[n]! |= NEAR
    }
    const lines = this.s.sleepFollower.replayEdges(world)
    for (const { from, to, kind } of selected >= 0 && view.edges.derivation !== 'off' ? relations : []) {
      const line = { from: world.indexOf(from), to: world.indexOf(to), kind }
      if (line.from < 0 || line.to < 0) continue
      lines.push(line)
      for (const n of [line.from, line.to]) marks[n]! |= GHOST | NEAR
    }
    const mark = (ids: Iterable<string>, bit: number): void => {
      for (const id of ids) {
        const n = world.indexOf(id)
        if (n >= 0) marks[n]! |= bit
      }
    }
    const cluster = view.panel === 'clusters' && view.cluster ? membersOf(world, view.cluster) : []
    for (const n of cluster) marks[n]! |= NEAR
    mark(hits, HIT)
    mark(highlighted, HIT)
    mark(ghosts, GHOST | NEAR)
    mark(this.newIds, FRESH)
    this.marks = marks
    this.omittedEdges = chosen.omitted
    const stage = this.stage()
    this.focused = selected >= 0 || hits.length + highlighted.length + ghosts.length + cluster.length > 0
    stage.uniforms.uFocus.value = this.focused || around.near.size > 0
    stage.uniforms.uSelected.value = selected
    stage.setMarks(marks)
    const f = world.frame
    const edges = around.edges.length > 0 ? Uint32Array.from(drawn).sort((a, b) => f.edgeKind[b]! - f.edgeKind[a]! || a - b) : chosen.edges
    const rest = this.restOf(world, view.edges, filterMask)
    stage.edges.setEdges(world, edges, lines, drawn.size > 0 ? rest.filter((e) => !drawn.has(e)) : rest)
  }
}
