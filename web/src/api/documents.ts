// Requests for documents, and their upload.
import { ApiError, request, required } from './graphql'
import { operation } from './operations'
import { noteStatus } from './signin'
import type { ChunkPlaceQuery, DocumentPartQuery, DocumentsQuery, ErrorCode } from './schema.gen'

export type DocumentPage = NonNullable<DocumentsQuery['documents']>
export type Document = DocumentPage['nodes'][number]
export type Chunk = NonNullable<DocumentPartQuery['document']>['memories'][number]
export type Place = NonNullable<ChunkPlaceQuery['memory']>

/** A page of documents, by id. */
export async function fetchDocuments(namespaces: string[] | null, after: string | null, signal?: AbortSignal): Promise<DocumentPage> {
  return required((await request<DocumentsQuery, object>(operation('Documents'), { namespaces, after }, signal)).documents)
}

/** The chunks of a document from a position on; none if it was erased. */
export async function fetchChunks(id: string, from: number, first: number, signal?: AbortSignal): Promise<readonly Chunk[]> {
  return (await request<DocumentPartQuery, object>(operation('DocumentPart'), { id, from, first }, signal)).document?.memories ?? []
}

/** Where a memory stands in its document; null: it is no chunk, or was erased. */
export async function fetchPlace(id: string, signal?: AbortSignal): Promise<Place | null> {
  return (await request<ChunkPlaceQuery, object>(operation('ChunkPlace'), { id }, signal)).memory ?? null
}

/** A step or a result of an upload. */
export interface Step {
  path: string
  phase: 'READING' | 'EMBEDDING' | 'WRITING' | 'DONE' | 'FAILED'
  done?: number
  total?: number
  chunks?: number
  unchanged?: boolean
  written: number
  superseded: number
  error?: { code: ErrorCode; field?: string; message: string }
}

/** A file to store, with its folders. */
export interface Upload {
  file: File
  path: string
}

/** Uploads files and reports each step. */
export async function uploadDocuments(files: readonly Upload[], fields: Record<string, string>, step: (s: Step) => void, signal?: AbortSignal): Promise<void> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== '') form.append(name, value)
  for (const f of files) form.append('file', f.file, f.path)
  let response: Response
  try {
    response = await fetch('documents', { method: 'POST', headers: { accept: 'application/x-ndjson' }, body: form, ...(signal ? { signal } : {}) })
  } catch (e) {
    if (e instanceof DOMException && e.name === 'AbortError') throw e
    throw new ApiError('The server does not answer.', 'OFFLINE')
  }
  noteStatus(response.status)
  if (!response.ok || !response.body) throw new ApiError((await response.text()).trim() || `The server answered with status ${response.status}.`, 'INVALID_REQUEST')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    rest += value ?? ''
    const lines = rest.split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const x = JSON.parse(line) as Partial<Step>
      if (x.phase) step(x as Step)
    }
    if (done) return
  }
}
