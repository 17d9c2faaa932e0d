// A word diff of two texts.

export interface Piece {
  kind: 'same' | 'gone' | 'new'
  text: string
}

// Whitespace, words with their inner signs (3.4, don't, half-past), and single other signs.
const TOKEN = /\s+|[\p{L}\p{N}]+(?:[.,:'’-][\p{L}\p{N}]+)*|[^\s]/gu

/** Keeps the longest common subsequence of words. Very long texts are compared as a whole. */
export function diffWords(before: string, after: string): Piece[] {
  const a = before.match(TOKEN) ?? []
  const b = after.match(TOKEN) ?? []
  if (a.length * b.length > 4_000_000) return [piece('gone', before), piece('new', after)]
  const width = b.length + 1
  const length = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * width + j] =
        a[i] === b[j] ? length[(i + 1) * width + j + 1]! + 1 : Math.max(length[(i + 1) * width + j]!, length[i * width + j + 1]!)
    }
  }
  const out: Piece[] = []
  const push = (kind: Piece['kind'], text: string) => {
    const last = out.at(-1)
    if (last?.kind === kind) last.text += text
    else out.push(piece(kind, text))
  }
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push('same', a[i]!)
      i++
      j++
    } else if (i < a.length && (j === b.length || length[(i + 1) * width + j]! >= length[i * width + j + 1]!)) push('gone', a[i++]!)
    else push('new', b[j++]!)
  }
  return absorbWhitespace(out)
}

// Alternating changes are hard to read: whitespace between two changes becomes part of them.
function absorbWhitespace(pieces: Piece[]): Piece[] {
  const out: Piece[] = []
  for (let i = 0; i < pieces.length; i++) {
    const p = pieces[i]!
    if (p.kind === 'same' && /^\s+$/.test(p.text) && i > 0 && i < pieces.length - 1) {
      addChange(out, 'gone', p.text)
      addChange(out, 'new', p.text)
    } else if (p.kind === 'same') out.push(p)
    else addChange(out, p.kind, p.text)
  }
  return keepCommonWhitespace(out)
}

// Whitespace at the end of both a removed and an added piece is unchanged.
function keepCommonWhitespace(pieces: Piece[]): Piece[] {
  const out: Piece[] = []
  for (let i = 0; i < pieces.length; i++) {
    const [a, b] = [pieces[i]!, pieces[i + 1]]
    const blank = /\s+$/.exec(a.text)?.[0]
    if (a.kind === 'same' || !b || b.kind === 'same' || !blank || !b.text.endsWith(blank)) {
      out.push(a)
      continue
    }
    for (const p of [a, b]) if (p.text.length > blank.length) out.push(piece(p.kind, p.text.slice(0, -blank.length)))
    const next = pieces[i + 2]
    if (next?.kind === 'same') next.text = blank + next.text
    else out.push(piece('same', blank))
    i++
  }
  return out
}

// Adds to the current change: at most one removed and one added piece between two unchanged
// ones.
function addChange(out: Piece[], kind: 'gone' | 'new', text: string): void {
  for (let k = out.length - 1; k >= 0 && out[k]!.kind !== 'same'; k--) {
    if (out[k]!.kind === kind) {
      out[k]!.text += text
      return
    }
  }
  out.push(piece(kind, text))
}

function piece(kind: Piece['kind'], text: string): Piece {
  return { kind, text }
}
