// The memories that contradict the open one, side by side with it.
import { fetchConflictSide } from '../../api/acting'
import type { DetailMemory } from '../../api/operations'
import { STATUSES } from '../../api/vocabulary'
import { grants } from '../../state/actions'
import { conflictsOf } from '../../state/world'
import { statusAt } from '../../state/visibility'
import { conflictPair } from '../conflictpair'
import { h } from '../dom'
import type { Session } from '../session'

/** So many conflicts are shown; all are in the panel of conflicts. */
const SHOWN = 3

/** The section of conflicts, which fills itself; null: the memory has none. */
export async function contested(s: Session, m: DetailMemory, reload: () => void): Promise<HTMLElement | null> {
  const { world, scopes } = s.live.get()
  const node = world?.indexOf(m.id) ?? -1
  if (!world || node < 0 || m.status !== 'ACTIVE') return null
  const now = s.moment().recorded
  const others = conflictsOf(world, node).filter((o) => STATUSES[statusAt(world, o.node, now)] === 'ACTIVE')
  if (others.length === 0) return null
  const past = s.view.get().recorded !== null || s.view.get().valid !== null
  const pairs = await Promise.all(
    others.slice(0, SHOWN).map(async ({ node: other, score }) => {
      const there = await fetchConflictSide(world.idOf(other))
      const [earlier, later] = [m, there].sort((a, b) => a.recordedAt.localeCompare(b.recordedAt))
      return conflictPair(s, { score, at: null, earlier: earlier!, later: later! }, !past && grants(scopes, 'MEMORY_CURATE'), reload)
    }),
  )
  const more = others.length - pairs.length
  return h(
    'section',
    { class: 'contested' },
    h('h3', {}, others.length === 1 ? 'Contradicts another memory' : `Contradicts ${others.length} memories`),
    h('ol', { class: 'pair-list' }, ...pairs),
    more > 0 && h('button', { type: 'button', class: 'link', onclick: () => s.view.set({ panel: 'conflicts' }) }, `${more} more`),
  )
}
