// Forgets all that mentions an entity of a name, or all of a user: first a dry run says what goes and what stays, then the receipt
// is shown.
import { forgetAll } from '../../api/acting'
import { memoriesText } from '../../state/actions'
import { errorText } from '../asynccontent'
import { h } from '../dom'
import type { Session } from '../session'
import { form, openDialog } from './dialog'
import { previewOf, showReceipt } from './forget'

export function forgetAllDialog(s: Session, of: { name: string } & ({ entity: string } | { user: string })): void {
  const { name } = of
  const target = 'entity' in of ? { entity: of.entity } : { user: of.user }
  const dialog = openDialog('entity' in of ? `Forget everything about ${name}` : `Forget the user ${name}`)
  const preview = h('div', { class: 'acting-preview', 'aria-live': 'polite' }, h('p', { class: 'muted' }, 'Looking up what would go…'))
  // The browser sends the form only if the name is right.
  const typed = h('input', { required: true, pattern: name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'), title: `the name “${name}”`, type: 'text', autocomplete: 'off', spellcheck: 'false', 'aria-label': `Type ${name} to confirm` })
  const send = async () => {
    const receipt = await forgetAll(target, false)
    s.view.set({ entity: null, selected: null })
    s.announce(`Forgotten: ${memoriesText(receipt.count)}`)
    showReceipt(dialog, receipt)
  }
  dialog.show(
    form('Forget', send, {}, [
      h('p', {}, 'entity' in of ? `Every memory that mentions ${name} is erased, whoever it belongs to.` : `Every memory of the user ${name} is erased. What others said about ${name} stays.`),
      preview,
      h('label', { class: 'acting-field' }, h('span', {}, `Type “${name}” to confirm`), typed),
      h('p', { class: 'small bad' }, 'Erasing can’t be undone.'),
    ], () => dialog.close(), true),
  )
  forgetAll(target, true).then(
    (receipt) => preview.replaceChildren(...previewOf(s, receipt), ...(receipt.mentions ? [h('p', { class: 'small' }, `${memoriesText(receipt.mentions)} of others that mention ${name} will stay.`)] : [])),
    (e: unknown) => preview.replaceChildren(h('p', { class: 'bad', role: 'alert' }, errorText(e))),
  )
}
