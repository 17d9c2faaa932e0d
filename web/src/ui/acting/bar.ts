// The actions on the open memory.
import { pin, undoRevision, unpin } from '../../api/acting'
import type { DetailMemory } from '../../api/operations'
import type { Action } from '../../state/actions'
import { errorText } from '../asynccontent'
import { h } from '../dom'
import type { Session } from '../session'
import { correct } from './correct'
import { forgetDialog } from './forget'

const NAMES: Record<Action, [name: string, title: string]> = {
  correct: ['Correct…', 'Write a new version'],
  pin: ['Pin', 'Put it into every prompt of its user'],
  unpin: ['Unpin', 'Take it out of the prompts'],
  undoRevision: ['Take back the revision…', 'Make the memory that it replaced active again'],
  forget: ['Forget…', 'Erase it, after a preview'],
}

/** A row of buttons; reload is called when the memory has changed. */
export function actionBar(s: Session, m: DetailMemory, versions: readonly string[], actions: readonly Action[], reload: () => void): HTMLElement {
  const acts: Record<Action, () => Promise<void> | void> = {
    correct: () => correct(s, { id: m.id, content: m.content ?? '' }),
    forget: () => forgetDialog(s, m, versions),
    pin: async () => {
      await pin(m.id)
      s.notify('Pinned: it is in every prompt of its user.', { name: 'Undo', act: () => unpin(m.id).then(reload) })
      reload()
    },
    unpin: async () => {
      await unpin(m.id)
      s.notify('Unpinned.', { name: 'Undo', act: () => pin(m.id).then(reload) })
      reload()
    },
    undoRevision: async () => {
      await undoRevision(m.id)
      s.notify('Both memories are active, and contested until you resolve the conflict.')
      reload()
    },
  }
  return h(
    'div',
    { class: 'buttons acting-bar', role: 'group', 'aria-label': 'Actions' },
    ...actions.map((action) => {
      const [name, title] = NAMES[action]
      const b = h('button', { type: 'button', class: action === 'forget' ? 'quiet-button danger' : 'quiet-button', title }, name)
      b.addEventListener('click', () => {
        void Promise.resolve(acts[action]()).catch((e: unknown) => s.notify(errorText(e)))
      })
      return b
    }),
  )
}
