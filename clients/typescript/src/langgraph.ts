import { BaseStore, type GetOperation, type Item, type ListNamespacesOperation, type MatchCondition, type Operation, type OperationResults, type PutOperation, type SearchItem, type SearchOperation } from '@langchain/langgraph-checkpoint'
import { createdAt, Entries, parallel, searchable, STORED, textOfValue } from './entries.js'
import { SomnographError } from './error.js'
import type { Memory, MemoryRecord } from './memory.js'

/** Options of a store. */
export interface SomnographStoreOptions {
  /** paths of the values that searches read, such as "text" or "chapters[*].title"; omitted: the whole value */
  fields?: readonly string[]
}

interface Stored {
  namespace: string[]
  key: string
  value: Record<string, unknown>
}

/**
 * A LangGraph.js store. An item is a chain of versions: put makes the next one, delete erases all. The server makes the
 * embeddings. As in the store of LangGraph on Postgres, items without a query come last written first; a value has at
 * most 15 KiB of JSON. With a query, filters apply to the best 100 items.
 */
export class SomnographStore extends BaseStore {
  readonly #entries: Entries
  readonly #fields: readonly string[] | undefined

  constructor(memory: Memory, options: SomnographStoreOptions = {}) {
    super()
    this.#entries = new Entries(memory, 'langgraph')
    this.#fields = options.fields
  }

  /** batch runs operations: first all that read, then the writes. Of several writes of one key only the last counts. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results = await parallel(operations, async (op) => {
      if ('namespacePrefix' in op) return this.#search(op)
      if ('value' in op) return undefined
      if ('key' in op) return this.#get(op)
      return this.#listNamespaces(op)
    })
    const writes = new Map<string, PutOperation>()
    for (const op of operations) if ('value' in op) writes.set(nameOf(op), op)
    await parallel([...writes.values()], (op) => this.#put(op))
    return results as OperationResults<Op>
  }

  async #get(op: GetOperation): Promise<Item | null> {
    const memory = await this.#entries.get(nameOf(op))
    return memory ? itemOf(memory) : null
  }

  async #put(op: PutOperation): Promise<void> {
    const { namespace, key, value, index } = op
    const name = nameOf(op)
    if (value === null) {
      const memory = await this.#entries.get(name)
      if (memory) await this.#entries.delete([memory])
      return
    }
    const fields = index === false ? [] : (index ?? this.#fields ?? ['$'])
    const lines = fields.flatMap((field) => (field === '$' ? textOfValue(value) : textOfValue(at(value, field))))
    const stored: Stored = { namespace, key, value }
    await this.#entries.put({
      name,
      content: searchable(lines),
      meta: stored,
      tags: [...namespace.map((_, i) => tagOf(namespace.slice(0, i + 1))), ...(lines.length > 0 ? [] : [STORED])],
    })
  }

  async #search(op: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, filter, limit = 10, offset = 0, query } = op
    const tags = namespacePrefix.length > 0 ? [tagOf(namespacePrefix)] : []
    const found: SearchItem[] = []
    const matches = (item: Item) => Object.entries(filter ?? {}).every(([key, wanted]) => satisfies(item.value[key], wanted))
    if (query) {
      const hits = await this.#entries.search(query, filter ? 100 : offset + limit, tags)
      for (const { memory, score } of hits) found.push({ ...itemOf(memory), score })
      return found.filter(matches).slice(offset, offset + limit)
    }
    for await (const memory of this.#entries.list(tags, true)) {
      const item = itemOf(memory)
      if (matches(item)) found.push(item)
      if (found.length >= offset + limit) break
    }
    return found.slice(offset)
  }

  async #listNamespaces(op: ListNamespacesOperation): Promise<string[][]> {
    const conditions = op.matchConditions ?? []
    const prefix = conditions.find((c) => c.matchType === 'prefix')?.path ?? []
    const fixed = prefix.slice(0, [...prefix, '*'].indexOf('*')) as string[]
    const seen = new Map<string, string[]>()
    for await (const memory of this.#entries.list(fixed.length > 0 ? [tagOf(fixed)] : [])) {
      const { namespace } = memory.meta as Stored
      if (!conditions.every((c) => agrees(c, namespace))) continue
      const shown = op.maxDepth === undefined ? namespace : namespace.slice(0, op.maxDepth)
      seen.set(shown.join(':'), shown)
    }
    const sorted = [...seen.keys()].sort((a, b) => a.localeCompare(b)).map((key) => seen.get(key)!)
    return sorted.slice(op.offset, op.offset + op.limit)
  }
}

function nameOf(op: { namespace: string[]; key: string }): string {
  return JSON.stringify([...op.namespace, op.key])
}

function tagOf(namespace: string[]): string {
  if (namespace.length > 60) throw new SomnographError('INVALID_REQUEST', 'namespace: has more than 60 labels', { field: 'namespace' })
  return 'langgraph:' + JSON.stringify(namespace)
}

function itemOf(memory: MemoryRecord): Item {
  const { namespace, key, value } = memory.meta as Stored
  return { namespace, key, value, createdAt: createdAt(memory), updatedAt: new Date(memory.recordedAt) }
}

function agrees({ matchType, path }: MatchCondition, namespace: string[]): boolean {
  const start = matchType === 'prefix' ? 0 : namespace.length - path.length
  return path.length <= namespace.length && path.every((label, i) => label === '*' || label === namespace[start + i])
}

const OPERATORS: Record<string, (value: unknown, wanted: unknown) => boolean> = {
  $eq: (value, wanted) => value === wanted,
  $ne: (value, wanted) => value !== wanted,
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  $nin: (value, wanted) => !Array.isArray(wanted) || !wanted.includes(value),
}

/** satisfies compares a field with a filter: a value, or an object of operators. */
function satisfies(value: unknown, wanted: unknown): boolean {
  const operators = wanted !== null && typeof wanted === 'object' ? Object.entries(wanted) : []
  if (operators.length === 0 || !operators.every(([name]) => OPERATORS[name])) return value === wanted
  return operators.every(([name, operand]) => OPERATORS[name]!(value, operand))
}

/** at returns the values at a path such as a.b, a[0] or a[*].b; undefined: there is none. */
function at(value: unknown, path: string): unknown {
  let values = [value]
  for (const part of path.replaceAll('[', '.[').split('.').filter(Boolean)) {
    values = values.flatMap((v) => {
      if (v === null || typeof v !== 'object') return []
      if (part === '[*]' || part === '*') return Object.values(v)
      const index = /^\[(-?\d+)\]$/.exec(part)
      if (index) return Array.isArray(v) ? [v.at(Number(index[1]))] : []
      return [(v as Record<string, unknown>)[part]]
    })
  }
  return values
}
