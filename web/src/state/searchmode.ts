// By which likeness a search finds: the weights of its parts.
import type { SearchInput } from '../api/schema.gen'
import type { Likeness } from './view'

const NONE = { semantic: 0, keyword: 0, recency: 0, importance: 0, project: 0, entity: 0, task: 0 }

/** Both: the weights are the server's. */
export function weightsOf(likeness: Likeness): Pick<SearchInput, 'weights'> {
  switch (likeness) {
    case 'both':
      return {}
    case 'meaning':
      return { weights: { ...NONE, semantic: 1 } }
    case 'words':
      return { weights: { ...NONE, keyword: 1 } }
  }
}
