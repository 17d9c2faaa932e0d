// The caption during a sleep replay, and the notice of a morning report.
import { PHASES } from '../api/vocabulary'
import type { StepVerb } from '../api/schema.gen'
import { latestVerbs, tallyParts, tallyText } from '../state/tally'
import { h } from './dom'
import type { Session, SleepFollower } from './session'

const MORNING_MS = 14_000
/** The caption counts the kinds of steps that began last, so that it stays on one line. The report has all. */
const MOST_COUNTS = 4

export class SleepCaption {
  readonly element = h('div', { class: 'caption panel', hidden: true })
  private readonly dots = h('span', { class: 'caption-dots', 'aria-hidden': 'true' }, ...PHASES.map(() => h('i')))
  private readonly title = h('b')
  private readonly counts = h('span', { class: 'caption-counts' })
  private readonly button = h('button', { type: 'button', class: 'link' })
  private timer = 0
  private phase = ''
  /** the kinds of steps counted so far, in the order of their first */
  private seen: StepVerb[] = []
  /** the last report that was announced */
  private announcedReport = ''

  constructor(
    private readonly s: Session,
    private readonly sleepFollower: SleepFollower,
  ) {
    this.element.append(this.dots, this.title, this.counts, this.button)
    this.button.addEventListener('click', () => this.onButton())
    sleepFollower.store.on(['replay', 'report'], () => this.update())
  }

  private onButton(): void {
    const { replay, report } = this.sleepFollower.store.get()
    if (replay) this.sleepFollower.skip()
    else if (report) {
      this.element.hidden = true
      this.s.view.set({ panel: 'mornings', report: report.id })
    }
  }

  private update(): void {
    const { replay, report } = this.sleepFollower.store.get()
    if (replay) {
      clearTimeout(this.timer)
      const [code, name, what] = PHASES[replay.index]!
      if (!this.phase.startsWith(replay.report)) this.seen = []
      if (this.phase !== `${replay.report} ${code}`) {
        this.phase = `${replay.report} ${code}`
        this.title.textContent = `${code} · ${name}`
        this.s.announce(`Sleep, ${code}: ${name}`)
      }
      this.seen = latestVerbs(this.seen, replay.tally)
      const counts = tallyParts(replay.tally).filter(([verb]) => this.seen.slice(-MOST_COUNTS).includes(verb))
      this.counts.replaceChildren(...(counts.length > 0 ? counts.map(([verb, text]) => h('span', {}, h('i', { class: `effect-${verb.toLowerCase()}` }), text)) : [what]))
      this.button.textContent = 'Skip'
      this.button.title = 'Skip the replay; the sleep itself goes on'
      this.element.classList.remove('morning')
      ;[...this.dots.children].forEach((dot, i) => (dot.className = i < replay.index ? 'done' : i === replay.index ? 'at' : ''))
      this.element.hidden = false
    } else if (report && !report.dryRun && this.announcedReport !== report.id) {
      this.announcedReport = report.id
      this.phase = ''
      this.title.textContent = 'Good morning'
      this.counts.textContent = morningText(report)
      this.button.textContent = 'Read report'
      this.button.title = ''
      this.element.classList.add('morning')
      this.element.hidden = false
      this.s.announce(`Sleep finished: ${this.counts.textContent}`)
      this.timer = window.setTimeout(() => (this.element.hidden = true), MORNING_MS)
    } else if (!this.element.classList.contains('morning')) this.element.hidden = true
  }
}

function morningText(r: { reinforced: number; pruned: number; deduplicated: number; promoted: number; engraved: number; derived: number }): string {
  return (
    tallyText({ STRENGTHEN: r.reinforced, ARCHIVE: r.pruned, MERGE: r.deduplicated, PROMOTE: r.promoted, ENGRAVE: r.engraved, DISTIL: r.derived }) || 'nothing changed'
  )
}
