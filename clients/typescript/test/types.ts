// What the types allow and refuse. Only the compiler reads this file.
import { type Hit, Memory, SomnographError, type TypedDocument } from 'somnograph'

const memory = new Memory('http://127.0.0.1:8420', { key: 'k', user: 'ana', consent: 'IMPLICIT' })

const hits: Hit[] = (await memory.search('x', { mode: 'MANAGER', asOf: { recorded: new Date() } })).hits
const content: string | null = hits[0]!.memory.content ?? null
await memory.remember('x', { type: 'SEMANTIC', meta: { a: [1] } })
await memory.add([{ role: 'user', content: [{ type: 'text', text: 'x' }] }], { session: 's', signal: new AbortController().signal })
const current: boolean = (await memory.facts('user'))[0]!.current

// @ts-expect-error a misspelt mode
await memory.search('x', { mode: 'MANGER' })
// @ts-expect-error adjudicate needs evidence
await memory.adjudicate({ fact: 'x', subject: 'y' })
// @ts-expect-error the content is an argument of its own
await memory.remember('x', { content: 'y' })

declare const document: TypedDocument<{ whoami: { tenant: string } }, { a: number }>
const tenant: string = (await memory.graphql(document, { a: 1 })).whoami.tenant
// @ts-expect-error a variable of another type
await memory.graphql(document, { a: 'x' })

const code: string = new SomnographError('UNREACHABLE', 'x').code
export { code, content, current, tenant }
