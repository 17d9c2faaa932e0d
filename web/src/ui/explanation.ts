// Why a memory was found: the parts of its score with their weights.
import type { Hit, SearchAnswer } from '../api/operations'
import { h } from './dom'

export const PARTS = ['semantic', 'keyword', 'recency', 'importance', 'project', 'entity', 'task'] as const
/** Parts with a smaller share are not shown. */
export const MIN_SHARE = 0.002

const MEANING: Record<(typeof PARTS)[number], string> = {
  semantic: 'similar meaning',
  keyword: 'same words',
  recency: 'used or happened recently',
  importance: 'important',
  project: 'current project',
  entity: 'mentions the same entities',
  task: 'linked to an open task',
}

export interface Explanation {
  hit: Hit
  weights: SearchAnswer['weights']
  /** rank among the hits, from 1 */
  rank: number
  query: string
}

export function explanationSection({ hit, weights, rank, query }: Explanation): HTMLElement {
  const shares = PARTS.map((part) => ({ part, share: hit.parts[part] * weights[part] })).filter((x) => x.share > MIN_SHARE)
  const most = Math.max(...shares.map((x) => x.share), 0.001)
  return h(
    'section',
    { class: 'why' },
    h('h3', {}, 'Why it was found'),
    h('p', { class: 'muted small' }, `Rank ${rank} for `, h('q', {}, query), `, score ${hit.score.toFixed(2)}`),
    h(
      'ul',
      { class: 'why-parts' },
      ...shares.map(({ part, share }) => {
        const fill = h('i', { class: `part-${part}` })
        fill.style.width = `${(100 * share) / most}%`
        return h('li', { title: MEANING[part] }, h('span', {}, part), h('span', { class: 'bar' }, fill), h('b', {}, `+${share.toFixed(2)}`), h('small', {}, `${MEANING[part]} (${hit.parts[part].toFixed(2)} × ${weights[part].toFixed(2)})`))
      }),
    ),
  )
}
