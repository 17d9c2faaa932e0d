// The policy of a namespace: coefficients, thresholds and rules.
import { fetchPolicy, setPolicy, type Policy } from '../../api/sleep'
import type { NamespacePolicyInput } from '../../api/schema.gen'
import { displayName } from '../../api/vocabulary'
import { spanText } from '../../state/clock'
import type { Tab } from '../tab'
import { h } from '../dom'
import type { Session } from '../session'
import { AsyncContent, errorText } from '../asynccontent'

type NumberKey = 'alpha' | 'beta' | 'gamma' | 'lambda' | 'delta' | 'quorum' | 'promoteAt' | 'engraveDays' | 'engraveConfidence' | 'engraveConflict'

/** The ranges are those of the schema. */
const GROUPS: [string, [NumberKey, string, string, number, number, number][]][] = [
  [
    'Plasticity',
    [
      ['alpha', 'α salience', 'weight of salience', 0.5, 2, 0.05],
      ['beta', 'β usage', 'weight of use', 0.1, 0.5, 0.05],
      ['gamma', 'γ authority', 'weight of authority', 0.3, 1, 0.05],
      ['lambda', 'λ conflict', 'weight of conflict, subtracted', 0.5, 1.5, 0.05],
      ['delta', 'δ surprise', 'weight of surprise', 0.2, 0.8, 0.05],
    ],
  ],
  [
    'Thresholds',
    [
      ['promoteAt', 'Promote above', 'score above which a memory is promoted from L1 to L2', 0.5, 4, 0.05],
      ['quorum', 'Quorum', 'weighted evidence that the gate requires', 0.5, 1, 0.05],
      ['engraveDays', 'Engrave: days of use', 'days of use before a memory is engraved', 5, 3650, 1],
      ['engraveConfidence', 'Engrave: confidence', 'confidence before a memory is engraved', 0.85, 1, 0.01],
      ['engraveConflict', 'Engrave: conflict below', 'conflict must be below this', 0.01, 0.2, 0.01],
    ],
  ],
]

export class PolicyTab implements Tab {
  readonly element: HTMLElement
  private readonly choice = h('select', { 'aria-label': 'Namespace' })
  private readonly body = h('div')
  private readonly content: AsyncContent<Policy>
  private namespace = 'default'

  constructor(private readonly s: Session) {
    this.choice.addEventListener('change', () => {
      this.namespace = this.choice.value
      void this.content.load(true)
    })
    this.element = h('div', { class: 'policy-tab' }, h('h2', {}, 'Policy'), h('p', { class: 'muted' }, 'Settings of a namespace. Changes apply to new scores and decisions.'), h('label', { class: 'namespace' }, 'Namespace', this.choice), this.body)
    this.content = new AsyncContent(this.body, (signal) => fetchPolicy(this.namespace, signal), (p) => [this.form(p)], 'policy')
  }

  open(): void {
    const { world } = this.s.live.get()
    const { namespaces } = this.s.view.get()
    const names = [...new Set(['default', ...(world?.frame.namespace.values ?? []), ...namespaces].filter(Boolean))].sort()
    if (namespaces.length === 1 && namespaces[0]) this.namespace = namespaces[0]
    this.choice.replaceChildren(...names.map((n) => h('option', { value: n, selected: n === this.namespace }, n)))
    void this.content.load()
  }

  close(): void {
    this.content.stop()
  }

  private form(p: Policy): HTMLElement {
    const fields = new Map<NumberKey, HTMLInputElement>()
    const message = h('p', { role: 'status' })
    const save = h('button', { type: 'submit', class: 'button', disabled: true }, 'Save')
    const changed = (): NamespacePolicyInput => {
      const input: NamespacePolicyInput = { namespace: p.namespace }
      for (const [key, field] of fields) if (field.value !== '' && Number(field.value) !== p[key]) input[key] = Number(field.value)
      return input
    }
    const row = ([key, name, meaning, min, max, step]: (typeof GROUPS)[number][1][number]) => {
      const field = h('input', { type: 'number', min, max, step, value: p[key], required: true })
      fields.set(key, field)
      return h('label', { title: `${meaning}, ${min} to ${max}` }, h('span', {}, name, h('small', {}, `${meaning}; ${min} to ${max.toLocaleString('en')}`)), field)
    }
    const form = h(
      'form',
      { class: 'policy-form' },
      p.preset !== 'DEFAULT' && h('p', {}, h('span', { class: 'tag' }, `Preset ${displayName(p.preset)}`)),
      ...GROUPS.flatMap(([name, rows]) => [h('h3', {}, name), ...rows.map(row)]),
      h('h3', {}, 'Rules'),
      h('dl', { class: 'provenance' }, ...rules(p).flatMap(([name, what]) => [h('dt', {}, name), h('dd', {}, what)])),
      h('div', { class: 'buttons' }, save),
      message,
    )
    form.addEventListener('input', () => {
      save.disabled = Object.keys(changed()).length < 2
      message.textContent = ''
      message.className = ''
    })
    form.addEventListener('submit', (e) => {
      e.preventDefault()
      save.disabled = true
      void setPolicy(changed()).then(
        (next) => {
          const newForm = this.form(next)
          form.replaceWith(newForm)
          this.s.announce('Policy saved')
          newForm.querySelector('p[role=status]')!.textContent = 'Saved. Applies from now on.'
        },
        (error: unknown) => {
          save.disabled = false
          message.textContent = errorText(error)
          message.className = 'bad'
        },
      )
    })
    return form
  }
}

function rules(p: Policy): [string, string][] {
  const of = (pairs: [string, number | null][], text: (v: number) => string, none: string) => {
    const some = pairs.filter((x): x is [string, number] => x[1] !== null)
    return some.length > 0 ? some.map(([k, v]) => `${k} ${text(v)}`).join(', ') : none
  }
  const { decayK: k, ttlSeconds: t } = p
  return [
    ['Consent', `at least ${displayName(p.minConsent).toLowerCase()}`],
    ['Decay', of([['slow', k.slow], ['medium', k.medium], ['fast', k.fast]], (v) => `${v} per day`, 'default half-lives')],
    ['Time to live', of([['public', t.public], ['internal', t.internal], ['confidential', t.confidential], ['restricted', t.restricted]], (v) => spanText(v * 1000), 'none')],
  ]
}
