// The tasks panel: tasks found in turns, and their status.
import { confirmTask, dismissTask, fetchTasks, type Task, type TaskPage } from '../../api/agent'
import type { TaskStatus } from '../../api/schema.gen'
import { displayName } from '../../api/vocabulary'
import { dayText, spanText } from '../../state/clock'
import { AsyncContent, errorText } from '../asynccontent'
import type { Tab } from '../tab'
import { glyph, h } from '../dom'
import type { Session } from '../session'

type Choice = TaskStatus | 'OPEN'
const CHOICES: [Choice, string][] = [['OPEN', 'Open'], ['CANDIDATE', 'Heard'], ['CONFIRMED', 'Confirmed'], ['DISMISSED', 'Dismissed']]

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
      h('p', { class: 'muted' }, 'Read from what was said: “TODO”, “don’t forget to”, “before we can …”. A task that is confirmed outlives its session; one that is only heard expires.'),
      h('div', { class: 'segmented', role: 'radiogroup', 'aria-label': 'Which tasks' }, ...this.choices),
      this.listing,
    )
    this.content = new AsyncContent(
      this.listing,
      (signal) => {
        const { namespaces } = s.view.get()
        return fetchTasks(this.choice === 'OPEN' ? null : this.choice, namespaces.length > 0 ? namespaces : null, null, signal)
      },
      (page) => this.rows(page),
      'The list of tasks',
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
    const some = [...page.nodes].sort((a, b) => b.confidence - a.confidence || b.memory.recordedAt.localeCompare(a.memory.recordedAt))
    this.s.live.set({ highlighted: some.map((t) => t.memory.id) })
    if (some.length === 0) {
      const none: Record<Choice, string> = { OPEN: 'Nothing is waiting to be done.', CANDIDATE: 'Nothing was heard that sounds like a task.', CONFIRMED: 'No task was confirmed yet.', DISMISSED: 'No task was dismissed yet.' }
      return [h('div', { class: 'dock-note' }, h('p', {}, none[this.choice]))]
    }
    const more = page.pageInfo.hasNextPage ? [h('p', { class: 'muted small' }, 'There are more: narrow them by a namespace.')] : []
    return [h('ul', { class: 'task-list' }, ...some.map((t) => this.row(t))), ...more]
  }

  private row(t: Task): HTMLElement {
    const m = t.memory
    const said = h('div', { class: 'said' })
    const now = this.s.clock.now()
    const fill = h('i')
    fill.style.width = `${Math.round(100 * t.confidence)}%`
    const left = m.expiresAt && t.status === 'CANDIDATE' ? Date.parse(m.expiresAt) - now : null
    const act = (name: string, done: string, deed: (id: string) => Promise<Task>) => {
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
            said.replaceChildren(h('p', { class: 'bad', role: 'alert' }, errorText(e)))
          },
        )
      })
      return b
    }
    const over = t.status === 'DISMISSED' || m.status !== 'ACTIVE'
    return h(
      'li',
      { class: `task task-${t.status.toLowerCase()}`, 'data-id': m.id },
      h('button', { type: 'button', class: 'task-text', onclick: () => this.s.open(m.id, true) }, glyph(m.type), h('span', {}, m.content ?? m.unavailable?.message ?? '')),
      h(
        'p',
        { class: 'task-foot muted small' },
        h('span', { class: 'tag' }, t.status === 'CANDIDATE' ? 'Heard' : displayName(t.status)),
        h('span', { class: 'bar', title: `strength of the words ${t.strength.toFixed(2)}` }, fill),
        `${Math.round(100 * t.confidence)} % sure · ${dayText(Date.parse(m.recordedAt))}`,
        left !== null && left > 0 ? ` · expires in ${spanText(left)}` : '',
      ),
      t.blocks && h('p', { class: 'small' }, 'Holds up: ', h('b', {}, t.blocks)),
      !over && h('div', { class: 'buttons' }, t.status === 'CANDIDATE' && act('Confirm', 'The task is confirmed', confirmTask), act('Done or dismiss', 'The task is dismissed', dismissTask)),
      said,
    )
  }
}
