// The files of a drop, with those in its folders.
import type { Upload } from '../../api/documents'

/** The files of a drop. Folders are walked; what is hidden in them is left out. */
export async function droppedFiles(drop: DataTransfer): Promise<Upload[]> {
  // The items are gone after the first await.
  const entries = [...drop.items].filter((i) => i.kind === 'file').map((i) => i.webkitGetAsEntry?.() ?? i.getAsFile())
  const found: Upload[] = []
  for (const e of entries) {
    if (e instanceof File) found.push({ file: e, path: e.name })
    else if (e) await walk(e, e.name, found)
  }
  return found
}

async function walk(entry: FileSystemEntry, path: string, into: Upload[]): Promise<void> {
  if (entry.isFile) {
    into.push({ path, file: await new Promise<File>((ok, no) => (entry as FileSystemFileEntry).file(ok, no)) })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  for (;;) {
    // A call returns some of the entries, and none after the last one.
    const some = await new Promise<FileSystemEntry[]>((ok, no) => reader.readEntries(ok, no))
    if (some.length === 0) return
    for (const e of some) if (!e.name.startsWith('.')) await walk(e, `${path}/${e.name}`, into)
  }
}
