import { Document, type DocumentInterface } from '@langchain/core/documents'
import type { EmbeddingsInterface } from '@langchain/core/embeddings'
import { VectorStore } from '@langchain/core/vectorstores'
import { Entries, type EntryHit, parallel } from './entries.js'
import { SomnographError } from './error.js'
import type { Memory } from './memory.js'

interface Stored {
  id: string
  metadata: Record<string, unknown>
}

/** What delete removes: documents by id, or all. */
export interface DeleteParams {
  ids?: string[]
  deleteAll?: boolean
}

/**
 * A LangChain.js vector store. The server makes the embeddings and searches by meaning, words and relations; vectors
 * can be neither given nor asked for. A filter gives values of metadata and applies to the best 100 documents.
 */
export class SomnographVectorStore extends VectorStore {
  declare FilterType: Record<string, unknown>
  readonly #entries: Entries

  constructor(memory: Memory, collection = 'documents') {
    super(NO_EMBEDDINGS, {})
    this.#entries = new Entries(memory, `langchain:${collection}`)
  }

  _vectorstoreType(): string {
    return 'somnograph'
  }

  /** Stores documents, and returns their ids. One with an id replaces what was stored under it. */
  async addDocuments(documents: DocumentInterface[], options?: { ids?: string[] }): Promise<string[]> {
    return parallel(
      documents.map((document, i) => ({ document, id: options?.ids?.[i] ?? document.id ?? crypto.randomUUID() })),
      async ({ document, id }) => {
        const stored: Stored = { id, metadata: document.metadata }
        await this.#entries.put({ name: id, content: document.pageContent, meta: stored })
        return id
      },
    )
  }

  override async delete(params: DeleteParams): Promise<void> {
    const memories = []
    if (params.deleteAll) for await (const memory of this.#entries.list()) memories.push(memory)
    else memories.push(...(await parallel(params.ids ?? [], (id) => this.#entries.get(id))).filter((m) => m !== undefined))
    await this.#entries.delete(memories)
  }

  override async similaritySearchWithScore(query: string, k = 4, filter?: this['FilterType']): Promise<[DocumentInterface, number][]> {
    const hits = await this.#entries.search(query, filter ? 100 : k)
    const wanted = Object.entries(filter ?? {})
    return hits
      .filter((hit) => wanted.every(([key, value]) => (hit.memory.meta as Stored).metadata[key] === value))
      .slice(0, k)
      .map((hit) => [documentOf(hit), hit.score])
  }

  override async similaritySearch(query: string, k = 4, filter?: this['FilterType']): Promise<DocumentInterface[]> {
    return (await this.similaritySearchWithScore(query, k, filter)).map(([document]) => document)
  }

  addVectors(): Promise<string[]> {
    throw noVectors()
  }

  similaritySearchVectorWithScore(): Promise<[DocumentInterface, number][]> {
    throw noVectors()
  }
}

function documentOf({ memory }: EntryHit): DocumentInterface {
  const { id, metadata } = memory.meta as Stored
  return new Document({ id, pageContent: memory.content ?? '', metadata })
}

function noVectors(): SomnographError {
  return new SomnographError('INVALID_REQUEST', 'the server makes the embeddings: use addDocuments and similaritySearch')
}

const NO_EMBEDDINGS: EmbeddingsInterface = {
  embedQuery: () => Promise.reject(noVectors()),
  embedDocuments: () => Promise.reject(noVectors()),
}
