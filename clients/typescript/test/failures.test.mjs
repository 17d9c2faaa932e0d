// What the client does when something fails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { Memory, SomnographError } from 'somnograph'
import { relay, run, serve } from './server.mjs'

const code = (expected, field) => (e) => {
  assert.ok(e instanceof SomnographError, inspect(e))
  assert.equal(e.code, expected, inspect(e))
  if (field) assert.equal(e.field, field)
  return true
}

test('a write whose answer is lost is repeated, and kept once', async (t) => {
  const server = await serve(t)
  let lost = 0
  const lossy = async (...args) => {
    const response = await fetch(...args)
    if (lost++ > 0) return response
    await response.text()
    await server.stop('SIGKILL')
    await server.start()
    throw new TypeError('fetch failed')
  }
  const memory = new Memory(server.url, { consent: 'EXPLICIT', fetch: lossy })
  const { memory: written, replayed } = await memory.remember('The anchor weighs 12 kilos.', { onDuplicate: 'INSERT' })
  assert.equal(replayed, true)
  const { nodes } = await memory.list()
  assert.deepEqual(nodes.map((m) => m.id), [written.id])
})

test('calls wait while the server restarts', async (t) => {
  const server = await serve(t)
  const memory = new Memory(server.url, { consent: 'EXPLICIT' })
  await memory.remember('The keel is of lead.')
  await server.stop()
  const written = memory.add([{ role: 'user', content: 'The deck is of teak.' }, { role: 'user', content: 'The mast is of spruce.' }], { session: 's' })
  await server.start()
  assert.equal((await written).memories.length, 2)
  assert.equal((await memory.list()).nodes.length, 3)
})

test('a mutation without a key is not repeated when its answer is lost', async (t) => {
  const server = await serve(t)
  let calls = 0
  const lossy = async (...args) => {
    calls++
    await (await fetch(...args)).text()
    throw new TypeError('fetch failed')
  }
  const memory = new Memory(server.url, { fetch: lossy })
  const write = 'mutation { remember(input: {content: "Once.", consent: EXPLICIT, onDuplicate: INSERT}) { memory { id } } }'
  await assert.rejects(memory.graphql(write), code('UNREACHABLE'))
  assert.equal(calls, 1)
  await assert.rejects(memory.sleep({ dryRun: true }), code('UNREACHABLE'))
  assert.equal(calls, 2)
  await assert.rejects(new Memory(server.url, { fetch: lossy, retry: { retries: 2, baseMs: 1 } }).graphql('{ whoami { tenant } }'), code('UNREACHABLE'))
  assert.equal(calls, 5, 'a query is repeated')
})

test('the rate limit is waited for', async (t) => {
  const server = await serve(t, ['--rate-limit', '6000', '--rate-burst', '100'])
  const refused = []
  const watched = async (...args) => {
    const response = await fetch(...args)
    if (response.status === 429) refused.push(Number(response.headers.get('retry-after')))
    return response
  }
  const memory = new Memory(server.url, { consent: 'EXPLICIT', fetch: watched })
  for (let i = 0; refused.length === 0; i++) await memory.graphql('{ memories(first: 15) { nodes { id } } }')
  assert.ok(refused[0] >= 1, 'the server said how long')
  const impatient = new Memory(server.url, { timeoutMs: 500, fetch: watched })
  await assert.rejects(
    (async () => {
      for (;;) await impatient.graphql('{ memories(first: 15) { nodes { id } } }')
    })(),
    (e) => code('RATE_LIMITED')(e) && e.retryAfter >= 1 && e.status === 429,
  )
})

test('a wrong key is an error without the key', async (t) => {
  const server = await serve(t, ['--auth', 'keys'])
  const secret = 'sgk_0123456789012345678901234567890123456789'
  for (const act of [(m) => m.search('x'), (m) => m.remember('x'), (m) => m.events().next()]) {
    await assert.rejects(act(new Memory(server.url, { key: secret })), (e) => {
      assert.ok(!inspect(e, { depth: 9 }).includes(secret) && !JSON.stringify(e).includes(secret))
      return code('UNAUTHENTICATED')(e)
    })
  }
  await assert.rejects(new Memory(server.url).search('x'), code('UNAUTHENTICATED'))
  const echo = new Memory(server.url, { key: secret, retry: { retries: 0 }, fetch: async (_, init) => Promise.reject(new TypeError(`bad header ${init.headers.authorization}`)) })
  await assert.rejects(echo.search('x'), (e) => code('UNREACHABLE')(e) && !e.message.includes(secret))
  assert.ok(!inspect(echo, { depth: 9, showHidden: true }).includes(secret))
  assert.throws(() => new Memory(server.url, { key: 'a b' }), code('INVALID_REQUEST', 'key'))
})

