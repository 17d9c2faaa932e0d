const $ = (id) => document.getElementById(id)
const [query, variables, answer, status, schema] = ['query', 'variables', 'answer', 'status', 'schema'].map($)

const examples = {
  'Search': ['query Search($input: SearchInput!) {\n  search(input: $input) {\n    latencyMs\n    hits { score label parts { semantic keyword recency } memory { id content type version occurredAt } }\n  }\n}', '{ "input": { "query": "what wind may Heron fly in", "topK": 5, "track": false } }'],
  'Remember': ['mutation Remember($input: RememberInput!) {\n  remember(input: $input) { memory { id type salience confidence } promoted duplicateOf conflictsWith }\n}', '{ "input": { "content": "The harbour closes at nine in winter.", "consent": "EXPLICIT" } }'],
  'As it was known then': ['query Then($input: SearchInput!) {\n  search(input: $input) { hits { label memory { content recordedAt supersededAt } } }\n}', `{ "input": { "query": "what wind may Heron fly in", "track": false, "asOf": { "recorded": "${new Date(Date.now() - 90 * 864e5).toISOString().slice(0, 19)}Z" } } }`],
  'Sleep': ['mutation Sleep($input: SleepInput) {\n  sleep(input: $input) { report { id reinforced pruned deduplicated promoted dreamed balance { in kept merged archived left derived } } }\n}', '{ "input": { "dryRun": true } }'],
  'Watch it sleep': ['subscription Progress {\n  sleepProgress { phase done total steps { verb from to } }\n}', ''],
  'Watch': ['subscription Watch {\n  memoryEvents { cursor kind at memory { id content } }\n}', ''],
  'Health': ['{\n  health { score status memories engrams entities details }\n}', ''],
}
for (const name of Object.keys(examples)) $('examples').append(new Option(name))
const show = (name) => { [query.value, variables.value] = examples[name] }
$('examples').onchange = (e) => show(e.target.value)
show('Search')
const kept = new URLSearchParams(location.hash.slice(1))
if (kept.has('query')) { query.value = kept.get('query'); variables.value = kept.get('variables') ?? '' }

let running
const print = (x) => { answer.textContent = JSON.stringify(x, null, 2) }

async function run() {
  running?.abort()
  running = new AbortController()
  let vars
  try { vars = variables.value.trim() ? JSON.parse(variables.value) : undefined } catch (e) { status.value = `Variables: ${e.message}`; return }
  history.replaceState(null, '', '#' + new URLSearchParams({ query: query.value, variables: variables.value }))
  const stream = /^\s*subscription\b/m.test(query.value)
  const began = performance.now()
  $('stop').hidden = !stream
  status.value = stream ? 'Watching…' : 'Running…'
  answer.textContent = ''
  try {
    const response = await fetch('/graphql', {
      method: 'POST', signal: running.signal, body: JSON.stringify({ query: query.value, variables: vars }),
      headers: { 'content-type': 'application/json', accept: stream ? 'text/event-stream' : 'application/graphql-response+json, application/json' },
    })
    if (stream && response.ok) return await follow(response)
    print(await response.json())
    status.value = `${response.status} in ${(performance.now() - began).toFixed(1)} ms`
  } catch (e) {
    status.value = e.name === 'AbortError' ? 'Stopped.' : `No answer: ${e.message}`
  } finally {
    $('stop').hidden = true
  }
}

// Server-sent events: blocks divided by a blank line, newest shown on top.
async function follow(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = '', count = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const blocks = (buffer + value).split('\n\n')
    buffer = blocks.pop()
    for (const block of blocks) {
      const data = block.split('\n').filter((l) => l.startsWith('data:')).map((l) => l.slice(5)).join('\n').trim()
      if (!data) continue
      answer.prepend(JSON.stringify(JSON.parse(data), null, 2) + '\n\n')
      status.value = `Watching… ${++count} events`
    }
  }
  status.value = `The stream ended after ${count} events.`
}

$('run').onclick = run
$('stop').onclick = () => running.abort()
addEventListener('keydown', (e) => { if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) { e.preventDefault(); run() } })
for (const area of [query, variables]) area.addEventListener('keydown', (e) => {
  if (e.key !== 'Tab' || e.shiftKey) return
  e.preventDefault()
  area.setRangeText('  ', area.selectionStart, area.selectionEnd, 'end')
})

const typeText = (t) => t.kind === 'NON_NULL' ? typeText(t.ofType) + '!' : t.kind === 'LIST' ? `[${typeText(t.ofType)}]` : t.name
const ref = 'kind name ofType{kind name ofType{kind name ofType{kind name ofType{kind name}}}}'
async function load() {
  const q = `{__schema{types{kind name description fields{name description type{${ref}} args{name type{${ref}} defaultValue}} inputFields{name description type{${ref}} defaultValue} enumValues{name description}}}}`
  const response = await fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: q }) })
  const { data, errors } = await response.json()
  if (!data) { schema.textContent = errors?.[0]?.message ?? 'no schema'; return }
  const roots = ['Query', 'Mutation', 'Subscription']
  const rank = (t) => roots.includes(t.name) ? roots.indexOf(t.name) : roots.length
  const types = data.__schema.types.filter((t) => !t.name.startsWith('__') && t.kind !== 'SCALAR')
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
  for (const t of types) {
    const box = document.createElement('details')
    const head = document.createElement('summary')
    head.textContent = t.name
    box.append(head)
    const line = (code, text) => {
      const p = document.createElement('p'), c = document.createElement('code')
      c.textContent = code
      p.append(c, text ? ` ${text}` : '')
      box.append(p)
    }
    if (t.description) line('', t.description)
    for (const f of t.fields ?? t.inputFields ?? []) {
      const args = f.args?.length ? `(${f.args.map((a) => `${a.name}: ${typeText(a.type)}${a.defaultValue ? ` = ${a.defaultValue}` : ''}`).join(', ')})` : ''
      line(`${f.name}${args}: ${typeText(f.type)}${f.defaultValue ? ` = ${f.defaultValue}` : ''}`, f.description)
    }
    for (const v of t.enumValues ?? []) line(v.name, v.description)
    schema.append(box)
  }
}
$('find').oninput = (e) => {
  const word = e.target.value.toLowerCase()
  for (const box of schema.children) {
    box.hidden = word !== '' && !box.textContent.toLowerCase().includes(word)
    box.open = word.length > 2 && !box.hidden
  }
}
load().catch((e) => { schema.textContent = `The schema can't be read: ${e.message}` })
