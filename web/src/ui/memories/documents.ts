// The documents that were ingested, their chunks, and a place to drop files.
import { fetchChunks, fetchDocuments, uploadDocuments, type Chunk, type Document, type Step, type Upload } from '../../api/documents'
import { dayText } from '../../state/clock'
import { shorten } from '../../scene/labels/labels'
import { AsyncContent, errorText } from '../asynccontent'
import { glyph, h } from '../dom'
import type { Session } from '../session'
import { droppedFiles } from './dropped'
import type { Tab } from '../tab'

const CHUNKS_PAGE = 50
const MAX_PAGES = 10
const RELOAD_DELAY_MS = 300
const FILES_PER_REQUEST = 500

const PHASES: Record<Step['phase'], string> = { READING: 'reading', EMBEDDING: 'embedding', WRITING: 'writing', DONE: 'stored', FAILED: 'refused' }

export class DocumentsTab implements Tab {
  readonly element: HTMLElement
  private readonly consent = h('select', { 'aria-label': 'Consent' }, ...['EXPLICIT', 'IMPLICIT', 'NONE'].map((c) => h('option', { value: c }, c.toLowerCase())))
  private readonly input = h('input', { type: 'file', multiple: true, 'aria-label': 'Files to store', class: 'drop-input' })
  private readonly into = h('p', { class: 'muted small' })
  private readonly progress = h('ul', { class: 'upload-steps' })
  private readonly rows = h('div')
  private readonly content: AsyncContent<{ documents: readonly Document[]; more: boolean }>
  private opened = false
  private uploading = false
  private timer = 0

  constructor(private readonly s: Session) {
    this.input.addEventListener('change', () => void this.upload([...(this.input.files ?? [])].map((file) => ({ file, path: file.name }))))
    this.element = h(
      'div',
      { class: 'documents-tab' },
      h('h2', {}, 'Documents'),
      this.dropArea(),
      h('div', { role: 'status' }, this.progress),
      this.rows,
    )
    this.content = new AsyncContent(this.rows, (signal) => this.fetch(signal), (page) => this.show(page), 'documents')
    this.showNamespace()
    s.view.on(['namespaces'], () => {
      this.showNamespace()
      this.reloadSoon()
    })
    s.live.on(['world'], () => this.reloadSoon())
  }

  open(): void {
    this.opened = true
    void this.content.load()
  }

  close(): void {
    this.opened = false
    this.content.stop()
  }

  private dropArea(): HTMLElement {
    const area = h(
      'div',
      { class: 'drop' },
      h('p', {}, 'Drop files or folders here, or ', h('label', { class: 'link' }, 'choose files', this.input), '.'),
      h('p', { class: 'muted small' }, 'Markdown, text, HTML, PDF, DOCX, CSV and source code. A file with a known name becomes its next version.'),
      this.into,
      h('label', { class: 'known-user' }, 'Consent', this.consent),
    )
    const over = (e: DragEvent) => {
      e.preventDefault()
      area.classList.add('over')
    }
    area.addEventListener('dragenter', over)
    area.addEventListener('dragover', over)
    area.addEventListener('dragleave', () => area.classList.remove('over'))
    area.addEventListener('drop', (e) => {
      e.preventDefault()
      area.classList.remove('over')
      if (e.dataTransfer) void droppedFiles(e.dataTransfer).then((files) => this.upload(files))
    })
    return area
  }

  /** The namespace of uploaded files: the one that is shown; the default one if several or all are. */
  private namespace(): string {
    const { namespaces } = this.s.view.get()
    return namespaces.length === 1 ? namespaces[0]! : 'default'
  }

  private showNamespace(): void {
    this.into.textContent = `Files are stored in the namespace ${this.namespace()}.`
  }

