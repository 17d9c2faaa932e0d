// Corrects a memory: the new text becomes its next version.
import { supersede } from '../../api/acting'
import { ApiError } from '../../api/graphql'
import { diffWords } from '../../state/diff'
import { h } from '../dom'
import type { Session } from '../session'
import { form, labelled, openDialog } from './dialog'

export function correct(s: Session, m: { id: string; content: string }): void {
  const dialog = openDialog('Correct this memory')
  const text = h('textarea', { rows: 4, required: true })
  text.value = m.content
  const reason = h('input', { type: 'text', maxlength: 400, autocomplete: 'off', placeholder: 'optional' })
  const changes = h('p', { class: 'version-text acting-diff', 'aria-live': 'polite' })
  const compare = () => {
    const pieces = diffWords(m.content, text.value.trim())
    changes.replaceChildren(...(pieces.every((p) => p.kind === 'same') ? ['Change the text above.'] : pieces.flatMap((p): (Node | string)[] => (p.kind === 'same' ? [p.text] : [h('span', { class: 'quiet' }, p.kind === 'gone' ? ' was ' : ' now '), h(p.kind === 'gone' ? 'del' : 'ins', {}, p.text)]))))
  }
  text.addEventListener('input', compare)
  compare()
  const send = async () => {
    const content = text.value.trim()
    if (content === m.content.trim()) throw new ApiError('Change the text first.', 'INVALID_REQUEST', 'content')
    const id = await supersede(m.id, content, reason.value.trim())
    dialog.close()
    s.open(id, true)
    s.notify('Corrected. The old text is the previous version.', {
      name: 'Undo',
      // The server keeps both versions: the old text becomes the newest one again.
      act: async () => {
        s.open(await supersede(id, m.content, 'correction taken back'), true)
        s.notify('The old text is current again, as a new version.')
      },
    })
  }
  dialog.show(
    form('Save as a new version', send, { content: text, reason }, [
      labelled('Text', text),
      h('div', {}, h('h3', {}, 'Changes'), changes),
      labelled('Reason', reason),
      h('p', { class: 'muted small' }, 'Answers about the past keep the old text: it stays in the history.'),
    ], () => dialog.close()),
  )
  text.focus()
}
