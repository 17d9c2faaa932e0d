// The client in an edge runtime: what a worker does with it. It answers with what it saw.
import { Memory, SomnographError } from 'somnograph'

export async function scenario(url) {
  const memory = new Memory(url, { user: 'ana', consent: 'EXPLICIT' })
  const events = memory.events()
  await events.ready
  const { memories, replayed } = await memory.add([
    { role: 'user', content: 'I moved from Oslo to Bergen.' },
    { role: 'assistant', content: 'Bergen has a harbour.' },
  ])
  const first = (await events.next()).value
  await events.return()
  const chat = memory.session('monday')
  await chat.add('My boat is called Heron.')
  const { text } = await chat.context('What is my boat called?')
  const closed = await chat.close()
  const { memory: berth } = await memory.remember('The berth costs 300 euros.', { externalId: 'berths/7' })
  await memory.supersede(berth.id, 'The berth costs 320 euros.')
  const versions = await memory.lineage(berth.id)
  const { decision } = await memory.adjudicate({ fact: 'The winch is in the shed.', subject: 'winch', evidence: [{ source: 'tomas', weight: 0.5, confidence: 0.5 }] })
  const refused = await memory.search('x', { topK: 100_000 }).catch((e) => e)
  const late = await memory.search('boat', { timeoutMs: 1, signal: AbortSignal.abort() }).catch((e) => e)
  const nobody = await new Memory('http://127.0.0.1:1', { retry: { retries: 0 } }).search('x').catch((e) => e)
  const { hits } = await memory.search('Where does Ana live?')
  const facts = await memory.facts('user', { predicate: 'lives in' })
  const sleep = await memory.sleep({ dryRun: true })
  const receipt = await memory.forget({ user: 'ana' })
  return {
    added: [replayed, memories.map((m) => m.content)],
    event: first.kind,
    context: text.includes('Heron'),
    closed: closed.flushed.map((m) => m.content),
    berth: versions.map((v) => v.version),
    decision,
    errors: [refused, late, nobody].map((e) => [e instanceof SomnographError, e.code]),
    found: hits[0]?.memory.content,
    facts: facts.map((f) => f.object),
    slept: sleep.dryRun,
    forgotten: [receipt.status, await memory.getByExternalId('berths/7')],
  }
}
