// Writes public/third-party.txt: the licences of the packages in the built page.
import { readFileSync, writeFileSync } from 'node:fs'

const here = new URL('..', import.meta.url)
const { dependencies } = JSON.parse(readFileSync(new URL('package.json', here), 'utf8'))
const files = { 'graphql-ws': 'LICENSE.md' }
const parts = Object.keys(dependencies)
  .sort()
  .map((name) => {
    const { version, license } = JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, here), 'utf8'))
    const text = readFileSync(new URL(`node_modules/${name}/${files[name] ?? 'LICENSE'}`, here), 'utf8')
    return `${name} ${version} (${license})\n\n${text.trim()}\n`
  })
writeFileSync(new URL('public/third-party.txt', here), 'The explorer contains the following packages.\n\n' + parts.join('\n' + '-'.repeat(80) + '\n\n'))
