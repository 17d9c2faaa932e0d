// What the client does against a server.
import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import { Memory, SomnographError } from 'somnograph'
import { Server } from './server.mjs'

const server = new Server()
before(() => server.start())
after(() => server.remove())

const open = (options = {}) => new Memory(server.url, { consent: 'EXPLICIT', ...options })

test('a text is remembered, found, and known as a fact', async () => {
  const memory = open({ user: 'ana' })
  const added = await memory.add('I live in Lisbon and my dog is called Piko.')
  assert.equal(added.replayed, false)
  assert.equal(added.memories.length, 1)
  assert.equal(added.memories[0].content, 'I live in Lisbon and my dog is called Piko.')
  assert.ok(added.memories[0].claims.some((c) => c.object === 'Lisbon'), 'add says what was read in the text')
  const { hits, noMatch } = await memory.search('where does Ana live')
  assert.equal(noMatch, false)
  assert.equal(hits[0].memory.id, added.memories[0].id)
  const facts = await memory.facts('user', { predicate: 'lives in' })
  assert.deepEqual(facts.map((f) => f.object), ['Lisbon'])
  assert.equal(facts[0].memory.id, added.memories[0].id)
  const { text } = await memory.context('which city does Ana live in')
  assert.match(text, /Lisbon/)
})

test('one user does not see the memories of another', async () => {
  await open({ user: 'bo' }).add('I keep the spare key under the blue pot.')
  assert.equal((await open({ user: 'carla' }).search('where is the spare key')).hits.length, 0)
  assert.equal((await open({ user: 'bo' }).search('where is the spare key')).hits.length, 1)
})

test('messages of a session are turns, and closing it keeps them', async () => {
  const session = open({ user: 'dora' }).session('monday')
  const added = await session.add([
    { role: 'system', content: 'You are a gardener.' },
    { role: 'user', content: [{ type: 'text', text: 'My roses are called Elmshorn.' }, { type: 'image', data: 'x' }] },
    { role: 'assistant', content: null },
    { role: 'assistant', content: 'Noted.' },
  ])
  assert.deepEqual(added.memories.map((m) => [m.tier, m.sourceKind, m.content]), [
    ['L0', 'USER', 'My roses are called Elmshorn.'],
    ['L0', 'ASSISTANT', 'Noted.'],
  ])
  assert.equal(added.session, 'monday')
  assert.match((await session.context('roses')).text, /Elmshorn/)
  const report = await session.close()
  assert.ok(report.flushed.some((m) => m.content === 'My roses are called Elmshorn.'))
  assert.deepEqual((await session.close()).flushed, [])
})

test('messages without a session are a conversation that is closed at once', async () => {
  const memory = open({ user: 'cleo' })
  const added = await memory.add([
    { role: 'system', content: 'You are helpful.' },
    { role: 'user', content: 'I moved from Oslo to Bergen.' },
    { role: 'assistant', content: 'Bergen has a harbour.', occurredAt: new Date('2026-01-05T10:00:00Z') },
    { role: 'assistant', content: null },
  ])
  assert.deepEqual(added.memories.map((m) => [m.session, m.tier, m.sourceKind, m.content]), [
    [added.session, 'L1', 'USER', 'I moved from Oslo to Bergen.'],
    [added.session, 'L1', 'ASSISTANT', 'Bergen has a harbour.'],
  ])
  assert.equal(added.memories[1].occurredAt, '2026-01-05T10:00:00.000Z')
  assert.ok(added.memories[0].claims.some((c) => c.predicate === 'lives in' && c.object === 'Bergen'))
  assert.deepEqual((await memory.list()).nodes.map((m) => m.id), added.memories.map((m) => m.id))
  const bike = open({ user: 'cyd' })
  await bike.add('My bike is red.')
  assert.deepEqual((await bike.add('My bike is red.')).memories.map((m) => m.status), ['CONSOLIDATED'])
  assert.deepEqual((await memory.add([{ role: 'system', content: 'You are helpful.' }])).memories, [])
})

test('a conversation larger than the buffer is kept whole', async () => {
  const messages = Array.from({ length: 60 }, (_, n) => ({ role: 'user', content: `Crate ${n} holds ${n * 13} bolts. ${'It is made of wood. '.repeat(20)}` }))
  const { memories } = await open({ user: 'deb' }).add(messages)
  assert.deepEqual(memories.map((m) => m.content), messages.map((m) => m.content))
  assert.ok(memories.every((m) => m.tier !== 'L0'))
})

