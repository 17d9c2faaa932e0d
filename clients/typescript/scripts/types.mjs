// Writes src/generated.ts: the types of the package's operations, and their texts. It fails if an
// operation does not match the schema.
import { readFileSync, writeFileSync } from 'node:fs'
import { codegen } from '@graphql-codegen/core'
import * as operationTypes from '@graphql-codegen/typescript-operations'
import { buildSchema, Kind, parse, print, printSchema, stripIgnoredCharacters, validate, visit } from 'graphql'

const here = new URL('..', import.meta.url)
const text = (path) => readFileSync(new URL(path, here), 'utf8')
const schema = buildSchema(text('../../schema.graphqls'))
const document = parse(text('src/operations.graphql'))
const faults = validate(schema, document)
if (faults.length > 0) {
  console.error(faults.map(String).join('\n\n'))
  process.exit(1)
}
const types = await codegen({
  filename: 'generated.ts',
  schema: parse(printSchema(schema)),
  schemaAst: schema,
  documents: [{ location: 'operations.graphql', document }],
  config: {
    scalars: { Time: { input: 'string | Date', output: 'string' }, JSON: 'unknown', ID: 'string' },
    enumsAsTypes: true,
    useTypeImports: true,
    skipTypename: true,
  },
  plugins: [{ operations: {} }],
  pluginMap: { operations: operationTypes },
})

const fragments = document.definitions.filter((d) => d.kind === Kind.FRAGMENT_DEFINITION)
const operations = document.definitions.filter((d) => d.kind === Kind.OPERATION_DEFINITION)

// spreads returns the names of the fragments that a definition uses, directly or not.
function spreads(definition, found = new Set()) {
  visit(definition, {
    FragmentSpread(node) {
      if (found.has(node.name.value)) return
      found.add(node.name.value)
      spreads(fragments.find((f) => f.name.value === node.name.value), found)
    },
  })
  return found
}

const quoted = (node) => JSON.stringify(stripIgnoredCharacters(print(node)))
const lower = (name) => name[0].toLowerCase() + name.slice(1)
const texts = [
  '/** The text of an operation, with the types of its result and its variables. */',
  'export type Operation<Result, Variables> = string & { readonly __types?: (variables: Variables) => Result }',
  '',
  ...fragments.map((f) => `const ${lower(f.name.value)} = ${quoted(f)}`),
  '',
  ...operations.map((o) => {
    const name = o.name.value
    const type = name + { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }[o.operation]
    const used = [...spreads(o)].map((f) => ' + ' + lower(f)).join('')
    return `export const ${lower(name)}Operation = (${quoted(o)}${used}) as Operation<${type}, ${type}Variables>`
  }),
  '',
].join('\n')
writeFileSync(new URL('src/generated.ts', here), `// Generated from src/operations.graphql and ../../schema.graphqls by \`npm run types\`. Do not edit.\n\n${types}\n${texts}`)
