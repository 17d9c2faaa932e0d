// Builds GraphiQL into dist, with compressed files and the licences of what they contain.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { gzipSync } from 'fflate'
import { defineConfig, type Plugin } from 'vite'

const here = import.meta.dirname
const dist = join(here, 'dist')

/** The licences of the packages whose modules are in the build. */
function notices(): Plugin {
  const packages = new Map<string, string>() // name and version → directory
  return {
    name: 'notices',
    apply: 'build',
    moduleParsed({ id }) {
      const at = id.lastIndexOf(`${sep}node_modules${sep}`)
      if (at < 0) return
      const root = id.slice(0, at) + `${sep}node_modules${sep}`
      const parts = id.slice(root.length).split(/[?]/)[0]!.split(sep)
      const directory = root + parts.slice(0, parts[0]!.startsWith('@') ? 2 : 1).join(sep)
      const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Record<string, string>
      packages.set(`${name} ${version} (${license})`, directory)
    },
    generateBundle() {
      const text = [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([title, directory]) => {
        const file = readdirSync(directory).find((f) => /^licen[cs]e/i.test(f))
        return `${title}\n\n${file ? readFileSync(join(directory, file), 'utf8').trim() : 'The package contains no text of its licence.'}\n`
      })
      this.emitFile({ type: 'asset', fileName: 'third-party.txt', source: 'GraphiQL contains the following packages.\n\n' + text.join('\n' + '-'.repeat(80) + '\n\n') })
    },
  }
}

/** Replaces every file by its compressed form. The compressor is the same on every machine. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
        const file = join(dirname(join(entry.parentPath, entry.name)), entry.name)
        if (!entry.isFile() || file.endsWith('.gz')) continue
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9, mtime: 0 }))
        rmSync(file)
      }
    },
  }
}

export default defineConfig({
  root: here,
  base: '/graphiql/',
  plugins: [notices(), compressed()],
  build: {
    target: 'es2022',
    outDir: dist,
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy allows no data: fonts
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 5000,
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/graphql': { target: process.env['EXPLORER_SERVER'] ?? 'http://127.0.0.1:8420', ws: true } },
  },
})
