// The privacy dashboard: consent, integrity, access, and proof of erasures.
import { fetchHealth, fetchReceipt, fetchWhoami, type Health, type Receipt, type Whoami } from '../../api/dashboards'
import { displayName } from '../../api/vocabulary'
import { countRows } from '../../state/dashboards'
import { momentText } from '../../state/clock'
import { canHash, receiptHash } from '../../state/hashes'
import { AsyncContent, errorText } from '../asynccontent'
import { barList } from '../charts'
import type { Tab } from '../tab'
import { h } from '../dom'
import type { Session } from '../session'
import { figures, gradeIcon } from './parts'

export class PrivacyTab implements Tab {
  readonly element: HTMLElement
  private readonly content: AsyncContent<{ who: Whoami; health: Health }>
  private readonly said = h('div', { class: 'said', role: 'status' })
  private opened = false

  constructor(private readonly s: Session) {
    const body = h('div')
    this.element = h('div', { class: 'board' }, h('h2', {}, 'Privacy and integrity'), body, this.proof())
    this.content = new AsyncContent(
      body,
      async (signal) => {
        const [who, health] = await Promise.all([fetchWhoami(signal), fetchHealth(signal)])
        return { who, health }
      },
      ({ who, health }) => this.show(who, health),
      'Privacy and integrity',
    )
    s.live.on(['world'], () => this.opened && void this.content.load())
  }

  open(): void {
    this.opened = true
    void this.content.load()
  }

  close(): void {
    this.opened = false
    this.content.stop()
  }

  private show(who: Whoami, a: Health): Node[] {
    const details = (a.details ?? {}) as Record<string, unknown>
    const forgotten = countRows(details['byStatus']).find((r) => r.key === 'forgotten')?.value ?? 0
    const consents = countRows(details['byConsent'])
    const held = countRows(details['bySensitivity'])
    const whole = a.checksumFailures === 0
    const rows: [string, string][] = [
      ['Tenant', who.tenant],
      ['Signed in as', who.name || 'nobody in particular'],
      ['Sees', who.user ? `memories of ${who.user} and of nobody` : 'memories of anybody'],
      ['Namespaces', who.namespaces.length > 0 ? who.namespaces.join(', ') : 'all'],
      ['Authority', `writes with at most ${who.grant.toFixed(2)}${who.admin ? ', may administer' : ''}`],
    ]
    return [
      h('p', { class: `verdict ${whole ? 'good' : 'bad'}`, role: 'status' }, gradeIcon(whole ? 'good' : 'bad'), h('b', {}, whole ? 'What is stored is what was written' : 'Some records are damaged'), h('span', { class: 'muted' }, 'since the start')),
      figures([
        ['Checksums', a.checksumFailures.toLocaleString('en'), 'failures', whole],
        ['Engrams', a.engrams.toLocaleString('en'), 'checked on every read'],
        ['Forgotten', forgotten.toLocaleString('en'), 'stubs without content'],
      ]),
      ...(consents.length > 0 ? [h('h3', {}, 'Permission it was written under'), barList(consents.map((r) => ({ ...r, key: `consent-${r.key}` })))] : []),
      ...(held.length > 0 ? [h('h3', {}, 'How closely it is held'), barList(held.map((r) => ({ ...r, label: r.label || 'Not said', key: `held-${r.key}` })))] : []),
      h('h3', {}, 'Who looks'),
      h('dl', { class: 'provenance' }, ...rows.flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text)])),
      h('p', { class: 'small' }, h('button', { type: 'button', class: 'link', onclick: () => this.s.view.set({ panel: 'policy' }) }, 'What each namespace demands: the policies')),
    ]
  }

  /** Verifies a receipt in the browser: its ids must have the hash that it contains. */
  private proof(): HTMLElement {
    const id = h('input', { type: 'text', placeholder: 'Id of a deletion receipt', 'aria-label': 'Id of a deletion receipt', spellcheck: 'false', autocomplete: 'off', maxlength: 36 })
    const go = h('button', { type: 'submit', class: 'quiet-button' }, 'Check it')
    const form = h('form', { class: 'receipt-form' }, id, go)
    form.addEventListener('submit', (e) => {
      e.preventDefault()
      if (id.value.trim() === '') return
      go.disabled = true
      void this.check(id.value.trim()).finally(() => (go.disabled = false))
    })
    return h('section', {}, h('h3', {}, 'Proof of an erasure'), h('p', { class: 'muted small' }, '“forget” answers a receipt. Its hash is checked here in the browser, from the ids it lists.'), form, this.said)
  }

  private async check(id: string): Promise<void> {
    this.said.replaceChildren(h('p', { class: 'muted' }, 'Reading the receipt …'))
    try {
      const receipt = await fetchReceipt(id)
      this.said.replaceChildren(...(await this.verdict(receipt)))
    } catch (e) {
      this.said.replaceChildren(h('p', { class: 'bad', role: 'alert' }, errorText(e)))
    }
  }

  private async verdict(r: Receipt): Promise<Node[]> {
    const facts = h('p', { class: 'muted small' }, `${displayName(r.status)}: ${r.count.toLocaleString('en')} memories, asked for ${momentText(Date.parse(r.requestedAt))}${r.completedAt ? `, done ${momentText(Date.parse(r.completedAt))}` : ''} UTC${r.anonymised > 0 ? `; ${r.anonymised} kept in a form that names nobody` : ''}`)
    if (!canHash()) return [h('p', {}, 'This browser only computes hashes on a secure connection; the receipt says ', h('code', {}, r.hash), '.'), facts]
    const whole = (await receiptHash(r.ids)) === r.hash && r.ids.length === r.count
    return [h('p', { class: whole ? 'verdict good' : 'verdict bad' }, gradeIcon(whole ? 'good' : 'bad'), h('b', {}, whole ? 'The receipt is true' : 'The ids do not hash to what the receipt says')), facts, h('p', { class: 'mono hash' }, r.hash)]
  }
}
