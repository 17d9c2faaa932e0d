// Adds a memory.
import { remember, undoRevision, type Remembered } from '../../api/acting'
import { TYPES, displayName } from '../../api/vocabulary'
import { mayWrite, rememberInput } from '../../state/actions'
import { h } from '../dom'
import type { Session } from '../session'
import { form, labelled, openDialog } from './dialog'

export function add(s: Session): void {
  const { world, scopes } = s.live.get()
  const dialog = openDialog('Add a memory')
  const text = h('textarea', { rows: 4, required: true, placeholder: 'Releases go out on Tuesdays.' })
  const type = h('select', {}, h('option', { value: '' }, 'By its content'), ...TYPES.map((t) => h('option', { value: t }, displayName(t))))
  const view = s.view.get()
  const known = (list: 'namespace' | 'user' | 'project', id: string) => h('datalist', { id }, ...[...new Set(world?.frame[list].values ?? [])].filter(Boolean).slice(0, 200).map((value) => h('option', { value })))
  const only = (values: readonly string[]) => (values.length === 1 ? values[0]! : '')
  const field = (list: string, value: string, placeholder: string) => h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', list, value, placeholder })
  const namespace = field('add-namespaces', only(view.namespaces), 'default')
  const user = field('add-users', only(view.users), mayWrite(scopes, null) ? 'no user' : '')
  const project = field('add-projects', only(view.projects), 'none')
  const important = h('input', { type: 'checkbox' })
  const send = async () => {
    const done = await remember(rememberInput({ content: text.value, type: type.value, namespace: namespace.value, user: user.value, project: project.value, important: important.checked }))
    dialog.close()
    report(s, done)
  }
  dialog.show(
    form('Remember', send, { content: text, type, namespace, user, project }, [
      labelled('Text', text),
      h('div', { class: 'acting-columns' }, labelled('Type', type), labelled('Namespace', namespace), labelled('User', user), labelled('Project', project)),
      h('label', { class: 'acting-check' }, important, 'Important: fades half as fast'),
      world && known('namespace', 'add-namespaces'), world && known('user', 'add-users'), world && known('project', 'add-projects'),
      h('p', { class: 'muted small' }, 'You give your consent to store this text.'),
    ], () => dialog.close()),
  )
  text.focus()
}

/** Says what became of an added memory, and opens it. */
export function report(s: Session, done: Remembered): void {
  const id = done.memory?.id ?? done.duplicateOf
  if (id) s.open(id, true)
  const [old] = done.revised
  if (done.memory && old) {
    s.notify(`Remembered. It replaces “${(old.content ?? '').slice(0, 60)}”.`, {
      name: 'Undo',
      act: async () => {
        await undoRevision(done.memory!.id)
        s.notify('Both memories are active, and contested until you resolve the conflict.')
      },
    })
  } else if (done.duplicateOf) s.notify('It is known already. The known memory counts as used.')
  else s.notify(done.conflictsWith.length > 0 ? 'Remembered. It contradicts another memory.' : 'Remembered.')
}
