// The sleep panel: starts a sleep and shows its progress.
import { fetchSleepStatus, isUnsupported, dryRunSleep, startSleep, type DryRun, type SleepStatus } from '../../api/sleep'
import type { SleepInput } from '../../api/schema.gen'
import { PHASES, displayName } from '../../api/vocabulary'
import { momentText, spanText } from '../../state/clock'
import { stepCounts } from '../../state/reports'
import { tallyText } from '../sleepcaption'
import type { Tab } from '../tab'
import { h } from '../dom'
import type { Session } from '../session'
import { AsyncContent, errorText } from '../asynccontent'
import { barList } from '../charts'

export class SleepTab implements Tab {
  readonly element: HTMLElement
  private readonly strip = h('ol', { class: 'strip-phases' })
  private readonly line = h('p', { class: 'sleep-line', role: 'status' })
  private readonly outcome = h('div', { class: 'sleep-outcome' })
  private readonly statusElement = h('div', { class: 'sleep-standing' })
  private readonly button: HTMLButtonElement
  private readonly items: HTMLInputElement
  private readonly seconds: HTMLInputElement
  private readonly dryRun: HTMLInputElement
  private readonly kinds: Record<'deep' | 'light', HTMLInputElement>
  private readonly status: AsyncContent<SleepStatus>
  private requesting = false
  private opened = false

  constructor(private readonly s: Session) {
    const kind = (value: 'deep' | 'light') => h('input', { type: 'radio', name: 'sleep-kind', value, checked: value === 'deep' })
    this.kinds = { deep: kind('deep'), light: kind('light') }
    const number = (label: string) => h('input', { type: 'number', min: 1, step: 1, inputmode: 'numeric', 'aria-label': label, placeholder: 'any' })
    this.items = number('At most so many memories')
    this.seconds = number('At most so many seconds')
    this.dryRun = h('input', { type: 'checkbox' })
    this.button = h('button', { type: 'submit', class: 'button' }, 'Sleep now')
    const form = h(
      'form',
      { class: 'sleep-form' },
      h(
        'fieldset',
        { class: 'choice' },
        h('legend', { class: 'quiet' }, 'How deep'),
        h('label', { title: 'N1 to REM over everything' }, this.kinds.deep, h('span', {}, h('b', {}, 'Deep'), 'the whole night')),
        h('label', { title: 'N1 to N3 over what is recent' }, this.kinds.light, h('span', {}, h('b', {}, 'Light'), 'a nap over what is recent')),
      ),
      h('div', { class: 'budget' }, h('label', {}, 'At most', this.items, 'memories'), h('label', {}, 'and', this.seconds, 'seconds')),
      h('label', { class: 'check-row' }, this.dryRun, 'Only rehearse: nothing is changed'),
      this.button,
    )
    form.addEventListener('submit', (e) => {
      e.preventDefault()
      void this.start()
    })
    this.dryRun.addEventListener('change', () => this.update())
    this.strip.append(
      ...PHASES.map(([code, name, what]) => h('li', { title: what }, h('b', {}, code), h('span', { class: 'name' }, name), h('span', { class: 'part' }), h('span', { class: 'bar' }, h('i')))),
    )
    this.element = h('div', { class: 'sleep-tab' }, h('h2', {}, 'Sleep'), this.line, this.strip, form, this.outcome, this.statusElement)
    this.status = new AsyncContent(this.statusElement, fetchSleepStatus, (a) => this.statusRows(a), 'Sleep')
    s.sleepFollower.store.on(['replay', 'running'], () => this.update())
    s.sleepFollower.store.on(['revision'], () => this.opened && void this.status.load())
    this.update()
  }

  open(): void {
    this.opened = true
    void this.status.load()
  }

  close(): void {
    this.opened = false
    this.status.stop()
  }

  private async start(): Promise<void> {
    if (this.requesting) return
    const input: SleepInput = { deep: this.kinds.deep.checked, wait: false }
    if (this.items.value) input.maxItems = Number(this.items.value)
    if (this.seconds.value) input.maxSeconds = Number(this.seconds.value)
    this.requesting = true
    this.outcome.replaceChildren()
    this.update()
    try {
      if (this.dryRun.checked) this.outcome.replaceChildren(...this.dryRunResult(await dryRunSleep(input)))
      else await startSleep(input)
    } catch (e) {
      this.outcome.replaceChildren(h('p', { class: 'bad', role: 'alert' }, isUnsupported(e) ? `This server does not sleep: ${errorText(e)}` : errorText(e)))
    }
    this.requesting = false
    this.update()
  }

