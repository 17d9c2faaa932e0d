// The colours of states in the style sheets: each has one meaning.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = new URL('../src/style/', import.meta.url)
const sheets = readdirSync(folder).filter((f) => f.endsWith('.css')).map((f) => readFileSync(new URL(f, folder), 'utf8').replace(/\/\*[^]*?\*\//g, ''))
const rules = sheets.flatMap((css) => [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector, body]) => ({ selector: selector!.trim(), body: body! })))

/** The tokens that rules with such a selector use. */
const tokens = (selector: RegExp) => [...new Set(rules.filter((r) => selector.test(r.selector)).flatMap((r) => [...r.body.matchAll(/var\((--\w+)/g)].map(([, name]) => name!)))]

/** The values of a token, dark and light. */
const values = (name: string) => sheets.join('').match(new RegExp(`--${name}: (#[0-9a-f]{6})`, 'g'))!.map((v) => v.slice(-7))

const apart = (a: string, b: string) => Math.hypot(...[1, 3, 5].map((i) => parseInt(a.slice(i, i + 2), 16) - parseInt(b.slice(i, i + 2), 16)))

describe('the colours of states', () => {
  it('differ from each other and from those of types, dark and light', () => {
    const names = ['good', 'bad', 'gone', 'warn', 'semantic', 'episodic', 'working', 'procedural']
    for (const theme of [0, 1]) {
      for (const [i, a] of names.entries()) for (const b of names.slice(i + 1)) expect(apart(values(a)[theme]!, values(b)[theme]!), `${a}, ${b}`).toBeGreaterThan(30)
    }
  })

  it('have one meaning each', () => {
    expect(tokens(/\.bad\b|danger|invalid|rejected/)).toContain('--bad')
    expect(tokens(/\.bad\b|danger|invalid|rejected/), 'errors are not superseded').not.toContain('--gone')
    expect(tokens(/\.live\.on|\bins\b|tag\.current|\.good\b|mark\.new/)).toContain('--good')
    expect(tokens(/\.live\.on|\bins\b|tag\.current|\.good\b|mark\.new|status-active|part-keyword/), 'only a type is SEMANTIC').not.toContain('--semantic')
    expect(tokens(/tag\.historical/), 'the past is no error').not.toContain('--gone')
  })
})
