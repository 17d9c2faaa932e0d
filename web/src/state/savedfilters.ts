// The filters outlive the page: who comes back without a link finds them as they were left.
import { fromHash, toHash } from './url'
import { FILTERS, INITIAL, narrowed, UNFILTERED, type View } from './view'

const KEY = 'somnograph.filters'

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

function filtersOf(view: View): Partial<View> {
  return Object.fromEntries(FILTERS.map((field) => [field, view[field]]))
}

/** The view of a link; without one the first view, narrowed as it was left. */
export function firstView(shelf: Shelf, hash: string): View {
  if (hash.replace(/^#/, '') !== '') return fromHash(hash)
  const kept = shelf.getItem(KEY)
  return kept === null ? { ...INITIAL } : { ...INITIAL, ...filtersOf(fromHash(kept)) }
}

export function keepFilters(shelf: Shelf, view: View): void {
  if (narrowed(view)) shelf.setItem(KEY, toHash({ ...INITIAL, ...UNFILTERED, ...filtersOf(view) }))
  else shelf.removeItem(KEY)
}
