// GraphiQL for the server that served this page, with a menu of examples.
import 'graphiql/setup-workers/vite'
import '@graphiql/react/style.css'
import '@graphiql/plugin-doc-explorer/style.css'
import '@graphiql/plugin-history/style.css'
import 'graphiql/graphiql.css'
import './style.css'
import { HISTORY_PLUGIN } from '@graphiql/plugin-history'
import { useGraphiQL, useGraphiQLActions, useOperationsEditorState, useVariablesEditorState, type GraphiQLPlugin } from '@graphiql/react'
import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit'
import { GraphiQL } from 'graphiql'
import { Kind, parse, type DocumentNode } from 'graphql'
import { createRoot } from 'react-dom/client'
import { examples, variablesOf, type Ask, type Example } from './examples'

const graphql = new URL('/graphql', location.href)
const socket = new URL(graphql)
socket.protocol = socket.protocol.replace('http', 'ws')

// Headers of the headers editor go with requests, and into the payload of connection_init.
// A sign-in that has ended is shown again, unless the headers editor has a credential of its own.
const send = createGraphiQLFetcher({
  url: graphql.href,
  subscriptionUrl: socket.href,
  fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
    const response = await fetch(input, init)
    if (response.status === 401 && !new Headers(init?.headers).has('authorization')) location.assign('/signin?to=%2Fgraphiql')
    return response
  },
})

// GraphiQL reads a changed operation only after a pause. Kind and name of an operation that runs
// before are read here.
const fetcher: Fetcher = (params, options) => {
  let document: DocumentNode
  try {
    document = parse(params.query)
  } catch {
    return send(params, options) // the server reports the mistake
  }
  const names = document.definitions.flatMap((d) => (d.kind === Kind.OPERATION_DEFINITION && d.name ? [d.name.value] : []))
  const operationName = params.operationName && names.includes(params.operationName) ? params.operationName : names[0]
  return send({ query: params.query, variables: params.variables as unknown, ...(operationName ? { operationName } : {}) }, { ...options, documentAST: document })
}

const ask: Ask = async (query) => {
  const response = await fetch(graphql, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
  return ((await response.json()) as { data?: unknown }).data
}

function Examples() {
  const { addTab } = useGraphiQLActions()
  const tabs = useGraphiQL((state) => state.tabs)
  const [query, setQuery] = useOperationsEditorState()
  const [, setVariables] = useVariablesEditorState()
  const show = async (example: Example) => {
    const variables = await variablesOf(example, ask)
    if (tabs.length > 1 || query.trim()) addTab()
    setQuery(example.query)
    setVariables(variables)
  }
  const sections = [...new Set(examples.map((e) => e.section))]
  return (
    <section className="examples" aria-label="Examples">
      <h2>Examples</h2>
      {sections.map((section) => (
        <div key={section}>
          <h3>{section}</h3>
          <ul>
            {examples
              .filter((e) => e.section === section)
              .map((e) => (
                <li key={e.name}>
                  <button type="button" className="graphiql-un-styled" onClick={() => void show(e)}>
                    {e.name}
                  </button>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

const EXAMPLES: GraphiQLPlugin = {
  title: 'Examples',
  icon: () => (
    <svg viewBox="0 0 24 24" width="1em" height="1em" fill="none" stroke="currentColor" strokeWidth="1.8" aria-hidden="true">
      <path d="M4 5h16M4 12h16M4 19h10" />
    </svg>
  ),
  content: Examples,
}

// The first visit begins with an example, later ones with the tabs of the last.
const start = examples.find((e) => e.name === 'Search')!
const first = localStorage.getItem('graphiql:tabState') ? {} : { initialQuery: start.query, initialVariables: JSON.stringify(start.variables, null, 2) }

createRoot(document.getElementById('app')!).render(
  <GraphiQL
    fetcher={fetcher}
    plugins={[HISTORY_PLUGIN, EXAMPLES]}
    visiblePlugin={EXAMPLES}
    defaultEditorToolsVisibility="variables"
    {...first}
  >
    <GraphiQL.Logo>
      <a href="/">Somnograph</a>
    </GraphiQL.Logo>
  </GraphiQL>,
)
