// By which likeness a search finds: the weights of its parts.
import type { SearchInput } from '../api/schema.gen'
import type { SearchMode } from './view'

const NONE = { semantic: 0, keyword: 0, recency: 0, importance: 0, project: 0, entity: 0, task: 0 }

/** Both: the weights are the server's. */
export function searchWeights(mode: SearchMode): Pick<SearchInput, 'weights'> {
  switch (mode) {
    case 'both':
      return {}
    case 'meaning':
      return { weights: { ...NONE, semantic: 1 } }
    case 'words':
      return { weights: { ...NONE, keyword: 1 } }
  }
}