test('a bad message is an error, and those before it are kept', async () => {
  const memory = open({ user: 'jo' })
  const tent = { role: 'user', content: 'My tent is green.' }
  await assert.rejects(memory.add([tent, { role: 'user', content: 'x'.repeat(40_000) }], { idempotencyKey: 'tents' }), (e) => e.field === 'text')
  const { memories } = await memory.add([tent, { role: 'user', content: 'My stove is red.' }], { idempotencyKey: 'tents' })
  assert.deepEqual((await memory.list()).nodes.map((m) => m.id), memories.map((m) => m.id))
})

test('what is added twice under one key is kept once', async () => {
  const memory = open({ user: 'eli' })
  const once = await memory.add('I collect stamps from Iceland.', { idempotencyKey: 'stamps' })
  const twice = await memory.add('I collect stamps from Iceland.', { idempotencyKey: 'stamps' })
  assert.equal(twice.replayed, true)
  assert.deepEqual(twice.memories.map((m) => m.id), once.memories.map((m) => m.id))
  let answers = 0
  const lossy = async (...args) => {
    const response = await fetch(...args)
    return ++answers === 2 ? Promise.reject(new TypeError('fetch failed')) : response
  }
  const late = await open({ user: 'gil', fetch: lossy }).add('I bake rye bread.')
  assert.deepEqual(late.memories.map((m) => [m.content, m.tier === 'L0']), [['I bake rye bread.', false]], 'the answer to closing was lost')
  const turn = { role: 'user', content: 'I sail a Folkboat.', id: 'm1' }
  const [first] = (await memory.add([turn], { session: 's' })).memories
  const again = await memory.add([turn], { session: 's' })
  assert.deepEqual([again.replayed, again.memories[0].id], [true, first.id])
  await assert.rejects(memory.add([{ ...turn, content: 'I sail a Drascombe.' }], { session: 's' }), (e) => e instanceof SomnographError && e.code !== 'INTERNAL')
})

test('a correction is a new version, and the old one can be read', async () => {
  const memory = open({ namespace: 'ferries' })
  const { memory: old } = await memory.remember('The ferry leaves at 07:00.', { subject: 'ferry' })
  const { memory: now, previous } = await memory.supersede(old.id, 'The ferry leaves at 07:10.', { reason: 'winter timetable' })
  assert.deepEqual([now.version, previous.status], [2, 'SUPERSEDED'])
  assert.deepEqual((await memory.lineage(now.id)).map((v) => v.memory.content), ['The ferry leaves at 07:00.', 'The ferry leaves at 07:10.'])
  assert.equal((await memory.get(old.id)).status, 'SUPERSEDED')
  assert.equal((await memory.get(old.id, { asOf: { recorded: new Date(old.recordedAt) } })).status, 'ACTIVE')
  assert.equal(await memory.get('01a20a6e-d6b8-7000-aea6-85ff38fc04af'), undefined)
  const { nodes } = await memory.list({ filter: { statuses: ['ACTIVE', 'SUPERSEDED'] } })
  assert.deepEqual(nodes.map((m) => m.id), [old.id, now.id])
})

test('an external id finds its memory', async () => {
  const memory = open({ namespace: 'crm' })
  const { memory: first } = await memory.remember('The berth costs 300 euros.', { externalId: 'berths/7' })
  assert.equal(first.externalId, 'berths/7')
  assert.equal((await memory.remember('The berth costs 300 euros.', { externalId: 'berths/7' })).memory.id, first.id)
  await assert.rejects(memory.remember('The berth costs 320 euros.', { externalId: 'berths/7' }), (e) => e.code === 'VERSION_CONFLICT' && e.field === 'externalId')
  const { memory: next } = await memory.supersede(first.id, 'The berth costs 320 euros.')
  const found = await memory.getByExternalId('berths/7')
  assert.deepEqual([found.id, found.externalId, found.content], [next.id, 'berths/7', 'The berth costs 320 euros.'])
  assert.equal((await memory.getByExternalId('berths/7', { asOf: { recorded: new Date(first.recordedAt) } })).id, first.id)
  assert.equal(await memory.getByExternalId('berths/7', { namespace: 'default' }), undefined)
  const [many] = await memory.rememberMany([{ content: 'Berth 8 is free.', externalId: 'berths/8' }])
  assert.equal(many.memory.externalId, 'berths/8')
})