test('a key works, and ends a stream when it is revoked', async (t) => {
  const server = await serve(t, ['--auth', 'keys'])
  await server.stop()
  const scopes = 'memory:read,memory:write,memory:share,memory:admin,server:admin'
  const made = JSON.parse(await run(['keys', 'create', '--scopes', scopes, '--data', server.data, '--keys', server.keys, '--json']))
  await server.start()
  const admin = new Memory(server.url, { key: made.key, consent: 'EXPLICIT' })
  const { createApiKey } = await admin.graphql('mutation { createApiKey(input: {scopes: [MEMORY_READ]}) { key apiKey { id } } }')
  const reader = new Memory(server.url, { key: createApiKey.key })
  await assert.rejects(reader.remember('x', { consent: 'EXPLICIT' }), code('FORBIDDEN'))
  const events = reader.events()
  await events.ready
  const next = events.next()
  await admin.remember('The hull is green.')
  assert.equal((await next).value.memory.content, 'The hull is green.')
  const ended = assert.rejects(events.next(), code('UNAUTHENTICATED')) // the stream may end before the answer to the revocation comes
  await admin.graphql('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id: createApiKey.apiKey.id })
  await ended
})

test('bad input is named', async (t) => {
  const server = await serve(t)
  const memory = new Memory(server.url)
  await assert.rejects(memory.remember('x'), code('CONSENT_REQUIRED', 'consent'))
  await assert.rejects(memory.remember('', { consent: 'EXPLICIT' }), code('INVALID_REQUEST', 'content'))
  await assert.rejects(memory.remember('x', { consent: 'EXPLICIT', authority: 7 }), code('INVALID_REQUEST', 'authority'))
  await assert.rejects(memory.search('x', { topK: 1000 }), code('INVALID_REQUEST', 'topK'))
  await assert.rejects(memory.forget({}), code('INVALID_REQUEST'))
  await assert.rejects(memory.add([{ role: 'wizard', content: 'x' }], { consent: 'EXPLICIT' }), code('INVALID_REQUEST', 'messages[0].role'))
  await assert.rejects(memory.graphql('{ nope }'), code('INVALID_REQUEST'))
  assert.throws(() => new Memory('ftp://127.0.0.1'), code('INVALID_REQUEST', 'url'))
  assert.throws(() => new Memory('http://a:b@127.0.0.1'), (e) => code('INVALID_REQUEST', 'url')(e) && !e.message.includes('b@'))
})

test('a call can be aborted, and has a deadline', async () => {
  let begun
  const silent = (_, { signal }) => new Promise((_, reject) => {
    begun?.()
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  const memory = new Memory('http://127.0.0.1:1', { fetch: silent })
  const stop = new AbortController()
  const started = new Promise((resolve) => (begun = resolve))
  const call = memory.search('x', { signal: stop.signal })
  await started
  stop.abort()
  await assert.rejects(call, code('ABORTED'))
  await assert.rejects(memory.search('x', { signal: AbortSignal.abort() }), code('ABORTED'))
  await assert.rejects(memory.search('x', { timeoutMs: 1 }), code('TIMEOUT'))
})

test('an answer of something else is an error', async () => {
  const answering = (status, body) => new Memory('http://127.0.0.1:1', { retry: { retries: 0 }, fetch: async () => new Response(body, { status }) })
  await assert.rejects(answering(200, '<html>').search('x'), code('PROTOCOL'))
  await assert.rejects(answering(200, '{}').search('x'), code('PROTOCOL'))
  await assert.rejects(answering(502, 'bad gateway').search('x'), code('UNAVAILABLE'))
  await assert.rejects(new Memory('http://127.0.0.1:1', { retry: { retries: 0 } }).search('x'), code('UNREACHABLE'))
})

test('events resume after a cut without loss or repetition', async (t) => {
  const server = await serve(t)
  const path = await relay(t, server)
  const writer = new Memory(server.url, { consent: 'EXPLICIT' })
  const events = new Memory(path.url, { retry: { baseMs: 10 } }).events()
  await events.ready
  path.cut() // before the first event
  const wanted = []
  const seen = []
  const write = async () => wanted.push((await writer.remember(`Note number ${wanted.length}.`, { onDuplicate: 'INSERT' })).memory.id)
  for (let i = 0; i < 3; i++) await write()
  for await (const event of events) {
    if (event.kind === 'CREATED') seen.push(event.id)
    if (seen.length === 3 && wanted.length === 3) {
      path.cut()
      for (let i = 0; i < 3; i++) await write()
    }
    if (seen.length === 6 && wanted.length === 6) {
      await server.stop()
      await server.start()
      await write()
    }
    if (seen.length === 7) break
  }
  assert.deepEqual(seen, wanted)
  assert.equal((await events.next()).done, true)
})

test('a stream ends when it is left or aborted, also while it waits', async (t) => {
  const server = await serve(t)
  const path = await relay(t, server)
  const memory = new Memory(path.url)
  const left = memory.events()
  await left.ready
  const waiting = left.next()
  await left.return()
  assert.equal((await waiting).done, true)
  const stop = new AbortController()
  const aborted = memory.events({ signal: stop.signal })
  await aborted.ready
  const next = aborted.next()
  stop.abort()
  assert.equal((await next).done, true)
  await assert.rejects(memory.events({ after: 'nonsense' }).next(), code('INVALID_REQUEST', 'after'))
})

test('a reader that the server left behind resumes where it was', async () => {
  const line = (event) => `event: next\ndata: ${JSON.stringify({ data: { memoryEvents: event } })}\n\n`
  const answers = [line({ kind: 'CREATED', cursor: 'a', id: '1' }) + line({ kind: 'LAGGED', cursor: 'b' }) + line({ kind: 'CREATED', cursor: 'z', id: '9' }), line({ kind: 'CREATED', cursor: 'c', id: '2' })]
  const asked = []
  const fetch = async (_, { body }) => {
    const { variables } = JSON.parse(body)
    asked.push(variables.after)
    return new Response(answers.shift(), { headers: { 'content-type': 'text/event-stream' } })
  }
  const seen = []
  for await (const event of new Memory('http://127.0.0.1:1', { fetch }).events({ after: 'start' })) {
    seen.push(event.id)
    if (seen.length === 2) break
  }
  assert.deepEqual([seen, asked], [['1', '2'], ['start', 'b']])
})
