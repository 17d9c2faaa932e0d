// Ids of the deletion receipts that this browser was given, newest first. They name no memory and no content.
const KEY = 'somnograph.receipts'
const MOST = 50

/** The ids that are kept; none if the storage has something else. */
export function keptReceipts(storage: Pick<Storage, 'getItem'>): string[] {
  try {
    const list: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    return Array.isArray(list) ? list.filter((id): id is string => typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id)).slice(0, MOST) : []
  } catch {
    return []
  }
}

export function keepReceipt(storage: Pick<Storage, 'getItem' | 'setItem'>, id: string): void {
  storage.setItem(KEY, JSON.stringify([id, ...keptReceipts(storage).filter((other) => other !== id)].slice(0, MOST)))
}
