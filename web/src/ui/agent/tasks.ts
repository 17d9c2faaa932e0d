// The tasks panel: tasks found in turns, and their status.
import { completeTask, confirmTask, dismissTask, fetchTasks, type Task, type TaskPage } from '../../api/agent'
import type { TaskStatus } from '../../api/schema.gen'
import { displayName } from '../../api/vocabulary'
import { dayText, spanText } from '../../state/clock'
import { AsyncContent, errorText } from '../asynccontent'
import type { Tab } from '../tab'
import { glyph, h } from '../dom'
import type { Session } from '../session'

type Choice = TaskStatus | 'OPEN'
const CHOICES: [Choice, string][] = [['OPEN', 'Open'], ['CANDIDATE', 'Candidates'], ['CONFIRMED', 'Confirmed'], ['DONE', 'Done'], ['DISMISSED', 'Dismissed']]

export class TasksTab implements Tab {
  readonly element: HTMLElement
  private readonly listing = h('div')
  private readonly content: AsyncContent<TaskPage>
  private readonly choices: HTMLButtonElement[]
  private choice: Choice = 'OPEN'
  private opened = false

  constructor(private readonly s: Session) {
    this.choices = CHOICES.map(([w, name]) => h('button', { type: 'button', role: 'radio', onclick: () => this.choose(w) }, name))
    this.element = h(
      'div',
      { class: 'tasks-tab' },
      h('h2', {}, 'Tasks'),
      h('p', { class: 'muted' }, 'Found in turns, for example after “TODO”, “don’t forget to” or “before we can”. A confirmed task is kept until it is done or dismissed; a candidate expires 48 hours after its session.'),
      h('div', { class: 'segmented', role: 'radiogroup', 'aria-label': 'Status' }, ...this.choices),
      this.listing,
    )
    this.content = new AsyncContent(
      this.listing,
      (signal) => {
        const { namespaces } = s.view.get()
        return fetchTasks(this.choice === 'OPEN' ? null : this.choice, namespaces.length > 0 ? namespaces : null, null, signal)
      },
      (page) => this.rows(page),
      'tasks',
    )
    s.view.on(['namespaces'], () => this.opened && void this.content.load())
    s.live.on(['world'], () => this.opened && void this.content.load())
    this.choose(this.choice)
  }

  open(): void {
    this.opened = true
    void this.content.load()
  }

  close(): void {
    this.opened = false
    this.content.stop()
  }

  private choose(which: Choice): void {
    this.choice = which
    this.choices.forEach((b, i) => b.setAttribute('aria-checked', String(CHOICES[i]![0] === which)))
    if (this.opened) void this.content.load()
  }

  private rows(page: TaskPage): Node[] {
    const tasks = [...page.nodes].sort((a, b) => b.confidence - a.confidence || b.memory.recordedAt.localeCompare(a.memory.recordedAt))
    this.s.live.set({ highlighted: tasks.map((t) => t.memory.id) })
    if (tasks.length === 0) {
      const emptyTexts: Record<Choice, string> = { OPEN: 'No open tasks.', CANDIDATE: 'No candidate tasks.', CONFIRMED: 'No confirmed tasks.', DONE: 'No tasks are done.', DISMISSED: 'No dismissed tasks.' }
      return [h('div', { class: 'dock-note' }, h('p', {}, emptyTexts[this.choice]))]
    }
    const more = page.pageInfo.hasNextPage ? [h('p', { class: 'muted small' }, 'There are more tasks. Filter by namespace to see them.')] : []
    return [h('ul', { class: 'task-list' }, ...tasks.map((t) => this.row(t))), ...more]
  }

  private row(t: Task): HTMLElement {
    const m = t.memory
    const message = h('div', { class: 'said' })
    const now = this.s.clock.now()
    const fill = h('i')
    fill.style.width = `${Math.round(100 * t.confidence)}%`
    const left = m.expiresAt && t.status === 'CANDIDATE' ? Date.parse(m.expiresAt) - now : null
    const actionButton = (name: string, done: string, deed: (id: string) => Promise<Task>) => {
      const b = h('button', { type: 'button', class: 'quiet-button' }, name)
      b.addEventListener('click', () => {
        b.disabled = true
        void deed(m.id).then(
          () => {
            this.s.announce(done)
            void this.content.load()
          },
          (e: unknown) => {
            b.disabled = false
            message.replaceChildren(h('p', { class: 'bad', role: 'alert' }, errorText(e)))
          },
        )
      })
      return b
    }
    const closed = t.status === 'DONE' || t.status === 'DISMISSED' || m.status !== 'ACTIVE'
    return h(
      'li',
      { class: `task task-${t.status.toLowerCase()}`, 'data-id': m.id },
      h('button', { type: 'button', class: 'task-text', onclick: () => this.s.open(m.id, true) }, glyph(m.type), h('span', {}, m.content ?? m.unavailable?.message ?? '')),
      h(
        'p',
        { class: 'task-foot muted small' },
        h('span', { class: 'tag' }, t.status === 'CANDIDATE' ? 'Candidate' : displayName(t.status)),
        h('span', { class: 'bar', title: `strength of the wording ${t.strength.toFixed(2)}` }, fill),
        `confidence ${Math.round(100 * t.confidence)} % · ${dayText(Date.parse(m.recordedAt))}`,
        t.due ? ` · due ${dayText(Date.parse(t.due))}` : '',
        left !== null && left > 0 ? ` · expires in ${spanText(left)}` : '',
      ),
      t.blocks && h('p', { class: 'small' }, 'Blocks: ', h('b', {}, t.blocks)),
      t.blockedBy.length > 0 && h('p', { class: 'small' }, `Waits for ${t.blockedBy.length === 1 ? 'another task' : `${t.blockedBy.length} other tasks`}`),
      !closed && h('div', { class: 'buttons' }, t.status === 'CANDIDATE' && actionButton('Confirm', 'Task confirmed', confirmTask), actionButton('Done', 'Task done', completeTask), actionButton('Dismiss', 'Task dismissed', dismissTask)),
      message,
    )
  }
}
