// The visible memories as a sorted list, and the rows in view.
import { retentionAt } from './visibility'
import type { World } from './world'

export const ORDERS = ['newest', 'important', 'faintest'] as const
export type Order = (typeof ORDERS)[number]

/** The shown nodes in order; ties by age, so that the list is deterministic. */
export function sortedNodes(world: World, shown: (node: number) => boolean, order: Order, at: number): number[] {
  const f = world.frame
  const nodes: number[] = []
  for (let i = 0; i < world.count; i++) if (shown(i)) nodes.push(i)
  const retentions = order === 'faintest' ? new Map(nodes.map((n) => [n, retentionAt(world, n, at)])) : null
  const by: Record<Order, (a: number, b: number) => number> = {
    newest: (a, b) => f.born[b]! - f.born[a]!,
    important: (a, b) => f.importance[b]! - f.importance[a]!,
    faintest: (a, b) => retentions!.get(a)! - retentions!.get(b)!,
  }
  return nodes.sort((a, b) => by[order](a, b) || f.born[b]! - f.born[a]! || a - b)
}

/** The rows in view with some spare ones above and below: from ≤ i < to. */
export function visibleRows(count: number, row: number, top: number, height: number, spare = 6): { from: number; to: number } {
  const from = Math.max(Math.floor(top / row) - spare, 0)
  const to = Math.min(Math.ceil((top + height) / row) + spare, count)
  return { from: Math.min(from, count), to: Math.max(to, 0) }
}
