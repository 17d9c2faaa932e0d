// Conflicting memories side by side, and how to resolve them.
import { fetchConflicts, type Conflict } from '../../api/sleep'
import { grants } from '../../state/actions'
import { conflictPair } from '../conflictpair'
import type { Tab } from '../tab'
import { h } from '../dom'
import type { Session } from '../session'
import { AsyncContent } from '../asynccontent'

/** Conflicts of one request. */
const CONFLICTS_PAGE = 50

export class ConflictsTab implements Tab {
  readonly element: HTMLElement
  private readonly listing = h('div')
  private readonly content: AsyncContent<Conflict[]>
  private opened = false

  constructor(private readonly s: Session) {
    this.element = h(
      'div',
      { class: 'conflicts-tab' },
      h('h2', {}, 'Conflicts'),
      h('p', { class: 'muted' }, 'Pairs of memories that contradict each other. Until you resolve a conflict, its memories can’t become permanent, and their confidence does not change.'),
      this.listing,
    )
    this.content = new AsyncContent(
      this.listing,
      (signal) => {
        const { namespaces } = s.view.get()
        return fetchConflicts(namespaces.length > 0 ? namespaces : null, signal)
      },
      (found) => this.rows(found),
      'conflicts',
    )
    s.view.on(['namespaces'], () => this.opened && void this.content.load())
    s.live.on(['scopes'], () => this.opened && void this.content.load())
    s.sleepFollower.store.on(['revision'], () => this.opened && void this.content.load())
  }

  open(): void {
    this.opened = true
    void this.content.load()
  }

  close(): void {
    this.opened = false
    this.content.stop()
  }

  private rows(found: Conflict[]): Node[] {
    if (found.length === 0) return [h('div', { class: 'dock-note' }, h('p', {}, 'No conflicts. Memories that contradict each other are listed here until you resolve the conflict.'))]
    return [h('h3', {}, found.length === CONFLICTS_PAGE ? `The ${CONFLICTS_PAGE} strongest; there may be more` : `${found.length} unresolved, strongest first`), h('ol', { class: 'pair-list' }, ...found.map((c) => conflictPair(this.s, c, grants(this.s.live.get().scopes, 'MEMORY_CURATE'), () => void this.content.load())))]
  }
}
