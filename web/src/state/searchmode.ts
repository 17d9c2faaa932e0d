// The weights of each search mode.
import type { SearchInput } from '../api/schema.gen'
import type { SearchMode } from './view'

const NONE = { semantic: 0, keyword: 0, recency: 0, importance: 0, project: 0, entity: 0, task: 0 }

/** In the mode "both" the server chooses the weights. */
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
