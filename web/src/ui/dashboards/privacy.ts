// The privacy dashboard: consent, integrity, access, and proof of erasures.
import { fetchHealth, fetchProof, fetchReceipt, fetchWhoami, type Health, type Receipt, type Whoami } from '../../api/dashboards'
import { displayName } from '../../api/vocabulary'
import { countRows } from '../../state/dashboards'
import { momentText } from '../../state/clock'
import { canHash, receiptHash } from '../../state/hashes'
import { AsyncContent, errorText } from '../asynccontent'
import { barList } from '../charts'
import type { Tab } from '../tab'
import { h } from '../dom'
import type { Session } from '../session'
import { AuditSection } from './audit'
import { figures, gradeIcon, plainTable } from './parts'

export class PrivacyTab implements Tab {
  readonly element: HTMLElement
  private readonly content: AsyncContent<{ who: Whoami; health: Health }>
  private readonly result = h('div', { class: 'said', role: 'status' })
  private opened = false
  private readonly audit = new AuditSection()

  constructor(private readonly s: Session) {
    const body = h('div')
    this.element = h('div', { class: 'board' }, h('h2', {}, 'Privacy and integrity'), body, this.receiptForm(), this.audit.element)
    this.content = new AsyncContent(
      body,
      async (signal) => {
        const [who, health] = await Promise.all([fetchWhoami(signal), fetchHealth(signal)])
        return { who, health }
      },
      ({ who, health }) => this.show(who, health),
      'privacy and integrity',
    )
    s.live.on(['world'], () => this.opened && void this.content.load())
  }

  open(): void {
    this.opened = true
    void this.content.load()
    this.audit.open()
  }

  close(): void {
    this.opened = false
    this.content.stop()
    this.audit.close()
  }

