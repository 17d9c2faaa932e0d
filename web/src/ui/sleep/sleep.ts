// The sleep panel: starts a sleep and shows its progress.
import { fetchSleepStatus, isUnsupported, dryRunSleep, startSleep, type DryRun, type SleepStatus } from '../../api/sleep'
import type { SleepInput } from '../../api/schema.gen'
import { PHASES, displayName } from '../../api/vocabulary'
import { momentText, spanText } from '../../state/clock'
import { stepCounts } from '../../state/reports'
import { tallyText } from '../../state/tally'
import type { Tab } from '../tab'
import { h } from '../dom'
import type { Session } from '../session'
import { AsyncContent, errorText } from '../asynccontent'
import { barList } from '../charts'

export class SleepTab implements Tab {
  readonly element: HTMLElement
  private readonly phaseList = h('ol', { class: 'strip-phases' })
  private readonly stateLine = h('p', { class: 'sleep-line', role: 'status' })
  private readonly result = h('div', { class: 'sleep-outcome' })
  private readonly statusElement = h('div', { class: 'sleep-standing' })
  private readonly button: HTMLButtonElement
  private readonly maxItems: HTMLInputElement
  private readonly maxSeconds: HTMLInputElement
  private readonly dryRun: HTMLInputElement
  private readonly kinds: Record<'deep' | 'light', HTMLInputElement>
  private readonly status: AsyncContent<SleepStatus>
  private requesting = false
  private opened = false

  constructor(private readonly s: Session) {
    const kind = (value: 'deep' | 'light') => h('input', { type: 'radio', name: 'sleep-kind', value, checked: value === 'deep' })
    this.kinds = { deep: kind('deep'), light: kind('light') }
    const number = (label: string) => h('input', { type: 'number', min: 1, step: 1, inputmode: 'numeric', 'aria-label': label, placeholder: 'any' })
    this.maxItems = number('Maximum number of memories')
    this.maxSeconds = number('Maximum number of seconds')
    this.dryRun = h('input', { type: 'checkbox' })
    this.button = h('button', { type: 'submit', class: 'button' }, 'Sleep now')
    const form = h(
      'form',
      { class: 'sleep-form' },
      h(
        'fieldset',
        { class: 'choice' },
        h('legend', { class: 'quiet' }, 'Depth'),
        h('label', { title: 'N1 to REM, all memories' }, this.kinds.deep, h('span', {}, h('b', {}, 'Deep'), 'all phases')),
        h('label', { title: 'N1 to N3, recent memories' }, this.kinds.light, h('span', {}, h('b', {}, 'Light'), 'recent memories only')),
      ),
      h('div', { class: 'budget' }, h('label', {}, 'At most', this.maxItems, 'memories'), h('label', {}, 'and', this.maxSeconds, 'seconds')),
      h('label', { class: 'check-row' }, this.dryRun, 'Dry run: change nothing'),
      this.button,
    )
    form.addEventListener('submit', (e) => {
      e.preventDefault()
      void this.start()
    })
    this.dryRun.addEventListener('change', () => this.update())
    this.phaseList.append(
      ...PHASES.map(([code, name, what]) => h('li', { title: what }, h('b', {}, code), h('span', { class: 'name' }, name), h('span', { class: 'part' }), h('span', { class: 'bar' }, h('i')))),
    )
    this.element = h('div', { class: 'sleep-tab' }, h('h2', {}, 'Sleep'), this.stateLine, this.phaseList, form, this.result, this.statusElement)
    this.status = new AsyncContent(this.statusElement, fetchSleepStatus, (a) => this.statusRows(a), 'sleep')
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
    if (this.maxItems.value) input.maxItems = Number(this.maxItems.value)
    if (this.maxSeconds.value) input.maxSeconds = Number(this.maxSeconds.value)
    this.requesting = true
    this.result.replaceChildren()
    this.update()
    try {
      if (this.dryRun.checked) this.result.replaceChildren(...this.dryRunResult(await dryRunSleep(input)))
      else await startSleep(input)
    } catch (e) {
      this.result.replaceChildren(h('p', { class: 'bad', role: 'alert' }, isUnsupported(e) ? `This server does not support sleep: ${errorText(e)}` : errorText(e)))
    }
    this.requesting = false
    this.update()
  }

  private dryRunResult(r: DryRun): Node[] {
    const rows = stepCounts(r).filter((c) => c.value > 0 && c.key !== 'decayed')
    return [
      h('h3', {}, 'Planned steps'),
      rows.length > 0 ? barList(rows) : h('p', { class: 'muted' }, 'Nothing to do.'),
      ...(r.steps.length > 0 ? [h('details', { class: 'numbers' }, h('summary', {}, `Step by step${r.steps.length === 200 ? ' (first 200)' : ''}`), h('ol', { class: 'links steps' }, ...r.steps.map((step) => this.step(step))))] : []),
      h('p', { class: 'muted small' }, 'A real sleep may do more: a dry run does not see what earlier phases make possible.'),
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
    this.button.textContent = busy ? 'Sleeping…' : this.dryRun.checked ? 'Dry run' : 'Sleep now'
    ;[...this.phaseList.children].forEach((li, i) => {
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
      const state = replay.past ? 'Replaying' : replay.finished ? 'Done. Replaying…' : 'Running'
      this.stateLine.textContent = [state, tally].filter(Boolean).join(' · ')
    } else this.stateLine.textContent = running ? 'Running' : 'Awake. During sleep, used memories get stronger, faded ones are archived, and related ones are merged.'
    this.element.classList.toggle('asleep', replay !== null)
  }

  private statusRows(a: SleepStatus): Node[] {
    const rows: [string, Node | string][] = [['In the index (L1)', a.pressureAt > 0 ? `${a.activeL1.toLocaleString('en')} memories (a sleep starts at ${a.pressureAt.toLocaleString('en')})` : `${a.activeL1.toLocaleString('en')} memories`]]
    const last = a.last
    if (last?.completedAt) {
      const at = Date.parse(last.completedAt)
      const link = h('button', { type: 'button', class: 'link', onclick: () => this.s.view.set({ panel: 'mornings', report: last.id }) }, momentText(at))
      rows.push(['Last sleep', h('span', {}, link, `, ${spanText(this.s.clock.now() - at)} ago`)])
    } else rows.push(['Last sleep', 'never'])
    rows.push(['Next sleep', a.nextScheduled ? `${momentText(Date.parse(a.nextScheduled))} UTC` : 'not scheduled'])
    const list = h('dl', { class: 'provenance' }, ...rows.flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text)]))
    const interrupted = a.interrupted && h('p', { class: 'bad' }, 'The last sleep was interrupted. The next one resumes it.')
    return interrupted ? [interrupted, list] : [list]
  }
}