  /** Reloads, unless the chunks of a document are open: they would close. */
  private reloadSoon(): void {
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.opened && !this.rows.querySelector('details[open]') && void this.content.load(), RELOAD_DELAY_MS)
  }

  private async fetch(signal: AbortSignal): Promise<{ documents: readonly Document[]; more: boolean }> {
    const { namespaces } = this.s.view.get()
    const documents: Document[] = []
    let after: string | null = null
    for (let i = 0; i < MAX_PAGES; i++) {
      const page = await fetchDocuments(namespaces.length > 0 ? namespaces : null, after, signal)
      documents.push(...page.nodes)
      after = page.pageInfo.endCursor ?? null
      if (!page.pageInfo.hasNextPage) return { documents: documents.sort((a, b) => a.path.localeCompare(b.path)), more: false }
    }
    return { documents: documents.sort((a, b) => a.path.localeCompare(b.path)), more: true }
  }

  private show({ documents, more }: { documents: readonly Document[]; more: boolean }): Node[] {
    if (documents.length === 0) return [h('p', { class: 'muted' }, 'No documents yet.')]
    return [
      h('p', { class: 'muted small' }, more ? `The first ${documents.length} documents` : documents.length === 1 ? '1 document' : `${documents.length} documents`),
      h('ul', { class: 'document-list' }, ...documents.map((d) => this.row(d))),
    ]
  }

  private row(d: Document): HTMLElement {
    const chunks = h('ol', { class: 'chunk-list' })
    const details = h(
      'details',
      { 'data-id': d.id },
      h(
        'summary',
        {},
        h('span', { class: 'document-path' }, d.path),
        h('span', { class: 'muted small' }, `${d.chunks} ${d.chunks === 1 ? 'chunk' : 'chunks'} · version ${d.version} · ${dayText(Date.parse(d.ingestedAt))}${d.user ? ` · ${d.user}` : ''}`),
        d.status === 'FAILED' && h('span', { class: 'tag status-expired' }, 'Interrupted'),
      ),
      chunks,
    )
    details.addEventListener('toggle', () => details.open && chunks.childElementCount === 0 && void this.showChunks(d, chunks, 0))
    return h('li', {}, details)
  }

  /** Appends chunks of a document from a position on. */
  private async showChunks(d: Document, into: HTMLElement, from: number): Promise<void> {
    try {
      const chunks = await fetchChunks(d.id, from, CHUNKS_PAGE)
      into.append(...chunks.map((c) => this.chunkRow(c)))
      const next = from + CHUNKS_PAGE
      if (next >= d.chunks) return
      const more = h('button', { type: 'button', class: 'link' }, `Show more of ${d.chunks}`)
      const item = h('li', { class: 'more' }, more)
      more.addEventListener('click', () => {
        item.remove()
        void this.showChunks(d, into, next)
      })
      into.append(item)
    } catch (e) {
      into.append(h('li', { role: 'alert' }, errorText(e)))
    }
  }

  private chunkRow(c: Chunk): HTMLElement {
    const text = (c.content ?? '').split('\n\n').slice(c.headings.length > 0 ? 1 : 0).join(' ')
    return h(
      'li',
      {},
      h('button', { type: 'button', onclick: () => this.s.open(c.id, true) }, glyph('DOCUMENT'), h('span', {}, c.headings.length > 0 && h('b', {}, c.headings.join(' › ')), ' ', shorten(text))),
    )
  }

  /** Uploads files and shows what becomes of each. */
  private async upload(files: readonly Upload[]): Promise<void> {
    if (files.length === 0 || this.uploading) return
    this.uploading = true
    const lines = new Map<string, HTMLElement>()
    const line = (path: string) => {
      const known = lines.get(path)
      if (known) return known
      const made = h('li', {})
      lines.set(path, made)
      return made
    }
    this.progress.replaceChildren(...new Set(files.map((f) => line(f.path))))
    for (const [path, item] of lines) item.textContent = `${path}: waiting`
    let refused = 0
    const fields = { consent: this.consent.value, namespace: this.namespace() }
    try {
      for (let i = 0; i < files.length; i += FILES_PER_REQUEST) {
        await uploadDocuments(files.slice(i, i + FILES_PER_REQUEST), fields, (x) => {
          const item = line(x.path)
          item.className = x.error ? 'bad' : x.phase === 'DONE' ? 'good' : ''
          if (x.error) refused++
          if (x.phase === 'DONE') this.reloadSoon()
          item.textContent = `${x.path}: ${stepText(x)}`
          if (!item.isConnected) this.progress.append(item)
        })
      }
      this.s.announce(refused > 0 ? `${refused} of ${files.length} files were refused` : `${files.length} files stored`)
    } catch (e) {
      this.progress.append(h('li', { class: 'bad', role: 'alert' }, errorText(e)))
    } finally {
      this.uploading = false
      this.input.value = ''
      void this.content.load()
    }
  }
}

/** A step as text. */
function stepText(x: Step): string {
  if (x.error) return `refused: ${x.error.message.replace(`${x.error.field}: `, '')}`
  if (x.phase === 'DONE') return x.unchanged ? 'unchanged' : `stored, ${x.written} new ${x.written === 1 ? 'chunk' : 'chunks'}${x.superseded > 0 ? `, ${x.superseded} ended` : ''}`
  return x.total ? `${PHASES[x.phase]} ${x.done ?? 0} of ${x.total} chunks` : PHASES[x.phase]
}
