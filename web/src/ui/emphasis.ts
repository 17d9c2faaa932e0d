// Decides what is emphasised in the scene: the selection and what belongs to it, hits and new
// memories. Sets the marks and the drawn edges.
import { chooseEdges } from '../scene/edges/choose'
import { FRESH, GHOST, HIT, NEAR, PASSES } from '../scene/marks'
import type { Stage } from '../scene/stage'
import { membersOf } from '../state/clusters'
import { stateAt, visibleAt } from '../state/visibility'
import { versionChain, type World } from '../state/world'
import type { Session } from './session'

export class Emphasis {
  /** one byte per node, see scene/marks.ts */
  marks: Uint8Array = new Uint8Array(0)
  /** number of edges that were left out */
  omittedEdges = 0
  /** ids that are new in the last world */
  newIds: ReadonlySet<string> = new Set()

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

  /** Recomputes marks and edges. */
  update(): void {
    const { world, filterMask, hits, highlighted, ghosts, relations } = this.s.live.get()
    if (!world) return
    const view = this.s.view.get()
    const selected = view.selected ? world.indexOf(view.selected) : -1
    const marks = new Uint8Array(world.count)
    for (let i = 0; i < marks.length; i++) if (filterMask[i]) marks[i] = PASSES
    const chosen = chooseEdges(world, view.edges, selected, filterMask)
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
    stage.uniforms.uFocus.value = selected >= 0 || hits.length + highlighted.length + ghosts.length + cluster.length > 0
    stage.uniforms.uSelected.value = selected
    stage.setMarks(marks)
    stage.edges.setEdges(world, chosen.edges, lines)
  }
}