  private dryRunResult(r: DryRun): Node[] {
    const rows = stepCounts(r).filter((c) => c.value > 0 && c.key !== 'decayed')
    return [
      h('h3', {}, 'Such a sleep would bring'),
      rows.length > 0 ? barList(rows) : h('p', { class: 'muted' }, 'Nothing: there is nothing to do.'),
      ...(r.steps.length > 0 ? [h('details', { class: 'numbers' }, h('summary', {}, `Step by step${r.steps.length === 200 ? ', the first 200' : ''}`), h('ol', { class: 'links steps' }, ...r.steps.map((step) => this.step(step))))] : []),
      h('p', { class: 'muted small' }, 'What one phase makes possible for the next is not foreseen.'),
    ]
  }

  private step({ verb, from, reason }: DryRun['steps'][number]): HTMLElement {
    const { world } = this.s.live.get()
    const first = from[0]
    const node = world && first ? world.indexOf(first) : -1
    const label = (node >= 0 && world!.frame.label(node)) || first || ''
    const more = from.length > 1 ? ` and ${from.length - 1} more` : ''
    return h('li', {}, h('button', { type: 'button', title: reason, onclick: () => first && this.s.open(first, true) }, h('span', { class: 'tag' }, displayName(verb)), h('span', { class: 'name' }, label + more)), reason && h('small', { class: 'muted' }, reason))
  }

  /** Updates the phases and the text above them. */
  private update(): void {
    const { replay, running } = this.s.sleepFollower.store.get()
    const busy = this.requesting || running !== null
    this.button.disabled = busy
    this.button.textContent = busy ? 'Asleep …' : this.dryRun.checked ? 'Rehearse' : 'Sleep now'
    ;[...this.strip.children].forEach((li, i) => {
      const state = !replay ? '' : i < replay.index ? 'done' : i === replay.index ? 'at' : ''
      li.className = state
      li.setAttribute('aria-current', state === 'at' ? 'step' : 'false')
      const fill = li.querySelector<HTMLElement>('i')!
      const part = state === 'done' ? 1 : state === 'at' && replay!.total > 0 ? replay!.done / replay!.total : 0
      fill.style.width = `${100 * part}%`
      li.querySelector('.part')!.textContent = state === 'at' && replay!.total > 1 ? `${replay!.done.toLocaleString('en')} of ${replay!.total.toLocaleString('en')}` : state === 'done' ? '✓' : ''
    })
    if (replay) {
      const tally = tallyText(replay.tally)
      const words = replay.replay ? 'Shown again' : replay.closed ? 'Already over, shown slowly' : 'Under way'
      this.line.textContent = `${words}${tally ? `: ${tally}` : ''}`
    } else this.line.textContent = running ? 'Under way' : 'Awake. Sleep strengthens what was used, lets go of what has faded, and folds what belongs together.'
    this.element.classList.toggle('asleep', replay !== null)
  }

  private statusRows(a: SleepStatus): Node[] {
    const rows: [string, Node | string][] = [['In the index (L1)', a.pressureAt > 0 ? `${a.activeL1.toLocaleString('en')} of ${a.pressureAt.toLocaleString('en')} that press for a sleep` : `${a.activeL1.toLocaleString('en')} memories`]]
    const last = a.last
    if (last?.completedAt) {
      const at = Date.parse(last.completedAt)
      const link = h('button', { type: 'button', class: 'link', onclick: () => this.s.view.set({ panel: 'mornings', report: last.id }) }, momentText(at))
      rows.push(['Last slept', h('span', {}, link, `, ${spanText(this.s.clock.now() - at)} ago`)])
    } else rows.push(['Last slept', 'never yet'])
    rows.push(['By itself', a.nextScheduled ? `next at ${momentText(Date.parse(a.nextScheduled))} UTC` : 'no sleep is planned'])
    const list = h('dl', { class: 'provenance' }, ...rows.flatMap(([name, what]) => [h('dt', {}, name), h('dd', {}, what)]))
    const cut = a.interrupted && h('p', { class: 'bad' }, 'A sleep was cut short. The next one goes on with it.')
    return cut ? [cut, list] : [list]
  }
}
