// Finds the words of a query in a text.

export interface TextRun {
  text: string
  hit: boolean
}

const MIN_LETTERS = 3

/** Splits the text into runs; a run whose word starts like a word of the query is a hit. Query words of fewer than three letters are ignored. */
export function highlightWords(text: string, question: string): TextRun[] {
  const stems = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].filter((w) => w.length >= MIN_LETTERS).map(stem)
  const out: TextRun[] = []
  for (const piece of text.split(/([\p{L}\p{N}]+)/u)) {
    if (piece === '') continue
    const word = piece.toLowerCase()
    const hit = stems.some((s) => word.startsWith(s) && word.length <= s.length + 4)
    const last = out.at(-1)
    if (last?.hit === hit) last.text += piece
    else out.push({ text: piece, hit })
  }
  return out
}

/** The word without its most frequent endings. */
function stem(word: string): string {
  const bare = word.replace(/(ing|ed|es|s)$/, '')
  return bare.length >= MIN_LETTERS ? bare : word
}
