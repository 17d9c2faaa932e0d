import { describe, expect, it } from 'vitest'
import { droppedFiles } from '../src/ui/memories/dropped'

const file = (name: string) => ({ isFile: true, name, file: (ok: (f: File) => void) => ok(new File(['x'], name)) })

// As browsers do, a folder returns its entries in parts.
const folder = (name: string, entries: object[]) => ({
  isFile: false,
  name,
  createReader: () => {
    const parts = entries.map((e) => [e])
    return { readEntries: (ok: (e: object[]) => void) => ok(parts.shift() ?? []) }
  },
})

const drop = (...entries: (object | null)[]) =>
  ({ items: entries.map((e) => ({ kind: 'file', webkitGetAsEntry: () => e, getAsFile: () => new File(['x'], 'plain.md') })) }) as unknown as DataTransfer

describe('the files of a drop', () => {
  it('are those of its folders, named by their place', async () => {
    const docs = folder('docs', [file('a.md'), folder('in', [file('a.md'), file('b.md')]), folder('empty', []), folder('.git', [file('config')]), file('.hidden')])
    expect((await droppedFiles(drop(docs, file('a.md')))).map((f) => f.path)).toEqual(['docs/a.md', 'docs/in/a.md', 'docs/in/b.md', 'a.md'])
  })
  it('are files without an entry, too', async () => {
    expect((await droppedFiles(drop(null))).map((f) => [f.path, f.file.size])).toEqual([['plain.md', 1]])
  })
})
