// Forgets a memory: first a dry run says what goes, then the receipt is shown.
import { forget, type ForgetReceipt } from '../../api/acting'
import { fetchProof, fetchReceipt } from '../../api/dashboards'
import { memoriesText } from '../../state/actions'
import { shorten } from '../../scene/labels/labels'
import { errorText } from '../asynccontent'
import { h } from '../dom'
import { download } from '../image'
import type { Session } from '../session'
import { form, openDialog, type Dialog } from './dialog'

/** So many memories of a preview are listed. */
const LISTED = 20

/** Opens the dialog. `versions` are the ids of all versions of the memory. */
export function forgetDialog(s: Session, m: { id: string; content: string | null; user: string | null }, versions: readonly string[]): void {
  const dialog = openDialog('Forget this memory')
  const all = h('input', { type: 'checkbox', checked: versions.length > 1 })
  const preview = h('div', { class: 'acting-preview', 'aria-live': 'polite' })
  const ids = () => (all.checked && versions.length > 1 ? versions : [m.id])
  let asked = 0
  const look = async () => {
    const mine = ++asked
    preview.replaceChildren(h('p', { class: 'muted' }, 'Looking up what would go…'))
    try {
      const receipt = await forget(ids(), true)
      if (mine === asked) preview.replaceChildren(...previewOf(s, receipt))
    } catch (e) {
      if (mine === asked) preview.replaceChildren(h('p', { class: 'bad', role: 'alert' }, errorText(e)))
    }
  }
  all.addEventListener('change', () => void look())
  const send = async () => {
    const receipt = await forget(ids(), false)
    s.announce(`Forgotten: ${memoriesText(receipt.count)}`)
    if (s.view.get().selected === m.id) s.view.set({ selected: null })
    showReceipt(dialog, receipt)
  }
  dialog.show(
    form('Forget', send, {}, [
      m.content !== null && h('blockquote', {}, m.content),
      versions.length > 1 && h('label', { class: 'acting-check' }, all, `All ${versions.length} versions`),
      preview,
      m.user === null && h('p', { class: 'small' }, 'It belongs to no user: everybody who reads it loses it.'),
      h('p', { class: 'small bad' }, 'Erasing can’t be undone.'),
    ], () => dialog.close(), true),
  )
  dialog.element.querySelector<HTMLElement>('.quiet-button')?.focus()
  void look()
}

/** Forgets several memories. */
export function forgetSeveral(s: Session, ids: readonly string[], done: () => void): void {
  const dialog = openDialog(`Forget ${memoriesText(ids.length)}`)
  const preview = h('div', { class: 'acting-preview', 'aria-live': 'polite' }, h('p', { class: 'muted' }, 'Looking up what would go…'))
  const send = async () => {
    const receipt = await forget(ids, false)
    s.announce(`Forgotten: ${memoriesText(receipt.count)}`)
    done()
    showReceipt(dialog, receipt)
  }
  dialog.show(form('Forget', send, {}, [preview, h('p', { class: 'small bad' }, 'Erasing can’t be undone.')], () => dialog.close(), true))
  dialog.element.querySelector<HTMLElement>('.quiet-button')?.focus()
  forget(ids, true).then(
    (receipt) => preview.replaceChildren(...previewOf(s, receipt)),
    (e: unknown) => preview.replaceChildren(h('p', { class: 'bad', role: 'alert' }, errorText(e))),
  )
}

/** What a dry run says would go. */
export function previewOf(s: Session, r: ForgetReceipt): Node[] {
  const { world } = s.live.get()
  const text = (id: string) => {
    const node = world?.indexOf(id) ?? -1
    return (node >= 0 && shorten(world!.frame.label(node))) || id
  }
  const more = r.count - Math.min(r.ids.length, LISTED)
  const lost = r.safetyCriticalLost?.length ?? 0
  return [
    h('p', {}, h('b', {}, `${memoriesText(r.count)} will be erased`), ', with what was derived from them:'),
    h('ul', { class: 'acting-list' }, ...r.ids.slice(0, LISTED).map((id) => h('li', {}, text(id))), ...(more > 0 ? [h('li', { class: 'muted' }, `and ${more.toLocaleString('en')} more`)] : [])),
    ...(r.anonymised > 0 ? [h('p', { class: 'small' }, `${memoriesText(r.anonymised)} of these ${r.anonymised === 1 ? 'is' : 'are'} safety-critical and stay without names.`)] : []),
    ...(lost > 0 ? [h('p', { class: 'small bad' }, `${memoriesText(lost)} of these ${lost === 1 ? 'is' : 'are'} safety-critical, or about an allergy, an illness or the like, and will be lost.`)] : []),
  ]
}

export function showReceipt(dialog: Dialog, r: ForgetReceipt): void {
  const note = h('p', { class: 'small', role: 'status' })
  const save = async () => {
    // A server with a directory of keys proves the erasure; others only have the receipt.
    const { proof } = await fetchProof(r.id).catch(() => ({ proof: null }))
    const text = proof ?? JSON.stringify(await fetchReceipt(r.id), null, 1)
    download(new Blob([text], { type: 'application/json' }), `receipt-${r.id}.json`)
    note.textContent = proof ? 'Saved with its proof: “somnograph verify” checks it without the server.' : 'Saved.'
  }
  const button = h('button', { type: 'button', class: 'button', onclick: () => void save().catch((e: unknown) => (note.textContent = errorText(e))) }, 'Download the receipt')
  dialog.show(
    h('p', { class: 'acting-done' }, h('b', {}, `Forgotten: ${memoriesText(r.count)}`)),
    h('dl', { class: 'provenance' }, h('dt', {}, 'Receipt'), h('dd', { class: 'mono receipt-id' }, r.id), h('dt', {}, 'Hash of ids'), h('dd', { class: 'mono' }, r.hash)),
    h('p', { class: 'muted small' }, 'Keep the receipt: it proves what was erased, and when. Health, Privacy verifies it.'),
    h('div', { class: 'buttons' }, button, h('button', { type: 'button', class: 'quiet-button', onclick: () => dialog.close() }, 'Close')),
    note,
  )
  button.focus()
}
