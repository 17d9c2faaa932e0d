// Keeps the filters in the browser's storage for the next visit without a link.
import { fromHash, toHash } from './url'
import { FILTERS, INITIAL, isFiltered, NO_FILTERS, type View } from './view'

const KEY = 'somnograph.filters'

type FilterStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

function filtersOf(view: View): Partial<View> {
  return Object.fromEntries(FILTERS.map((field) => [field, view[field]]))
}

/** The view of a link; without a link the initial view with the saved filters. */
export function initialView(storage: FilterStorage, hash: string): View {
  if (hash.replace(/^#/, '') !== '') return fromHash(hash)
  const saved = storage.getItem(KEY)
  return saved === null ? { ...INITIAL } : { ...INITIAL, ...filtersOf(fromHash(saved)) }
}

export function saveFilters(storage: FilterStorage, view: View): void {
  if (isFiltered(view)) storage.setItem(KEY, toHash({ ...INITIAL, ...NO_FILTERS, ...filtersOf(view) }))
  else storage.removeItem(KEY)
}