test('a document is ingested, found, changed, and found again without its old text', async () => {
  const memory = open({ user: 'kim', namespace: 'papers' })
  const first = await memory.ingest('guide/launch.md', '# Launch\n\nThe kite is launched at dawn.\n')
  assert.deepEqual([first.error, first.unchanged, first.written, first.document.user], [null, false, 1, 'kim'])
  assert.match((await memory.search('when is the kite launched')).hits[0].memory.content, /dawn/)
  assert.equal((await memory.ingest('guide/launch.md', '# Launch\n\nThe kite is launched at dawn.\n')).unchanged, true)
  const next = await memory.ingest('guide/launch.md', '# Launch\n\nThe kite is launched at noon.\n')
  assert.deepEqual([next.document.version, next.superseded], [2, 1])
  const { hits } = await memory.search('when is the kite launched')
  assert.ok(hits.every((hit) => !hit.memory.content.includes('dawn')))
  assert.deepEqual((await memory.documents()).nodes.map((d) => [d.path, d.version, d.chunks]), [['guide/launch.md', 2, 1]])
  assert.equal((await open({ namespace: 'none' }).documents()).nodes.length, 0)
})

test('feedback counts as use', async () => {
  const memory = open({ user: 'lou' })
  const { memory: kept } = await memory.remember('The spare rope is in the loft.')
  assert.equal((await memory.feedback('where is the spare rope', kept.id, 'USED')).id, kept.id)
})

test('evidence decides about a belief', async () => {
  const memory = open({ namespace: 'winches' })
  const say = (fact, evidence) => memory.adjudicate({ fact, subject: 'winch', evidence })
  const weak = [{ source: 'tomas', weight: 0.2, confidence: 0.5 }]
  assert.equal((await say('The winch is kept in the boat house.', weak)).decision, 'STORED')
  const refused = await say('The winch is not kept in the boat house.', weak)
  assert.deepEqual([refused.decision, refused.reason], ['REJECTED', 'QUORUM_UNMET'])
})

test('many memories are written at once, and a bad one fails alone', async () => {
  const memory = open({ namespace: 'many' })
  const [good, bad] = await memory.rememberMany([{ content: 'Heron has four lines.' }, { content: '' }])
  assert.equal(good.memory.content, 'Heron has four lines.')
  assert.deepEqual([bad.memory, bad.error.field], [null, 'content'])
})

test('a sleep answers with its report', async () => {
  const report = await open().sleep({ dryRun: true })
  assert.equal(report.dryRun, true)
  assert.ok(report.completedAt)
})

test('what is forgotten is gone, and there is a receipt', async () => {
  const memory = open({ user: 'finn' })
  const { memories } = await memory.add('My locker has the code 4711.')
  const receipt = await memory.forget({ user: 'finn' })
  assert.equal(receipt.count, 1)
  assert.deepEqual(receipt.ids, memories.map((m) => m.id))
  assert.equal((await memory.get(memories[0].id)).status, 'FORGOTTEN')
  assert.equal((await memory.search('locker code')).hits.length, 0)
})

test('any operation of the schema can be run', async () => {
  const data = await open().graphql('query ($first: Int) { memories(first: $first) { nodes { id } } whoami { tenant } }', { first: 1 })
  assert.deepEqual([data.whoami.tenant, data.memories.nodes.length], ['default', 1])
})

test('dates may be given as Date', async () => {
  const memory = open({ namespace: 'dates' })
  const { memory: old } = await memory.remember('The mast broke.', { occurredAt: new Date('2026-01-05T10:00:00Z') })
  assert.equal(old.occurredAt, '2026-01-05T10:00:00.000Z')
})

test('clusters and patterns are listed, and an unknown cluster is undefined', async () => {
  const memory = open({ user: 'nobody-yet' })
  const page = await memory.clusters({ first: 5 })
  assert.deepEqual(page.nodes, [])
  assert.equal(page.pageInfo.hasNextPage, false)
  assert.equal(await memory.cluster('0198f0a0-0000-7000-8000-000000000001'), undefined)
  assert.deepEqual((await memory.patterns({ kinds: ['WORKFLOW'] })).nodes, [])
  await assert.rejects(memory.extractPattern('0198f0a0-0000-7000-8000-000000000001'), (e) => e instanceof SomnographError && e.code === 'MEMORY_NOT_FOUND')
})
