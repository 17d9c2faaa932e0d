// The audit in the privacy dashboard: the check of its chain, and its rows.
import { fetchAudit, fetchAuditCheck, type AuditCheck, type AuditPage, type AuditRow } from '../../api/dashboards'
import { displayName } from '../../api/vocabulary'
import { auditVerdict } from '../../state/boards'
import { momentText } from '../../state/clock'
import { AsyncContent, errorText } from '../asynccontent'
import { h } from '../dom'
import { figures, gradeIcon, plainTable } from './parts'

export class AuditSection {
  readonly element: HTMLElement
  private readonly content: AsyncContent<{ check: AuditCheck; page: AuditPage }>
  private rows: AuditRow[] = []
  private nextCursor: string | null = null

  constructor() {
    const body = h('div')
    this.element = h('section', { class: 'audit' }, h('h3', {}, 'Audit'), h('p', { class: 'muted small' }, 'Who called which operation. Rows hold no content, and a chain of keys shows later changes.'), body)
    this.content = new AsyncContent(
      body,
      async (signal) => {
        const [check, page] = await Promise.all([fetchAuditCheck(signal), fetchAudit(null, signal)])
        return { check, page }
      },
      ({ check, page }) => {
        this.rows = page.nodes
        this.nextCursor = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
        return this.show(check)
      },
      'the audit',
    )
  }

  open(): void {
    void this.content.load()
  }

  close(): void {
    this.content.stop()
  }

  private show(check: AuditCheck): Node[] {
    const sum = (of: (c: AuditCheck['chains'][number]) => number) => check.chains.reduce((n, c) => n + of(c), 0).toLocaleString('en')
    const verdict = auditVerdict(check)
    const problems = check.chains.flatMap((c) => c.problems)
    const table = h('div')
    const more = h('button', { type: 'button', class: 'quiet-button' }, 'Show older rows')
    const draw = () => {
      table.replaceChildren(auditTable(this.rows))
      more.hidden = this.nextCursor === null
    }
    more.addEventListener('click', () => {
      more.disabled = true
      void fetchAudit(this.nextCursor)
        .then((page) => {
          this.rows = [...this.rows, ...page.nodes]
          this.nextCursor = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
          draw()
        })
        .catch((e: unknown) => table.append(h('p', { class: 'bad', role: 'alert' }, errorText(e))))
        .finally(() => (more.disabled = false))
    })
    draw()
    return [
      h('p', { class: `verdict ${verdict.grade}` }, gradeIcon(verdict.grade), h('b', {}, verdict.text)),
      ...(problems.length > 0 ? [h('ul', { class: 'bad' }, ...problems.slice(0, 20).map((p) => h('li', {}, p.seq === '0' ? p.what : `Row ${p.seq}: ${p.what}`)))] : []),
      figures([
        ['Rows', sum((c) => c.rows), 'in the chain'],
        ['Waiting', sum((c) => c.waiting), 'not sealed yet'],
        ['Roots', sum((c) => c.roots), 'signed, one a day'],
      ]),
      table,
      more,
    ]
  }
}

function auditTable(rows: readonly AuditRow[]): HTMLElement {
  if (rows.length === 0) return h('p', { class: 'muted' }, 'No rows yet.')
  return plainTable(
    'Rows of the audit, the newest first',
    ['Row', 'Time (UTC)', 'Principal', 'Operation', 'Outcome', 'Calls', 'Memories'],
    rows.map((r) => [
      r.seq === '0' ? '–' : r.seq,
      momentText(Date.parse(r.at)),
      r.principal,
      r.verb,
      r.outcome === 'OK' ? (r.decision ?? 'OK') : displayName(r.outcome),
      r.count.toLocaleString('en'),
      (r.ids.length + r.more).toLocaleString('en'),
    ]),
  )
}