  private show(who: Whoami, a: Health): Node[] {
    const details = (a.details ?? {}) as Record<string, unknown>
    const forgotten = countRows(details['byStatus']).find((r) => r.key === 'forgotten')?.value ?? 0
    const consents = countRows(details['byConsent'])
    const sensitivities = countRows(details['bySensitivity'])
    const intact = a.checksumFailures === 0
    const rows: [string, string][] = [
      ['Tenant', who.tenant],
      ['Signed in as', who.name || 'anonymous'],
      ['Sees', who.user ? `memories of ${who.user} and memories without a user` : 'memories of all users'],
      ['Namespaces', who.namespaces.length > 0 ? who.namespaces.join(', ') : 'all'],
      ['Authority', `at most ${who.grant.toFixed(2)} for writes${who.admin ? ', administrator' : ''}`],
    ]
    return [
      h('p', { class: `verdict ${intact ? 'good' : 'bad'}`, role: 'status' }, gradeIcon(intact ? 'good' : 'bad'), h('b', {}, intact ? 'All checksums match' : 'Some records are corrupt'), h('span', { class: 'muted' }, 'since the server started')),
      figures([
        ['Checksums', a.checksumFailures.toLocaleString('en'), 'failures', intact],
        ['Engrams', a.engrams.toLocaleString('en'), 'checked on every read'],
        ['Forgotten', forgotten.toLocaleString('en'), 'stubs without content'],
      ]),
      ...(consents.length > 0 ? [h('h3', {}, 'Consent'), barList(consents.map((r) => ({ ...r, key: `consent-${r.key}` })))] : []),
      ...(sensitivities.length > 0 ? [h('h3', {}, 'Sensitivity'), barList(sensitivities.map((r) => ({ ...r, label: r.label || 'Not specified', key: `held-${r.key}` })))] : []),
      h('h3', {}, 'Your access'),
      h('dl', { class: 'provenance' }, ...rows.flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text)])),
      h('p', { class: 'small' }, h('button', { type: 'button', class: 'link', onclick: () => this.s.view.set({ panel: 'policy' }) }, 'Policies of the namespaces')),
    ]
  }

  /** Verifies a receipt in the browser: its ids must have the hash that it contains. */
  private receiptForm(): HTMLElement {
    const id = h('input', { type: 'text', placeholder: 'Deletion receipt id', 'aria-label': 'Deletion receipt id', spellcheck: 'false', autocomplete: 'off', maxlength: 36 })
    const submit = h('button', { type: 'submit', class: 'quiet-button' }, 'Verify')
    const form = h('form', { class: 'receipt-form' }, id, submit)
    form.addEventListener('submit', (e) => {
      e.preventDefault()
      if (id.value.trim() === '') return
      submit.disabled = true
      void this.verify(id.value.trim()).finally(() => (submit.disabled = false))
    })
    return h('section', {}, h('h3', {}, 'Verify a deletion receipt'), h('p', { class: 'muted small' }, 'The “forget” mutation returns a receipt. The browser recomputes its hash from the ids in it.'), form, this.result)
  }

  private async verify(id: string): Promise<void> {
    this.result.replaceChildren(h('p', { class: 'muted' }, 'Loading the receipt…'))
    try {
      const receipt = await fetchReceipt(id)
      this.result.replaceChildren(...(await this.verdict(receipt)))
    } catch (e) {
      this.result.replaceChildren(h('p', { class: 'bad', role: 'alert' }, errorText(e)))
    }
  }

  private async verdict(r: Receipt): Promise<Node[]> {
    const facts = h('p', { class: 'muted small' }, `${displayName(r.status)}: ${r.count.toLocaleString('en')} memories, requested ${momentText(Date.parse(r.requestedAt))}${r.completedAt ? `, completed ${momentText(Date.parse(r.completedAt))}` : ''} UTC${r.anonymised > 0 ? `; ${r.anonymised} anonymised` : ''}`)
    if (!canHash()) return [h('p', {}, 'Browsers compute hashes on secure connections only. The hash in the receipt is ', h('code', {}, r.hash), '.'), facts]
    const valid = (await receiptHash(r.ids)) === r.hash && r.ids.length === r.count
    return [h('p', { class: valid ? 'verdict good' : 'verdict bad' }, gradeIcon(valid ? 'good' : 'bad'), h('b', {}, valid ? 'The receipt is valid' : 'The hash does not match the ids')), facts, h('p', { class: 'mono hash' }, r.hash), ...this.proof(r)]
  }

  /** The state of the erasure in each part of the server, and the proof to download. */
  private proof(r: Receipt): Node[] {
    if (r.stores.length === 0) return []
    const note = h('p', { class: 'muted small', role: 'status' })
    const button = h('button', { type: 'button', class: 'quiet-button' }, 'Download the proof')
    button.addEventListener('click', () => {
      button.disabled = true
      void fetchProof(r.id)
        .then(({ proof, key }) => {
          if (proof === null) throw new Error('There is no proof of this receipt.')
          const url = URL.createObjectURL(new Blob([proof], { type: 'application/json' }))
          h('a', { href: url, download: `receipt-${r.id}.json` }).click()
          setTimeout(() => URL.revokeObjectURL(url), 60_000)
          note.replaceChildren('Check it without the server: ', h('code', {}, `somnograph verify receipt-${r.id}.json --key '${key ?? ''}'`))
        })
        .catch((e: unknown) => note.replaceChildren(errorText(e)))
        .finally(() => (button.disabled = false))
    })
    const rows = r.stores.map((s) => [displayName(s.store), stateText(s.status), s.at ? momentText(Date.parse(s.at)) : '–'])
    return [plainTable('State of the erasure by part of the server', ['Part', 'State', 'Time (UTC)'], rows), button, note]
  }
}

/** The state of an erasure in words. */
function stateText(status: Receipt['stores'][number]['status']): string {
  if (status === 'NONE') return 'not used by this server'
  if (status === 'BEYOND_USE') return 'beyond use: nothing answers with it or restores it'
  return displayName(status)
}
